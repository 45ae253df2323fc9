"""How a game says how large what it shows and asks can become: bounds for programs that need arrays of a fixed size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct


class FixedLength(Struct, frozen=True):
    """A list that always has so many items."""

    length: int


class MaxLength(Struct, frozen=True):
    """A list in which the order counts, and that never has more items."""

    length: int


class Multiset(Struct, frozen=True):
    """A list of numbers in which the order does not count: told by how often each of these values is in it."""

    values: Sequence[int]


class GroupedBy(Struct, frozen=True):
    """A list of items, told by the value that they have there: those with the same one are equal."""

    key: str | int
    """The field, or the index where items are tuples."""
    values: Sequence[int]
    max_equal: int = 1
    """How many equal items there can be."""


class Derived(Struct, frozen=True):
    """What follows from the rest of the view, and has no bound of its own."""


Shape = FixedLength | MaxLength | Multiset | GroupedBy | Derived
Shapes = Mapping[str, Shape]
"""For each list of a view its shape, by the way to it: ``seats[].hand``."""


class AllowedValues(Struct, frozen=True):
    """The values that a number in a move can have."""

    values: Sequence[int]


class NumberParts(Struct, frozen=True):
    """A number in a move that is named part by part, as there are many: a cell by its column and its row."""

    parts: tuple[tuple[str, Callable[[int], int], Sequence[int]], ...]
    """Of each its name, how it follows from the number, and which values it can have."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a game: ``BOUNDS`` in the module ``bounds`` of its folder, if it has one.

    They hold for every option and number of seats unless it is said otherwise, so that what is numbered by them has the
    same numbers everywhere.
    """

    decisions: tuple[type, ...]
    """The kinds of moves that seats make. All others are chance's."""
    numbers: Mapping[str, AllowedValues | NumberParts]
    """For each number in them whose type says too little what it can be: ``Kind.field``."""
    lengths: Mapping[str, int]
    """For each list in them without a fixed length how long it can be."""
    shapes: Callable[[Any, int], Shapes]
    """The shapes of a view's lists, with these options and so many seats."""
