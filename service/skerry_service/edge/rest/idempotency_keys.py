"""The header ``Idempotency-Key`` (draft-ietf-httpapi-idempotency-key-header-07): the request id of a REST call."""

from __future__ import annotations

import re

from google.protobuf.message import Message

from skerry_service.domain.errors import InvalidField
from skerry_service.edge.http.asgi import HttpExchange

HEADER = "Idempotency-Key"
REQUEST_ID = "request_id"
_NAME = HEADER.lower().encode()
_QUOTED = re.compile(rb'"([0-9A-Za-z-]*)"')


def apply_idempotency_key(request: Message, call: HttpExchange) -> None:
    """Set the request id to that of the header. Calls without a request id ignore the header.

    The value is a string in quotes, as the draft says. Clients that follow older conventions leave the quotes out.
    Raises InvalidField for several headers, and for another id than that of the body.
    """
    if _NAME not in call.headers or REQUEST_ID not in request.DESCRIPTOR.fields_by_name:
        return
    sent = [value for name, value in call.scope["headers"] if name == _NAME]
    if len(sent) > 1:
        raise InvalidField(HEADER, "The request has this header twice. Send it once.")
    quoted = _QUOTED.fullmatch(sent[0])
    key, known = (quoted[1] if quoted else sent[0]).decode("latin-1"), getattr(request, REQUEST_ID)
    if known and known.lower() != key.lower():
        raise InvalidField(HEADER, "The header and the body have different request ids. Send one of them.")
    if not key:
        raise InvalidField(HEADER, "The header is empty. Send a random (version 4) UUID, or leave the header out.")
    setattr(request, REQUEST_ID, key)
