"""Reads JSON into messages by the protobuf JSON mapping: strictly, and within bounds that the sender cannot widen.

Fields go by either spelling, ``expectedSequence`` or ``expected_sequence``. ``null`` leaves a field as it is. A name
that occurs twice is refused: who reads such a text differently could be made to do what was not meant.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from skerry_service.api.error_table import UnknownField
from skerry_service.domain.errors import InvalidField

Read = Callable[[Any, str], Any]
"""Turns a JSON value into one of a field; the text says where it stands. Raises InvalidField, UnknownField."""

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,19})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_FLOATS = {"NaN", "Infinity", "-Infinity"}
_HALF = "This holds half a character."
_SHOWN = 40
_DEEPEST = 100
"""As deep as protobuf itself reads; no request comes near."""
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
"""Texts, in which brackets are letters, and brackets."""
_STEPS = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", int: "a number", float: "a number"}


class _NotJson(ValueError):
    """A text that Python would take for JSON. Never leaves this module."""


def parse_json(data: bytes) -> dict[str, Any]:
    """Return the JSON object that the bytes hold. Raises InvalidField for whatever is not exactly one."""
    if _is_deep(data):
        raise InvalidField("body", "This is nested too deeply.")
    try:
        value = _decoder().decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidField("body", "This is not UTF-8.") from None
    except (json.JSONDecodeError, _NotJson) as error:
        raise InvalidField("body", f"This is not JSON: {error}.") from None
    except ValueError:  # Python's own, about a number; it speaks of the interpreter
        raise InvalidField("body", "This is not JSON: a number has too many digits.") from None
    if type(value) is not dict:
        raise InvalidField("body", f"This must be a JSON object, not {_kind(value)}.")
    return value


def _is_deep(data: bytes) -> bool:
    """Whether more than ``_DEEPEST`` objects and lists lie in one another. What Python's own scanner bears, and how it
    gives up, differs from one version to the next."""
    if data.count(b"{") + data.count(b"[") <= _DEEPEST:
        return False
    depth = 0
    for mark in _MARKS.finditer(data):
        depth += _STEPS.get(mark[0], 0)
        if depth > _DEEPEST:
            return True
    return False


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def fill(message: Message, values: dict[str, Any], at: str = "") -> None:
    """Set the fields that the object names. ``at`` stands before their names in errors."""
    fields = _fields(message.DESCRIPTOR)
    seen: set[str] = set()
    for name, value in values.items():
        known = fields.get(name)
        if known is None:
            _require_whole(name, "body")
            raise UnknownField(message.DESCRIPTOR.name, f"{at}{name}")
        if value is None:
            continue
        if known.place in seen:
            raise InvalidField(f"{at}{known.spelled}", "This is given twice, or beside another case of its choice.")
        seen.add(known.place)
        known.put(message, value, f"{at}{known.spelled}")


def field_named(message: Message, name: str) -> FieldDescriptor | None:
    """Return the message's field of that name, in either spelling."""
    known = _fields(message.DESCRIPTOR).get(name)
    return None if known is None else known.field


class _ReadableField(NamedTuple):
    """A field, with what is asked of its descriptor for each request: that takes longer than to read most values."""

    field: FieldDescriptor
    spelled: str
    """Its name in JSON."""
    place: str
    """What can be given once: the field, or the choice of which it is a case."""
    put: Callable[[Message, Any, str], None]


@cache
def _fields(kind: Descriptor) -> dict[str, _ReadableField]:
    """Return each field by both its names, with what sets it."""
    found = {
        field.json_name: _ReadableField(field, field.json_name, _place(field), _put(field)) for field in kind.fields
    }
    return found | {field.name: found[field.json_name] for field in kind.fields}


def _place(field: FieldDescriptor) -> str:
    return field.name if field.containing_oneof is None else field.containing_oneof.full_name


