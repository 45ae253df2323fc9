"""Views as arrays of numbers, of a fixed length for each game and number of seats, with names and bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from msgspec import inspect

from skerry_arena.learning.bounds import bounds_of
from skerry_games.api import AnyGame
from skerry_games.shapes import Derived, FixedLength, GroupedBy, MaxLength, Multiset, Shape, Shapes

SMALLEST, LARGEST = -(1 << 15), (1 << 15) - 1
"""The bounds of a number without bounds of its own."""
_MOST_COUNTED: Final = 255


class Feature(NamedTuple):
    """One number of an observation."""

    name: str
    """The path in the view, for example ``seats[0].hand[3]``. With a ``?`` at the end, the number is 1 if the item is
    present, else 0; or it counts equal items."""
    low: int
    high: int


Write = Callable[[Any, list[int]], None]
"""Appends the numbers of a value; for ``None`` as many zeros."""


class _Part(NamedTuple):
    features: Sequence[Feature]
    write: Write


class Features:
    """The encoding of one game's views as numbers."""

    def __init__(self, game: AnyGame, options: Any, seats: int) -> None:
        """Raises BoundsMissing."""
        self._arguments = game, options, seats
        shapes = bounds_of(game).shapes(options, seats)
        view = game.view(game.setup(options, seats), None)
        part = _struct(inspect.type_info(type(view)), "", "", shapes)
        self._write = part.write
        self.all: Sequence[Feature] = tuple(part.features)
        """All features, in the order of the numbers."""

    def __reduce__(self) -> tuple[type[Features], tuple[AnyGame, Any, int]]:
        # The writers are closures, which cannot be pickled.
        return Features, self._arguments

    def numbers(self, view: Any) -> list[int]:
        """Return the numbers of a view. Raises ValueError if a list is longer than its bound."""
        numbers: list[int] = []
        self._write(view, numbers)
        return numbers


def _part(kind: inspect.Type, path: str, name: str, shapes: Shapes) -> _Part:
    """Return the encoding of a type. ``path``: its key in the shapes. ``name``: the name of its features."""
    if isinstance(kind, inspect.StructType):
        return _struct(kind, path, name, shapes)
    if isinstance(kind, inspect.VarTupleType):
        return _list(kind.item_type, shapes[path], path, name, shapes)
    if isinstance(kind, inspect.TupleType):
        return _exactly(len(kind.item_types), kind.item_types[0], path, name, shapes)
    if isinstance(kind, inspect.UnionType):
        (inner,) = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return _optional(_part(inner, path, name, shapes), name)
    if isinstance(kind, inspect.EnumType):
        return _number(name, 0, max(int(one.value) for one in kind.cls))
    if isinstance(kind, inspect.BoolType):
        return _number(name, 0, 1)
    return _number(name, SMALLEST, LARGEST)


def _number(name: str, low: int, high: int) -> _Part:
    def write(value: Any, numbers: list[int]) -> None:
        numbers.append(0 if value is None else int(value))

    return _Part([Feature(name, low, high)], write)


def _optional(part: _Part, name: str) -> _Part:
    """Return the encoding of an optional value."""

    def write(value: Any, numbers: list[int]) -> None:
        numbers.append(int(value is not None))
        part.write(value, numbers)

    return _Part([Feature(f"{name}?", 0, 1), *part.features], write)


def _struct(kind: inspect.Type, path: str, name: str, shapes: Shapes, without: str | None = None) -> _Part:
    assert isinstance(kind, inspect.StructType)
    parts = [
        (field.name, _part(field.type, _join(path, field.name), _join(name, field.name), shapes))
        for field in kind.fields
        if field.name != without and not isinstance(shapes.get(_join(path, field.name)), Derived)
    ]

    def write(value: Any, numbers: list[int]) -> None:
        for field, part in parts:
            part.write(None if value is None else getattr(value, field), numbers)

    return _Part([feature for _, part in parts for feature in part.features], write)


