"""The returns of a finished game, on the same scale for all games."""

from __future__ import annotations

from collections.abc import Sequence


def returns(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return for each seat the share of opponents beaten minus the share that beat it, from -1 to 1. The sum is 0."""
    others = len(ranks) - 1
    return tuple([sum((rank < other) - (rank > other) for other in ranks) / others for rank in ranks])
