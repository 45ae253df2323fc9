"""HTTP responses: their headers and compression, and the bodies of errors (AIP-193)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from math import ceil
from typing import Any

import msgspec
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage, RetryInfo
from google.rpc.status_pb2 import Status

from skerry.v1.sentence_pb2 import Sentence
from skerry_games.api import BadOptions, MalformedMove
from skerry_service.access.identity.identity_errors import IdentityMissing
from skerry_service.api import error_table
from skerry_service.api.error_table import DOMAIN, is_refusal, status_of
from skerry_service.domain.errors import ApiKeyMissing, InvalidField, TokenMissing
from skerry_service.edge.framing.compression import SMALLEST_COMPRESSED, compress
from skerry_service.edge.framing.transport_refusals import TransportRefusal
from skerry_service.edge.http.asgi import HeaderList, HttpExchange
from skerry_service.edge.http.http_dates import http_date
from skerry_service.edge.http.http_refusals import HttpRefusal
from skerry_service.wire.json_names import to_json_names
from skerry_service.wire.json_writer import to_value

JSON = b"application/json"
EVENT_STREAM = b"text/event-stream"
PLAIN_TEXT = b"text/plain"
PNG = b"image/png"
"""It is compressed already."""
_CLOSE = (b"connection", b"close")
_COMPRESSED_IN_THREAD = 256 * 1024
"""Bytes. Larger bodies are compressed in a thread, so that other calls need not wait."""
_ACCEPT_CACHE_SIZE = 128
"""Values of Accept whose evaluation is cached."""
HINTS: dict[type[Exception], str] = {
    TokenMissing: "Send the header `Authorization: Bearer <token>`.",
    ApiKeyMissing: "Send the header `X-API-Key: <key>`.",
    IdentityMissing: "Send the header `Skerry-Identity: <token>`.",
}
"""What HTTP adds to the messages of errors."""
WITH_FIELDS = (InvalidField, BadOptions, MalformedMove)
"""Errors whose messages name fields. No other message is respelled: a player's name may look like a field."""
_log = logging.getLogger(__name__)

STATUS_OF: dict[int, HTTPStatus] = {
    code_pb2.INVALID_ARGUMENT: HTTPStatus.BAD_REQUEST,
    code_pb2.FAILED_PRECONDITION: HTTPStatus.BAD_REQUEST,
    code_pb2.OUT_OF_RANGE: HTTPStatus.BAD_REQUEST,
    code_pb2.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    code_pb2.PERMISSION_DENIED: HTTPStatus.FORBIDDEN,
    code_pb2.NOT_FOUND: HTTPStatus.NOT_FOUND,
    code_pb2.ABORTED: HTTPStatus.CONFLICT,
    code_pb2.ALREADY_EXISTS: HTTPStatus.CONFLICT,
    code_pb2.RESOURCE_EXHAUSTED: HTTPStatus.TOO_MANY_REQUESTS,
    code_pb2.DATA_LOSS: HTTPStatus.INTERNAL_SERVER_ERROR,
    code_pb2.INTERNAL: HTTPStatus.INTERNAL_SERVER_ERROR,
    code_pb2.UNIMPLEMENTED: HTTPStatus.NOT_IMPLEMENTED,
    code_pb2.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    code_pb2.DEADLINE_EXCEEDED: HTTPStatus.GATEWAY_TIMEOUT,
}
"""HTTP statuses, as the comments of ``google.rpc.Code`` define them."""
_DETAILS: dict[str, type[Message]] = {
    message_type.DESCRIPTOR.full_name: message_type
    for message_type in (ErrorInfo, RetryInfo, LocalizedMessage, Sentence)
}


@dataclass(slots=True)
class HttpAnswer:
    """A complete response."""

    body: bytes = b""
    status: int = HTTPStatus.OK
    media: bytes = JSON
    headers: HeaderList = field(default_factory=list)
    cache: bytes = b"no-store"
    """The Cache-Control header. Answers of the API are private to their caller."""
    compressed: bytes | None = None
    """The body, compressed in advance."""
    allowed: Sequence[str] = ()
    """The methods of the path, in the response to OPTIONS."""


async def send_answer(call: HttpExchange, answer: HttpAnswer) -> None:
    """Send a response, compressed if it is large and the client accepts gzip."""
    headers = [
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", answer.cache),
        *answer.headers,
        *call.response_headers,
    ]
    body = answer.body
    if len(body) >= SMALLEST_COMPRESSED and answer.media != PNG:
        headers.append((b"vary", b"Accept-Encoding"))
        if accepts_gzip(call.headers.get(b"accept-encoding", b"")):
            headers.append((b"content-encoding", b"gzip"))
            body = answer.compressed or await compress_body(body)
    if answer.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
        headers.append((b"content-type", answer.media))
        headers.append((b"content-length", b"%d" % len(body)))
    await call.send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await call.send({"type": "http.response.body", "body": body})


