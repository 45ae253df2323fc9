"""Marks: a commit lands on the log that it was decided on, not on another one of the same length."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_service.sessions.store_port import Commit, Conflict, Duplicate, Store, Stored, Tip

from .commits import first, new_id, request, step


def marked(commit: Commit, mark: bytes, base_hash: bytes = b"") -> Commit:
    return replace(commit, head=replace(commit.head, chained_hash=mark), base_hash=base_hash)


async def test_the_mark_is_stored_with_the_head(store: Store) -> None:
    session = new_id()
    assert await store.tip(session) is None
    assert await store.create(session, marked(first(), b"mark 0"), None) is None
    assert await store.tip(session) == Tip(0, b"mark 0")
    assert await store.commit(session, marked(step(0), b"mark 1", b"mark 0")) == Stored()
    assert await store.tip(session) == Tip(1, b"mark 1")
    assert await store.commit(session, marked(step(1, record=b"record"), b"mark 2", b"mark 1")) == Stored()
    head = await store.load(session)
    assert head is not None
    assert head.chained_hash == b"mark 2"
    assert await store.create(session, marked(first(), b"other"), None) == head


async def test_a_commit_on_another_log_of_the_same_length_conflicts_and_writes_nothing(store: Store) -> None:
    session = new_id()
    await store.create(session, marked(first(), b"mark 0"), None)
    await store.commit(session, marked(step(0), b"mark 1", b"mark 0"))
    head = await store.load(session)
    for mark in (b"mark 0", b"other", b""):
        assert await store.commit(session, marked(step(1, by=request(1)), b"mark 2", mark)) == Conflict(sequence=1)
    assert await store.load(session) == head
    assert await store.batches(session, 0) == [b"batch 1"]
    assert await store.find_request(session, request(1)) is None


async def test_a_repeat_is_known_whatever_log_it_was_decided_on(store: Store) -> None:
    session, asked = new_id(), request(5)
    await store.create(session, marked(first(), b"mark 0"), None)
    await store.commit(session, marked(step(0, by=asked), b"mark 1", b"mark 0"))
    known = Duplicate(last=1, payload=asked.payload)
    assert await store.commit(session, marked(step(1, by=asked), b"mark 2", b"other")) == known


async def test_a_mark_holds_any_bytes(store: Store) -> None:
    session, every = new_id(), bytes(range(256))
    await store.create(session, marked(first(), every), None)
    assert await store.tip(session) == Tip(0, every)
    assert await store.commit(session, marked(step(0), every[::-1], every)) == Stored()
    assert await store.tip(session) == Tip(1, every[::-1])
