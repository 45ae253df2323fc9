"""The bodies of HTTP requests, within the limit of a request."""

from __future__ import annotations

from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.edge.http.asgi import Headers, Receive
from skerry_service.edge.http.http_refusals import BodyTooLarge

_MAX_DISCARDED = 1024 * 1024
"""Bytes that are read of a body that is too large. A client that is still sending would not see the response."""


class ClientGone(Exception):
    """The client has closed the connection, so no response is sent."""


def declared_length(headers: Headers) -> int | None:
    """Return the declared length; ``None`` without one. The parser accepts any number of leading zeros."""
    length = headers.get(b"content-length")
    return None if length is None else int(length.lstrip(b"0") or b"0")


async def receive_body(receive: Receive, declared: int, limit: int = LARGEST_REQUEST) -> bytes:
    """Return the whole body. ``limit``: its most bytes. Raises BodyTooLarge, ClientGone."""
    if declared > _MAX_DISCARDED:
        raise BodyTooLarge(limit)
    data, size, more = b"", 0, True
    while more and size <= _MAX_DISCARDED:
        part, more = await receive_part(receive)
        size += len(part)
        if size <= limit:
            data += part
    if size > limit:
        raise BodyTooLarge(limit)
    return data


async def receive_part(receive: Receive) -> tuple[bytes, bool]:
    """Return the next part of the body, and whether there are more. Raises ClientGone."""
    event = await receive()
    if event["type"] == "http.disconnect":
        raise ClientGone
    return event.get("body", b""), event.get("more_body", False)
