"""A move through the service beside a move through other game servers, if they are installed, by turns in one run.

The other servers are in ``node``, each loaded by its own client. What each of them promises about a move, and how to
install them: docs/explanation/benchmarks.md.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from statistics import median

import msgspec
from msgspec.structs import replace

from . import load
from .act import CALLERS, CHANNELS
from .http_load import Result
from .load import WARM_UP
from .processes import NODE, TICK, answer, server
from .redis_servers import durable
from .report import Row
from .rest import measure, served
from .settings import Settings

FLOOR, GRPC, CONNECT = "floor", "Skerry, Act over gRPC", "Skerry, Act over Connect"
BOARDGAME_IO, COLYSEUS = "boardgame.io", "colyseus"
OTHERS: Mapping[str, tuple[str, str]] = {
    "boardgame.io": (BOARDGAME_IO, "small"),
    "boardgame.io, 5 KB of state": (BOARDGAME_IO, "large"),
    "Colyseus": (COLYSEUS, "20 patches a second"),
    "Colyseus, a patch for each move": (COLYSEUS, "each move"),
}
"""The server and the variant of each measurement."""
_PROGRAMS = {BOARDGAME_IO: "boardgame_io.mjs", COLYSEUS: "colyseus.mjs"}
_SETTLING = 120.0
_MICRO = 1e6


def run(settings: Settings) -> Iterator[Row]:
    """Measure all by turns, the service on the embedded Redis, which syncs each write."""
    if not (NODE / "node_modules").is_dir() or shutil.which("node") is None:
        print("servers: skipped, because the other servers are not installed", file=sys.stderr)
        return
    with ExitStack() as stack:
        loads = _loads(stack, settings)
        rounds = [{what: one() for what, one in loads.items()} for _ in range(settings.rounds)]
    for what in loads:
        yield from _absolute(what, rounds)
    for ours in (GRPC, CONNECT):
        for other in OTHERS:
            yield from _relative(ours, other, rounds)


def _loads(stack: ExitStack, settings: Settings) -> dict[str, Callable[[], Result]]:
    """Start all servers. Return how to load each."""
    url, _ = stack.enter_context(durable())
    floor, pid = stack.enter_context(server("floor", url))
    floor_plan = load.Plan(True, floor, settings.seconds, CALLERS, CHANNELS, {"server": pid})
    plan = stack.enter_context(served(url, settings))
    grpc_plan = load.Plan(False, plan.grpc, settings.seconds, CALLERS, CHANNELS, {"server": plan.pid})
    production = {"NODE_ENV": "production"}
    others = {name: stack.enter_context(server(program, environment=production)) for name, program in _PROGRAMS.items()}
    return {
        FLOOR: partial(_measure_grpc, floor_plan),
        GRPC: partial(_measure_grpc, grpc_plan),
        CONNECT: partial(measure, replace(plan, connect=True)),
        **{
            what: partial(_measure_other, name, variant, *others[name], settings.seconds)
            for what, (name, variant) in OTHERS.items()
        },
    }


def _measure_grpc(plan: load.Plan) -> Result:
    measured = load.measure(plan)
    return Result(measured.per_second, measured.cpu["server"])


def _measure_other(name: str, variant: str, address: str, pid: int, seconds: float) -> Result:
    plan = {
        "server": name,
        "variant": variant,
        "address": address,
        "pid": pid,
        "seconds": seconds,
        "warmUp": WARM_UP,
        "callers": CALLERS,
        "ticks": TICK,
    }
    printed = answer("load.mjs", msgspec.json.encode(plan).decode(), limit=seconds + _SETTLING)
    return msgspec.json.decode(printed, type=Result)


def _absolute(what: str, rounds: Sequence[Mapping[str, Result]]) -> Iterator[Row]:
    """Yield the figures of one server, with their ratios to the floor."""
    quick, cheap = _ratios(what, FLOOR, rounds) if what != FLOOR else (None, None)
    yield Row("servers", f"{what}: moves", median(one[what].per_second for one in rounds), "moves/s", None, quick)
    cpu = median(one[what].cpu for one in rounds) * _MICRO
    yield Row("servers", f"{what}: CPU of the server", cpu, "µs/move", None, cheap)


def _relative(ours: str, other: str, rounds: Sequence[Mapping[str, Result]]) -> Iterator[Row]:
    quick, cheap = _ratios(ours, other, rounds)
    yield Row("servers", f"{ours}, to {other}: moves", quick, "×")
    yield Row("servers", f"{ours}, to {other}: CPU of the server", cheap, "×")


def _ratios(one: str, other: str, rounds: Sequence[Mapping[str, Result]]) -> tuple[float, float]:
    """Return the medians over the rounds of the ratios of moves per second and of processor time."""
    return (
        median(each[one].per_second / each[other].per_second for each in rounds),
        median(each[one].cpu / each[other].cpu for each in rounds),
    )
