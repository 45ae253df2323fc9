"""Connect's GET: the request is a parameter of the query, for calls without side effects."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from skerry_service.edge.framing.transport_refusals import MalformedCall

_VERSION = b"v1"
_BASE64 = re.compile(rb"[A-Za-z0-9_-]*={0,2}")


class GetQuery(NamedTuple):
    """The parameters of a call."""

    encoding: str
    """The name of the codec."""
    message: bytes
    compression: bytes | None


def read_query(query: bytes) -> GetQuery:
    """Return the parameters in a query. Unknown ones are ignored. Raises MalformedCall."""
    found: dict[bytes, bytes] = {}
    for pair in query.split(b"&"):
        name, _, value = pair.partition(b"=")
        if name in found:
            raise MalformedCall(f"The query has the parameter {name[:40].decode('latin-1')} twice. Send it once.")
        found[name] = value
    if found.get(b"connect", _VERSION) != _VERSION:
        raise MalformedCall("This server supports version 1 of Connect. Send connect=v1.")
    for name in (b"encoding", b"message"):
        if name not in found:
            raise MalformedCall(f"The query lacks the parameter {name.decode()}. Send it.")
    message = unquote_to_bytes(found[b"message"].replace(b"+", b" "))
    if found.get(b"base64") == b"1":
        message = _from_base64(message)
    encoding = unquote_to_bytes(found[b"encoding"]).decode("latin-1")
    return GetQuery(encoding, message, found.get(b"compression"))


def _from_base64(text: bytes) -> bytes:
    try:
        if not _BASE64.fullmatch(text):
            raise Base64Error
        digits = text.rstrip(b"=")
        return urlsafe_b64decode(digits + b"=" * (-len(digits) % 4))
    except Base64Error:
        raise MalformedCall("The parameter message is not URL-safe base64.") from None
