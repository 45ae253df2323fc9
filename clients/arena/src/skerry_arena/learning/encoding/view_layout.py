"""The layout of a view in an array: the features of each type of value, and the statements that write them.

Each class is a kind of value. Its ``features`` are in the order of the array. Its ``write`` adds statements to a
function ``write(o, v)`` that fills the array ``o``, all zeros before, from the view ``v``. Values of fixed length are
written out one by one, so each feature has a constant index; only lists of variable length need a loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

SMALLEST, LARGEST = -(1 << 15), (1 << 15) - 1
"""The bounds of a number without bounds of its own."""
_MOST_COUNTED: Final = 255


class Feature(NamedTuple):
    """One number of an observation."""

    name: str
    """The path in the view, for example ``seats[0].harvested[3]``. With a ``?`` at the end, the number is 1 if the item
    is present, else 0; or it counts equal items."""
    low: int
    high: int
    categories: tuple[str, ...] = ()
    """For a category: the name of each number from 0 to ``high``, or "" if no value has it. Empty for a quantity."""


@dataclass(frozen=True, slots=True)
class Index:
    """An index of the array: a constant, or a variable plus a constant."""

    constant: int
    variable: str = ""

    def __add__(self, more: int) -> Index:
        return Index(self.constant + more, self.variable)

    def __str__(self) -> str:
        return f"{self.variable}+{self.constant}" if self.variable else str(self.constant)


@dataclass(slots=True)
class Source:
    """A function under construction."""

    lines: list[str] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    _names: int = 0

    def add(self, indent: int, line: str) -> None:
        """Add a statement."""
        self.lines.append(f"{'    ' * indent}{line}")

    def variable(self) -> str:
        """Return a new name."""
        self._names += 1
        return f"v{self._names}"

    def assigned(self, indent: int, value: str) -> str:
        """Assign an expression to a new variable, and return its name."""
        name = self.variable()
        self.add(indent, f"{name} = {value}")
        return name

    def constant(self, value: Any) -> str:
        """Return the name of a constant."""
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity, or the number of a category."""

    low: int = SMALLEST
    high: int = LARGEST
    categories: tuple[str, ...] = ()
    width: int = 1

    def features(self, name: str) -> Iterator[Feature]:
        yield Feature(name, self.low, self.high, self.categories)

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        source.add(indent, f"o[{at}] = {value}")


class Optional:
    """A value that may be ``None``: whether it is present, and the value."""

    def __init__(self, inner: Layout) -> None:
        self._inner = inner
        self.width: int = 1 + inner.width

    def features(self, name: str) -> Iterator[Feature]:
        yield Feature(f"{name}?", 0, 1)
        yield from self._inner.features(name)

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        value = source.assigned(indent, value)
        source.add(indent, f"if {value} is not None:")
        source.add(indent + 1, f"o[{at}] = 1")
        self._inner.write(source, indent + 1, value, at + 1)


class Fields:
    """The fields of a struct, or the items of a pair."""

    def __init__(self, parts: Sequence[tuple[str, Layout]]) -> None:
        """``parts``: what follows the value in an expression, for example ``.ship``, and the field's layout."""
        self._parts = parts
        self.width: int = sum([part.width for _, part in parts])

    def features(self, name: str) -> Iterator[Feature]:
        for suffix, part in self._parts:
            yield from part.features(f"{name}{suffix if suffix[0] == '.' else ''}".removeprefix("."))

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        value = value if value.isidentifier() else source.assigned(indent, value)
        for suffix, part in self._parts:
            part.write(source, indent, value + suffix, at)
            at += part.width


class Items:
    """An ordered list of fixed length. Unpacking raises ValueError for any other length."""

    def __init__(self, length: int, item: Layout) -> None:
        self._length, self._item = length, item
        self.width: int = length * item.width

    def features(self, name: str) -> Iterator[Feature]:
        for number in range(self._length):
            yield from self._item.features(f"{name}[{number}]")

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        places = [at + number * self._item.width for number in range(self._length)]
        if isinstance(self._item, Number):
            source.add(indent, f"[{', '.join(f'o[{place}]' for place in places)}] = {value}")
            return
        names = [source.variable() for _ in places]
        source.add(indent, f"[{', '.join(names)}] = {value}")
        for name, place in zip(names, places, strict=True):
            self._item.write(source, indent, name, place)


class Padded:
    """An ordered list of variable length: for each place whether it has an item, and the item."""

    def __init__(self, length: int, item: Layout) -> None:
        self._length, self._item = length, item
        self.width: int = length * (1 + item.width)

    def features(self, name: str) -> Iterator[Feature]:
        for number in range(self._length):
            yield Feature(f"{name}[{number}]?", 0, 1)
            yield from self._item.features(f"{name}[{number}]")

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        places, place, item = source.variable(), source.variable(), source.variable()
        # Too many items are an IndexError, because the range has only so many places.
        source.add(indent, f"{places} = range({at}, {at + self.width}, {1 + self._item.width})")
        source.add(indent, f"for {place}, {item} in enumerate({value}):")
        source.add(indent + 1, f"{place} = {places}[{place}]")
        source.add(indent + 1, f"o[{place}] = 1")
        self._item.write(source, indent + 1, item, Index(1, place))


class Counts:
    """A list without order: how often it has each value."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = values
        self.width: int = len(values)

    def features(self, name: str) -> Iterator[Feature]:
        for value in self._values:
            yield Feature(f"{name}[{label(value)}]", 0, _MOST_COUNTED)

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        item, place = source.variable(), _place(source, self._values, 1, at)
        source.add(indent, f"for {item} in {value}:")
        source.add(indent + 1, f"o[{place(item)}] += 1")


class Groups:
    """A list without order, of items that differ in a key: for each key the number of equal items, and the item."""

    def __init__(self, key: str, values: Sequence[int], max_equal: int, item: Layout) -> None:
        """``key``: what follows an item in an expression to get its key. ``item``: the layout without the key."""
        self._key, self._values, self._max_equal, self._item = key, values, max_equal, item
        self.width: int = len(values) * (1 + item.width)

    def features(self, name: str) -> Iterator[Feature]:
        for value in self._values:
            here = f"{name}[{label(value)}]"
            yield Feature(f"{here}?", 0, self._max_equal)
            yield from self._item.features(here)

    def write(self, source: Source, indent: int, value: str, at: Index) -> None:
        item, place = source.variable(), _place(source, self._values, 1 + self._item.width, at)
        source.add(indent, f"for {item} in {value}:")
        base = source.assigned(indent + 1, place(item + self._key))
        source.add(indent + 1, f"o[{base}] {'=' if self._max_equal == 1 else '+='} 1")
        self._item.write(source, indent + 1, item, Index(1, base))


Layout = Number | Optional | Fields | Items | Padded | Counts | Groups


def _place(source: Source, values: Sequence[int], width: int, at: Index) -> Any:
    """Return a function from the expression of a value to that of its index. The index of another value: KeyError."""
    indexes = source.constant({value: at.constant + number * width for number, value in enumerate(values)})
    before = f"{at.variable}+" if at.variable else ""
    return lambda value: f"{before}{indexes}[{value}]"


def label(value: Any) -> str:
    """Return the name of a value in the name of a feature: that of a member of an enum, or the number."""
    return value.name.lower() if hasattr(value, "name") else str(value)
