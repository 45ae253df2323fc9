"""Intervals by bootstrap: blocks are resampled with replacement many times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from skerry_arena.statistics.tally import Floats

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 1000
FEWEST_BLOCKS: Final = 10
"""The least number of blocks for an interval: of the tournament, and with the players of the figure."""
_AT_A_TIME: Final = 100


class Interval(Struct, frozen=True):
    """An interval that contains the true value in 95 of 100 tournaments. An unbounded end is infinite."""

    low: float
    high: float


class Resampling:
    """The resamples of a tournament's blocks. They are the same for all statistics and for every report."""

    def __init__(self, blocks: int, seed: bytes, *, valid: bool = True) -> None:
        """``valid``: whether intervals are valid. They are not after an early stop."""
        self.blocks = blocks
        self._valid = valid
        self._seed = int.from_bytes(seed, "big")

    @property
    def enough(self) -> bool:
        """Whether intervals are valid and the blocks are enough for them."""
        return self._valid and self.blocks >= FEWEST_BLOCKS

    def sums(self, counted: Floats) -> Iterator[Floats]:
        """Yield [resample, ...] for ``counted`` [block, ...], in batches: the sums over the blocks of each resample."""
        rng = np.random.Generator(np.random.PCG64(self._seed))
        flat = counted.reshape(self.blocks, -1)
        for _ in range(RESAMPLES // _AT_A_TIME):
            drawn = rng.integers(0, self.blocks, (_AT_A_TIME, self.blocks))
            weights = np.array([np.bincount(one, minlength=self.blocks) for one in drawn], dtype=np.float64)
            yield (weights @ flat).reshape(_AT_A_TIME, *counted.shape[1:])

    def of_ratios(self, counted: Floats, of: Floats) -> list[Interval | None]:
        """Return an interval for each column of ``counted / of``; ``None`` with too few blocks of the column."""
        columns = counted.shape[1]
        if not self.enough:
            return [None] * columns
        both = np.concatenate([counted, of], axis=1)
        drawn = np.concatenate(list(self.sums(both)))
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = drawn[:, :columns] / drawn[:, columns:]
        seen = (of > 0).sum(axis=0)
        # A resample without the column's games has no ratio and is left out.
        return [
            interval(ratios[~np.isnan(ratios[:, column]), column]) if seen[column] >= FEWEST_BLOCKS else None
            for column in range(columns)
        ]


def interval(values: Floats) -> Interval | None:
    """Return the middle 95 % of the values; ``None`` if all are equal, because they show no spread.

    NaN, an unknown value, could lie anywhere.
    """
    middle = _middle(values)
    return None if middle is None or middle.low == middle.high else middle


def excludes_zero(values: Floats) -> bool:
    """Return whether the middle 95 % of the values are all above 0 or all below 0."""
    middle = _middle(values)
    return middle is not None and (middle.low > 0 or middle.high < 0)


def _middle(values: Floats) -> Interval | None:
    if not len(values):
        return None
    lows, highs = (np.sort(np.where(np.isnan(values), anywhere, values)) for anywhere in (-np.inf, np.inf))
    out = round(len(values) * (1 - CONFIDENCE) / 2)
    return Interval(float(lows[out]), float(highs[-1 - out]))
