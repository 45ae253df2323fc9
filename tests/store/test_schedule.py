"""The promises of the schedule, for the store in memory, in Redis and in a cluster."""

from __future__ import annotations

import asyncio

import pytest
from redis.crc import key_slot

from skerry_service.sessions.schedule_port import QUEUES, Queue
from skerry_service.sessions.store_port import Store
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.replica_registry import Announcement
from skerry_service.store.uptime import Uptime

from .commits import new_id
from .conftest import Replicas
from .schedules import due
from .servers import ask, open_store

HOUR = 3_600_000
EVERY_MS = 10 * HOUR


@pytest.mark.parametrize("queue", QUEUES)
async def test_a_due_session_is_leased_once_and_only_in_its_queue(store: Store, queue: Queue) -> None:
    soon, later = new_id(), new_id()
    await store.schedule.at(queue, soon, 0)
    await store.schedule.at(queue, later, HOUR)
    for other in QUEUES:
        assert await due(store, other) == ([soon] if other == queue else [])
    assert await due(store, queue) == []


async def test_the_earlier_of_two_times_holds_unless_the_later_one_is_asked_for(store: Store) -> None:
    one, other = new_id(), new_id()
    await store.schedule.at("timers", one, HOUR)
    await store.schedule.at("timers", one, 0)
    await store.schedule.at("timers", one, HOUR)
    await store.schedule.at("timers", other, 0, earlier=False)
    await store.schedule.at("timers", other, HOUR, earlier=False)
    await store.schedule.at("timers", other, 0, earlier=False)
    assert await due(store) == [one]


async def test_a_lease_ends_with_the_next_due_time_or_with_none(store: Store) -> None:
    session = new_id()
    await store.schedule.at("timers", session, 0)
    for again_ms in (0, HOUR):
        (lease,) = await store.schedule.lease("timers", 10, HOUR)
        await store.schedule.done(lease, again_ms)
    assert await due(store) == []
    await store.schedule.at("timers", session, 0)
    (lease,) = await store.schedule.lease("timers", 10, HOUR)
    await store.schedule.done(lease)
    await store.schedule.done(lease, 0)
    assert await due(store) == [], "an entry that was removed does not come back"


async def test_a_session_that_was_not_finished_is_due_again_after_its_lease(store: Store) -> None:
    session = new_id()
    await store.schedule.at("timers", session, 0)
    assert await due(store, ms=0) == [session]
    assert await due(store, ms=HOUR) == [session]
    assert await due(store) == []


async def test_what_is_scheduled_during_a_lease_outlasts_it(store: Store) -> None:
    earlier, later = new_id(), new_id()
    for session in (earlier, later):
        await store.schedule.at("timers", session, 0)
    leases = await store.schedule.lease("timers", 10, HOUR)
    await store.schedule.at("timers", earlier, 0)
    await store.schedule.at("timers", later, 2 * HOUR, earlier=False)
    for lease in leases:
        await store.schedule.done(lease)
    assert await due(store) == [earlier]
    assert store.schedule.due_in("timers", 10 * EVERY_MS) <= 2 * HOUR, "the other entry is there too"


