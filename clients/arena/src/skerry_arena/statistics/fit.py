"""Ratings from one joint fit of all pairs of players.

The model is that of Bradley and Terry, with ties as halves: the odds that a player beats another are the ratio of their
strengths. On the rating scale, 400 points are odds of ten to one.

If a player has won every game against another, directly or through a chain of players, no finite difference fits. A
*group* is a set of players with finite differences. Differences between groups are infinite or unknown.
"""

from __future__ import annotations

from math import ceil, log, log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from skerry_arena.statistics.tally import Floats

Bools = NDArray[np.bool_]

POINTS: Final = 400 / log(10)
"""Points per unit of the natural logarithm of odds."""
_STEPS: Final = 100
_LONGEST_STEP: Final = 2.0
_CLOSE: Final = 1e-10


def reaches(beaten: Floats) -> Bools:
    """Return [..., one, other]: whether ``one`` has won or tied against ``other``, directly or through a chain."""
    players = beaten.shape[-1]
    reached = (beaten > 0) | np.eye(players, dtype=np.bool_)
    for _ in range(max(1, ceil(log2(players)))):
        reached = np.matmul(reached, reached)
    return reached


def differences(beaten: Floats) -> Floats:
    """Return [..., one, other]: the points by which ``one`` is stronger than ``other``.

    ``beaten`` is [..., one, other]: how often ``one`` has beaten ``other``, ties as halves. The difference is infinite
    if one has won everything, and NaN if no games compare the two.
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
    """Return [..., player]: the logarithm of the strength, with sum 0 in each group. Uses Newton's method."""
    met = beaten + np.swapaxes(beaten, -1, -2)
    logs = np.zeros(beaten.shape[:-1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(logs[..., None, :] - logs[..., :, None]))
        slope = (beaten - met * expected).sum(axis=-1)
        weight = met * expected * (1 - expected)
        curve = together - weight  # adding ones within a group fixes the sum of the group
        np.einsum("...ii->...i", curve)[...] += weight.sum(axis=-1)
        step = np.linalg.solve(curve, slope[..., None])[..., 0]
        longest = np.abs(step).max(axis=-1, keepdims=True, initial=0.0)
        logs = logs + step * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP))
        if float(longest.max(initial=0.0)) < _CLOSE:
            break
    return logs


def groups(beaten: Floats) -> list[list[int]]:
    """Return the groups of players, in an order in which no group was ever beaten by a later one."""
    reached = reaches(beaten)
    together = reached & reached.T
    found = {tuple(np.flatnonzero(row).tolist()) for row in together}
    return [list(group) for group in sorted(found, key=lambda group: (-int(reached[group[0]].sum()), group))]
