"""Why a call can be refused: which reasons each error status can carry.

The comment of an RPC names its own reasons, that of the service those of every call, and ``rpc.errors`` knows the code
of each. What HTTP itself is refused for stands in ``refusals``.
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
    """One reason for a refusal."""

    name: str
    code: str
    """As over gRPC: ``NOT_FOUND``."""
    text: str
    """What it means, in a sentence or more."""


def reasons_of(rpc: MethodDescriptor) -> dict[str, list[Reason]]:
    """Return the reasons that a call of the RPC can be refused for, by HTTP status."""
    service = rpc.containing_service
    named = {*_WORD.findall(comment_on(service.file, service.full_name))}
    named |= {*_WORD.findall(comment_on(service.file, rpc.full_name))}
    found: dict[str, list[Reason]] = {}
    for status, reason in (*_of_calls(), *_of_http()):
        if reason.name in named or reason.name.startswith("HTTP_"):
            found.setdefault(status, []).append(reason)
    return found


def _of_calls() -> Iterator[tuple[str, Reason]]:
    """Yield every reason with its status, in the order of their declaration."""
    codes: dict[int, int] = {int(reason): code for code, reason in TABLE.values()}
    codes[ErrorReason.ERROR_REASON_INTERNAL] = code_pb2.INTERNAL  # a defect: no refusal has it
    for value in ErrorReason.DESCRIPTOR.values:
        if (code := codes.get(value.number)) is not None:
            about = description_of(ErrorReason.DESCRIPTOR.file, f"{ErrorReason.DESCRIPTOR.full_name}.{value.name}")
            reason = Reason(value.name.removeprefix(_PREFIX), code_pb2.Code.Name(code), _CODE.sub("", about))
            yield str(STATUS_OF[code].value), reason


def _of_http() -> Iterator[tuple[str, Reason]]:
    for kind in HttpRefusal.__subclasses__():
        text = (kind.__doc__ or "").strip()
        yield str(kind.http.value), Reason(kind.reason, code_pb2.Code.Name(kind.code), text)
