"""Writes values as serialized messages.

One move changes little of a view, and moves and events repeat from game to game. So each field keeps the bytes of the
values that it has had. Serialized fields concatenate into a message. A value that is new to its field is serialized by
protobuf itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import call
from typing import Any, Final

from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from skerry_service.wire.codecs.matching import FieldPlan, MessagePlan, PlacePlan
from skerry_service.wire.splice import message_field

Write = Callable[[Any], bytes]
_MOST_VALUES: Final = 1 << 10
"""The values whose bytes a field keeps."""
_MOST_ITEMS: Final = 1 << 12
"""The items whose bytes a list of messages keeps."""
_MOST_AT_A_PLACE: Final = 1 << 9
"""The items whose bytes such a list keeps for each place, if items name their places."""
_MOST_PLACES: Final = 1 << 6
"""The places for which a list keeps them. Games have fewer, but the engine writes views of untrusted snapshots."""
_LARGEST: Final = 1 << 10
"""The largest value that is kept, in bytes. Otherwise snapshots could fill the memory."""


class _Written(dict[Any, bytes]):
    """The bytes of the values of a field, written on first use. A full table begins anew."""

    def __init__(self, write: Write, most: int = _MOST_VALUES) -> None:
        super().__init__()
        self._write, self._most = write, most

    def __missing__(self, value: Any) -> bytes:
        written = self._write(value)
        if len(written) <= _LARGEST:
            if len(self) >= self._most:
                self.clear()
            self[value] = written
        return written


def message_writer(plan: MessagePlan) -> Write:
    """Return a function that serializes the message of a value, with its fields in the order of the struct."""
    cls: Any = message_factory.GetMessageClass(plan.descriptor)
    writers, split = [_field_writer(cls, field) for field in plan.fields], plan.split
    return lambda value: b"".join(map(call, writers, split(value)))


def union_writer(cases: Mapping[type, tuple[FieldDescriptor, MessagePlan]], message: Descriptor) -> Write:
    """Return a function that serializes the message of a struct of a union."""
    cls: Any = message_factory.GetMessageClass(message)
    writers = {
        struct: _framed(message_writer(plan), message_field(cls, case.name)) for struct, (case, plan) in cases.items()
    }
    return lambda value: writers[type(value)](value)


def _framed(write: Write, frame: Callable[[bytes], bytes]) -> Write:
    return lambda value: frame(write(value))


def _field_writer(cls: Any, plan: FieldPlan) -> Write:
    """Return a function from a value of a field to the serialized message with only this field."""
    name, value = plan.field.name, plan.value
    if not isinstance(value, MessagePlan):
        return _Written(_leaf_writer(cls, plan)).__getitem__
    frame, write = message_field(cls, name), message_writer(value)
    if plan.place is not None:
        return _numbered_writer(plan.place, frame, write, message_factory.GetMessageClass(value.descriptor))
    one = _framed(write, frame)
    if not plan.field.is_repeated:
        return _Written(lambda value: b"" if value is None else one(value)).__getitem__
    item = _Written(one, _MOST_ITEMS).__getitem__
    return lambda items: b"".join(map(item, items))


def _leaf_writer(cls: Any, plan: FieldPlan) -> Write:
    """Return the writer of a field without messages. protobuf leaves out ``None``, and zero without presence."""
    name, convert = plan.field.name, plan.value.write  # type: ignore[union-attr]

    def write(value: Any) -> bytes:
        if plan.field.is_repeated:
            value = [convert(item) for item in value]
        elif value is not None:
            value = convert(value)
        return bytes(cls(**{name: value}).SerializeToString())

    return write


def _numbered_writer(place: PlacePlan, frame: Callable[[bytes], bytes], write: Write, item: Any) -> Write:
    """Return the writer of a list whose items name their places: a table for each place."""
    tables: list[Write] = []

    def table(at: int) -> Write:
        named = item(**{place.field.name: place.value(at)}).SerializeToString()

        def one(value: Any) -> bytes:
            return frame(named + write(value)) if value or not place.sparse else b""

        return _Written(one, _MOST_AT_A_PLACE).__getitem__

    def write_all(items: Any) -> bytes:
        nonlocal tables
        known = tables
        if len(known) < len(items):
            # A new list, because another thread can get here at the same time.
            known = [*known, *map(table, range(len(known), len(items)))]
            if len(known) <= _MOST_PLACES:
                tables = known
        return b"".join(map(call, known, items))

    return write_all
