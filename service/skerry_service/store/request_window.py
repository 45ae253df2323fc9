"""The window of a session's last requests, as one byte string in the field ``q``.

Each entry has 20 bytes, the newest last: request id (8), hash of the payload (8), and the sequence at which the
request's batch ends (4, big-endian). ``commit.lua`` searches and extends the same string.
"""

from __future__ import annotations

from skerry_service.domain.packed import Request
from skerry_service.sessions.store_port import Duplicate

ENTRY = 20


def entry(request: Request, last: int) -> bytes:
    """Pack one request. Raises ValueError unless its id and its payload hash have 8 bytes each."""
    if len(request.id) != 8 or len(request.payload) != 8:
        raise ValueError("a request has an id and a payload hash of 8 bytes each")
    return packed(request.id, Duplicate(last, request.payload))


def packed(request_id: bytes, done: Duplicate) -> bytes:
    """Pack one request, as ``entries`` returns it."""
    return request_id + done.payload + done.last.to_bytes(4, "big")


def duplicate(rest: bytes) -> Duplicate:
    """Unpack the part of an entry after the request id."""
    return Duplicate(last=int.from_bytes(rest[8:12], "big"), payload=rest[:8])


def find(window: bytes, request_id: bytes) -> Duplicate | None:
    """Return where the log has a request, if the window holds it."""
    at = window.find(request_id)
    while at >= 0 and at % ENTRY:
        at = window.find(request_id, at + 1)
    return None if at < 0 else duplicate(window[at + 8 : at + ENTRY])


def entries(window: bytes) -> list[tuple[bytes, Duplicate]]:
    """Return all requests of the window, each as its id and where the log has it."""
    parts = [window[at : at + ENTRY] for at in range(0, len(window), ENTRY)]
    return [(part[:8], duplicate(part[8:])) for part in parts]
