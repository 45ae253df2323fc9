"""What lies in Redis: names, lifetimes, memory, the index, and what a cluster and an operator may demand."""

from __future__ import annotations

import time

import pytest

from skerry_service.sessions.port import Commit, Gone, Head, Stored
from skerry_service.store import keys
from skerry_service.store.embedded import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, length, new_id, request, step
from .servers import ask, until

HOUR = 3_600_000
DAY = 24 * HOUR


async def lifetimes(server: EmbeddedServer, session: str) -> tuple[int, int]:
    """Return when hash and log end, in ms since 1970; -1 for never, -2 for what is not there."""
    names = (keys.head(session).decode(), keys.log(session).decode())
    head, log = [await ask(server, "PEXPIRETIME", name) for name in names]
    return head, log


async def now(server: EmbeddedServer) -> int:
    seconds, micros = await ask(server, "TIME")
    return int(seconds) * 1000 + int(micros) // 1000


async def test_a_session_is_two_keys_in_one_slot(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    await redis_store.create("abc", first(), None)
    await redis_store.commit("abc", step(0, by=request(1)))
    assert sorted(await ask(valkey, "KEYS", "*")) == [b"skerry:{abc}", b"skerry:{abc}:log"]
    slots = {await ask(valkey, "CLUSTER", "KEYSLOT", name) for name in ("skerry:{abc}", "skerry:{abc}:log")}
    assert len(slots) == 1


async def test_a_commit_is_one_record_named_after_its_last_sequence(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    await redis_store.create("abc", first(batch=b"begin", last=3), None)
    await redis_store.commit("abc", step(3, 7))
    log = await ask(valkey, "XRANGE", "skerry:{abc}:log", "-", "+")
    assert log == [[b"3-0", [b"b", b"begin"]], [b"7-0", [b"b", b"batch 7"]]]


async def test_hash_and_log_end_together(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), None)
    head, log = await lifetimes(valkey, session)
    assert head == log
    assert await now(valkey) < head <= await now(valkey) + HOUR


async def test_a_commit_without_lifetime_leaves_it(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(batch=b"begin", last=1, lifetime_ms=HOUR), None)
    before = await lifetimes(valkey, session)
    await redis_store.commit(session, step(1))
    assert await lifetimes(valkey, session) == before


async def test_a_commit_with_lifetime_sets_both(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(lifetime_ms=HOUR), None)
    await redis_store.commit(session, step(0, lifetime_ms=7 * DAY))
    head, log = await lifetimes(valkey, session)
    assert head == log > await now(valkey) + DAY


async def test_a_log_that_begins_later_ends_with_its_hash(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(lifetime_ms=HOUR), None)
    await redis_store.commit(session, step(0))
    head, log = await lifetimes(valkey, session)
    assert head == log > 0


async def test_a_session_without_lifetime_stays(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(), None)
    await redis_store.commit(session, step(0))
    assert await lifetimes(valkey, session) == (-1, -1)


async def test_a_session_whose_lifetime_is_over_is_gone(redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(lifetime_ms=1), 1000)

    async def gone() -> bool:
        return await redis_store.load(session) is None

    await until(gone)
    assert await redis_store.commit(session, step(0)) == Gone()
    assert await redis_store.public(None, 10) == [(1000, session)]


async def test_each_creation_unlists_old_entries_whose_session_is_gone(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    await redis_store.create("alive", first(), 1000)
    for number in range(40):
        await redis_store.create(f"dies{number}", first(), 1000 + number)
        await ask(valkey, "DEL", f"skerry:{{dies{number}}}")
    # Each looked at all there was: at most the living one, the last dead one and itself.
    assert [session for _, session in await redis_store.public(None, 100)] == ["dies39", "alive"]


async def test_a_fresh_entry_whose_session_is_not_there_stays_listed(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    """Its creation may be under way: it is listed before it is stored."""
    fresh = int(time.time() * 1000)
    await ask(valkey, "ZADD", "skerry:sessions", fresh, "coming")
    await redis_store.create(new_id(), first(), None)
    assert await redis_store.public(None, 10) == [(fresh, "coming")]


def sized(base: int, sequence: int) -> Commit:
    """Return a commit of the sizes that a game brings: ~60 bytes of batch, ~500 each of snapshot and record."""
    head = Head(sequence=sequence, record=b"r" * 500, snapshot=bytes(sequence % 256 for _ in range(500)))
    batch = sequence.to_bytes(4, "big") * 15
    return Commit(base, batch if sequence else b"", head, sequence % 16 == 0, request(sequence), None)


async def memory(server: EmbeddedServer, session: str) -> int:
    names = (keys.head(session).decode(), keys.log(session).decode())
    return sum([await ask(server, "MEMORY", "USAGE", name, "SAMPLES", 0) or 0 for name in names])


async def test_a_session_fits_its_memory_budget(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, sized(0, 0), None)
    assert await memory(valkey, session) <= 8 * 1024
    await redis_store.commit(session, sized(0, 1))
    assert await memory(valkey, session) <= 8 * 1024
    for base in range(1, 100):
        assert await redis_store.commit(session, sized(base, base + 1)) == Stored()
    assert await memory(valkey, session) <= 14 * 1024


async def commands(server: EmbeddedServer) -> dict[str, int]:
    """Return how often each command was called."""
    lines = (await ask(server, "INFO", "commandstats")).decode().splitlines()
    pairs = [line.removeprefix("cmdstat_").split(":calls=") for line in lines if line.startswith("cmdstat_")]
    return {name.split("|")[0]: int(rest.split(",")[0]) for name, rest in pairs}


async def test_nothing_walks_through_the_keys(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    await ask(valkey, "CONFIG", "RESETSTAT")
    session = new_id()
    await redis_store.create(session, first(by=request(1)), 1000)
    await redis_store.commit(session, step(0, by=request(2)))
    await redis_store.find_request(session, request(2))
    await redis_store.load(session)
    await redis_store.tip(session)
    await redis_store.batches(session, 0)
    await redis_store.public(None, 5)
    await redis_store.unlist([session])
    called = await commands(valkey)
    assert called.get("evalsha", 0) + called.get("eval", 0) >= 2
    assert not called.keys() & {"keys", "scan", "hscan", "sscan", "zscan", "hgetall", "smembers", "dbsize", "sort"}


async def test_a_commit_is_one_command(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(), None)
    await redis_store.commit(session, step(0))
    await ask(valkey, "CONFIG", "RESETSTAT")
    for base in range(1, 6):
        await redis_store.commit(session, step(base, by=request(base)))
    called = await commands(valkey)
    within = {"hmget", "xadd", "hset", "spublish"}
    assert {name: count for name, count in called.items() if name not in within | {"config", "client", "info"}} == {
        "evalsha": 5
    }


@pytest.mark.parametrize("asked", [(b"short", b"12345678"), (b"12345678", b""), (b"123456789", b"12345678")])
async def test_a_request_that_would_shift_the_window_is_an_error(
    redis_store: RedisStore, asked: tuple[bytes, bytes]
) -> None:
    session = new_id()
    await redis_store.create(session, first(), None)
    wrong = type(request(1))(*asked)
    with pytest.raises(ValueError, match="8 bytes"):
        await redis_store.commit(session, step(0, by=wrong))
    assert await length(redis_store, session) == 0
