"""Errors in Connect's form: ``{"code": "not_found", "message": ..., "details": [...]}``."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import msgspec
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from skerry_service.edge.connect.codecs import MessageCodec
from skerry_service.edge.framing.call_status import call_status
from skerry_service.edge.http.asgi import HeaderList
from skerry_service.edge.http.http_answers import (
    HINTS,
    STATUS_OF,
    WITH_FIELDS,
    HttpAnswer,
    detail_value,
    retry_headers,
)
from skerry_service.edge.http.http_refusals import HttpRefusal
from skerry_service.wire.json_names import to_json_names

_FIELD = "field"


def unary_error(error: Exception, codec: MessageCodec) -> HttpAnswer:
    """Return the response of a failed unary call."""
    status = status_for(error, codec)
    http = STATUS_OF[status.code]
    headers = [*closing_headers(error), *retry_headers(status)]
    if status.code == code_pb2.UNAUTHENTICATED:
        headers.append((b"www-authenticate", b"Bearer"))
    return HttpAnswer(msgspec.json.encode(connect_error(status)), http, headers=headers)


def end_of_stream(error: Exception | None, codec: MessageCodec) -> bytes:
    """Return the last message of a stream. ``error``: ``None`` if the call succeeded."""
    return b"{}" if error is None else msgspec.json.encode({"error": connect_error(status_for(error, codec))})


def status_for(error: Exception, codec: MessageCodec) -> Status:
    """Return the status for an error, which names fields as the client's codec does."""
    status = call_status(error, HINTS)
    if codec.names_fields_in_json and isinstance(error, WITH_FIELDS):
        status.message = to_json_names(status.message)
        for packed in status.details:
            info = ErrorInfo()
            if packed.Unpack(info) and _FIELD in info.metadata:
                info.metadata[_FIELD] = to_json_names(info.metadata[_FIELD])
                packed.Pack(info)
    return status


def closing_headers(error: Exception) -> HeaderList:
    """Return the headers that close the connection, if the rest of the request must not be read."""
    return [(b"connection", b"close")] if isinstance(error, HttpRefusal) and error.closes else []


def connect_error(status: Status) -> dict[str, Any]:
    """Return a status in Connect's form."""
    code = code_pb2.Code.Name(status.code).lower()
    return {"code": code, "message": status.message, "details": [_detail(packed) for packed in status.details]}


def _detail(packed: AnyMessage) -> dict[str, Any]:
    value = b64encode(packed.value).rstrip(b"=").decode()
    return {"type": packed.TypeName(), "value": value, "debug": detail_value(packed)}
