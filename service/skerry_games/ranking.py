"""From standings to ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T", int, tuple[int, ...])


def dense_ranks(standings: Sequence[T]) -> tuple[int, ...]:
    """Return the rank of each seat from 1, the highest standing first. Equal ones share a rank, and none is left out.

    A standing is a number of points, or a tuple that names what breaks ties after them.
    """
    order = sorted(set(standings), reverse=True)
    return tuple([order.index(standing) + 1 for standing in standings])
