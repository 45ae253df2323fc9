"""What a store keeps of a session, packed, and the identity of a call that changed it."""

from __future__ import annotations

from msgspec import Struct


class Request(Struct, frozen=True):
    """A call's identity for exactly-once: 8 bytes of hash over who asks and its request id, 8 over what it asks."""

    id: bytes
    payload: bytes


class Head(Struct, frozen=True):
    """The head of a session as it is stored: packed bytes and the sequence they belong to."""

    sequence: int
    record: bytes
    snapshot: bytes
    chained_hash: bytes = b""
    """Sums up the log that led here (``log.chained_hash_of``). A store that lost its end can grow another one of the
    same length: the sequence is the same then, the hash is not."""
