"""Heads and logs that do not fit together, as eviction and mending by hand leave them: nothing is added to them."""

from __future__ import annotations

import pytest

from skerry_service.domain.errors import SessionDamaged
from skerry_service.sessions.store_port import Damaged, Duplicate, Stored, Tip
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, new_id, request, step
from .schedules import due, every_session
from .servers import ask

HARM = {
    "the log is gone": ("DEL", "{log}"),
    "the log lacks its end": ("XDEL", "{log}", "3-0"),
    "the log goes on behind the head": ("XADD", "{log}", "4-0", "b", "by hand"),
    "the log is emptied": ("XTRIM", "{log}", "MAXLEN", "0"),
}


async def harm(server: EmbeddedServer, session: str, *command: str) -> None:
    names = {"log": redis_keys.log(session).decode(), "head": redis_keys.head(session).decode()}
    await ask(server, *(word.format(**names) for word in command))


async def three_entries(store: RedisStore) -> str:
    session = new_id()
    await store.create(session, first(batch=b"begin", last=1), None)
    for base in (1, 2):
        assert await store.commit(session, step(base, by=request(base))) == Stored()
    return session


@pytest.mark.parametrize("what", HARM)
async def test_nothing_is_added_to_a_log_that_does_not_end_where_the_head_says(
    valkey: EmbeddedServer, redis_store: RedisStore, what: str
) -> None:
    session = await three_entries(redis_store)
    await harm(valkey, session, *HARM[what])
    head, log = await redis_store.load(session), await redis_store.batches(session, 0)
    assert await redis_store.commit(session, step(3, 8, by=request(7))) == Damaged()
    assert await redis_store.load(session) == head
    assert await redis_store.batches(session, 0) == log
    assert await redis_store.find_request(session, request(7)) is None
    assert await redis_store.commit(session, step(2, by=request(2))) == Duplicate(3, request(2).payload)


async def test_a_session_without_entries_has_no_log_yet(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(), None)
    await harm(valkey, session, "XADD", "{log}", "1-0", "b", "by hand")
    assert await redis_store.commit(session, step(0, 2)) == Damaged()


@pytest.mark.parametrize("field", ["r", "t"])
async def test_a_head_that_lacks_a_part_is_damaged(valkey: EmbeddedServer, redis_store: RedisStore, field: str) -> None:
    session = await three_entries(redis_store)
    await harm(valkey, session, "HDEL", "{head}", field)
    with pytest.raises(SessionDamaged):
        await redis_store.load(session)
    with pytest.raises(SessionDamaged):
        await redis_store.create(session, first(), None)
    assert await redis_store.tip(session) == Tip(3, b"")


async def test_keys_of_another_kind_are_damaged(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = await three_entries(redis_store)
    await harm(valkey, session, "SET", "{log}", "no stream")
    with pytest.raises(SessionDamaged):
        await redis_store.commit(session, step(3))
    with pytest.raises(SessionDamaged):
        await redis_store.batches(session, 0)
    await harm(valkey, session, "SET", "{head}", "no hash")
    for call in (redis_store.load, redis_store.tip):
        with pytest.raises(SessionDamaged):
            await call(session)


@pytest.mark.parametrize("stored", ["x", "", "-1", "03", " 3", "9" * 30])
async def test_a_sequence_that_is_no_number_is_damaged(
    valkey: EmbeddedServer, redis_store: RedisStore, stored: str
) -> None:
    session = await three_entries(redis_store)
    await harm(valkey, session, "HSET", "{head}", "s", stored)
    for call in (redis_store.load, redis_store.tip, redis_store.finished.read):
        with pytest.raises(SessionDamaged):
            await call(session)
    with pytest.raises(SessionDamaged):
        await redis_store.commit(session, step(3))
    assert isinstance((await redis_store.summaries([session]))[0], SessionDamaged)


@pytest.mark.parametrize("stored", ["x", "", "inf", "1e300", "9" * 30])
async def test_a_damaged_store_clock_is_overwritten_by_the_next_tick(
    valkey: EmbeddedServer, redis_store: RedisStore, stored: str
) -> None:
    await redis_store.tick(1000)
    now = await redis_store.uptime_ms()
    await ask(valkey, "HSET", redis_keys.STORE, "a", stored, "w", stored)
    assert await redis_store.tick(2000) is None
    assert now <= int(await ask(valkey, "HGET", redis_keys.STORE, "a")) < now + 60_000
    assert await ask(valkey, "HGET", redis_keys.STORE, "w") == b"2000"


async def test_damaged_entries_of_the_index_of_expiry_are_removed(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    session = await three_entries(redis_store)
    key = redis_keys.due(3, "expiry")
    await ask(valkey, "ZADD", key, 0, b"\xff\xfe")
    assert await every_session(redis_store) == []
    assert await due(redis_store, "expiry") == []
    assert await ask(valkey, "ZCARD", key) == 0
    assert await redis_store.tip(session) == Tip(3, b"")
