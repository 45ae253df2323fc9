"""Sets of squares, packed into integers: bit ``n`` stands for square ``n`` of the grid."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeVar

from skerry_games.api import MalformedMove
from skerry_games.canarias.printed.islands import ISLANDS, SQUARES, PrintedIsland
from skerry_games.canarias.printed.terms import Feature

Squares = int
T = TypeVar("T")

ALL_SQUARES: Final = range(len(SQUARES))
NOWHERE: Final = -1
"""Stands where there is no island."""


def bits(squares: tuple[int, ...]) -> Squares:
    """Return the set of these squares."""
    return sum(1 << square for square in squares)


def bit_of(square: int) -> Squares:
    """Return the set of just that square. Raises MalformedMove for what is no square."""
    if square not in ALL_SQUARES:
        raise MalformedMove(f"There is no square {square!r}.")
    return 1 << square


@lru_cache(maxsize=1 << 14)
def members(squares: Squares) -> tuple[int, ...]:
    """Return the squares of the set, ascending."""
    found = []
    while squares > 0:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return tuple(found)


BUILDING: Final = tuple(bits(island.building) for island in ISLANDS)
"""For each island the squares that are built on."""
TOUCHING: Final = tuple(tuple(bits(island.touching.get(feature, ())) for feature in Feature) for island in ISLANDS)
"""For each island and feature the building squares next to it; none for a colour."""


class _Beside(dict[Squares, Squares]):
    """For a set of an island's building squares those that share a side with a member (CANARIAS-BUILD-4).

    Worked out when first asked for: an island has 4,096 such sets. A dictionary has less work to answer than
    ``lru_cache``.
    """

    def __init__(self, island: PrintedIsland) -> None:
        super().__init__({0: 0})
        self._neighbours = {square: bits(others) for square, others in island.neighbours.items()}

    def __missing__(self, squares: Squares) -> Squares:
        found = 0
        for square in members(squares):
            found |= self._neighbours[square]
        self[squares] = found
        return found


BESIDE: Final = tuple(map(_Beside, ISLANDS))
"""For each island and set of its building squares those that share a side with one of them (CANARIAS-BUILD-4)."""


def selector(things: tuple[T, ...]) -> Callable[[Squares], tuple[T, ...]]:
    """Return a memoised selection: from a set of squares to the things with these numbers."""

    @lru_cache(maxsize=1 << 13)
    def select(squares: Squares) -> tuple[T, ...]:
        return tuple([things[square] for square in members(squares)])

    return select


def chooser(things: dict[tuple[int, ...], T], size: int) -> Callable[[Squares], tuple[T, ...]]:
    """Return a memoised selection: from a set of squares to the things that stand for so many of its members."""

    @lru_cache(maxsize=1 << 13)
    def choose(squares: Squares) -> tuple[T, ...]:
        return tuple([things[chosen] for chosen in combinations(members(squares), size)])

    return choose
