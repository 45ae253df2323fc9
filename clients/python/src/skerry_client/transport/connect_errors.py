"""The errors in responses of Connect and of HTTP itself, as the exceptions that callers see."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import DecodeError
from google.rpc import status_pb2

from skerry_client import status
from skerry_client.errors import SkerryError, UnexpectedResponse

_CODES = {code.name.lower(): code for code in grpc.StatusCode} | {"canceled": grpc.StatusCode.CANCELLED}
_CODE_OF_HTTP = {
    400: grpc.StatusCode.INTERNAL,
    401: grpc.StatusCode.UNAUTHENTICATED,
    403: grpc.StatusCode.PERMISSION_DENIED,
    404: grpc.StatusCode.UNIMPLEMENTED,
    429: grpc.StatusCode.UNAVAILABLE,
    502: grpc.StatusCode.UNAVAILABLE,
    503: grpc.StatusCode.UNAVAILABLE,
    504: grpc.StatusCode.UNAVAILABLE,
}
"""The codes of responses without an error of Connect, for example those of proxies."""
_OF_PROXY = {502, 503, 504}
"""The statuses with which a proxy answers for a server that it cannot reach."""


def error_of_response(http: int, body: bytes) -> SkerryError:
    """Return the exception for a response with another status than 200."""
    code = _CODE_OF_HTTP.get(http, grpc.StatusCode.UNKNOWN)
    try:
        error = json.loads(body)
        if isinstance(error, dict) and "error" in error:  # an error of HTTP itself, in the form of REST
            value = error["error"]
            named = grpc.StatusCode[value["status"]].value[0]
            details = {"code": named, "message": value["message"], "details": value["details"]}
            return status.from_status(ParseDict(details, status_pb2.Status()))
        return _from_connect(error)
    except (ValueError, KeyError, TypeError, ParseError, DecodeError):
        hint = "a proxy cannot reach the server" if http in _OF_PROXY else "perhaps transport='grpc' passes"
        return status.without_reason(code, f"HTTP status {http} without an error of Connect; {hint}")


def error_in_stream(end: bytes) -> SkerryError | None:
    """Return the exception with which a stream ended; ``None`` if it succeeded."""
    try:
        value = json.loads(end)
        return _from_connect(value["error"]) if "error" in value else None
    except (ValueError, KeyError, TypeError, DecodeError):
        return UnexpectedResponse("the end of the stream is malformed")


def _from_connect(error: Any) -> SkerryError:
    code = _CODES[error["code"]].value[0]
    details = [
        AnyMessage(type_url=f"type.googleapis.com/{detail['type']}", value=_from_base64(detail["value"]))
        for detail in error.get("details", ())
    ]
    return status.from_status(status_pb2.Status(code=code, message=error.get("message", ""), details=details))


def _from_base64(text: str) -> bytes:
    return b64decode(text + "=" * (-len(text) % 4))
