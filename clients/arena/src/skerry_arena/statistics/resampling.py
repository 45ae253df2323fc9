"""Intervals: blocks are drawn anew, with replacement, and everything is counted again, many times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from skerry_arena.statistics.tally import Floats

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 1000
FEWEST_BLOCKS: Final = 10
"""With fewer blocks no interval is given: there is too little to draw from."""
_AT_A_TIME: Final = 100


class Interval(Struct, frozen=True):
    """What the true value lies in, in 95 of 100 tournaments. Infinite where it is not bounded."""

    low: float
    high: float


class Resampling:
    """The blocks of a tournament, drawn anew: the same for everything that is counted, and for every report."""

    def __init__(self, blocks: int, seed: bytes, *, given: bool = True) -> None:
        """``given``: whether there can be intervals at all."""
        self.blocks = blocks
        self._given = given
        self._seed = int.from_bytes(seed, "big")

    @property
    def enough(self) -> bool:
        """Whether there can be intervals, and are enough blocks for them."""
        return self._given and self.blocks >= FEWEST_BLOCKS

    def sums(self, counted: Floats) -> Iterator[Floats]:
        """Yield [resample, ...] for ``counted`` [block, ...]: its sums over the blocks drawn, some at a time."""
        rng = np.random.Generator(np.random.PCG64(self._seed))
        flat = counted.reshape(self.blocks, -1)
        for _ in range(RESAMPLES // _AT_A_TIME):
            drawn = rng.integers(0, self.blocks, (_AT_A_TIME, self.blocks))
            weights = np.array([np.bincount(one, minlength=self.blocks) for one in drawn], dtype=np.float64)
            yield (weights @ flat).reshape(_AT_A_TIME, *counted.shape[1:])

    def of_ratios(self, counted: Floats, of: Floats) -> list[Interval | None]:
        """Return an interval for each column of ``counted / of``; ``None`` where none can be given."""
        columns = counted.shape[1]
        if not self.enough:
            return [None] * columns
        both = np.concatenate([counted, of], axis=1)
        drawn = np.concatenate(list(self.sums(both)))
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = drawn[:, :columns] / drawn[:, columns:]
        # What was not drawn at all tells nothing, and is left out.
        return [interval(ratios[~np.isnan(ratios[:, column]), column]) for column in range(columns)]


def interval(values: Floats) -> Interval | None:
    """Return the middle 95 % of values; ``None`` if all are alike, which tells nothing of how unlike others may be.

    What is not known in a resample (not a number) may lie anywhere.
    """
    middle = _middle(values)
    return None if middle is None or middle.low == middle.high else middle


def excludes_zero(values: Floats) -> bool:
    """Return whether the middle 95 % of values are all above 0, or all below."""
    middle = _middle(values)
    return middle is not None and (middle.low > 0 or middle.high < 0)


def _middle(values: Floats) -> Interval | None:
    if not len(values):
        return None
    lows, highs = (np.sort(np.where(np.isnan(values), anywhere, values)) for anywhere in (-np.inf, np.inf))
    out = round(len(values) * (1 - CONFIDENCE) / 2)
    return Interval(float(lows[out]), float(highs[-1 - out]))
