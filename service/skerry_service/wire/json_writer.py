"""Writes messages as JSON by the protobuf JSON mapping, a dozen times as fast as ``google.protobuf.json_format``.

Every field that has no presence is written, also when it has its default: a reader finds 0, ``""``, ``false``, an
enum's first name, ``[]`` and ``{}`` where they are meant. What has presence (``optional``, messages, the cases of a
``oneof``) is written when it is set.

For each message type a writer is made once from its descriptor. What stands in lists (provinces of a view, legal
moves, events), what an entry holds beside its time, and what holds no lists itself (a move, options), is the same from
one answer to the next more often than not: its JSON is kept and found again by its bytes, so that an answer costs
little more than what is new in it.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache, partial
from math import isfinite, isnan
from typing import Any, TypeVar

import msgspec
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.wrappers_pb2 import FloatValue

from skerry_service.wire.json_names import reachable_messages

Large = TypeVar("Large")
Write = Callable[[Any], Any]
"""Turns a value of a field into what msgspec writes as its JSON."""

_KEPT = 2048
"""Messages whose JSON is kept at most, for each place in which they stand; the latest half of them at least."""
_WHOLES_KEPT = 512
"""Answers whose JSON is kept whole."""
MAX_CACHED_BYTES = 8 * 1024
"""Bytes in wire format of such an answer. A session with a position has two KiB or three."""
_LARGE = 24 * 1024
"""Bytes of a message in wire format. A kibibyte takes about a millisecond to write as JSON."""
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="json")
"""One: each further thread at work would make the event loop wait as long again."""
_encode = msgspec.json.Encoder().encode
_LONG = {
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT64,
    FieldDescriptor.TYPE_SINT64,
    FieldDescriptor.TYPE_FIXED64,
    FieldDescriptor.TYPE_SFIXED64,
}
"""Numbers that JavaScript cannot hold: strings in JSON."""


def to_json(message: Message) -> bytes:
    """Return a message as JSON, in one line."""
    return _encode(to_value(message))


async def write_json(message: Message) -> bytes:
    """Return ``to_json``; of a large message without holding up the event loop for long."""
    if message.ByteSize() < _LARGE:
        return to_json(message)
    return await write_in_thread(to_json, message)


@lru_cache(maxsize=_WHOLES_KEPT)
def cached_json(kind: Descriptor, packed: bytes) -> bytes:
    """Return a message in wire format as ``to_json`` writes it: for answers that are asked for until they change."""
    return to_json(GetMessageClass(kind).FromString(packed))


async def write_in_thread(write: Callable[[Large], bytes], message: Large) -> bytes:
    """Write a large message in a thread: others wait for a few milliseconds at a time, not for the whole of it."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, write, message)


def to_value(message: Message) -> Any:
    """Return what ``to_json`` writes, as a value that only msgspec can write."""
    return _writer(message.DESCRIPTOR)(message)


@cache
def _writer(kind: Descriptor) -> Write:
    if kind.full_name == Timestamp.DESCRIPTOR.full_name:
        return _time
    if kind.file.package == "google.protobuf":  # durations are strings, and so on
        return partial(json_format.MessageToDict, always_print_fields_with_no_presence=True)
    defaults: dict[str, Any] = {}
    plan: dict[FieldDescriptor, tuple[str, Write | None, bool]] = {}

    def write(message: Message) -> dict[str, Any]:
        if not plan:  # not before it is needed: message types can hold themselves
            plan.update((field, _plan(field)) for field in kind.fields)
        written = defaults.copy()
        for field, value in message.ListFields():
            name, convert, many = plan[field]
            if convert is None:
                written[name] = list(value) if many else value
            else:
                written[name] = [convert(item) for item in value] if many else convert(value)
        return written

    defaults.update((field.json_name, _default(field)) for field in kind.fields if not field.has_presence)
    return write


