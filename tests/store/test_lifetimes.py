"""How sessions end: by the age of the store, which no wall clock and no downtime moves."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from skerry_service.sessions.store_port import Gone, Stored
from skerry_service.store import redis_keys
from skerry_service.store.connections.free_space import FreeSpace
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.housekeeping import Housekeeper
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.uptime import TICK_SECONDS, Uptime

from .commits import first, length, new_id, request, step
from .schedules import expire_due
from .servers import ask, open_store

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


async def grow_older(server: EmbeddedServer, by_ms: int) -> None:
    """Let the store have been served for longer."""
    age = int(await ask(server, "HGET", redis_keys.STORE.decode(), "a") or 0)
    await ask(server, "HSET", redis_keys.STORE.decode(), "a", age + by_ms)


def expiry_of(session: str) -> bytes:
    return redis_keys.due(redis_keys.shard_of(session), "expiry")


async def entries(server: EmbeddedServer) -> list[bytes]:
    """Return all sessions in the queue of expiry."""
    return [one for key in redis_keys.shards("expiry") for one in await ask(server, "ZRANGE", key, 0, -1)]


async def keep(store: RedisStore) -> None:
    """Do once what a replica does now and then."""
    await store.tick(1)
    while await expire_due(store):
        pass


async def test_no_key_has_a_lifetime_in_redis(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    """It would go by the wall clock, which can jump past any."""
    session = new_id()
    await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), 1000)
    await redis_store.commit(session, step(1, record=b"record", lifetime_ms=HOUR))
    await keep(redis_store)
    every = [name.decode() for name in await ask(valkey, "KEYS", "*")]
    assert len(every) == 5
    assert [await ask(valkey, "PTTL", name) for name in every] == [-1] * 5


async def test_a_session_whose_lifetime_is_over_is_gone(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session, other = new_id(), new_id()
    await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), 1000)
    await redis_store.create(other, first(lifetime_ms=2 * HOUR), 1000)
    await grow_older(valkey, HOUR - MINUTE)
    await keep(redis_store)
    assert await length(redis_store, session) == 1
    await grow_older(valkey, 2 * MINUTE)
    await keep(redis_store)
    assert await redis_store.load(session) is None
    assert await redis_store.batches(session, 0) == []
    assert await redis_store.commit(session, step(1)) == Gone()
    assert await redis_store.list_sessions(None, 10) == [(1000, other)]
    assert await entries(valkey) == [other.encode()]


async def test_every_commit_with_a_lifetime_begins_it_anew(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(lifetime_ms=HOUR), None)
    for base in range(5):
        await grow_older(valkey, HOUR - MINUTE)
        await redis_store.tick(1)
        record = b"record" if base > 2 else None
        commit = step(base, record=record, by=request(base), lifetime_ms=HOUR)
        assert await redis_store.commit(session, commit) == Stored()
        await keep(redis_store)
    await redis_store.commit(session, step(5))
    await grow_older(valkey, HOUR - MINUTE)
    await keep(redis_store)
    assert await length(redis_store, session) == 6, "one without ends none"
    await grow_older(valkey, 2 * MINUTE)
    await keep(redis_store)
    assert await length(redis_store, session) is None


async def test_a_session_without_lifetime_stays(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(), None)
    await redis_store.commit(session, step(0))
    await grow_older(valkey, 1000 * DAY)
    await keep(redis_store)
    assert await length(redis_store, session) == 1


async def test_time_in_which_nothing_runs_is_no_lifetime(lasting: EmbeddedServer) -> None:
    session = new_id()
    async with open_store(lasting) as store:
        await store.create(session, first(batch=b"begin", last=1, lifetime_ms=20), None)
    await lasting.stop()
    await asyncio.sleep(0.05)
    await lasting.start()
    async with open_store(lasting) as store:
        await keep(store)
        assert await length(store, session) == 1


async def test_whatever_wall_clocks_show_ends_nothing(
    valkey: EmbeddedServer, redis_store: RedisStore, caplog: pytest.LogCaptureFixture
) -> None:
    wall, monotonic = 1_700_000_000_000, 0.0
    session = new_id()
    await redis_store.create(session, first(lifetime_ms=HOUR), None)
    keeper = Housekeeper(redis_store, lambda: wall, lambda: monotonic)
    said = []
    for by in (0, MINUTE // 2, 8 * DAY, -16 * DAY, 30 * MINUTE):
        wall, monotonic = wall + by, monotonic + TICK_SECONDS
        await keeper.tick()
        await keep(redis_store)
        said.append(len(caplog.records))
    assert said == [0, 0, 1, 2, 3]
    assert "jumped forward by 7 d 23 h 59 min 58 s" in caplog.messages[0]
    assert "jumped back by 16 d 0 h 0 min 2 s" in caplog.messages[1]
    assert await length(redis_store, session) == 0


@pytest.mark.parametrize(
    ("since", "words"),
    [(-2 * HOUR, "2 h 0 min 0 s behind the latest time in the store"), (8 * DAY, "no replica ran for 8 d")],
)
async def test_a_start_compares_the_clock_with_the_latest_time_in_the_store(
    redis_store: RedisStore, caplog: pytest.LogCaptureFixture, since: int, words: str
) -> None:
    wall = 1_700_000_000_000
    await Housekeeper(redis_store, lambda: wall).tick()
    await Housekeeper(redis_store, lambda: wall + HOUR).tick()
    await Housekeeper(redis_store, lambda: wall + HOUR - MINUTE // 2).tick()
    assert caplog.messages == []
    await Housekeeper(redis_store, lambda: wall + HOUR + since).tick()
    (line,) = caplog.messages
    assert words in line


async def test_a_replica_that_starts_on_a_full_store_knows_its_age(lasting: EmbeddedServer) -> None:
    await grow_older(lasting, HOUR)
    no_disk = RedisStore(lasting.url, disk=lambda: FreeSpace.NONE)
    assert await no_disk.uptime_ms() >= HOUR
    await no_disk.close()
    await ask(lasting, "CONFIG", "SET", "maxmemory", "1")
    async with open_store(lasting) as store:
        assert await store.uptime_ms() >= HOUR


async def test_replicas_count_the_same_time_once(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    del redis_store
    time = 0.0

    async with open_store(valkey) as one, open_store(valkey) as two:
        for store in (one, two):
            store._uptime = store.ticks._uptime = Uptime(lambda: time)
            await store.tick(1)
        for tick in range(1, 11):
            time = 1.0 * tick
            await one.tick(1)
            await two.tick(1)
        assert int(await ask(valkey, "HGET", redis_keys.STORE.decode(), "a")) == 10_000


def test_the_counts_of_replicas_come_together() -> None:
    """Whatever they differ by at first, and whenever each asks."""
    time, stored, chance = 0.0, 500_000, Random(7)
    ages = [Uptime(lambda: time) for _ in range(3)]
    for age in ages:
        time += 0.9
        age.learn(stored)
    due = [time] * 3
    while time < 60:
        time, one = min((at, number) for number, at in enumerate(due))
        stored = max(stored, ages[one].now())
        ages[one].learn(stored)
        due[one] = time + TICK_SECONDS * chance.uniform(0.5, 1.0)
    known = [age.now() for age in ages]
    assert max(known) - min(known) < 50
    assert 0 <= 500_000 + time * 1000 - max(known) < 3_000


def test_a_pause_of_the_process_or_of_its_store_counts_no_longer_than_two_ticks() -> None:
    time = 0.0
    age = Uptime(lambda: time)
    time = 8 * DAY / 1000
    assert age.now() == 0
    age.learn(5000)
    time += TICK_SECONDS
    assert age.now() == 5000 + TICK_SECONDS * 1000
    time += 8 * DAY / 1000
    assert age.now() == 5000 + 2 * TICK_SECONDS * 1000


async def test_any_number_of_replicas_may_sweep_at_once(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    ending, staying = [new_id() for _ in range(120)], [new_id() for _ in range(30)]
    for session in ending:
        await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=MINUTE), 1000)
    for session in staying:
        await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=MINUTE), 1000)
        await redis_store.commit(session, step(1, lifetime_ms=HOUR))
    await grow_older(valkey, 2 * MINUTE)
    async with open_store(valkey) as another:
        await asyncio.gather(keep(redis_store), keep(another), keep(redis_store))
    assert [await length(redis_store, session) for session in ending] == [None] * 120
    assert [await length(redis_store, session) for session in staying] == [2] * 30
    assert {session for _, session in await redis_store.list_sessions(None, 500)} == set(staying)
    assert len(await entries(valkey)) == 30
    await grow_older(valkey, HOUR + MINUTE)
    await keep(redis_store)
    assert await ask(valkey, "KEYS", "*") == [redis_keys.STORE]


async def test_a_sweep_is_bounded(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    for _ in range(25):
        await redis_store.create(new_id(), first(lifetime_ms=HOUR), 1000)
    await grow_older(valkey, HOUR + MINUTE)
    await redis_store.tick(1)
    assert [await expire_due(redis_store, 10) for _ in range(4)] == [10, 10, 5, 0]
    assert await ask(valkey, "DBSIZE") == 1


async def test_what_is_left_of_a_creation_that_was_cut_short_goes(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    """The indexes know a session first."""
    await ask(valkey, "ZADD", expiry_of("cut"), 5, "cut")
    await ask(valkey, "ZADD", redis_keys.LISTED.decode(), 1000, "cut")
    await grow_older(valkey, 10)
    await keep(redis_store)
    assert await redis_store.list_sessions(None, 10) == []
    assert await entries(valkey) == []


async def test_a_session_that_is_created_while_its_older_trace_is_swept_is_not_forgotten(
    valkey: EmbeddedServer, redis_store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ask(valkey, "ZADD", expiry_of("again"), 5, "again")
    await grow_older(valkey, 10)
    await redis_store.tick(1)

    async def create_in_between(_: object) -> None:
        await redis_store.create("again", first(lifetime_ms=HOUR), None)

    monkeypatch.setattr(redis_store, "unlist", create_in_between)
    await expire_due(redis_store)
    assert await length(redis_store, "again") == 0
    assert await entries(valkey) == [b"again"]


async def test_damaged_sessions_end_too(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    for session in ("no hash", "no log"):
        await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), None)
    await ask(valkey, "SET", redis_keys.head("no hash").decode(), "x")
    await ask(valkey, "DEL", redis_keys.log("no log").decode())
    await grow_older(valkey, HOUR + MINUTE)
    await keep(redis_store)
    assert await ask(valkey, "KEYS", "*") == [redis_keys.STORE]
