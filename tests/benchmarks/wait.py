"""A move that a Redis replica must confirm before it is acknowledged, against the same move without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median

from .act import ALONE, CALLERS, CHANNELS, TOGETHER
from .load import Plan, Result, measure
from .processes import server
from .redis_servers import replicated
from .report import Row
from .settings import Settings


def run(settings: Settings) -> Iterator[Row]:
    """Measure both alternately on one Redis with one replica. The ratio is the cost of waiting."""
    with ExitStack() as stack:
        url, redis_pid = stack.enter_context(replicated())
        environment = {"REDIS_URL": url, "SKERRY_PORT": "0"}
        without = stack.enter_context(server("service_server", environment=environment))
        waiting = stack.enter_context(server("service_server", environment=environment | {"SKERRY_REDIS_WAIT": "1"}))

        def load(callers: int, of: tuple[str, int]) -> Result:
            address, pid = of
            pids = {"server": pid, "redis": redis_pid}
            return measure(Plan(False, address, settings.seconds, callers, min(callers, CHANNELS), pids))

        for callers, measured in ((CALLERS, TOGETHER), (1, ALONE)):
            rounds = [(load(callers, without), load(callers, waiting)) for _ in range(settings.rounds)]
            for one in measured:
                figures = [(one.figure(first), one.figure(second)) for first, second in rounds]
                yield from _pair(one.what, one.unit, figures)


def _pair(what: str, unit: str, figures: Sequence[tuple[float, float]]) -> tuple[Row, Row]:
    """Return the rows without and with waiting: medians over the rounds, also of the ratio."""
    without, waiting = (median(each) for each in zip(*figures, strict=True))
    ratio = median(second / first if first else 0.0 for first, second in figures)
    return (
        Row("wait", f"one replica, without waiting: {what}", without, unit),
        Row("wait", f"one replica, with waiting: {what}", waiting, unit, None, ratio),
    )
