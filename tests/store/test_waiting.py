"""Commits that wait for replicas of the store: acknowledged when those have them, and not a moment before."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.sessions.store_port import Duplicate, Stored
from skerry_service.store.connections.replication_wait import LONGEST_MS, ReplicationWait
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring.store.store_probe import root_cause

from .commits import first, length, new_id, request, step
from .replicated import Node
from .servers import until
from .test_permissions import COMMANDS, TO_WAIT


@pytest.fixture
async def master(tmp_path: Path) -> AsyncIterator[Node]:
    async with Node(tmp_path / "master") as node:
        yield node


@pytest.fixture
async def replica(tmp_path: Path, master: Node) -> AsyncIterator[Node]:
    async with Node(tmp_path / "replica") as node:
        await node.follow(master)
        yield node


@pytest.fixture
async def store(master: Node, replica: Node) -> AsyncIterator[RedisStore]:
    """It waits for one replica, as long as may be: what is confirmed in the end is, however busy the machine."""
    opened = RedisStore(master.url, wait=ReplicationWait(1, LONGEST_MS))
    yield opened
    await opened.close()


@pytest.fixture
async def hasty(master: Node) -> AsyncIterator[RedisStore]:
    """One that does not wait long."""
    opened = RedisStore(master.url, wait=ReplicationWait(1, 100))
    yield opened
    await opened.close()


@contextmanager
def lagging(replica: Node) -> Iterator[None]:
    """Hold the replica up: it receives nothing."""
    os.kill(replica.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(replica.pid, signal.SIGCONT)


async def test_what_is_acknowledged_is_on_the_replica(store: RedisStore, replica: Node) -> None:
    sessions = [new_id() for _ in range(20)]
    assert await asyncio.gather(*(store.create(one, first(), None) for one in sessions)) == [None] * 20
    assert await asyncio.gather(*(store.commit(one, step(0)) for one in sessions)) == [Stored()] * 20
    replica_of_it = [await replica.ask("HGET", f"skerry:{{{one}}}", "s") for one in sessions]
    assert replica_of_it == [b"1"] * 20


async def test_what_no_replica_confirms_is_stored_and_not_acknowledged_until_one_does(
    store: RedisStore, hasty: RedisStore, master: Node, replica: Node
) -> None:
    """Neither is the repeat, also through another replica of the service, which has written nothing itself."""
    session, asked = new_id(), request(1)
    await store.create(session, first(), None)
    others = RedisStore(master.url, wait=ReplicationWait(1, 100))
    with lagging(replica):
        with pytest.raises(StoreUnavailable) as refused:
            await hasty.commit(session, step(0, by=asked))
        assert root_cause(refused.value).startswith(
            "the write is stored, but only 0 of 1 replicas confirmed it within 100 ms"
        )
        assert await length(store, session) == 1, "reading does not wait"
        for one in (hasty, others):
            with pytest.raises(StoreUnavailable):
                await one.commit(session, step(0, by=asked))
            with pytest.raises(StoreUnavailable):
                await one.find_request(session, asked)
            with pytest.raises(StoreUnavailable):
                await one.create(session, first(), None)
    await until(lambda: replica.has_all_of(master))
    assert await store.commit(session, step(0, by=asked)) == Duplicate(last=1, payload=asked.payload)
    assert await store.find_request(session, asked) == Duplicate(last=1, payload=asked.payload)
    await others.close()


async def test_a_repeat_is_confirmed_where_no_memory_is_left(
    store: RedisStore, hasty: RedisStore, master: Node, replica: Node
) -> None:
    session, asked = new_id(), request(1)
    await store.create(session, first(), None)
    with lagging(replica), pytest.raises(StoreUnavailable):
        await hasty.commit(session, step(0, by=asked))
    await until(lambda: replica.has_all_of(master))
    await master.ask("CONFIG", "SET", "maxmemory", "1")
    assert await store.commit(session, step(0, by=asked)) == Duplicate(last=1, payload=asked.payload)
    assert await store.find_request(session, asked) == Duplicate(last=1, payload=asked.payload)
    with pytest.raises(StoreFull):
        await store.commit(session, step(1))


async def test_who_gives_up_waiting_disturbs_nobody_who_waits_with_it(store: RedisStore, replica: Node) -> None:
    sessions = [new_id(), new_id()]
    for one in sessions:
        await store.create(one, first(), None)
    with lagging(replica):
        impatient, patient = [asyncio.create_task(store.commit(one, step(0))) for one in sessions]
        await until(lambda: bool(store._servers.each()[0].replicated_line._sent))
        impatient.cancel()
    assert await patient == Stored()
    assert impatient.cancelled()


async def test_a_master_that_dies_meanwhile_is_unavailable(store: RedisStore, master: Node, replica: Node) -> None:
    session = new_id()
    await store.create(session, first(), None)
    with lagging(replica):
        waiting = asyncio.create_task(store.commit(session, step(0, by=request(1))))
        await until(lambda: bool(store._servers.each()[0].replicated_line._sent))
        master.kill()
        with pytest.raises(StoreUnavailable):
            await waiting
    await master.start()
    await replica.follow(master)
    repeated = await store.commit(session, step(0, by=request(1)))
    assert repeated in (Stored(), Duplicate(last=1, payload=request(1).payload))


async def test_a_user_who_may_wait_and_what_every_user_needs_will_do(master: Node, replica: Node) -> None:
    rules = f"reset on >secret ~skerry:* &skerry:* {COMMANDS} {TO_WAIT}"
    await master.ask("ACL", "SETUSER", "player", *rules.split())
    store, session = RedisStore(master.url.replace("//", "//player:secret@"), wait=ReplicationWait(1, 1000)), new_id()
    assert await store.create(session, first(), None) is None
    assert await store.commit(session, step(0, by=request(1))) == Stored()
    assert await store.commit(session, step(0, by=request(1))) == Duplicate(last=1, payload=request(1).payload)
    await store.close()
