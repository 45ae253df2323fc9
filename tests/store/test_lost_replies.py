"""A commit that was carried out though its caller got no reply."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.match_port import AgreedMatch, Exchange, RoundWrite
from skerry_service.sessions.store_port import Conflict, Duplicate, Stored
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .commits import first, length, new_id, request, step
from .servers import ask, open_store


@asynccontextmanager
async def cutting_proxy(server: EmbeddedServer, path: Path, armed: asyncio.Event) -> AsyncIterator[str]:
    """Stand between store and server; when armed, let one command through, keep its reply and cut the connection."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, replies: bool) -> None:
        try:
            while data := await reader.read(65536):
                if replies and armed.is_set():
                    armed.clear()
                    break
                writer.write(data)
        finally:
            writer.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_unix_connection(str(server.socket))
        await asyncio.gather(pump(reader, there[1], False), pump(there[0], writer, True))

    proxy = await asyncio.start_unix_server(connected, path)
    try:
        yield f"unix://{path}"
    finally:
        proxy.close()
        await proxy.wait_closed()


async def test_a_commit_whose_reply_was_lost_is_recognised_by_its_request(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    session, armed = new_id(), asyncio.Event()
    async with cutting_proxy(valkey, tmp_path / "p", armed) as url:
        store = RedisStore(url)
        await store.create(session, first(), None)
        await store.commit(session, step(0))
        armed.set()
        asked = request(9, payload=8)
        assert await store.commit(session, step(1, by=asked)) == Duplicate(last=2, payload=asked.payload)
        await store.close()


async def test_a_commit_without_request_whose_reply_was_lost_is_not_called_a_conflict(
    valkey: EmbeddedServer, tmp_path: Path
) -> None:
    session, armed = new_id(), asyncio.Event()
    async with cutting_proxy(valkey, tmp_path / "p", armed) as url:
        store = RedisStore(url)
        await store.create(session, first(), None)
        await store.commit(session, step(0))
        armed.set()
        with pytest.raises(StoreUnavailable):
            await store.commit(session, step(1))
        assert await length(store, session) == 2
        assert await store.commit(session, step(1)) == Conflict(sequence=2)
        await store.close()


def test_a_command_on_a_connection_that_has_just_ended_is_sent_again_without_ado(valkey: EmbeddedServer) -> None:
    """The service's own event loop refuses to write to a connection that is closed already."""
    ado: list[object] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: ado.append(context))
        session = new_id()
        async with open_store(valkey) as store:
            await store.create(session, first(), None)
            line = store._servers.each()[0].line._line
            assert line is not None
            line.abort()
            assert isinstance(await store.commit(session, step(0, by=request(9, payload=8))), Stored)

    uvloop.run(scenario())
    assert ado == []


@pytest.mark.parametrize("steps", range(8))
async def test_a_caller_that_gives_up_disturbs_nobody(
    valkey: EmbeddedServer, redis_store: RedisStore, steps: int
) -> None:
    """It leaves before its command is sent, while it is under way, or when the reply is there already."""
    session = new_id()
    await redis_store.create(session, first(), None)
    connections = await connections_received(valkey)
    for _ in range(10):
        at = await length(redis_store, session)
        assert at is not None
        leaving = asyncio.create_task(redis_store.commit(session, step(at)))
        for _ in range(steps):
            await asyncio.sleep(0)
        leaving.cancel()
        found = await asyncio.gather(*(length(redis_store, session) for _ in range(5)))
        assert found in ([at] * 5, [at + 1] * 5)
        if found[0] == at:
            assert await redis_store.commit(session, step(at)) == Stored()
    assert len(await redis_store.batches(session, 0)) == 10
    assert await connections_received(valkey) == connections + 1, "only the question itself needs a new one"


async def connections_received(server: EmbeddedServer) -> int:
    found = re.search(rb"total_connections_received:(\d+)", await ask(server, "INFO", "stats"))
    assert found is not None
    return int(found[1])


async def test_an_agreed_match_whose_reply_was_lost_is_stored_once(valkey: EmbeddedServer, tmp_path: Path) -> None:
    armed = asyncio.Event()
    async with cutting_proxy(valkey, tmp_path / "p", armed) as url:
        store = RedisStore(url)
        game = new_id()
        await store.matching.exchange(game, Exchange("here", 1, b"term", b"", b""))
        # Without the first call, the reply would be that there is no such script.
        assert await store.matching.publish(game, b"term", RoundWrite({})) == []
        armed.set()
        write = RoundWrite({}, [AgreedMatch(b"match", [(b"a", b"claim")])])
        assert await store.matching.publish(game, b"term", write) == []
        assert await store.matching.agreed(game) == [b"match"]
        await store.close()
