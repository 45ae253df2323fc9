"""Random messages of any type, with whatever protobuf can put into them.

Hypothesis draws the seed alone: to draw each field would take a hundred times as long.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor, FileDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from skerry.v1 import errors_pb2, service_pb2

_LETTERS = 'ab "\\/\n\t\x00\x7fé\u2028\ufeff\U0001f3b2<&'
_FLOATS = (0.0, -0.0, 1.5, 0.1, 1e300, 5e-324, math.inf, -math.inf, math.nan)
_SINGLE = struct.Struct("f")


def _integer(low: int, high: int) -> Callable[[Random], int]:
    return lambda random: random.choice((low, high, 0, 1, random.randint(low, high), random.randint(0, 6)))


_INT32, _INT64 = _integer(-(2**31), 2**31 - 1), _integer(-(2**63), 2**63 - 1)
_UINT32, _UINT64 = _integer(0, 2**32 - 1), _integer(0, 2**64 - 1)
_SCALARS: dict[int, Callable[[Random], Any]] = {
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_SINT32: _INT32,
    FieldDescriptor.TYPE_ENUM: _INT32,
    FieldDescriptor.TYPE_INT64: _INT64,
    FieldDescriptor.TYPE_SFIXED64: _INT64,
    FieldDescriptor.TYPE_UINT32: _UINT32,
    FieldDescriptor.TYPE_FIXED32: _UINT32,
    FieldDescriptor.TYPE_UINT64: _UINT64,
    FieldDescriptor.TYPE_BOOL: lambda random: random.random() < 0.5,
    FieldDescriptor.TYPE_STRING: lambda random: "".join(random.choices(_LETTERS, k=random.randrange(9))),
    FieldDescriptor.TYPE_BYTES: lambda random: random.randbytes(random.randrange(9)),
    FieldDescriptor.TYPE_DOUBLE: lambda random: random.choice((*_FLOATS, random.gauss(0, 1e9))),
    FieldDescriptor.TYPE_FLOAT: lambda random: _SINGLE.unpack(_SINGLE.pack(random.choice((0.0, 0.1, math.nan, 7e8))))[
        0
    ],
}
_SECONDS = (-62135596800, 253402300799)
"""The years 1 to 9999."""


def message_types() -> Iterator[Descriptor]:
    """Yield every message type that the contract declares, those of every game among them."""
    files, known = [service_pb2.DESCRIPTOR, errors_pb2.DESCRIPTOR], set[str]()
    while files:
        file: FileDescriptor = files.pop()
        if file.name not in known and file.package.startswith("skerry"):
            known.add(file.name)
            yield from file.message_types_by_name.values()
        files += file.dependencies


def anything(kind: Descriptor) -> st.SearchStrategy[Message]:
    """Draw a message of that type."""
    return st.integers(0, 2**32).map(lambda seed: make(kind, Random(seed)))


def make(kind: Descriptor, random: Random, depth: int = 3) -> Message:
    """Make a message; below that depth its messages are empty."""
    message = GetMessageClass(kind)()
    if kind.full_name == "google.protobuf.Timestamp":
        set_time: Any = message
        set_time.seconds, set_time.nanos = random.randint(*_SECONDS), random.choice((0, 5 * 10**6, 10**9 - 1))
    elif depth:
        for field in kind.fields:
            if random.random() < 0.5:
                _set(random, message, field, depth - 1)
    return message


def _set(random: Random, message: Message, field: FieldDescriptor, depth: int) -> None:
    inner = field.message_type
    if inner is not None and inner.GetOptions().map_entry:
        items, value = getattr(message, field.name), inner.fields_by_name["value"]
        for _ in range(3):
            key = _value(random, inner.fields_by_name["key"], depth)
            if value.message_type is None:
                items[key] = _value(random, value, depth)
            else:
                items[key].CopyFrom(_value(random, value, depth))
    elif field.is_repeated:
        getattr(message, field.name).extend([_value(random, field, depth) for _ in range(random.randrange(4))])
    elif inner is not None:
        getattr(message, field.name).CopyFrom(make(inner, random, depth))
    else:
        setattr(message, field.name, _value(random, field, depth))


def _value(random: Random, field: FieldDescriptor, depth: int) -> Any:
    return _SCALARS[field.type](random) if field.message_type is None else make(field.message_type, random, depth)