async def test_what_is_due_in_a_shard_that_was_read_without_room_is_leased_next(store: Store) -> None:
    sessions = [
        next(one for one in iter(new_id, "") if redis_keys.shard_of(one) == shard)
        for shard in range(len(redis_keys.shards("timers")))
    ]
    for session in sessions:
        await store.schedule.at("timers", session, 0)
    leases = [
        lease for _ in range(len(sessions) // 2) for lease in await store.schedule.lease("timers", 2, HOUR, EVERY_MS)
    ]
    assert sorted(lease.session for lease in leases) == sorted(sessions)


async def test_replicas_share_the_sessions_that_are_due(replicas: Replicas) -> None:
    stores = [await replicas(), await replicas()]
    sessions = {new_id() for _ in range(60)}
    for session in sessions:
        await stores[0].schedule.at("timers", session, 0)
    found: list[str] = []
    while len(found) < len(sessions):  # the uptime of one may be a little behind that of the other
        for one in stores:
            leases = await one.schedule.lease("timers", 7, HOUR)
            assert len(leases) <= 7
            found += [lease.session for lease in leases]
    assert sorted(found) == sorted(sessions)


async def test_replicas_that_lease_at_the_same_uptime_lease_different_sessions(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with open_store(valkey) as one, open_store(valkey) as two:
        for store in (one, two):
            store._uptime = store.ticks._uptime = Uptime(lambda: 0.0)
            await store.tick(1)
        sessions = [new_id() for _ in range(40)]
        for session in sessions:
            await one.schedule.at("timers", session, 0)
        found = await asyncio.gather(*(due(store) for store in (one, two)))
    assert sorted([*found[0], *found[1]]) == sorted(sessions)


async def test_a_late_end_of_a_lease_changes_nothing(store: Store) -> None:
    session = new_id()
    await store.schedule.at("timers", session, 0)
    (late,) = await store.schedule.lease("timers", 10, 0)
    await asyncio.sleep(0.002)  # else the second lease ends at the same uptime
    (lease,) = await store.schedule.lease("timers", 10, HOUR)
    await store.schedule.done(late, 0)
    assert await due(store) == []
    await store.schedule.done(lease, 0)
    assert await due(store) == [session]


async def test_a_replica_knows_when_what_it_scheduled_is_due(store: Store) -> None:
    woken: list[int] = []
    await due(store)  # reads all shards
    store.schedule.watch(lambda: woken.append(1))
    assert store.schedule.due_in("timers", EVERY_MS) > HOUR
    await store.schedule.at("timers", new_id(), HOUR)
    assert woken
    assert HOUR - 60_000 < store.schedule.due_in("timers", EVERY_MS) <= HOUR


async def test_a_replica_reads_what_others_scheduled_once_in_each_interval(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with open_store(valkey) as one, open_store(valkey) as two:
        assert await two.schedule.lease("timers", 10, HOUR, EVERY_MS) == []
        await one.schedule.at("timers", new_id(), -1_000)
        assert await two.schedule.lease("timers", 10, HOUR, EVERY_MS) == []
        assert len(await two.schedule.lease("timers", 10, HOUR)) == 1


@pytest.mark.parametrize("stops", ["leaves", "is silent"])
async def test_what_a_replica_scheduled_that_is_gone_is_read_at_once(valkey: EmbeddedServer, stops: str) -> None:
    await ask(valkey, "FLUSHALL")
    async with open_store(valkey) as one, open_store(valkey) as two:
        for store in (one, two):
            store.replicas.own = Announcement("1", 1, {})
            await store.tick(1)
        await two.tick(1)
        session, woken = new_id(), list[int]()
        assert await two.schedule.lease("timers", 10, HOUR, EVERY_MS) == []
        two.schedule.watch(lambda: woken.append(1))
        await one.schedule.at("timers", session, -1_000)  # replicas count the uptime themselves, some ms apart
        assert two.schedule.due_in("timers", EVERY_MS) > 0
        if stops == "leaves":
            await one.leave()
        else:
            await ask(valkey, "HINCRBY", redis_keys.STORE, redis_keys.UPTIME, 8_000)
        await two.tick(1)
        assert woken
        assert [lease.session for lease in await two.schedule.lease("timers", 10, HOUR, EVERY_MS)] == [session]


async def test_shards_are_spread_over_slots_and_sessions_over_shards() -> None:
    counts = [0] * len(redis_keys.shards("timers"))
    for _ in range(2000):
        counts[redis_keys.shard_of(new_id())] += 1
    assert min(counts) > 150
    assert len({key_slot(key) for key in redis_keys.shards("timers")}) == len(counts)


async def test_one_read_of_a_shard_without_anything_due_is_one_command(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    await redis_store.uptime_ms()
    await ask(valkey, "CONFIG", "RESETSTAT")
    await redis_store.schedule.lease("timers", 100, HOUR, EVERY_MS)
    lines = (await ask(valkey, "INFO", "commandstats")).decode().splitlines()
    (zrange,) = [line for line in lines if line.startswith("cmdstat_zrange:")]
    assert f"calls={len(redis_keys.shards('timers'))}," in zrange
    assert not any(line.startswith("cmdstat_eval") for line in lines)
