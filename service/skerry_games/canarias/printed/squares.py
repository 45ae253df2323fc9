"""Sets of squares as bit sets: bit ``n`` is square ``n`` of the grid."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeVar

from skerry_games.api import MalformedMove
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.islands import ISLANDS, PrintedIsland
from skerry_games.canarias.printed.terms import Feature
from skerry_games.sentences import phrase

Squares = int
T = TypeVar("T")

ALL_SQUARES: Final = range(len(SQUARES))
NOWHERE: Final = -1
"""Instead of an island: no island."""


def bits(squares: tuple[int, ...]) -> Squares:
    """Return the set of the squares."""
    return sum(1 << square for square in squares)


def bit_of(square: int) -> Squares:
    """Return the set of that single square. Raises MalformedMove if the square does not exist."""
    if square not in ALL_SQUARES:
        raise MalformedMove(phrase("canarias-unknown-square", square=repr(square)))
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
"""Per island: its building squares."""
TOUCHING: Final = tuple(tuple(bits(island.touching.get(feature, ())) for feature in Feature) for island in ISLANDS)
"""Per island and feature: the building squares next to it; empty for a colour."""


class _NeighbourSquares(dict[Squares, Squares]):
    """From a set of an island's building squares to the squares that share a side with a member (CANARIAS-BUILD-4).

    Computed on first use: an island has 4,096 such sets. A dictionary is faster than ``lru_cache``.
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


NEIGHBOUR_SQUARES: Final = tuple(map(_NeighbourSquares, ISLANDS))
"""Per island: from a set of building squares to their neighbours (CANARIAS-BUILD-4)."""


def selector(items: tuple[T, ...]) -> Callable[[Squares], tuple[T, ...]]:
    """Return a cached function from a set of squares to the items with these numbers."""

    @lru_cache(maxsize=1 << 13)
    def select(squares: Squares) -> tuple[T, ...]:
        return tuple([items[square] for square in members(squares)])

    return select


def chooser(items: dict[tuple[int, ...], T], size: int) -> Callable[[Squares], tuple[T, ...]]:
    """Return a cached function from a set of squares to the items for each choice of ``size`` members."""

    @lru_cache(maxsize=1 << 13)
    def choose(squares: Squares) -> tuple[T, ...]:
        return tuple([items[chosen] for chosen in combinations(members(squares), size)])

    return choose
