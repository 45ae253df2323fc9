"""Conversion of a ``google.rpc.Status``, or of a gRPC error without one, into the exception that callers see."""

from __future__ import annotations

from contextlib import suppress

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from skerry.v1.sentence_pb2 import Sentence
from skerry_client import errors
from skerry_client.errors import SkerryError

_DOMAIN = "skerry"
_DETAILS_KEY = "grpc-status-details-bin"

_CODES = {code.value[0]: code for code in grpc.StatusCode}

BY_REASON: dict[str, type[SkerryError]] = {
    member.reason: member
    for member in vars(errors).values()
    if isinstance(member, type) and issubclass(member, SkerryError) and member.reason
}
"""The class of each reason that this client knows."""

BY_CODE: dict[grpc.StatusCode, type[SkerryError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: errors.BadRequest,
    grpc.StatusCode.NOT_FOUND: errors.NotFound,
    grpc.StatusCode.UNAUTHENTICATED: errors.Denied,
    grpc.StatusCode.PERMISSION_DENIED: errors.Denied,
    grpc.StatusCode.FAILED_PRECONDITION: errors.FailedPrecondition,
    grpc.StatusCode.ABORTED: errors.Conflict,
    grpc.StatusCode.OUT_OF_RANGE: errors.Conflict,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors.LimitReached,
    grpc.StatusCode.UNAVAILABLE: errors.Unavailable,
    grpc.StatusCode.INTERNAL: errors.ServerError,
    grpc.StatusCode.DATA_LOSS: errors.ServerError,
}
"""The class of a service error whose reason is newer than this client."""

OF_TRANSPORTS: dict[str, type[SkerryError]] = {
    "HTTP_BODY_TOO_LARGE": errors.MessageTooLarge,
    "RPC_MESSAGE_TOO_LARGE": errors.MessageTooLarge,
}
"""The class of each reason that a transport of the service gives, if it differs from that of its code."""

WITHOUT_REASON: dict[grpc.StatusCode, type[SkerryError]] = {
    grpc.StatusCode.UNAVAILABLE: errors.ConnectionLost,
    grpc.StatusCode.CANCELLED: errors.ConnectionLost,
    # gRPC reports this when a stream ends during a write. The service's own INTERNAL error has a reason.
    grpc.StatusCode.INTERNAL: errors.ConnectionLost,
    grpc.StatusCode.DEADLINE_EXCEEDED: errors.DeadlineExceeded,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors.MessageTooLarge,
}
"""The class of an error that gRPC itself reports. Errors of the service always have a reason."""


def from_grpc(error: grpc.aio.AioRpcError) -> SkerryError:
    """Return the exception for a call that ended with this error."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS_KEY and isinstance(value, bytes):
            with suppress(DecodeError):  # malformed details do not come from the service
                return from_status(status_pb2.Status.FromString(value))
    return without_reason(error.code(), error.details() or "")


def from_status(status: status_pb2.Status) -> SkerryError:
    """Return the exception for this status. It ignores details of other services."""
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    info = error_details_pb2.ErrorInfo()
    retry = error_details_pb2.RetryInfo()
    localized = error_details_pb2.LocalizedMessage()
    sentence = Sentence()
    for detail in status.details:
        for known in (info, retry, localized, sentence):
            detail.Unpack(known)
    if info.domain != _DOMAIN:
        return without_reason(code, status.message)
    error_class = (
        BY_REASON.get(info.reason) or OF_TRANSPORTS.get(info.reason) or BY_CODE.get(code, errors.UnexpectedResponse)
    )
    seconds = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
    error = error_class(status.message, metadata=info.metadata, retry_after=seconds or None)
    error.reason = info.reason
    error.code = code
    error.localized_message = localized.message or None
    error.sentence = sentence if sentence.id else None
    return error


def without_reason(code: grpc.StatusCode, sentence: str) -> SkerryError:
    """Return the exception for an error that does not come from the service itself."""
    error_class = WITHOUT_REASON.get(code, errors.UnexpectedResponse)
    error = error_class(sentence or f"the call ended with {code.name}")
    error.code = code
    return error
