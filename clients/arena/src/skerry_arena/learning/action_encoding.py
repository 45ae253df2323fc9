"""Moves as words over a small alphabet of numbers, the same ones in every position and for every option.

A game of this kind has too many moves to number: any three squares can become a town, a token lies on any cell. So a
move is *spelled*: first its kind, then the value of each of its fields in their order; a list that can have several
lengths ends with a sign. What stands at a place of the word is one *action*, and has a number of its own for each kind
and field: the kinds from 0, then the values field by field, in the order in which the game declares them. No word is
the beginning of another, so that what is spelled is one move or several, and it is known when it is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, Final

from msgspec import inspect

from skerry_arena.learning.bounds import bounds_of
from skerry_games.api import AnyGame
from skerry_games.shapes import AllowedValues, Bounds, NumberParts

ActionSequence = tuple[int, ...]
"""A move as actions."""
_NONE: Final = "none"
_END: Final = "end"
_Sign = tuple[str, Any]
"""What an action means: ``FailureKind.field`` or ``FailureKind``, and a value."""


class ActionEncoding:
    """The alphabet of one game, and how its moves are spelled."""

    def __init__(self, game: AnyGame) -> None:
        """Raises ``BoundsMissing``."""
        bounds = bounds_of(game)
        kinds = [inspect.type_info(kind) for kind in bounds.decisions]
        self._fields = {
            kind.cls: tuple(_fields(kind, bounds)) for kind in kinds if isinstance(kind, inspect.StructType)
        }
        signs = [(kind.__name__, None) for kind in self._fields]
        signs += [sign for fields in self._fields.values() for field in fields for sign in field.signs()]
        self._numbers: dict[_Sign, int] = {sign: number for number, sign in enumerate(signs)}
        self.names: Sequence[str] = tuple([_name(*sign) for sign in signs])
        """What each action means, by its number: ``Recruit``, ``Recruit.province=3``, ``Sail.ways end``."""
        self.longest: int = 1 + max(sum(field.longest for field in fields) for fields in self._fields.values())
        """The most actions of a word."""

    @property
    def size(self) -> int:
        """How many actions there are."""
        return len(self.names)

    def spell(self, move: Any) -> ActionSequence:
        """Return the word of a move that a seat can make. Raises KeyError for one that is out of bounds."""
        kind = type(move)
        signs = [(kind.__name__, None)]
        for field in self._fields[kind]:
            signs += field.spelled(getattr(move, field.name))
        return tuple([self._numbers[sign] for sign in signs])


class _Field:
    """A field of a kind of moves."""

    def __init__(self, owner: str, field: inspect.Field, bounds: Bounds) -> None:
        self.name = field.name
        self._path = f"{owner}.{field.name}"
        self._ends = False
        kind, items = field.type, 1
        if isinstance(kind, inspect.VarTupleType):
            self._ends, kind, items = True, kind.item_type, bounds.lengths[self._path]
        leaves, leaf = _leaves(kind)
        values = bounds.numbers.get(self._path) or AllowedValues(_values(leaf))
        self._parts = values.parts if isinstance(values, NumberParts) else ((None, _same, values.values),)
        self._optional = _is_optional(leaf)
        self.longest = items * leaves * len(self._parts) + self._ends

    def signs(self) -> Iterator[_Sign]:
        """Yield all that can stand in a word for it."""
        if self._optional:
            yield self._path, _NONE
        for name, _, values in self._parts:
            for value in values:
                yield self._at(name), value
        if self._ends:
            yield self._path, _END

    def spelled(self, value: Any) -> Iterator[_Sign]:
        """Yield what stands for a value."""
        for number in _numbers(value):
            if number is None:
                yield self._path, _NONE
            else:
                for name, part, _ in self._parts:
                    yield self._at(name), part(number)
        if self._ends:
            yield self._path, _END

    def _at(self, part: str | None) -> str:
        return self._path if part is None else f"{self._path}.{part}"


def _fields(kind: inspect.StructType, bounds: Bounds) -> Iterator[_Field]:
    for field in kind.fields:
        yield _Field(kind.cls.__name__, field, bounds)


def _same(value: int) -> int:
    return value


def _numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers in a value, those of lists in them included, in order."""
    if isinstance(value, tuple):
        for one in value:
            yield from _numbers(one)
    else:
        yield value


def _leaves(kind: inspect.Type) -> tuple[int, inspect.Type]:
    """Return how many numbers there are in a value of that type, and the type of each."""
    if isinstance(kind, inspect.TupleType):
        inner, leaf = _leaves(kind.item_types[0])
        return inner * len(kind.item_types), leaf
    return 1, kind


def _is_optional(leaf: inspect.Type) -> bool:
    return isinstance(leaf, inspect.UnionType) and leaf.includes_none


def _values(leaf: inspect.Type) -> Sequence[Any]:
    """Return the values of a number whose type says what they are."""
    if isinstance(leaf, inspect.UnionType):
        (leaf,) = [one for one in leaf.types if not isinstance(one, inspect.NoneType)]
    if isinstance(leaf, inspect.EnumType):
        return tuple(leaf.cls)
    if isinstance(leaf, inspect.BoolType):
        return (False, True)
    assert isinstance(leaf, inspect.IntType)
    assert leaf.ge is not None, "its type says too little: it belongs into the game's bounds"
    if leaf.lt is not None:
        return range(leaf.ge, leaf.lt)
    assert leaf.le is not None, "its type says too little: it belongs into the game's bounds"
    return range(leaf.ge, leaf.le + 1)


def _name(path: str, value: Any) -> str:
    if value is None:
        return path
    if value == _END:
        return f"{path} end"
    return f"{path}={value.name.lower() if isinstance(value, Enum) else value}"