def _list(kind: inspect.Type, shape: Shape, path: str, name: str, shapes: Shapes) -> _Part:
    match shape:
        case FixedLength(length):
            return _exactly(length, kind, path, name, shapes)
        case MaxLength(length):
            return _at_most(length, kind, path, name, shapes)
        case Multiset(values):
            return _counts(values, name)
        case GroupedBy():
            return _by(shape, kind, path, name, shapes)
    raise AssertionError(f"{path} is left out, and stands in a list")


def _exactly(length: int, kind: inspect.Type, path: str, name: str, shapes: Shapes) -> _Part:
    parts = [_part(kind, f"{path}[]", f"{name}[{at}]", shapes) for at in range(length)]

    def write(value: Any, numbers: list[int]) -> None:
        items = (None,) * length if value is None else value
        if len(items) != length:
            raise ValueError(f"{path} has {len(items)} items, not {length}")
        for part, item in zip(parts, items, strict=True):
            part.write(item, numbers)

    return _Part(_features(parts), write)


def _at_most(length: int, kind: inspect.Type, path: str, name: str, shapes: Shapes) -> _Part:
    parts = [_optional(_part(kind, f"{path}[]", f"{name}[{at}]", shapes), f"{name}[{at}]") for at in range(length)]

    def write(value: Any, numbers: list[int]) -> None:
        items = value or ()
        if len(items) > length:
            raise ValueError(f"{path} has {len(items)} items, more than {length}")
        for at, part in enumerate(parts):
            part.write(items[at] if at < len(items) else None, numbers)

    return _Part(_features(parts), write)


def _counts(values: Sequence[int], name: str) -> _Part:
    places = {value: at for at, value in enumerate(values)}

    def write(value: Any, numbers: list[int]) -> None:
        first = len(numbers)
        numbers.extend([0] * len(places))
        for item in value or ():
            numbers[first + places[item]] += 1

    return _Part([Feature(f"{name}[{_named(one)}]", 0, _MOST_COUNTED) for one in values], write)


def _by(shape: GroupedBy, kind: inspect.Type, path: str, name: str, shapes: Shapes) -> _Part:
    key, parts, features = shape.key, {}, list[Feature]()
    for one in shape.values:
        here = f"{name}[{_named(one)}]"
        parts[one] = part = (
            _part(_other(kind), f"{path}[]", here, shapes)
            if isinstance(key, int)
            else _struct(kind, f"{path}[]", here, shapes, without=key)
        )
        features += [Feature(f"{here}?", 0, shape.max_equal), *part.features]

    def write(value: Any, numbers: list[int]) -> None:
        # Equal items are encoded once, with their number.
        counted = Counter(value or ())
        if isinstance(key, int):
            items = {item[key]: (item[1 - key], count) for item, count in counted.items()}
        else:
            items = {getattr(item, key): (item, count) for item, count in counted.items()}
        if len(items) != len(counted) or not items.keys() <= parts.keys():
            raise ValueError(f"items of {path} share a {key} or have an unknown one")
        if max(counted.values(), default=0) > shape.max_equal:
            raise ValueError(f"{path} has more than {shape.max_equal} equal items")
        for one, part in parts.items():
            item, count = items.get(one, (None, 0))
            numbers.append(count)
            part.write(item, numbers)

    return _Part(features, write)


def _other(kind: inspect.Type) -> inspect.Type:
    """Return the type of the item beside the key in a pair."""
    assert isinstance(kind, inspect.TupleType)
    one, other = kind.item_types
    assert type(one) is type(other)
    return other


def _features(parts: Iterable[_Part]) -> list[Feature]:
    return [feature for part in parts for feature in part.features]


def _named(value: Any) -> str:
    return value.name.lower() if hasattr(value, "name") else str(value)


def _join(path: str, field: str) -> str:
    return f"{path}.{field}" if path else field