def _default(field: FieldDescriptor) -> Any:
    """Return what is written for a field without presence that is not set. It is shared: nobody changes it."""
    if field.is_repeated:
        entry = field.message_type
        return {} if entry is not None and entry.GetOptions().map_entry else []
    convert = _single(field)
    return field.default_value if convert is None else convert(field.default_value)


def _plan(field: FieldDescriptor) -> tuple[str, Write | None, bool]:
    """Return a field's name in JSON, what converts a value (``None``: it stays as it is), and whether it is a list."""
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        return field.json_name, _map(entry), False
    if entry is not None and _is_told_again(field, entry):
        return field.json_name, _Kept(entry), field.is_repeated
    return field.json_name, _single(field), field.is_repeated


def _single(field: FieldDescriptor) -> Write | None:
    if field.message_type is not None:
        return _writer(field.message_type)
    if field.enum_type is not None:
        return _enum(field.enum_type)
    if field.type in _LONG:
        return str
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _base64
    if field.type == FieldDescriptor.TYPE_FLOAT:
        return lambda value: json_format.MessageToDict(FloatValue(value=value))  # the shortest decimal that it can be
    return _float if field.type == FieldDescriptor.TYPE_DOUBLE else None


class _Kept:
    """Writes messages of a kind, or finds the JSON of one that was written lately again by its bytes."""

    def __init__(self, kind: Descriptor) -> None:
        self._write = _writer(kind)
        self._recent: dict[bytes, msgspec.Raw] = {}
        self._earlier: dict[bytes, msgspec.Raw] = {}

    def __call__(self, message: Message) -> msgspec.Raw:
        packed = message.SerializeToString()
        found = self._recent.get(packed)
        if found is None:
            found = self._earlier.get(packed) or msgspec.Raw(_encode(self._write(message)))
            if len(self._recent) >= _KEPT // 2:
                self._earlier, self._recent = self._recent, {}
            self._recent[packed] = found
        return found


def _is_told_again(field: FieldDescriptor, kind: Descriptor) -> bool:
    """Whether the messages of a field are likely to be the same as others lately. What stands beside a time is: an
    entry is like no other by its time and its number alone."""
    beside_a_time = field.containing_type is not None and _told_once(field.containing_type)
    return not _told_once(kind) and (field.is_repeated or beside_a_time or not _holds_lists(kind))


def _told_once(kind: Descriptor) -> bool:
    """Whether a message has its time: then no other is like it, and to keep it would be for nothing."""
    times = (field.message_type for field in kind.fields if field.message_type is not None)
    return any(one.full_name == Timestamp.DESCRIPTOR.full_name for one in (kind, *times))


def _holds_lists(kind: Descriptor) -> bool:
    """Whether a message holds lists of messages somewhere, like a view: then it is seldom the same again."""
    return any(
        field.is_repeated and field.message_type is not None
        for inner in reachable_messages([kind])
        for field in inner.fields
    )


def _map(entry: Descriptor) -> Write:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    convert = _single(value)

    def write(items: Mapping[Any, Any]) -> dict[str, Any]:
        named = {str(one).lower() if key.type == FieldDescriptor.TYPE_BOOL else str(one): items[one] for one in items}
        return named if convert is None else {name: convert(one) for name, one in named.items()}

    return write


def _enum(kind: EnumDescriptor) -> Write:
    names: dict[int, str | int] = {value.number: value.name for value in reversed(kind.values)}
    return lambda number: names.get(number, number)


def _time(moment: Any) -> str:
    """Return a Timestamp of the years 1 to 9999, with 0, 3, 6 or 9 digits behind the second."""
    whole, nanos = _second(moment.seconds), moment.nanos
    if not nanos:
        return f"{whole}Z"
    if nanos % 1_000_000 == 0:
        return f"{whole}.{nanos // 1_000_000:03d}Z"
    return f"{whole}.{nanos:09d}Z" if nanos % 1000 else f"{whole}.{nanos // 1000:06d}Z"


@lru_cache(maxsize=_KEPT)
def _second(seconds: int) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat()


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


def _float(value: float) -> float | str:
    if isfinite(value):
        return value
    return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
