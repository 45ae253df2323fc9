"""What goes wrong between a store and its server: nothing acknowledged is lost, nothing hangs, the store recovers."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.sessions.store_port import Conflict, Duplicate, Stored
from skerry_service.store.connections.server_facts import DURABLE
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, length, new_id, request, step
from .faults import Heard, ignore, insist, kill_and_recover, recovered
from .servers import PATIENCE, ask, open_store, until, watched

CALLS: dict[str, Callable[[RedisStore], Awaitable[object]]] = {
    "open": lambda store: store.open(),
    "create": lambda store: store.create("s", first(), 1000),
    "load": lambda store: store.load("s"),
    "tip": lambda store: store.tip("s"),
    "commit": lambda store: store.commit("s", step(0, by=request(1))),
    "find_request": lambda store: store.find_request("s", request(1)),
    "batches": lambda store: store.batches("s", 0),
    "public": lambda store: store.list_sessions(None, 5),
    "unlist": lambda store: store.unlist(["s"]),
    "listen": lambda store: store.listen("s", ignore),
}


async def test_a_server_that_refuses_every_call_is_logged_once_per_reason(
    lasting: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    """It lacks the replicas that it is to have; then its memory is used up."""
    session = new_id()
    async with open_store(lasting) as store:
        await store.create(session, first(), None)
        await ask(lasting, "CONFIG", "SET", "min-replicas-to-write", "1")
        for _ in range(5):
            with pytest.raises(StoreUnavailable):
                await store.commit(session, step(0))
        await ask(lasting, "CONFIG", "SET", "min-replicas-to-write", "0")
        await ask(lasting, "CONFIG", "SET", "maxmemory", "1")
        for _ in range(5):
            with pytest.raises(StoreFull):
                await store.commit(session, step(0))
    said = [line.partition(":")[::2] for line in caplog.messages if "epoch" not in line]
    assert [words for words, _ in said] == ["the store rejects calls"] * 2
    assert [reason.split()[0] for _, reason in said] == ["NOREPLICAS", "OOM"]


async def test_no_acknowledged_commit_is_lost_when_the_server_is_killed(lasting: EmbeddedServer) -> None:
    sessions = [new_id() for _ in range(8)]
    acknowledged = refused = 0

    async def play(session: str) -> None:
        nonlocal acknowledged, refused
        for base in range(80):
            result, refusals = await insist(store, session, base)
            assert result in (Stored(), Duplicate(last=base + 1, payload=request(base).payload))
            acknowledged += 1
            refused += refusals

    async with open_store(lasting) as store, asyncio.timeout(2 * PATIENCE), asyncio.TaskGroup() as group:
        for session in sessions:
            await store.create(session, first(), None)
            group.create_task(play(session))
        await until(lambda: acknowledged >= 100)
        os.kill(lasting.pid, signal.SIGKILL)
        dead = acknowledged
        await asyncio.sleep(0.1)
        async with watched(lasting):
            await until(lambda: acknowledged == 8 * 80)
    assert refused > 0
    assert dead < acknowledged
    async with open_store(lasting) as store:
        for session in sessions:
            assert await length(store, session) == 80
            assert list(await store.batches(session, 0)) == [b"batch %d" % (n + 1) for n in range(80)]


async def test_the_epoch_tells_of_a_restart_that_may_have_lost_something(lossy: EmbeddedServer) -> None:
    async with open_store(lossy) as store, open_store(lossy) as other, watched(lossy):
        before = store.epoch
        assert before not in {"", DURABLE}
        assert other.epoch == before
        await kill_and_recover(lossy, store)
        assert store.epoch not in {before, "", DURABLE}
        await other.tip("any")
        assert other.epoch == store.epoch


async def test_the_epoch_stays_when_nothing_can_have_been_lost(lasting: EmbeddedServer) -> None:
    async with open_store(lasting) as store, watched(lasting):
        assert store.epoch == DURABLE
        await kill_and_recover(lasting, store)
        assert store.epoch == DURABLE


@pytest.mark.parametrize("kind", ["normal", "pubsub"])
async def test_a_connection_that_was_cut_is_replaced_unnoticed(
    valkey: EmbeddedServer, redis_store: RedisStore, kind: str
) -> None:
    session, heard = new_id(), Heard()
    await redis_store.create(session, first(), None)
    await redis_store.listen(session, heard.append)
    for base in range(10):
        await ask(valkey, "CLIENT", "KILL", "TYPE", kind)
        assert await redis_store.commit(session, step(base)) == Stored()
        # What was published while there was no subscription is made up for by the call with None.
        await until(lambda base=base: b"batch %d" % (base + 1) in heard or None in heard)  # type: ignore[misc]


async def test_connections_cut_in_the_middle_of_commits_double_nothing(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    session = new_id()
    await redis_store.create(session, first(), None)
    for base in range(40):
        waiting = asyncio.create_task(insist(redis_store, session, base))
        await ask(valkey, "CLIENT", "KILL", "TYPE", "normal")
        result, _ = await waiting
        assert result in (Stored(), Duplicate(last=base + 1, payload=request(base).payload))
    assert list(await redis_store.batches(session, 0)) == [b"batch %d" % (base + 1) for base in range(40)]


async def test_forgotten_scripts_are_sent_again(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    for base in range(3):
        await ask(valkey, "SCRIPT", "FLUSH")
        await redis_store.create(session, first(), None)
        await ask(valkey, "SCRIPT", "FLUSH")
        rivals = await asyncio.gather(*(redis_store.commit(session, step(base)) for _ in range(5)))
        assert sorted(map(repr, rivals)) == sorted([repr(Stored())] + [repr(Conflict(sequence=base + 1))] * 4)


@pytest.mark.parametrize("call", CALLS)
async def test_a_server_that_does_not_answer_is_unavailable(lasting: EmbeddedServer, call: str) -> None:
    async with open_store(lasting, deadline=0.3) as store, asyncio.timeout(PATIENCE):
        await store.listen("warm", ignore)
        os.kill(lasting.pid, signal.SIGSTOP)
        try:
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    await CALLS[call](store)
        finally:
            os.kill(lasting.pid, signal.SIGCONT)
        await recovered(store)
        await store.listen("s", ignore)


@pytest.mark.parametrize("call", CALLS)
async def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path, call: str) -> None:
    store = RedisStore(f"unix://{tmp_path}/none.sock", deadline=0.3)
    try:
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StoreUnavailable):
                await CALLS[call](store)
        assert store.epoch == ""
    finally:
        await store.close()


@pytest.mark.parametrize("call", CALLS)
async def test_a_closed_store_is_unavailable_and_leaves_nothing_running(valkey: EmbeddedServer, call: str) -> None:
    before = asyncio.all_tasks()
    async with open_store(valkey) as store:
        await store.listen("s", ignore)
    with pytest.raises(StoreUnavailable):
        await CALLS[call](store)
    await store.unlisten("s", ignore)
    assert asyncio.all_tasks() == before


async def test_calls_under_way_end_when_the_store_is_closed(lasting: EmbeddedServer) -> None:
    store = RedisStore(lasting.url)
    await store.open()
    os.kill(lasting.pid, signal.SIGSTOP)
    try:
        waiting = [asyncio.create_task(store.load("s")) for _ in range(5)]
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await store.close()
            results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(result) for result in results] == [StoreUnavailable] * 5
    finally:
        os.kill(lasting.pid, signal.SIGCONT)


async def test_a_server_without_memory_refuses_and_writes_nothing(lasting: EmbeddedServer) -> None:
    session, heard = new_id(), Heard()
    async with open_store(lasting) as store:
        await store.create(session, first(), None)
        await store.listen(session, heard.append)
        head = await store.load(session)
        await ask(lasting, "CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(StoreFull):
            await store.commit(session, step(0, by=request(1)))
        assert await store.load(session) == head
        assert await store.batches(session, 0) == []
        await ask(lasting, "CONFIG", "SET", "maxmemory", 0)
        assert await store.commit(session, step(0, by=request(1))) == Stored()
        await until(lambda: bool(heard))
        assert heard == [b"batch 1"]


async def test_a_server_that_became_a_replica_refuses_and_is_durable_no_more(lasting: EmbeddedServer) -> None:
    session = new_id()
    async with open_store(lasting) as store:
        await store.create(session, first(), None)
        await ask(lasting, "REPLICAOF", "127.0.0.1", 1)
        with pytest.raises(StoreUnavailable):
            await store.commit(session, step(0, by=request(1)))
        await ask(lasting, "REPLICAOF", "NO", "ONE")
        assert await store.commit(session, step(0, by=request(1))) == Stored()
    async with open_store(lasting) as store:
        assert store.epoch != DURABLE
