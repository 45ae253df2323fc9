"""Ranks the seats at the end of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T", int, tuple[int, ...])


def dense_ranks(standings: Sequence[T]) -> tuple[int, ...]:
    """Return the rank of each seat: 1 for the highest standing. Ranks are dense, and equal standings share a rank.

    A standing is a number of points, or a tuple of the points and the tie-breakers after them.
    """
    order = sorted(set(standings), reverse=True)
    return tuple([order.index(standing) + 1 for standing in standings])
