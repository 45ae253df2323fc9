"""Upper bounds for views and moves, for programs that need arrays of a fixed size (machine learning, for example)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct


class FixedLength(Struct, frozen=True):
    """An ordered list that always has ``length`` items."""

    length: int


class MaxLength(Struct, frozen=True):
    """An ordered list of at most ``length`` items."""

    length: int


class Multiset(Struct, frozen=True):
    """An unordered list of numbers. Encode it as how often each of ``values`` occurs."""

    values: Sequence[int]


class GroupedBy(Struct, frozen=True):
    """An unordered list of items, grouped by one of their values. Items of one group are equal."""

    key: str | int
    """The field that names the group, or its index if the items are tuples."""
    values: Sequence[int]
    """The values that the field can have."""
    max_equal: int = 1
    """How many equal items a group can have."""


class Derived(Struct, frozen=True):
    """A list without a bound that follows from the rest of the view. Leave it out."""


Shape = FixedLength | MaxLength | Multiset | GroupedBy | Derived
Shapes = Mapping[str, Shape]
"""The shape of each list in a view, by its path: ``seats[].hand``."""


class AllowedValues(Struct, frozen=True):
    """The values that a number in a move can have."""

    values: Sequence[int]


class NumberParts(Struct, frozen=True):
    """A number in a move with too many values, split into parts: a cell into its column and its row."""

    parts: tuple[tuple[str, Callable[[int], int], Sequence[int]], ...]
    """For each part: its name, the function from the number to the part, and the values that the part can have."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a game's views and moves. A game may offer them as ``BOUNDS`` in its module ``bounds``.

    Unless a field says otherwise, the bounds hold for every option and number of seats. So the same index means the
    same thing in all of them.
    """

    decisions: tuple[type, ...]
    """The types of moves that seats make. All other moves are chance moves."""
    numbers: Mapping[str, AllowedValues | NumberParts]
    """The values of each number in these moves that its type does not limit, by ``Type.field``."""
    lengths: Mapping[str, int]
    """The maximum length of each list in these moves that has no fixed length."""
    shapes: Callable[[Any, int], Shapes]
    """Return the shapes of the lists in a view, for these options and this number of seats."""
    seat_numbers: frozenset[str] = frozenset()
    """The numbers in a view that name a seat, by their paths: ``acting_seat``, ``privileges[]``."""
