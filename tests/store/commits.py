"""Commits to try a store with."""

from __future__ import annotations

from uuid import uuid4

from skerry_service.domain.packed import Head, Request
from skerry_service.sessions.store_port import Commit, Store


def new_id() -> str:
    return uuid4().hex


def request(number: int, payload: int = 0) -> Request:
    return Request(id=number.to_bytes(8, "big"), payload=payload.to_bytes(8, "big"))


def first(*, batch: bytes = b"", last: int = 0, by: Request | None = None, lifetime_ms: int | None = None) -> Commit:
    """Return what creates a session."""
    head = Head(sequence=last, record=b"record 0", snapshot=b"snapshot 0")
    return Commit(base=0, batch=batch, head=head, record_changed=True, request=by, lifetime_ms=lifetime_ms)


def step(
    base: int,
    last: int | None = None,
    *,
    batch: bytes | None = None,
    record: bytes | None = None,
    by: Request | None = None,
    lifetime_ms: int | None = None,
) -> Commit:
    """Return the commit that takes a session from ``base`` to ``last``, by default the next sequence."""
    last = base + 1 if last is None else last
    head = Head(sequence=last, record=record or b"not stored", snapshot=b"snapshot %d" % last)
    batch = b"batch %d" % last if batch is None else batch
    return Commit(
        base=base, batch=batch, head=head, record_changed=record is not None, request=by, lifetime_ms=lifetime_ms
    )


async def length(store: Store, session: str) -> int | None:
    """Return how many entries the store has of a session, ``None`` if it has no such session."""
    tip = await store.tip(session)
    return None if tip is None else tip.sequence
