"""Sets of squares, packed into integers: bit ``n`` stands for square ``n`` of the grid."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeVar

from skerry_games.api import MalformedMove
from skerry_games.canarias.islands import ISLANDS, SQUARES
from skerry_games.canarias.terms import Feature

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
    return tuple(square for square in ALL_SQUARES if squares >> square & 1)


BUILDING: Final = tuple(bits(island.building) for island in ISLANDS)
"""For each island the squares that are built on."""
TOUCHING: Final = tuple(tuple(bits(island.touching.get(feature, ())) for feature in Feature) for island in ISLANDS)
"""For each island and feature the building squares next to it; none for a colour."""
_NEIGHBOURS: Final = tuple({square: bits(others) for square, others in island.neighbours.items()} for island in ISLANDS)


@lru_cache(maxsize=1 << 15)
def beside(island: int, squares: Squares) -> Squares:
    """Return the building squares that share a side with a member of the set (CANARIAS-BUILD-4)."""
    found, neighbours = 0, _NEIGHBOURS[island]
    for square in members(squares):
        found |= neighbours[square]
    return found


def selector(things: tuple[T, ...]) -> Callable[[Squares], tuple[T, ...]]:
    """Return a memoised selection: from a set of squares to the things with these numbers."""

    @lru_cache(maxsize=1 << 13)
    def select(squares: Squares) -> tuple[T, ...]:
        return tuple([things[square] for square in members(squares)])

    return select


def chooser(things: dict[Squares, T], size: int) -> Callable[[Squares], tuple[T, ...]]:
    """Return a memoised selection: from a set of squares to the things that stand for so many of its members."""

    @lru_cache(maxsize=1 << 13)
    def choose(squares: Squares) -> tuple[T, ...]:
        return tuple([things[bits(chosen)] for chosen in combinations(members(squares), size)])

    return choose
