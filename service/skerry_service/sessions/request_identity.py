"""The identity of a call, by which a repeat is known for a repeat."""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_bytes
from typing import Any

from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.tokens import base32, digest


def new_request_id() -> bytes:
    """Return the id of a request that came without one."""
    return token_bytes(16)


def identify(request_id: bytes, who: str, *asked: Any) -> Request:
    """Return the identity of a request by ``who`` (a token, or the name of a call that needs none) for ``asked``.

    ``request_id``: 16 bytes that nobody can guess, as all request ids are.
    """
    return Request(
        id=blake2b(request_id, digest_size=8, key=digest(who)).digest(),
        payload=blake2b(pack(asked), digest_size=8).digest(),
    )


def session_id(request_id: bytes) -> str:
    """Return the id of the session that this request creates: 16 letters and digits that do not tell the request."""
    hashed = blake2b(request_id, digest_size=10, person=b"skerry session").digest()
    return base32(hashed)
