"""Builds the request of an RPC from the path, the query and the body of an HTTP request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from skerry_service.api.error_table import UnknownField
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, quoted, verbatim
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_refusals import LengthRequired, MediaTypeUnsupported
from skerry_service.edge.http.request_bodies import declared_length, receive_body
from skerry_service.edge.rest.routes import FORMAT, WHOLE, Route
from skerry_service.wire.json_reader import field_named, fill, parse_json

FieldPath = Sequence[FieldDescriptor]
"""A path to a field: each is a field of the message in the one before it."""
_BOOLEANS = {"true": True, "false": False}
_MAX_SHOWN = 40


def build(route: Route, path: Mapping[str, str], query: bytes, body: dict[str, Any] | None) -> Message:
    """Return the request. Raises InvalidField, UnknownField."""
    request = route.request_type()
    if body is not None:
        fill(request, body if route.body == WHOLE else {route.body: body})
    for field, text in path.items():
        _set_from_path(request, _path_field(request.DESCRIPTOR, field), text)
    if query:
        _read_query(request, route, query)
    if route.extension and FORMAT in request.DESCRIPTOR.fields_by_name:
        fill(request, {FORMAT: route.extension})
    return request


async def read_body(call: HttpExchange, *, expected: bool) -> dict[str, Any] | None:
    """Return the JSON object in the body; ``None`` if the RPC has no body.

    Raises HttpRefusal, InvalidField, ClientGone.
    """
    headers = call.headers
    length = declared_length(headers)
    if length is None and b"transfer-encoding" not in headers:
        if expected:
            raise LengthRequired
        return None
    if not expected:
        if length == 0:
            return None
        raise InvalidField("body", "This call has no body. Send its fields in the path and the query.")
    data = await receive_body(call.receive, length or 0)
    if not data:
        return {}
    media = headers.get(b"content-type", b"")
    if not _is_json(media) or headers.get(b"content-encoding", b"identity") != b"identity":
        encoding = headers.get(b"content-encoding", b"")
        raise MediaTypeUnsupported(b" ".join(filter(None, (media, encoding))).decode("latin-1"))
    return parse_json(data)


def _is_json(media: bytes) -> bool:
    name, _, parameters = media.lower().partition(b";")
    return name.strip() == b"application/json" and parameters.strip().replace(b'"', b"") in (
        b"",
        b"charset=utf-8",
    )


class _PathField(NamedTuple):
    """A field that a path binds, resolved once for all requests."""

    outer: Sequence[str]
    """The names of the messages around it."""
    name: str
    default: Any
    spelled: str
    prefix: str
    """The part of its path before its name, for errors."""


@cache
def _path_field(message: Descriptor, path: str) -> _PathField:
    _, steps = _find(GetMessageClass(message)(), path)
    field = steps[-1]
    return _PathField(
        [step.name for step in steps[:-1]], field.name, field.default_value, _spelled(steps), _prefix(steps)
    )


def _set_from_path(request: Message, field: _PathField, text: str) -> None:
    """Set a field that the path binds. A body may contain the same value, but no other."""
    message = request
    for name in field.outer:
        message = getattr(message, name)
    if getattr(message, field.name) not in (field.default, text):
        raise InvalidField(field.spelled, phrase("field-path-and-body", value=verbatim(text)))
    fill(message, {field.name: text}, field.prefix)


def _read_query(request: Message, route: Route, query: bytes) -> None:
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict")
    except ValueError:
        raise InvalidField("query", "The query is not percent-encoded UTF-8.") from None
    found: dict[str, tuple[Message, FieldPath, list[str]]] = {}
    for name, text in pairs:
        if route.body == WHOLE:
            raise UnknownField(f"the query of {route.rpc.name}", name)
        message, steps = _find(request, name)
        if route.binds(".".join(step.name for step in steps)) or steps[0].name == route.body:
            raise InvalidField(_spelled(steps), "This field is not a query parameter. Send it in the path or the body.")
        found.setdefault(_spelled(steps), (message, steps, []))[2].append(text)
    for path, (message, steps, texts) in found.items():
        fill(message, {steps[-1].name: _value(steps[-1], texts, path)}, _prefix(steps))


def _find(message: Message, path: str) -> tuple[Message, FieldPath]:
    """Return the message that holds the field of a dotted path, in either spelling, and the path to the field."""
    *outer, last = path.split(".")
    steps = []
    for name in outer:
        step = _field(message, name, path)
        if step.message_type is None or step.is_repeated:
            raise UnknownField(message.DESCRIPTOR.name, path)
        message = getattr(message, step.name)
        steps.append(step)
    return message, [*steps, _field(message, last, path)]


def _spelled(steps: FieldPath) -> str:
    return ".".join(step.json_name for step in steps)


def _prefix(steps: FieldPath) -> str:
    """Return the part of the path before the last field's name."""
    return "".join(f"{step.json_name}." for step in steps[:-1])


def _field(message: Message, name: str, path: str) -> FieldDescriptor:
    field = field_named(message, name)
    if field is None:
        raise UnknownField(message.DESCRIPTOR.name, path)
    return field


def _value(field: FieldDescriptor, texts: list[str], path: str) -> Any:
    """Return the field's value as it would be in JSON."""
    values: list[Any] = list(texts)
    if field.enum_type is not None:
        for text in texts:
            _require_name(field.enum_type, text, path)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        values = [_BOOLEANS.get(text, text) for text in texts]
    if field.is_repeated:
        return values
    if len(values) > 1:
        raise InvalidField(path, "The query has this field twice. Send it once.")
    return values[0]


def _require_name(kind: EnumDescriptor, text: str, path: str) -> None:
    """Raise InvalidField for a text that is not the name of a value, such as its number."""
    if text not in kind.values_by_name:
        shown = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
        allowed = verbatim(", ".join(kind.values_by_name))
        raise InvalidField(path, phrase("field-one-of", allowed=allowed, value=quoted(shown)))
