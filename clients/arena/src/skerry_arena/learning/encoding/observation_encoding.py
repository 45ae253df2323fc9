"""The encoding of observations: arrays of int16 of a fixed length for each game, options and number of seats.

An observation has the number of the seat, the actions of its incomplete move, and its view. Each number is a *feature*
with a name, bounds and, for a category such as a phase, the names of its values. The function that fills the array is
generated from the type of the view and the game's bounds (``view_layout``), as one statement after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from msgspec import inspect

from skerry_arena.learning.encoding.action_encoding import ActionEncoding, ActionSequence
from skerry_arena.learning.encoding.bounds import bounds_of
from skerry_arena.learning.encoding.view_layout import (
    Counts,
    Feature,
    Fields,
    Groups,
    Index,
    Items,
    Layout,
    Number,
    Optional,
    Padded,
    Source,
    label,
)
from skerry_games.api import AnyGame
from skerry_games.shapes import Derived, FixedLength, GroupedBy, MaxLength, Multiset, Shape, Shapes

Numbers = np.ndarray[Any, np.dtype[np.int16]]


class ObservationEncoding:
    """The encoding of one game's observations."""

    def __init__(self, game: AnyGame, options: Any, seats: int, actions: ActionEncoding) -> None:
        """Raises BoundsMissing."""
        self._title = game.title
        prefix = actions.longest - 1
        view = type(game.view(game.setup(options, seats), None))
        bounds = bounds_of(game)
        limits = _Limits(bounds.shapes(options, seats), bounds.seat_numbers, seats)
        layout = _layout(inspect.type_info(view), "", limits)
        self.features: tuple[Feature, ...] = (
            *_seat(seats).features("seat"),
            *[Feature(f"prefix[{at}]", 0, actions.size, ("", *actions.names)) for at in range(prefix)],
            *layout.features(""),
        )
        """What each index of an observation means."""
        self.size = len(self.features)
        """The length of an observation."""
        self.low: Numbers = np.array([feature.low for feature in self.features], np.int16)
        """The lowest possible observation."""
        self.high: Numbers = np.array([feature.high for feature in self.features], np.int16)
        """The highest possible observation."""
        self.source, self._write = _compiled(layout, 1 + prefix)
        """The source of the generated function, from the array and the view."""
        self._zeros = np.zeros(self.size, np.int16).data

    def encode(self, seat: int, prefix: ActionSequence, view: Any) -> Numbers:
        """Return an observation: of the seat, the actions of its incomplete move, and its view."""
        out: Numbers = np.empty(self.size, np.int16)
        self.fill(out, seat, prefix, view)
        return out

    def fill(self, out: Numbers, seat: int, prefix: ActionSequence, view: Any) -> None:
        """Write an observation into an array of ``size`` numbers, for example a row of a shared one.

        Raises ValueError if the view is out of the game's bounds.
        """
        numbers = out.data
        numbers[:] = self._zeros
        numbers[0] = seat
        self.fill_prefix(out, prefix)
        try:
            self._write(numbers, view)
        except (LookupError, ValueError) as error:
            raise ValueError(f"A view of {self._title} is out of its bounds: {error!r}.") from error

    def fill_prefix(self, out: Numbers, prefix: ActionSequence) -> None:
        """Write the actions of an incomplete move into an observation that has none, or the first ones of them."""
        for at, action in enumerate(prefix, 1):
            out[at] = action + 1


def _compiled(layout: Layout, first: int) -> tuple[str, Callable[[memoryview, Any], None]]:
    """Return the source of the function that writes a view from an index on, and the function."""
    source = Source()
    source.add(0, "def write(o, v):")
    layout.write(source, 1, "v", Index(first))
    text, names = "\n".join(source.lines), dict(source.constants)
    exec(text, names)
    return text, names["write"]


class _Limits(NamedTuple):
    """What the types of a view do not say."""

    shapes: Shapes
    seat_numbers: frozenset[str]
    seats: int


def _layout(kind: inspect.Type, path: str, limits: _Limits) -> Layout:
    """Return the layout of a type. ``path``: its key in the limits."""
    if isinstance(kind, inspect.StructType):
        return _fields(kind, path, limits)
    if isinstance(kind, inspect.VarTupleType):
        return _list(kind.item_type, limits.shapes[path], path, limits)
    if isinstance(kind, inspect.TupleType):
        first, *others = kind.item_types
        assert all(other == first for other in others), f"the items of {path} differ in type"
        return Items(1 + len(others), _layout(first, f"{path}[]", limits))
    if isinstance(kind, inspect.UnionType):
        (inner,) = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return Optional(_layout(inner, path, limits))
    return _seat(limits.seats) if path in limits.seat_numbers else _number(kind)


def _number(kind: inspect.Type) -> Number:
    """Return the layout of a number. An enum is a category, and so is a number with bounds in its type: a card."""
    if isinstance(kind, inspect.BoolType):
        return Number(0, 1)
    if isinstance(kind, inspect.EnumType):
        names = {int(one.value): label(one) for one in kind.cls}
        return _category([names.get(number, "") for number in range(max(names) + 1)])
    assert isinstance(kind, inspect.IntType)
    least, count = kind.ge, kind.le + 1 if kind.le is not None else kind.lt
    if least is None or least < 0 or count is None:
        return Number()
    return _category([str(number) if number >= least else "" for number in range(count)])


def _seat(seats: int) -> Number:
    return _category([str(seat) for seat in range(seats)])


def _category(names: list[str]) -> Number:
    return Number(0, len(names) - 1, tuple(names))


def _fields(kind: inspect.StructType, path: str, limits: _Limits, without: str | None = None) -> Fields:
    parts = []
    for field in kind.fields:
        here = f"{path}.{field.name}" if path else field.name
        if field.name != without and not isinstance(limits.shapes.get(here), Derived):
            parts.append((f".{field.name}", _layout(field.type, here, limits)))
    return Fields(parts)


def _list(kind: inspect.Type, shape: Shape, path: str, limits: _Limits) -> Layout:
    match shape:
        case FixedLength(length):
            return Items(length, _layout(kind, f"{path}[]", limits))
        case MaxLength(length):
            return Padded(length, _layout(kind, f"{path}[]", limits))
        case Multiset(values):
            return Counts(values)
        case GroupedBy():
            return _groups(kind, shape, path, limits)
    raise AssertionError(f"{path} is left out, and stands in a list")


def _groups(kind: inspect.Type, shape: GroupedBy, path: str, limits: _Limits) -> Groups:
    key = shape.key
    if isinstance(key, str):
        assert isinstance(kind, inspect.StructType)
        rest, suffix = _fields(kind, f"{path}[]", limits, without=key), f".{key}"
    else:
        assert isinstance(kind, inspect.TupleType)
        other = _layout(kind.item_types[1 - key], f"{path}[]", limits)
        rest, suffix = Fields([(f"[{1 - key}]", other)]), f"[{key}]"
    return Groups(suffix, shape.values, shape.max_equal, rest)
