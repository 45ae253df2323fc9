"""What a game brought to each seat, alike in every game."""

from __future__ import annotations

from collections.abc import Sequence


def returns(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return for each seat, from -1 to 1, the share of the others that it has beaten, a tie being a half. Sums to 0."""
    others = len(ranks) - 1
    return tuple([sum((rank < other) - (rank > other) for other in ranks) / others for rank in ranks])
