"""The reasons of errors: for each RPC and HTTP status, the values of ``ErrorReason`` that the error can have.

The comment of an RPC lists its own reasons, the comment of the service those of every call. ``api.error_table`` has the
code of each. ``edge.http.http_refusals`` defines the errors of HTTP itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from google.protobuf.descriptor import MethodDescriptor
from google.rpc import code_pb2

from skerry.v1.errors_pb2 import ErrorReason
from skerry_service.api.error_table import TABLE
from skerry_service.edge.http.http_answers import STATUS_OF
from skerry_service.edge.http.http_refusals import HttpRefusal
from skerry_service.edge.rest.openapi.comments import comment_on, description_of

_PREFIX = "ERROR_REASON_"
_WORD = re.compile(r"\b[A-Z]+(?:_[A-Z]+)*\b")
_CODE = re.compile(r"^[A-Z_]+(, with RetryInfo)?\. ")


class Reason(NamedTuple):
    """One reason of an error."""

    name: str
    code: str
    """As over gRPC: ``NOT_FOUND``."""
    text: str
    """Its meaning, in one or more sentences."""


def reasons_of(rpc: MethodDescriptor) -> dict[str, list[Reason]]:
    """Return the reasons of an RPC's errors, by HTTP status."""
    service = rpc.containing_service
    named = {*_WORD.findall(comment_on(service.file, service.full_name))}
    named |= {*_WORD.findall(comment_on(service.file, rpc.full_name))}
    found: dict[str, list[Reason]] = {}
    for status, reason in (*_rpc_reasons(), *_http_reasons()):
        if reason.name in named or reason.name.startswith("HTTP_"):
            found.setdefault(status, []).append(reason)
    return found


def _rpc_reasons() -> Iterator[tuple[str, Reason]]:
    """Yield every reason with its HTTP status, in the order of declaration."""
    codes: dict[int, int] = {int(reason): code for code, reason in TABLE.values()}
    codes[ErrorReason.ERROR_REASON_INTERNAL] = code_pb2.INTERNAL  # not in the table: it stands for unknown errors
    for value in ErrorReason.DESCRIPTOR.values:
        if (code := codes.get(value.number)) is not None:
            about = description_of(ErrorReason.DESCRIPTOR.file, f"{ErrorReason.DESCRIPTOR.full_name}.{value.name}")
            reason = Reason(value.name.removeprefix(_PREFIX), code_pb2.Code.Name(code), _CODE.sub("", about))
            yield str(STATUS_OF[code].value), reason


def _http_reasons() -> Iterator[tuple[str, Reason]]:
    for kind in HttpRefusal.__subclasses__():
        text = (kind.__doc__ or "").strip()
        yield str(kind.http.value), Reason(kind.reason, code_pb2.Code.Name(kind.code), text)
