"""One joint fit of all players: how strong each must be for the pairs to have come out as they did.

The model is Bradley and Terry's, ties as halves: the odds that one beats another are the ratio of their strengths.
Ratings are on the usual scale, on which 400 points more are odds of ten to one.

Between players of whom one has taken everything from the other, directly or by way of others, no finite difference
fits. Who can be rated together is a *group*; between groups the difference is infinite, or not known at all.
"""

from __future__ import annotations

from math import ceil, log, log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skerry_arena.statistics.tally import Floats

Bools = NDArray[np.bool_]

POINTS: Final = 400 / log(10)
"""Points for each natural logarithm of odds."""
_STEPS: Final = 100
_LONGEST_STEP: Final = 2.0
_CLOSE: Final = 1e-10


def reaches(beaten: Floats) -> Bools:
    """Return [..., one, other]: whether the one has taken anything from the other, directly or by way of others."""
    players = beaten.shape[-1]
    reached = (beaten > 0) | np.eye(players, dtype=np.bool_)
    for _ in range(max(1, ceil(log2(players)))):
        reached = np.matmul(reached, reached)
    return reached


def differences(beaten: Floats) -> Floats:
    """Return [..., one, other]: the points by which the one is stronger.

    ``beaten`` is [..., one, other]: how often the one has beaten the other, ties as halves. Infinite where one has
    taken everything, not a number where nothing compares the two.
    """
    reached = reaches(beaten)
    back = np.swapaxes(reached, -1, -2)
    together = reached & back
    logs = _fitted(np.where(together, beaten, 0.0), together)
    found = POINTS * (logs[..., :, None] - logs[..., None, :])
    found = np.where(reached & ~back, np.inf, found)
    found = np.where(back & ~reached, -np.inf, found)
    return np.where(~reached & ~back, np.nan, found)


def _fitted(beaten: Floats, together: Bools) -> Floats:
    """Return [..., player]: the logarithm of its strength; in each group they sum up to 0. Newton's method."""
    met = beaten + np.swapaxes(beaten, -1, -2)
    logs = np.zeros(beaten.shape[:-1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(logs[..., None, :] - logs[..., :, None]))
        slope = (beaten - met * expected).sum(axis=-1)
        weight = met * expected * (1 - expected)
        curve = together - weight  # the ones of a group keep its sum where it is
        np.einsum("...ii->...i", curve)[...] += weight.sum(axis=-1)
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
        logs = logs + step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))
        if float(longest.max(initial=0.0)) < _CLOSE:
            break
    return logs


def groups(beaten: Floats) -> list[list[int]]:
    """Return the players who can be rated together, group by group; those who took everything from others first."""
    reached = reaches(beaten)
    together = reached & reached.T
    found = {tuple(np.flatnonzero(row).tolist()) for row in together}
    return [list(group) for group in sorted(found, key=lambda group: (-int(reached[group[0]].sum()), group))]
