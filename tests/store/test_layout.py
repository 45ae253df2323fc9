"""What lies in Redis: names, memory, and what a cluster and an operator may demand."""

from __future__ import annotations

import pytest

from skerry_service.domain.packed import Head
from skerry_service.sessions.store_port import Commit, Stored
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, length, new_id, request, step
from .servers import ask


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


def sized(base: int, sequence: int) -> Commit:
    """Return a commit of the sizes that a game brings: ~60 bytes of batch, ~500 each of snapshot and record."""
    head = Head(sequence=sequence, record=b"r" * 500, snapshot=bytes(sequence % 256 for _ in range(500)))
    batch = sequence.to_bytes(4, "big") * 15
    return Commit(base, batch if sequence else b"", head, sequence % 16 == 0, request(sequence), 1000)


async def memory(server: EmbeddedServer, session: str) -> int:
    names = (redis_keys.head(session).decode(), redis_keys.log(session).decode())
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
    await redis_store.create(session, first(by=request(1), lifetime_ms=60_000), 1000)
    await redis_store.commit(session, step(0, by=request(2)))
    await redis_store.tick(1)
    await redis_store.expire(session)
    await redis_store.find_request(session, request(2))
    await redis_store.load(session)
    await redis_store.tip(session)
    await redis_store.batches(session, 0)
    await redis_store.list_sessions(None, 5)
    await redis_store.unlist([session])
    called = await commands(valkey)
    assert called.get("evalsha", 0) + called.get("eval", 0) >= 2
    assert not called.keys() & {"keys", "scan", "hscan", "sscan", "zscan", "hgetall", "smembers", "dbsize", "sort"}


async def test_a_commit_is_one_command(valkey: EmbeddedServer, redis_store: RedisStore) -> None:
    session = new_id()
    await redis_store.create(session, first(lifetime_ms=60_000), None)
    await redis_store.commit(session, step(0))
    await ask(valkey, "CONFIG", "RESETSTAT")
    for base in range(1, 6):
        await redis_store.commit(session, step(base, by=request(base), lifetime_ms=60_000))
    called = await commands(valkey)
    within = {"hmget", "xrevrange", "xadd", "hset", "spublish"}
    assert {
        name: count for name, count in called.items() if name not in within | {"config", "client", "info", "hget"}
    } == {"evalsha": 5}


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
