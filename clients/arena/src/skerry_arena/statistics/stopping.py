"""When enough has been played: a sequential test of one player, on complete blocks in the order of the plan.

It asks which of two shares of opponents beaten fits better. The likelihood of each is that of the distribution with
that mean which is nearest to the blocks that were seen, whatever values a block can have: so it serves any number of
seats, and ties. It stops when one of them is so many times as likely as the other that an error is as rare as wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from math import fsum, log
from typing import Final

from msgspec import Struct

from skerry_arena.play.record import Result
from skerry_arena.settings import Settings, Stop
from skerry_arena.statistics.tally import beaten

_UNSEEN: Final = 0.001
"""So many blocks are thought to have been lost, and won, throughout: what was not seen yet is not impossible."""
_HALVINGS: Final = 100


class StopDecision(StrEnum):
    """What the test has decided."""

    HIGH = "high"
    """The higher of the two shares fits: the player is that good, or better."""
    LOW = "low"
    """The lower one fits."""


class Stopped(Struct, frozen=True):
    """A decision, and the block with which it was reached."""

    decision: StopDecision
    block: int


class SequentialTest:
    """Looks at games as they are finished, in any order, and decides on them in that of the plan."""

    def __init__(self, settings: Settings) -> None:
        self.stopped: Stopped | None = None
        """Once it is reached, the decision stays."""
        self._stop = settings.stop
        self._seats = settings.table
        self._name = settings.players[0].name
        self._waiting: dict[int, list[Result]] = {}
        self._next = 0
        self._seen: Counter[float] = Counter()

    def add(self, result: Result) -> None:
        """Take note of a finished game."""
        if self._stop is None or self.stopped is not None:
            return
        self._waiting.setdefault(result.block, []).append(result)
        while len(self._waiting.get(self._next, ())) == self._seats:
            decision = self._decide(self._stop, self._waiting.pop(self._next))
            if decision is not None:
                self.stopped = Stopped(decision, self._next)
                return
            self._next += 1

    def _decide(self, stop: Stop, block: Sequence[Result]) -> StopDecision | None:
        share = share_in(block, self._name)
        if share is None:
            return None
        self._seen[share] += 1
        ratio, bound = log_likelihood_ratio(self._seen, stop.low, stop.high), log((1 - stop.error) / stop.error)
        if abs(ratio) < bound:
            return None
        return StopDecision.HIGH if ratio > 0 else StopDecision.LOW


def share_in(block: Sequence[Result], name: str) -> float | None:
    """Return the share of opponents that a player has beaten in a block; ``None`` if it has met none."""
    won = [
        beaten(rank, other)
        for result in block
        if result.counts
        for rank, player in zip(result.ranks, result.lineup, strict=True)
        for other, opponent in zip(result.ranks, result.lineup, strict=True)
        if player == name and opponent != name
    ]
    return sum(won) / len(won) if won else None


def log_likelihood_ratio(seen: Mapping[float, int], low: float, high: float) -> float:
    """Return the logarithm of how many times as likely it is that the mean is ``high`` as that it is ``low``.

    ``seen``: how often each value, from 0 to 1, was seen. ``low`` and ``high`` lie between 0 and 1.
    """
    counts = {value: float(count) for value, count in seen.items()}
    for end in (0.0, 1.0):
        counts[end] = counts.get(end, 0.0) + _UNSEEN
    tilts = [(mean, _tilt(counts, mean)) for mean in (low, high)]
    by_mean = [[1 + tilt * (value - mean) for value in counts] for mean, tilt in tilts]
    return fsum([count * log(one / other) for count, one, other in zip(counts.values(), *by_mean, strict=True)])


def _tilt(counts: Mapping[float, float], mean: float) -> float:
    """Return by which tilt these counts become the nearest distribution with that mean.

    It is the root of a function that falls between the two tilts at which a weight would become infinite.
    """

    def off(tilt: float) -> float:
        return fsum([count * (value - mean) / (1 + tilt * (value - mean)) for value, count in counts.items()])

    return _root(off, -1 / (max(counts) - mean), 1 / (mean - min(counts)))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
