"""A move through the whole service, against the floor on the same Redis in the same minute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from statistics import median

from msgspec import Struct

from .load import Plan, Result, measure
from .processes import server
from .redis_servers import durable, plain
from .report import Row, Target
from .settings import Settings

CALLERS = 32
CHANNELS = 16
REDIS: dict[str, Callable[[], AbstractContextManager[tuple[str, int]]]] = {"durable": durable, "plain": plain}
_MICRO = 1e6


class _Measured(Struct, frozen=True):
    what: str
    unit: str
    figure: Callable[[Result], float]
    target: Target | None = None


TOGETHER = (
    _Measured("moves", "moves/s", lambda result: result.per_second, Target(2.6, at_least=True, of_floor=True)),
    _Measured("CPU of the server", "µs/move", lambda result: result.cpu["server"] * _MICRO, Target(0.3, of_floor=True)),
    _Measured("CPU of Redis", "µs/move", lambda result: result.cpu["redis"] * _MICRO),
    _Measured("CPU of the client", "µs/move", lambda result: result.cpu["client"] * _MICRO),
    _Measured("p50", "µs", lambda result: result.p50 * _MICRO),
    _Measured("p99", "µs", lambda result: result.p99 * _MICRO),
    _Measured("longest", "µs", lambda result: result.longest * _MICRO),
)
ALONE = (_Measured("one caller, p50", "µs", lambda result: result.p50 * _MICRO, Target(0.72, of_floor=True)),)


def run(settings: Settings) -> Iterator[Row]:
    """Measure on the embedded Redis, and on a server over TCP that writes nothing to disk."""
    for name in REDIS:
        yield from _pairs(name, settings)


def _pairs(name: str, settings: Settings) -> Iterator[Row]:
    with ExitStack() as stack:
        url, redis_pid = stack.enter_context(REDIS[name]())
        floor = stack.enter_context(server("floor", url))
        environment = {"REDIS_URL": url, "SKERRY_PORT": "0"}
        service = stack.enter_context(server("service_server", environment=environment))

        def load(callers: int, *, of_floor: bool) -> Result:
            address, pid = floor if of_floor else service
            pids = {"server": pid, "redis": redis_pid}
            return measure(Plan(of_floor, address, settings.seconds, callers, min(callers, CHANNELS), pids))

        for callers, measured in ((CALLERS, TOGETHER), (1, ALONE)):
            # Alternating, so that other load on the machine disturbs both equally.
            rounds = [(load(callers, of_floor=True), load(callers, of_floor=False)) for _ in range(settings.rounds)]
            for one in measured:
                yield from _pair(name, one, rounds)


def _pair(name: str, measured: _Measured, rounds: Sequence[tuple[Result, Result]]) -> tuple[Row, Row]:
    """Return the rows of the floor and of the service: medians over the rounds, also of the ratio."""
    figures = [(measured.figure(floor), measured.figure(service)) for floor, service in rounds]
    floor, service = (median(each) for each in zip(*figures, strict=True))
    ratio = median(mine / floors if floors else 0.0 for floors, mine in figures)
    return (
        Row("act", f"{name}: floor: {measured.what}", floor, measured.unit),
        Row("act", f"{name}: Act: {measured.what}", service, measured.unit, measured.target, ratio),
    )
