"""A session's last requests as one string of bytes: what Redis keeps in the field ``q``.

20 bytes an entry, the newest last: 8 of request id, 8 of payload hash, 4 of the sequence (big-endian) that the
request's batch ends with. ``commit.lua`` searches and extends the same string.
"""

from __future__ import annotations

from skerry_service.domain.packed import Request
from skerry_service.sessions.store_port import Duplicate

ENTRY = 20


def entry(request: Request, last: int) -> bytes:
    """Pack one request; ``ValueError`` if its hashes are not of 8 bytes each."""
    if len(request.id) != 8 or len(request.payload) != 8:
        raise ValueError("a request is two hashes of 8 bytes each")
    return request.id + request.payload + last.to_bytes(4, "big")


def duplicate(rest: bytes) -> Duplicate:
    """Unpack what follows the request id in an entry."""
    return Duplicate(last=int.from_bytes(rest[8:12], "big"), payload=rest[:8])


def find(window: bytes, request_id: bytes) -> Duplicate | None:
    """Return where a request was carried out, if the window holds it."""
    at = window.find(request_id)
    while at >= 0 and at % ENTRY:
        at = window.find(request_id, at + 1)
    return None if at < 0 else duplicate(window[at + 8 : at + ENTRY])


def entries(window: bytes) -> list[tuple[bytes, Duplicate]]:
    """Return all requests that the window holds, each as its id and where it was carried out."""
    packed = [window[at : at + ENTRY] for at in range(0, len(window), ENTRY)]
    return [(one[:8], duplicate(one[8:])) for one in packed]
