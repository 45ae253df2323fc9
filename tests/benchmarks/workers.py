"""The cost of a move with several server processes, against one process, on the same Redis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from statistics import median, quantiles

from .act import CALLERS, CHANNELS
from .load import Plan, Result, measure
from .processes import descendants, server
from .redis_servers import plain
from .report import Row, Target
from .settings import Settings

WORKERS = 2
TARGET = Target(1.05, of_floor=True)
_TURNS = 4
"""Turns in each round."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure both alternately: the processor time of all processes of a server, including the supervisor."""
    with plain() as (url, _), ExitStack() as stack:
        served = {}
        for workers in (1, WORKERS):
            environment = {"REDIS_URL": url, "SKERRY_PORT": "0", "SKERRY_WORKERS": str(workers)}
            address, pid = stack.enter_context(server("service_server", environment=environment))
            served[workers] = address, {str(one): one for one in (pid, *descendants(pid))}
        taken: dict[int, list[Result]] = {workers: [] for workers in served}
        for _ in range(settings.rounds * _TURNS):
            for workers, (address, pids) in served.items():
                plan = Plan(False, address, settings.seconds / _TURNS, CALLERS, CHANNELS, pids)
                taken[workers].append(measure(plan))
    yield from _rows(taken)


def _rows(taken: Mapping[int, list[Result]]) -> Iterator[Row]:
    used = {workers: [_cpu(result) for result in results] for workers, results in taken.items()}
    ratio = median(several / one for one, several in zip(*used.values(), strict=True))
    for workers, results in taken.items():
        several = workers > 1
        what = f"{workers} workers" if several else "1 worker"
        low = quantiles(used[workers], n=10)[0]
        yield Row(
            "workers",
            f"{what}: CPU of the server",
            low * 1e6,
            "µs/move",
            TARGET if several else None,
            ratio if several else None,
        )
        yield Row("workers", f"{what}: moves", median(result.per_second for result in results), "moves/s")


def _cpu(result: Result) -> float:
    return sum(used for process, used in result.cpu.items() if process != "client")
