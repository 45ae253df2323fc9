"""Identities of requests, by which a server recognises a repeat, and ids that derive from them."""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_bytes
from typing import Any

from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.tokens import base32, digest
from skerry_service.sessions.resource_ids import in_cell


def new_request_id() -> bytes:
    """Return a random id for a request that has none."""
    return token_bytes(16)


def identify(request_id: bytes, caller: str, *content: Any) -> Request:
    """Return the identity of a request.

    ``request_id``: 16 random bytes. ``caller``: the caller's token, or the name of a call that needs none.
    ``content``: what the request asks for.
    """
    return Request(
        id=blake2b(request_id, digest_size=8, key=digest(caller)).digest(),
        payload=blake2b(pack(content), digest_size=8).digest(),
    )


def session_id(request_id: bytes, cell: str) -> str:
    """Return the id of the session that a request creates in a cell. It does not reveal the request id."""
    hashed = blake2b(request_id, digest_size=10, person=b"skerry session").digest()
    return in_cell(base32(hashed), cell)
