"""Moves over Play, with one game per stream and with many, against the floor of the same minute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from typing import NamedTuple

from . import load, play_load
from .load import Result
from .processes import server
from .redis_servers import durable
from .report import Row, Target
from .settings import Settings

CALLERS = 32
CHANNELS = 16
_MICRO = 1e6


class _Variant(NamedTuple):
    what: str
    streams: int
    games: int
    cpu: float
    """Bound of a move's processor time, as a ratio to the floor's."""
    moves: float
    """Target of moves per second, as a ratio to the floor's."""


WAYS = (
    _Variant("32 streams, a game each", 32, 1, cpu=0.28, moves=3.0),
    _Variant("2 streams, 64 games each", 2, 64, cpu=0.20, moves=6.0),
)


def run(settings: Settings) -> Iterator[Row]:
    """Measure on the embedded Redis. All seats of each game are attached and receive every move, without positions."""
    with ExitStack() as stack:
        url, redis_pid = stack.enter_context(durable())
        floor, floor_pid = stack.enter_context(server("floor", url))
        environment = {"REDIS_URL": url, "SKERRY_PORT": "0"}
        service, pid = stack.enter_context(server("service_server", environment=environment))
        seconds, pids = settings.seconds, {"server": pid, "redis": redis_pid}
        floor_plan = load.Plan(True, floor, seconds, CALLERS, CHANNELS, pids | {"server": floor_pid})
        for variant in WAYS:
            plan = play_load.Plan(service, seconds, variant.streams, variant.games, pids)
            # Alternating, so that other load on the machine disturbs both equally.
            rounds = [(load.measure(floor_plan), play_load.measure(plan)) for _ in range(settings.rounds)]
            yield from _rows(variant, rounds)


def _rows(variant: _Variant, rounds: list[tuple[Result, Result]]) -> Iterator[Row]:
    played = [result for _, result in rounds]

    def of_floor(figures: Iterator[tuple[float, float]]) -> float:
        return median(mine / floors for floors, mine in figures)

    moves = of_floor((floor.per_second, mine.per_second) for floor, mine in rounds)
    cpu = of_floor((floor.cpu["server"], mine.cpu["server"]) for floor, mine in rounds)
    for what, unit, figure, target, ratio in (
        ("moves", "moves/s", median(one.per_second for one in played), Target(variant.moves, True, True), moves),
        (
            "CPU of the server",
            "µs/move",
            median(one.cpu["server"] for one in played) * _MICRO,
            Target(variant.cpu, of_floor=True),
            cpu,
        ),
        ("CPU of Redis", "µs/move", median(one.cpu["redis"] for one in played) * _MICRO, None, None),
        ("CPU of the client", "µs/move", median(one.cpu["client"] for one in played) * _MICRO, None, None),
        ("p50", "µs", median(one.p50 for one in played) * _MICRO, None, None),
        ("p99", "µs", median(one.p99 for one in played) * _MICRO, None, None),
    ):
        yield Row("play", f"{variant.what}: {what}", figure, unit, target, ratio)
