"""What every store promises about webhook deliveries: against the one in memory and the one in Redis."""

from __future__ import annotations

from skerry_service.sessions.store_port import Store
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, new_id, step
from .servers import ask


async def test_marks_are_made_on_what_was_there_and_survive_commits(store: Store) -> None:
    session = new_id()
    await store.create(session, first(), None)
    assert await store.deliveries.read(session, ["0.0.1", "h.1.2"]) == [b"", b""]
    assert await store.deliveries.change(session, "0.0.1", b"", b"one")
    assert await store.deliveries.change(session, "0.0.1", b"", b"one")  # the same call, sent again
    assert not await store.deliveries.change(session, "0.0.1", b"", b"two")
    await store.commit(session, step(0))
    assert await store.deliveries.change(session, "0.0.1", b"one", bytes(range(256)))
    assert await store.deliveries.read(session, ["0.0.1", "h.1.2"]) == [bytes(range(256)), b""]


async def test_nothing_is_marked_where_no_session_is(store: Store) -> None:
    session = new_id()
    assert not await store.deliveries.change(session, "0.0.1", b"", b"one")
    assert await store.load(session) is None


async def test_marks_end_with_the_session(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    await redis_store.create("abc", first(), None)
    await redis_store.deliveries.change("abc", "0.0.1", b"", b"one")
    assert await ask(valkey, "KEYS", "*abc*") == [redis_keys.head("abc")]
