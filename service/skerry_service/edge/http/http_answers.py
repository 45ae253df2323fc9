"""Answers: what is sent for a message, for a file, and for an error (AIP-193)."""

from __future__ import annotations

import asyncio
import gzip
import logging
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from math import ceil
from typing import Any

import msgspec
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from skerry_games.api import BadOptions, MalformedMove
from skerry_service.api import error_table
from skerry_service.api.error_table import DOMAIN, is_refusal, status_of
from skerry_service.domain.errors import ApiKeyMissing, InvalidField, TokenMissing
from skerry_service.edge.http.asgi import HeaderList, HttpExchange
from skerry_service.edge.http.http_refusals import HttpRefusal
from skerry_service.wire.json_names import to_json_names
from skerry_service.wire.json_writer import to_value

JSON = b"application/json"
EVENT_STREAM = b"text/event-stream"
SMALLEST_COMPRESSED = 8 * 1024
"""Bytes. Smaller answers, every move's among them, cost more to compress than their bytes cost to send."""
_PACKED_BESIDE = 256 * 1024
"""Bytes. Larger ones are compressed in another thread, for others not to wait."""
_LEVEL = 5
_ACCEPTED_KEPT = 128
"""Values of Accept that are not looked at again."""
_HOW: dict[type[Exception], str] = {
    TokenMissing: "Send the header `Authorization: Bearer <token>`.",
    ApiKeyMissing: "Send the header `X-API-Key: <key>`.",
}
"""What HTTP adds to the sentences of refusals."""
_NAMING = (InvalidField, BadOptions, MalformedMove)
"""Refusals whose sentences name fields, and no players, who can be called like one."""
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
}
"""As the comments of ``google.rpc.Code`` say."""
_DETAILS: dict[str, type[Message]] = {kind.DESCRIPTOR.full_name: kind for kind in (ErrorInfo, RetryInfo)}


@dataclass(slots=True)
class HttpAnswer:
    """One answer, whole."""

    body: bytes = b""
    status: int = HTTPStatus.OK
    media: bytes = JSON
    headers: HeaderList = field(default_factory=list)
    cache: bytes = b"no-store"
    """Who may keep it. What the API answers belongs to who asked."""
    packed: bytes | None = None
    """The body, compressed beforehand."""


async def send_answer(call: HttpExchange, answer: HttpAnswer) -> None:
    """Send an answer, compressed if it is large and the client can read that."""
    headers = [
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", answer.cache),
        *answer.headers,
        *call.response_headers,
    ]
    body = answer.body
    if len(body) >= SMALLEST_COMPRESSED:
        headers.append((b"vary", b"Accept-Encoding"))
        if accepts_gzip(call.headers.get(b"accept-encoding", b"")):
            headers.append((b"content-encoding", b"gzip"))
            body = answer.packed or await _packed(body)
    if answer.status != HTTPStatus.NO_CONTENT:
        headers.append((b"content-type", answer.media))
        headers.append((b"content-length", b"%d" % len(body)))
    await call.send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await call.send({"type": "http.response.body", "body": body})


def accepts_gzip(header: bytes) -> bool:
    """Whether a client with that Accept-Encoding can read gzip."""
    weights = _weights(header)
    return weights.get(b"gzip", weights.get(b"*", 0.0)) > 0


@lru_cache(maxsize=_ACCEPTED_KEPT)
def accepts(header: bytes, media: bytes) -> bool:
    """Whether a client with that Accept can read that media type. No header: anything."""
    weights = _weights(header)
    kind = media.partition(b"/")[0] + b"/*"
    return not header or weights.get(media, weights.get(kind, weights.get(b"*/*", 0.0))) > 0


def _weights(header: bytes) -> dict[bytes, float]:
    """Return what a header of the Accept family names, with its ``q``."""
    found = {}
    for part in header.lower().split(b","):
        name, *parameters = (one.strip() for one in part.split(b";"))
        weight = next((one[2:] for one in parameters if one.startswith(b"q=")), b"1")
        found[name] = float(weight) if weight.replace(b".", b"", 1).isdigit() else 0.0
    return found


async def _packed(body: bytes) -> bytes:
    if len(body) > _PACKED_BESIDE:
        return await asyncio.to_thread(compress, body)
    return compress(body)


def compress(body: bytes, level: int = _LEVEL) -> bytes:
    """Compress; the same bytes every time."""
    return gzip.compress(body, level, mtime=0)


def error_answer(error: Exception) -> HttpAnswer:
    """Return the answer that tells of an error."""
    if isinstance(error, HttpRefusal):
        return _refuse_http(error)
    if not is_refusal(error):
        _log.error("internal error", exc_info=error)
    status = status_of(error, _HOW)
    message = to_json_names(status.message) if isinstance(error, _NAMING) else status.message
    details = [_detail(one) for one in status.details]
    http = STATUS_OF[status.code]
    answer = HttpAnswer(_error(http, status.code, message, details), http)
    if http == HTTPStatus.UNAUTHORIZED:
        answer.headers.append((b"www-authenticate", b"Bearer"))
    if (wait := _retry_after(status)) is not None:
        answer.headers.append((b"retry-after", b"%d" % ceil(wait)))
    return answer


def code_and_reason(error: Exception) -> tuple[str, str]:
    """Return the names of the code and of the reason that ``error_answer`` tells."""
    if isinstance(error, HttpRefusal):
        return code_pb2.Code.Name(error.code), error.reason
    return error_table.code_and_reason(error)


def _refuse_http(error: HttpRefusal) -> HttpAnswer:
    detail = ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=error.metadata)
    packed = AnyMessage()
    packed.Pack(detail)
    answer = HttpAnswer(_error(error.http, error.code, error.sentence, [_detail(packed)]), error.http)
    answer.headers += error.headers
    if error.closes:
        answer.headers.append((b"connection", b"close"))
    return answer


def _error(http: HTTPStatus, code: int, message: str, details: list[dict[str, Any]]) -> bytes:
    told = {"code": http.value, "message": message, "status": code_pb2.Code.Name(code), "details": details}
    return msgspec.json.encode({"error": told})


def _detail(packed: AnyMessage) -> dict[str, Any]:
    kind = _DETAILS[packed.TypeName()]
    told = {"@type": packed.type_url, **to_value(kind.FromString(packed.value))}
    if "field" in told.get("metadata", {}):
        told["metadata"]["field"] = to_json_names(told["metadata"]["field"])
    return told


def _retry_after(status: Status) -> float | None:
    retry = RetryInfo()
    for detail in status.details:
        if detail.Unpack(retry):
            return retry.retry_delay.ToMicroseconds() / 1_000_000
    return None
