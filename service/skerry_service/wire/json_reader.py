"""Reads JSON into messages by the protobuf JSON mapping: strictly, and within fixed bounds.

A field has either spelling, ``expectedSequence`` or ``expected_sequence``. ``null`` leaves a field unset. A name that
occurs twice is an error, because another JSON reader could understand such a text differently.
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
from skerry_service.domain.languages.phrases import phrase, verbatim

Read = Callable[[Any, str], Any]
"""Converts a JSON value to a value of a field. The text is the path, for errors. Raises InvalidField, UnknownField."""

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,19})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_FLOATS = {"NaN", "Infinity", "-Infinity"}
_UNPAIRED_SURROGATE = "This contains an unpaired surrogate. Send valid Unicode."
_MAX_SHOWN = 40
_MAX_DEPTH = 100
"""The limit of protobuf itself. Requests are far less deep."""
_TOKENS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]', re.DOTALL)
"""Strings, so that brackets inside them are skipped, and brackets."""
_DEPTH_CHANGES = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}


class _NotJson(ValueError):
    """The text is not JSON, although Python accepts it. Never leaves this module."""


def parse_json(data: bytes) -> dict[str, Any]:
    """Return the JSON object in these bytes. Raises InvalidField if they are anything else."""
    if _is_deep(data):
        raise InvalidField("body", "This is nested too deeply.")
    try:
        value = _decoder().decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise InvalidField("body", "This is not UTF-8.") from None
    except (json.JSONDecodeError, _NotJson) as error:
        raise InvalidField("body", phrase("json-syntax", problem=verbatim(error))) from None
    except ValueError:  # Python's limit for the digits of a number; its text is about the interpreter
        raise InvalidField("body", "This is not JSON: a number has too many digits.") from None
    if type(value) is not dict:
        raise InvalidField("body", phrase("json-object", given=_kind(value)))
    return value


def _is_deep(data: bytes) -> bool:
    """Return whether objects and lists are nested deeper than ``_MAX_DEPTH``.

    Python's own limit, and its error, differ between versions.
    """
    if data.count(b"{") + data.count(b"[") <= _MAX_DEPTH:
        return False
    depth = 0
    for token in _TOKENS.finditer(data):
        depth += _DEPTH_CHANGES.get(token[0], 0)
        if depth > _MAX_DEPTH:
            return True
    return False


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


def fill(message: Message, values: dict[str, Any], at: str = "") -> None:
    """Set the fields that the object contains. ``at``: the path before their names in errors."""
    fields = _fields(message.DESCRIPTOR)
    seen: set[str] = set()
    for name, value in values.items():
        known = fields.get(name)
        if known is None:
            _require_valid_unicode(name, "body")
            raise UnknownField(message.DESCRIPTOR.name, f"{at}{name}")
        if value is None:
            continue
        if known.slot in seen:
            raise InvalidField(
                f"{at}{known.json_name}", "This is set twice, or together with another case of its oneof. Set one."
            )
        seen.add(known.slot)
        known.put(message, value, f"{at}{known.json_name}")


def field_named(message: Message, name: str) -> FieldDescriptor | None:
    """Return the message's field with this name, in either spelling."""
    known = _fields(message.DESCRIPTOR).get(name)
    return None if known is None else known.field


class _ReadableField(NamedTuple):
    """A field with precomputed facts. Asking its descriptor takes longer than reading most values."""

    field: FieldDescriptor
    json_name: str
    slot: str
    """The field, or the oneof of which it is a case. A request can set each once."""
    put: Callable[[Message, Any, str], None]


@cache
def _fields(kind: Descriptor) -> dict[str, _ReadableField]:
    """Return each field under both its names."""
    found = {
        field.json_name: _ReadableField(field, field.json_name, _slot(field), _put(field)) for field in kind.fields
    }
    return found | {field.name: found[field.json_name] for field in kind.fields}


def _slot(field: FieldDescriptor) -> str:
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
        except (ValueError, TypeError) as error:  # protobuf's own checks: numbers out of range, unpaired surrogates
            raise InvalidField(at, _protobuf_error(error)) from None

    return put


def _put_message(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    name, by_protobuf = field.name, _is_well_known(field)

    def put(message: Message, value: Any, at: str) -> None:
        inner = getattr(message, name)
        inner.SetInParent()
        _fill_any(inner, value, at, by_protobuf=by_protobuf)

    return put


def _put_messages(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    name, by_protobuf = field.name, _is_well_known(field)

    def put(message: Message, value: Any, at: str) -> None:
        items = getattr(message, name)
        for number, item in enumerate(_list(value, at)):
            _fill_any(items.add(), item, f"{at}[{number}]", by_protobuf=by_protobuf)

    return put


def _put_map(field: FieldDescriptor) -> Callable[[Message, Any, str], None]:
    """Return a setter of maps. It leaves those without messages to protobuf, after checks with errors for clients."""
    assert field.message_type is not None
    values = field.message_type.fields_by_name["value"]
    read, by_protobuf = reader(values) if values.message_type is None else None, _is_well_known(values)

    def put(message: Message, value: Any, at: str) -> None:
        if type(value) is not dict:
            raise _unlike(value, at, "an object")
        for key, item in value.items():
            _require_valid_unicode(key, at)
            here = f"{at}.{_short(key)}"
            if read is None:
                _fill_any(getattr(message, field.name)[key], item, here, by_protobuf=by_protobuf)
            else:
                _require_valid_unicode(str(read(item, here)), here)
        if read is not None:
            _by_protobuf(message, {field.name: value}, at)

    return put


def _is_well_known(field: FieldDescriptor) -> bool:
    """Return whether a field has a well-known type of protobuf: times and durations are strings in JSON, and so on."""
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
        raise InvalidField(at, _protobuf_error(error)) from None


def _require_valid_unicode(text: str, at: str) -> None:
    """Raise InvalidField for a text that UTF-8 cannot encode: no response could repeat it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidField(at, _UNPAIRED_SURROGATE) from None


def _protobuf_error(error: Exception) -> str:
    """Return a sentence about an error of protobuf."""
    if isinstance(error, UnicodeError):
        return _UNPAIRED_SURROGATE
    return phrase("json-unreadable", problem=verbatim(_short(str(error).rstrip("."))))


@cache
def reader(field: FieldDescriptor) -> Read:
    """Return the function that reads one value of a field without messages."""
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
    raise _unlike(value, at, "a string")


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
        raise _unlike(value, at, phrase("json-one-of", names=verbatim(", ".join(numbers))))

    return read


def _list(value: Any, at: str) -> list[Any]:
    if type(value) is list:
        return value
    raise _unlike(value, at, "a list")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise _NotJson("a name occurs twice in an object")
    return values


def _no_constant(name: str) -> NoReturn:
    raise _NotJson(f"{name} is not a number")


def _unlike(value: Any, at: str, wanted: str) -> InvalidField:
    shown = verbatim(_short(repr(value))) if type(value) in (str, int, float, bool) else _kind(value)
    return InvalidField(at, phrase("json-unlike", wanted=wanted, given=shown))


def _kind(value: Any) -> str:
    return _KINDS.get(type(value), "null")


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
