"""What every store promises of sessions that leave it: against the one in memory and the one in Redis."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from skerry_service.domain.errors import SessionDamaged, StoreFull
from skerry_service.domain.log import Batch, Joined, pack
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.store_port import ArchivedData, Duplicate, Stored, Tip
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, new_id, request, step
from .conftest import Replicas
from .servers import ask, open_store, until

HOUR = 3_600_000
Leaving = MemoryStore | RedisStore


async def opened(replicas: Replicas) -> Leaving:
    store = await replicas()
    assert isinstance(store, Leaving)
    return store


async def test_all_of_a_session_is_read(replicas: Replicas) -> None:
    store, session = await opened(replicas), new_id()
    await store.create(session, first(batch=b"begin", last=2, by=request(1, 9)), None)
    last = step(2, 4, record=b"record 4", by=request(2, 8))
    head = replace(last.head, chained_hash=b"hash 4")
    await store.commit(session, replace(last, head=head))
    read = await store.finished.read(session)
    assert read is not None
    assert read == ArchivedData(head, (b"begin", b"batch 4"), read.requests)
    expected = [(request(1), Duplicate(2, request(1, 9).payload)), (request(2), Duplicate(4, request(2, 8).payload))]
    assert list(read.requests) == [(one.id, done) for one, done in expected]
    assert await store.finished.read(new_id()) is None


@pytest.mark.parametrize("part", [redis_keys.RECORD, redis_keys.SNAPSHOT])
async def test_what_has_lost_a_part_is_not_read(valkey: EmbeddedServer, redis_store: RedisStore, part: str) -> None:
    session = new_id()
    await redis_store.create(session, first(batch=b"begin", last=1), None)
    await ask(valkey, "HDEL", redis_keys.head(session).decode(), part)
    with pytest.raises(SessionDamaged):
        await redis_store.finished.read(session)


async def test_a_session_leaves_only_from_where_it_was_read(replicas: Replicas) -> None:
    store, session = await opened(replicas), new_id()
    await store.create(session, first(batch=b"begin", last=1), None)
    await store.commit(session, step(1))
    assert not await store.finished.delete(session, Tip(1, b""))
    assert not await store.finished.delete(session, Tip(2, b"another"))
    assert await store.load(session) is not None
    assert await store.finished.delete(session, Tip(2, b""))
    assert (await store.load(session), await store.batches(session, 0)) == (None, [])
    assert await store.finished.delete(session, Tip(2, b""))


def log_of(*texts: str) -> tuple[bytes, ...]:
    """Return the batches of a log with one entry in each."""
    return tuple(
        pack(Batch(first=number, time_ms=0, entries=(Joined(0, text, b""),), after=b""))
        for number, text in enumerate(texts, 1)
    )


async def test_a_log_is_written_anew_only_where_it_was_read(replicas: Replicas) -> None:
    store, session = await opened(replicas), new_id()
    old, new = log_of("Ada", "Bob"), log_of("Forgotten", "Bob")
    await store.create(session, first(batch=old[0], last=1, by=request(1)), None)
    await store.commit(session, replace(step(1, by=request(2)), batch=old[1]))
    heard: list[bytes | None] = []
    await store.listen(session, heard.append)
    before = await store.finished.read(session)
    assert before is not None
    after = replace(before, head=replace(before.head, record=b"new", chained_hash=b"new hash"), batches=new)
    after = replace(after, requests=before.requests[1:])
    for tip in (Tip(1, b""), Tip(2, b"another")):
        assert not await store.finished.replace(session, tip, after)
    assert await store.finished.read(session) == before
    assert await store.finished.replace(session, Tip(2, before.head.chained_hash), after)
    assert await store.finished.read(session) == after
    assert await store.find_request(session, request(1)) is None
    assert await store.find_request(session, request(2)) is not None
    await until(lambda: heard == [new[1]])
    assert await store.commit(session, replace(step(2), base_hash=b"new hash")) == Stored()
    assert not await store.finished.replace(new_id(), Tip(2, b""), after)


async def test_a_session_leaves_a_store_without_memory(lasting: EmbeddedServer) -> None:
    session = new_id()
    async with open_store(lasting) as store:
        await store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), 1000)
        await store.schedule.at("archive", session, 0)
        await ask(lasting, "CONFIG", "SET", "maxmemory", "1")
        with pytest.raises(StoreFull):
            await store.schedule.at("archive", new_id(), 0)
        (lease,) = await store.schedule.lease("archive", 10, HOUR)
        assert await store.schedule.lease("archive", 10, HOUR) == []
        await store.unlist([session])
        assert await store.finished.delete(session, Tip(1, b""))
        await store.schedule.done(lease)
        assert await store.load(session) is None


async def test_nothing_of_it_is_left(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), 1000, [b"key    1"])
    await redis_store.schedule.at("archive", session, 0)
    (lease,) = await redis_store.schedule.lease("archive", 10, HOUR)
    await redis_store.unlist([session])
    assert await redis_store.finished.delete(session, Tip(1, b""))
    await redis_store.schedule.done(lease)
    assert await ask(valkey, "KEYS", "*") == []


async def test_replicas_know_of_one_archive(replicas: Replicas) -> None:
    stores = [await opened(replicas), await opened(replicas)]
    assert [await one.finished.archive_id() for one in stores] == [None, None]
    await stores[0].finished.set_archive_id(b"this one")
    await stores[1].finished.set_archive_id(b"another")
    assert [await one.finished.archive_id() for one in stores] == [b"this one"] * 2
