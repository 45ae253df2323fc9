"""Annotations for ``typing.Annotated`` that say how a field of a struct appears in messages.

Structs and messages have the same names, so most fields need none. Codecs, and tests of codecs, read these::

    Province = Annotated[int, Meta(ge=0, lt=len(IDS)), Id(IDS, "province")]

msgspec and the rules ignore them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Id:
    """A number that messages replace by an id: the index of the id in ``names``."""

    names: Sequence[str] | Callable[[], Sequence[str]]
    """The ids, or a function for ids that are read after the struct is defined."""
    noun: str
    """Names the value in errors: ``province``."""

    def all(self) -> tuple[str, ...]:
        """Return the ids in the order of their numbers."""
        return tuple(self.names() if callable(self.names) else self.names)


@dataclass(frozen=True, slots=True)
class Number:
    """A number whose bounds are checked when a move is read: those of the ``Meta`` beside it."""

    noun: str
    """Names the value in errors: ``fort space``."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A field of a move that is ``None`` for viewers that must not see it. A move that a client sends has it."""

    noun: str
    """Names the value in errors: ``card``."""


@dataclass(frozen=True, slots=True, eq=False)
class As:
    """A value that messages show as a value of another type: a number of a cell as its column and row."""

    kind: Any
    """The other type."""
    write: Callable[[Any], Any]
    """Return the value of the other type."""
    read: Callable[[Any], Any]
    """Return the value. Raises MalformedMove."""
    noun: str
    """Names the value in errors: ``cell``."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbered:
    """A tuple whose items are known by their place. In messages, each item names its place in a field of its own.

    Views, events and boards can have such tuples, moves and options cannot.
    """

    field: str
    """The name of that field."""
    kind: Any = int
    """The type of the place: an enum, whose members are the places in order, or a number."""
    start: int = 0
    """The number of the first place, if places are numbers."""
    sparse: bool = False
    """Whether messages leave out items that are 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Without:
    """An enum of which messages lack some members, because the field never has them."""

    members: tuple[Any, ...]


PerSeat = Annotated[tuple[T, ...], Numbered("seat")]
"""One item per seat."""
