"""The encoding of moves as sequences of actions, which are the same numbers in every position and for every option.

These games have too many moves for one number each: any three squares can become a town, and a token can lie on any
cell. So a move is a sequence: first its kind, then the value of each field in order. A list of variable length has an
end marker. Each element of the sequence is one *action*. The numbers of actions start with the kinds from 0, followed
by the values field by field, in the order of their declaration. No sequence is a prefix of another one, so the last
action of a move is recognizable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from msgspec import inspect

from skerry_arena.learning.encoding.bounds import bounds_of
from skerry_games.api import AnyGame
from skerry_games.shapes import AllowedValues, Bounds, NumberParts

ActionSequence = tuple[int, ...]
"""A move as actions."""
_MOST_REMEMBERED: Final = 1 << 14
"""The most moves whose actions an encoding remembers."""
_NONE: Final = "none"
_END: Final = "end"
_Meaning = tuple[str, Any]
"""The meaning of an action: ``Kind`` or ``Kind.field``, and a value."""


class ActionEncoding:
    """The actions of one game, and the encoding of its moves."""

    def __init__(self, game: AnyGame) -> None:
        """Raises BoundsMissing."""
        bounds = bounds_of(game)
        kinds = [inspect.type_info(kind) for kind in bounds.decisions]
        self._fields = {
            kind.cls: tuple(_fields(kind, bounds)) for kind in kinds if isinstance(kind, inspect.StructType)
        }
        meanings = [(kind.__name__, None) for kind in self._fields]
        meanings += [meaning for fields in self._fields.values() for field in fields for meaning in field.meanings()]
        self._numbers: dict[_Meaning, int] = {meaning: number for number, meaning in enumerate(meanings)}
        self.names: Sequence[str] = tuple([_name(*meaning) for meaning in meanings])
        """The meaning of each action by its number: ``Recruit``, ``Recruit.province=3``, ``Sail.ways end``."""
        self.longest: int = 1 + max(sum(field.longest for field in fields) for fields in self._fields.values())
        """The most actions of a move."""
        self.encode = lru_cache(_MOST_REMEMBERED)(self._encode)
        """Return the actions of a move. Raises KeyError for a move out of bounds."""

    @property
    def size(self) -> int:
        """The number of actions."""
        return len(self.names)

    def _encode(self, move: Any) -> ActionSequence:
        kind = type(move)
        meanings = [(kind.__name__, None)]
        for field in self._fields[kind]:
            meanings += field.encode(getattr(move, field.name))
        return tuple([self._numbers[meaning] for meaning in meanings])


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

    def meanings(self) -> Iterator[_Meaning]:
        """Yield all possible actions of the field."""
        if self._optional:
            yield self._path, _NONE
        for name, _, values in self._parts:
            for value in values:
                yield self._at(name), value
        if self._ends:
            yield self._path, _END

    def encode(self, value: Any) -> Iterator[_Meaning]:
        """Yield the actions of a value."""
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
    """Return the number of numbers in a value of a type, and their type."""
    if isinstance(kind, inspect.TupleType):
        inner, leaf = _leaves(kind.item_types[0])
        return inner * len(kind.item_types), leaf
    return 1, kind


def _is_optional(leaf: inspect.Type) -> bool:
    return isinstance(leaf, inspect.UnionType) and leaf.includes_none


def _values(leaf: inspect.Type) -> Sequence[Any]:
    """Return the possible values of a number from its type."""
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
