"""A sequential test of the first player, on complete blocks in the order of the plan, for an early stop.

The test compares two hypotheses on the share of opponents beaten. The likelihood of each is that of the distribution
with this mean that is nearest to the observed blocks (empirical likelihood). So the test works with any number of seats
and with ties. It stops once the likelihood ratio passes the bound of the wanted error.
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
from skerry_games.pairing.match import share_in

_UNSEEN: Final = 0.001
"""The weight of one lost and one won block that is always added, so that unseen results are not impossible."""
_HALVINGS: Final = 100


class StopDecision(StrEnum):
    """A decision of the test."""

    HIGH = "high"
    """The higher share fits: the player has this strength or more."""
    LOW = "low"
    """The lower share fits."""


class Stopped(Struct, frozen=True):
    """A decision, and the block after which the test made it."""

    decision: StopDecision
    block: int


class SequentialTest:
    """The test of a tournament. It takes games in any order and evaluates them in the order of the plan."""

    def __init__(self, settings: Settings) -> None:
        self.stopped: Stopped | None = None
        """The decision, which is final."""
        self.ratio = 0.0
        """The logarithm of the likelihood ratio after the last complete block."""
        self._stop = settings.stop
        self._seats = settings.table
        self._name = settings.players[0].name
        self._waiting: dict[int, list[Result]] = {}
        self._next = 0
        self._seen: Counter[float] = Counter()

    def add(self, result: Result) -> None:
        """Add a finished game."""
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
        self.ratio = log_likelihood_ratio(self._seen, stop.low, stop.high)
        if abs(self.ratio) < self.bound:
            return None
        return StopDecision.HIGH if self.ratio > 0 else StopDecision.LOW

    @property
    def bound(self) -> float:
        """The test stops at this value of ``ratio``, or at minus this value."""
        error = 0.5 if self._stop is None else self._stop.error
        return log((1 - error) / error)


def log_likelihood_ratio(seen: Mapping[float, int], low: float, high: float) -> float:
    """Return the logarithm of the likelihood ratio of the means ``high`` and ``low``.

    ``seen``: the number of observations of each value from 0 to 1. ``low`` and ``high`` lie between 0 and 1.
    """
    counts = {value: float(count) for value, count in seen.items()}
    for end in (0.0, 1.0):
        counts[end] = counts.get(end, 0.0) + _UNSEEN
    tilts = [(mean, _tilt(counts, mean)) for mean in (low, high)]
    by_mean = [[1 + tilt * (value - mean) for value in counts] for mean, tilt in tilts]
    return fsum([count * log(one / other) for count, one, other in zip(counts.values(), *by_mean, strict=True)])


def _tilt(counts: Mapping[float, float], mean: float) -> float:
    """Return the tilt of the counts to the nearest distribution with the given mean.

    It is the root of a decreasing function between the two tilts at which a weight becomes infinite.
    """

    def error_of(tilt: float) -> float:
        return fsum([count * (value - mean) / (1 + tilt * (value - mean)) for value, count in counts.items()])

    return _root(error_of, -1 / (max(counts) - mean), 1 / (mean - min(counts)))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if falling(middle) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
