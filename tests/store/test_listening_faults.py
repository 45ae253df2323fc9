"""Listening when the connection fails, and what it asks of the server."""

from __future__ import annotations

import asyncio
import os
import re
import signal

import pytest

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.store_port import Stored
from skerry_service.store.connections import subscriptions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, new_id, step
from .faults import Heard, ignore, insist
from .servers import PATIENCE, ask, open_store, until, watched


async def test_listeners_learn_that_they_may_have_missed_batches(lasting: EmbeddedServer) -> None:
    sessions = [new_id(), new_id()]
    heard: dict[str, Heard] = {session: [] for session in sessions}
    async with open_store(lasting) as store, watched(lasting):
        for session in sessions:
            await store.create(session, first(), None)
            await store.listen(session, heard[session].append)
        os.kill(lasting.pid, signal.SIGKILL)
        await until(lambda: all(None in batches for batches in heard.values()))
        for session in sessions:
            assert (await insist(store, session, 0))[0] == Stored()
        await until(lambda: all(b"batch 1" in batches for batches in heard.values()))


async def test_a_silent_subscription_is_asked_for_a_sign_of_life(
    lasting: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriptions, "_PING_AFTER", 0.1)
    session, heard = new_id(), Heard()
    async with open_store(lasting, deadline=1) as store:
        await store.create(session, first(), None)
        await store.listen(session, heard.append)
        pings = await pings_answered(lasting)

        async def asked_often() -> bool:
            return await pings_answered(lasting) >= pings + 5

        await until(asked_often)
        assert heard == [], "an answer keeps the connection"
        os.kill(lasting.pid, signal.SIGSTOP)
        try:
            await until(lambda: store._servers.each()[0].subscriptions._line is None)
        finally:
            os.kill(lasting.pid, signal.SIGCONT)
        await until(lambda: heard == [None])


async def pings_answered(server: EmbeddedServer) -> int:
    statistics: bytes = await ask(server, "INFO", "commandstats")
    found = re.search(rb"cmdstat_ping:calls=(\d+)", statistics)
    return int(found[1]) if found else 0


async def test_listening_that_is_not_confirmed_ends_when_the_store_is_closed(lasting: EmbeddedServer) -> None:
    store = RedisStore(lasting.url, deadline=2 * PATIENCE)
    await store.listen("warm", ignore)
    os.kill(lasting.pid, signal.SIGSTOP)
    try:
        waiting = asyncio.create_task(store.listen("s", ignore))
        await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE):
            await store.close()
            with pytest.raises(StoreUnavailable):
                await waiting
    finally:
        os.kill(lasting.pid, signal.SIGCONT)


async def test_a_listener_that_fails_does_not_keep_others_from_hearing(redis_store: RedisStore) -> None:
    session, heard = new_id(), Heard()

    def fail(_: bytes | None) -> None:
        raise RuntimeError("a listener's own fault")

    await redis_store.create(session, first(), None)
    await redis_store.listen(session, fail)
    await redis_store.listen(session, heard.append)
    for base in range(2):
        await redis_store.commit(session, step(base))
    await until(lambda: heard == [b"batch 1", b"batch 2"])


async def test_one_subscription_serves_all_listeners_of_a_session(
    valkey: EmbeddedServer, redis_store: RedisStore
) -> None:
    session = new_id()
    heard = [Heard() for _ in range(5)]
    listeners = [one.append for one in heard]
    for listener in listeners:
        await redis_store.listen(session, listener)
    await redis_store.listen("other", ignore)
    assert await ask(valkey, "PUBSUB", "SHARDCHANNELS", "*") in (
        [b"skerry:{%s}" % session.encode(), b"skerry:{other}"],
        [b"skerry:{other}", b"skerry:{%s}" % session.encode()],
    )
    assert await ask(valkey, "PUBSUB", "SHARDNUMSUB", f"skerry:{{{session}}}") == [b"skerry:{%s}" % session.encode(), 1]
    for listener in listeners:
        await redis_store.unlisten(session, listener)

    async def left() -> bool:
        return bool(await ask(valkey, "PUBSUB", "SHARDCHANNELS", "*") == [b"skerry:{other}"])

    await until(left)
