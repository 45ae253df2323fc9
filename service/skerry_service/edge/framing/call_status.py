"""The status with which a call ends, as the RPC protocols send it."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import quote

from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from skerry_service.api import error_table
from skerry_service.api.error_table import DOMAIN, is_refusal
from skerry_service.edge.framing.deadlines import CallTimedOut
from skerry_service.edge.framing.transport_refusals import TransportRefusal

_PRINTABLE = "".join(map(chr, range(0x20, 0x7F))).replace("%", "")
_log = logging.getLogger(__name__)


def call_status(error: Exception, hints: Mapping[type[Exception], str]) -> Status:
    """Return the status for an error. An unknown error is logged and becomes INTERNAL.

    ``hints``: sentences that the protocol appends to some refusals.
    """
    if isinstance(error, CallTimedOut):
        return Status(code=code_pb2.DEADLINE_EXCEEDED, message="The call did not finish within its timeout.")
    if isinstance(error, TransportRefusal):
        info = AnyMessage()
        info.Pack(ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=error.metadata))
        return Status(code=error.code, message=error.sentence, details=[info])
    if not is_refusal(error):
        _log.error("internal error", exc_info=error)
    return error_table.status_of(error, hints)


def grpc_trailers(status: Status) -> list[tuple[bytes, bytes]]:
    """Return the trailers with which gRPC and gRPC-Web end a failed call."""
    return [
        (b"grpc-status", b"%d" % status.code),
        (b"grpc-message", quote(status.message, safe=_PRINTABLE).encode("ascii")),
        (b"grpc-status-details-bin", b64encode(status.SerializeToString()).rstrip(b"=")),
    ]
