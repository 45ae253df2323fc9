"""Writes messages as JSON by the protobuf JSON mapping, a dozen times as fast as ``google.protobuf.json_format``.

A field without presence is always written, even with its default: 0, ``""``, ``false``, the first name of an enum,
``[]`` or ``{}``. A field with presence (``optional``, messages, the cases of a ``oneof``) is written if it is set.

Each message type has one writer, made from its descriptor. Many inner messages repeat from one response to the next:
items of lists (provinces of a view, legal moves, events), the content of an entry beside its time, and messages without
lists (a move, options). Their JSON is cached by their serialized bytes, so a response costs little more than its news.
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
"""Converts a value of a field to a value that msgspec encodes as its JSON."""

_CACHE_SIZE = 2048
"""The most messages whose JSON is cached for each field. At least the latest half of them are."""
_RESPONSE_CACHE_SIZE = 512
"""The most responses whose JSON is cached as a whole."""
MAX_CACHED_BYTES = 8 * 1024
"""The largest serialized response that is cached. A session with a position has two or three KiB."""
LARGE = 24 * 1024
"""Bytes of a serialized message. Writing the JSON of one KiB takes about a millisecond."""
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="json")
"""One thread, because each further one would slow the event loop down as much again."""
_encode = msgspec.json.Encoder().encode
_INT64 = {
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT64,
    FieldDescriptor.TYPE_SINT64,
    FieldDescriptor.TYPE_FIXED64,
    FieldDescriptor.TYPE_SFIXED64,
}
"""Types that JavaScript numbers cannot represent. JSON has strings for them."""


def to_json(message: Message) -> bytes:
    """Return a message as JSON, in one line."""
    return _encode(to_value(message))


async def write_json(message: Message) -> bytes:
    """Return ``to_json(message)``. A large message does not block the event loop."""
    if message.ByteSize() < LARGE:
        return to_json(message)
    return await write_in_thread(to_json, message)


@lru_cache(maxsize=_RESPONSE_CACHE_SIZE)
def cached_json(kind: Descriptor, serialized: bytes) -> bytes:
    """Return the JSON of a serialized message, cached: for responses that clients poll until they change."""
    return to_json(GetMessageClass(kind).FromString(serialized))


async def write_in_thread(write: Callable[[Large], bytes], message: Large) -> bytes:
    """Return ``write(message)``, run in a thread. The event loop waits for a few milliseconds at a time."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, write, message)


def to_value(message: Message) -> Any:
    """Return a message as a value for msgspec's JSON encoder."""
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
        if not plan:  # made late, because message types can contain themselves
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
    """Return the JSON value of an unset field without presence. It is shared: do not change it."""
    if field.is_repeated:
        entry = field.message_type
        return {} if entry is not None and entry.GetOptions().map_entry else []
    convert = _single(field)
    return field.default_value if convert is None else convert(field.default_value)


def _plan(field: FieldDescriptor) -> tuple[str, Write | None, bool]:
    """Return a field's JSON name, the converter of its values (``None``: unchanged), and whether it is a list."""
    entry = field.message_type
    if entry is not None and entry.GetOptions().map_entry:
        return field.json_name, _map(entry), False
    if entry is not None and _repeats(field, entry):
        return field.json_name, _CachedWriter(entry), field.is_repeated
    return field.json_name, _single(field), field.is_repeated


def _single(field: FieldDescriptor) -> Write | None:
    if field.message_type is not None:
        return _writer(field.message_type)
    if field.enum_type is not None:
        return _enum(field.enum_type)
    if field.type in _INT64:
        return str
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _base64
    if field.type == FieldDescriptor.TYPE_FLOAT:
        return lambda value: json_format.MessageToDict(FloatValue(value=value))  # the shortest decimal
    return _float if field.type == FieldDescriptor.TYPE_DOUBLE else None


class _CachedWriter:
    """Writes messages of one type, and caches their JSON by their serialized bytes."""

    def __init__(self, kind: Descriptor) -> None:
        self._write = _writer(kind)
        self._recent: dict[bytes, msgspec.Raw] = {}
        self._earlier: dict[bytes, msgspec.Raw] = {}

    def __call__(self, message: Message) -> msgspec.Raw:
        serialized = message.SerializeToString()
        found = self._recent.get(serialized)
        if found is None:
            found = self._earlier.get(serialized) or msgspec.Raw(_encode(self._write(message)))
            if len(self._recent) >= _CACHE_SIZE // 2:
                self._earlier, self._recent = self._recent, {}
            self._recent[serialized] = found
        return found


def _repeats(field: FieldDescriptor, kind: Descriptor) -> bool:
    """Return whether messages of a field often equal recent ones.

    Those beside a time do: an entry differs from others mainly by its time and number.
    """
    beside_a_time = field.containing_type is not None and _has_time(field.containing_type)
    return not _has_time(kind) and (field.is_repeated or beside_a_time or not _holds_lists(kind))


def _has_time(kind: Descriptor) -> bool:
    """Return whether a message contains a time. It then equals no other message, so a cache would be useless."""
    times = (field.message_type for field in kind.fields if field.message_type is not None)
    return any(inner.full_name == Timestamp.DESCRIPTOR.full_name for inner in (kind, *times))


def _holds_lists(kind: Descriptor) -> bool:
    """Return whether a message contains lists of messages at any depth, as a view does. Such messages seldom repeat."""
    return any(
        field.is_repeated and field.message_type is not None
        for inner in reachable_messages([kind])
        for field in inner.fields
    )


def _map(entry: Descriptor) -> Write:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    convert = _single(value)

    def write(items: Mapping[Any, Any]) -> dict[str, Any]:
        named = {
            str(item).lower() if key.type == FieldDescriptor.TYPE_BOOL else str(item): items[item] for item in items
        }
        return named if convert is None else {name: convert(item) for name, item in named.items()}

    return write


def _enum(kind: EnumDescriptor) -> Write:
    names: dict[int, str | int] = {value.number: value.name for value in reversed(kind.values)}
    return lambda number: names.get(number, number)


def _time(moment: Any) -> str:
    """Return a Timestamp of the years 1 to 9999, with 0, 3, 6 or 9 decimals."""
    whole, nanos = _second(moment.seconds), moment.nanos
    if not nanos:
        return f"{whole}Z"
    if nanos % 1_000_000 == 0:
        return f"{whole}.{nanos // 1_000_000:03d}Z"
    return f"{whole}.{nanos:09d}Z" if nanos % 1000 else f"{whole}.{nanos // 1000:06d}Z"


@lru_cache(maxsize=_CACHE_SIZE)
def _second(seconds: int) -> str:
    return (datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat()


def _base64(value: bytes) -> str:
    return b64encode(value).decode()


def _float(value: float) -> float | str:
    if isfinite(value):
        return value
    return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