def _put(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    if field.message_type is not None:
        if field.message_type.GetOptions().map_entry:
            return _put_map(field)
        return _put_messages(field) if field.is_repeated else _put_message(field)
    name, many, read = field.name, field.is_repeated, reader(field)

    def put(message: Message, value: Any, at: str) -> None:
        try:
            if many:
                getattr(message, name).extend([read(item, f"{at}[{n}]") for n, item in enumerate(_list(value, at))])
            else:
                setattr(message, name, read(value, at))
        except (ValueError, TypeError) as error:  # what protobuf itself refuses: numbers out of range, half characters
            raise InvalidField(at, _of_protobuf(error)) from None

    return put


def _put_message(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    name, by_protobuf = field.name, _is_of_protobuf(field)

    def put(message: Message, value: Any, at: str) -> None:
        inner = getattr(message, name)
        inner.SetInParent()
        _fill_any(inner, value, at, by_protobuf=by_protobuf)

    return put


def _put_messages(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    name, by_protobuf = field.name, _is_of_protobuf(field)

    def put(message: Message, value: Any, at: str) -> None:
        items = getattr(message, name)
        for number, item in enumerate(_list(value, at)):
            _fill_any(items.add(), item, f"{at}[{number}]", by_protobuf=by_protobuf)

    return put


def _put_map(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    """Leave maps to protobuf once their values can be read: what it says of those that cannot is for programmers."""
    assert field.message_type is not None
    values = field.message_type.fields_by_name["value"]
    read = reader(values) if values.message_type is None else None

    def put(message: Message, value: Any, at: str) -> None:
        if type(value) is not dict:
            raise _unlike(value, at, "an object")
        if read is not None:
            for key, one in value.items():
                _require_whole(key, at)
                here = f"{at}.{_short(key)}"
                _require_whole(str(read(one, here)), here)
        _by_protobuf(message, {field.name: value}, at)

    return put


def _is_of_protobuf(field: FieldDescriptor) -> bool:
    """Whether a field holds messages of protobuf's own: times and durations are texts, and so on."""
    return field.message_type is not None and field.message_type.file.package == "google.protobuf"


def _fill_any(message: Message, value: Any, at: str, *, by_protobuf: bool) -> None:
    if by_protobuf:
        _by_protobuf(message, value, at)
    elif type(value) is dict:
        fill(message, value, f"{at}.")
    else:
        raise _unlike(value, at, "an object")


def _by_protobuf(message: Message, value: Any, at: str) -> None:
    try:
        json_format.ParseDict(value, message)
    except (json_format.ParseError, ValueError, TypeError, AttributeError) as error:
        raise InvalidField(at, _of_protobuf(error)) from None


def _require_whole(text: str, at: str) -> None:
    """Refuse a text that cannot be written, in an answer neither."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidField(at, _HALF) from None


def _of_protobuf(error: Exception) -> str:
    """Say what protobuf refuses."""
    if isinstance(error, UnicodeError):
        return _HALF
    return f"This cannot be read: {_short(str(error).rstrip('.'))}."


@cache
def reader(field: FieldDescriptor) -> Read:
    """Return what reads a single value of a field that holds no messages."""
    if field.enum_type is not None:
        return _read_enum(field.enum_type)
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return _read_bool
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            return _read_float
        case FieldDescriptor.CPPTYPE_STRING:
            return _read_bytes if field.type == FieldDescriptor.TYPE_BYTES else _read_text
        case _:
            return _read_integer


def _read_integer(value: Any, at: str) -> int:
    if type(value) is int:
        return value
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is str and _INTEGER.fullmatch(value):
        return int(value)
    raise _unlike(value, at, "a whole number")


def _read_float(value: Any, at: str) -> float:
    if type(value) is str and value in _FLOATS:
        return float(value)
    try:
        if type(value) in (float, int) or (type(value) is str and value.strip("0123456789.+-eE") == ""):
            number = float(value)
            if isfinite(number):
                return number
    except (ValueError, OverflowError):
        pass
    raise _unlike(value, at, "a number")


def _read_bool(value: Any, at: str) -> bool:
    if type(value) is bool:
        return value
    raise _unlike(value, at, "true or false")


def _read_text(value: Any, at: str) -> str:
    if type(value) is str:
        return value
    raise _unlike(value, at, "a text")


def _read_bytes(value: Any, at: str) -> bytes:
    if type(value) is str and _BASE64.fullmatch(value):
        digits = value.rstrip("=").translate(_URL_SAFE)
        if len(digits) % 4 != 1:
            return urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
    raise _unlike(value, at, "bytes in base64")


_URL_SAFE = str.maketrans("+/", "-_")


def _read_enum(kind: EnumDescriptor) -> Read:
    numbers = {value.name: value.number for value in kind.values}

    def read(value: Any, at: str) -> int:
        if type(value) is str and value in numbers:
            return numbers[value]
        if type(value) is int or (type(value) is str and _INTEGER.fullmatch(value)):
            return int(value)
        raise _unlike(value, at, f"one of {', '.join(numbers)}")

    return read


def _list(value: Any, at: str) -> list[Any]:
    if type(value) is list:
        return value
    raise _unlike(value, at, "a list")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _NotJson("a name occurs twice in an object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _NotJson(f"{name} is no number")


def _unlike(value: Any, at: str, wanted: str) -> InvalidField:
    shown = _short(repr(value)) if type(value) in (str, int, float, bool) else _kind(value)
    return InvalidField(at, f"This must be {wanted}, not {shown}.")


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "null")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