def accepts_gzip(header: bytes) -> bool:
    """Return whether a client with this Accept-Encoding header accepts gzip."""
    weights = _weights(header)
    return weights.get(b"gzip", weights.get(b"*", 0.0)) > 0


@lru_cache(maxsize=_ACCEPT_CACHE_SIZE)
def accepts(header: bytes, media: bytes) -> bool:
    """Return whether a client with this Accept header accepts a media type. Without the header it accepts all."""
    weights = _weights(header)
    media_range = media.partition(b"/")[0] + b"/*"
    return not header or weights.get(media, weights.get(media_range, weights.get(b"*/*", 0.0))) > 0


def _weights(header: bytes) -> dict[bytes, float]:
    """Return the weight (``q``) of each entry of an Accept header."""
    found = {}
    for part in header.lower().split(b","):
        name, *parameters = (text.strip() for text in part.split(b";"))
        weight = next((text[2:] for text in parameters if text.startswith(b"q=")), b"1")
        found[name] = float(weight) if weight.replace(b".", b"", 1).isdigit() else 0.0
    return found


async def compress_body(body: bytes) -> bytes:
    """Return the body compressed with gzip."""
    if len(body) > _COMPRESSED_IN_THREAD:
        return await asyncio.to_thread(compress, body)
    return compress(body)


def error_answer(error: Exception) -> HttpAnswer:
    """Return the response for an error. An unknown error is logged and answered as INTERNAL."""
    if isinstance(error, HttpRefusal):
        return _http_refusal_answer(error)
    if not is_refusal(error):
        _log.error("internal error", exc_info=error)
    status = status_of(error, HINTS)
    message = to_json_names(status.message) if isinstance(error, WITH_FIELDS) else status.message
    details = [_detail(detail) for detail in status.details]
    http = STATUS_OF[status.code]
    answer = HttpAnswer(_error(http, status.code, message, details), http)
    if http == HTTPStatus.UNAUTHORIZED:
        answer.headers.append((b"www-authenticate", b"Bearer"))
    answer.headers += retry_headers(status)
    return answer


def closing_response(error: Exception) -> bytes:
    """Return the bytes of the response for an error that ends the connection, in HTTP/1.1."""
    answer = error_answer(error)
    status = HTTPStatus(answer.status)
    headers = [
        (b"date", http_date()),
        *answer.headers,
        (b"content-type", answer.media),
        (b"content-length", b"%d" % len(answer.body)),
    ]
    if _CLOSE not in headers:
        headers.append(_CLOSE)
    lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode()), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join([*lines, b"", answer.body])


def code_and_reason(error: Exception) -> tuple[str, str]:
    """Return the names of the code and of the reason in the response of ``error_answer``."""
    if isinstance(error, TransportRefusal):
        return code_pb2.Code.Name(error.code), error.reason
    return error_table.code_and_reason(error)


def _http_refusal_answer(error: HttpRefusal) -> HttpAnswer:
    detail = ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=error.metadata)
    packed = AnyMessage()
    packed.Pack(detail)
    answer = HttpAnswer(_error(error.http, error.code, error.sentence, [_detail(packed)]), error.http)
    answer.headers += error.headers
    if error.closes:
        answer.headers.append(_CLOSE)
    return answer


def _error(http: HTTPStatus, code: int, message: str, details: list[dict[str, Any]]) -> bytes:
    error = {"code": http.value, "message": message, "status": code_pb2.Code.Name(code), "details": details}
    return msgspec.json.encode({"error": error})


def _detail(packed: AnyMessage) -> dict[str, Any]:
    detail = {"@type": packed.type_url, **detail_value(packed)}
    if "field" in detail.get("metadata", {}):
        detail["metadata"]["field"] = to_json_names(detail["metadata"]["field"])
    return detail


def detail_value(packed: AnyMessage) -> dict[str, Any]:
    """Return a detail of a status as a value for the JSON encoder."""
    value: dict[str, Any] = to_value(_DETAILS[packed.TypeName()].FromString(packed.value))
    return value


def retry_headers(status: Status) -> HeaderList:
    """Return the ``Retry-After`` header of an error, if waiting helps."""
    retry = RetryInfo()
    for detail in status.details:
        if detail.Unpack(retry):
            return [(b"retry-after", b"%d" % ceil(retry.retry_delay.ToMicroseconds() / 1_000_000))]
    return []
