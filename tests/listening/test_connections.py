"""Connections are counted by address; idle ones make room; a stop drains all of them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from typing import Any

import pytest

from skerry_service.access.client_addresses import Peer
from skerry_service.domain.errors import LimitReached
from skerry_service.edge.http.http_refusals import TooManyConnections
from tests.listening.serving import Served, Streams, hello, serving
from tests.store.servers import until

GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"


@asynccontextmanager
async def held(served: Served, host: str, count: int) -> AsyncIterator[list[Streams]]:
    """Hold connections from an address, all of which are counted."""
    async with AsyncExitStack() as stack:
        streams: list[Streams] = []
        begun = served.table.opened
        for _ in range(count):
            streams.append(await stack.enter_async_context(served.connection(host)))
            await until(lambda: served.table.opened == begun + len(streams))
        yield streams


async def answer(streams: Streams, request: bytes = GET) -> bytes:
    """Send a request; return its status line."""
    reader, writer = streams
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(5)
    return head.partition(b"\r\n")[0]


async def is_closed(streams: Streams) -> bool:
    """Return whether the server has closed the connection without a response."""
    try:
        return await streams[0].read() == b""
    except ConnectionError:
        return True


async def test_silent_connections_of_one_address_make_room_for_those_of_another() -> None:
    async with serving(maximum=8) as served, held(served, ATTACKER, 8) as silent, held(served, VICTIM, 1) as victim:
        assert await is_closed(silent[0]), "the oldest"
        assert await answer(victim[0]) == b"HTTP/1.1 200 OK"
        assert await answer(silent[-1]) == b"HTTP/1.1 200 OK"


async def test_an_idle_client_with_few_connections_keeps_them_beside_one_with_many() -> None:
    async with serving(maximum=4) as served, held(served, VICTIM, 1) as victim:
        assert await answer(victim[0]) == b"HTTP/1.1 200 OK"
        async with held(served, ATTACKER, 40):
            assert len(served.table) <= 4
            assert await answer(victim[0]) == b"HTTP/1.1 200 OK"


async def test_connections_with_a_call_under_way_make_no_room() -> None:
    go_on = asyncio.Event()

    async def wait(scope: Any, receive: Any, send: Any) -> None:
        await go_on.wait()
        await hello(scope, receive, send)

    async with serving(wait, maximum=2) as served, held(served, ATTACKER, 2) as busy:
        for _, writer in busy:
            writer.write(GET)
        await until(lambda: not any(connection.is_idle for connection in served.table))
        async with served.connection(VICTIM) as (reader, _):
            refused = await reader.read()
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"HTTP_TOO_MANY_CONNECTIONS" in refused
        assert [type(error) for error in served.refused] == [TooManyConnections]
        go_on.set()
        for reader, _ in busy:
            assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200 OK")


async def test_a_client_beyond_its_own_limit_is_answered_and_takes_no_room_of_others() -> None:
    @contextmanager
    def admit(peer: Peer) -> Iterator[None]:
        if peer.host == ATTACKER:
            raise LimitReached("connections_address", "The limit is 0.")
        yield

    async with serving(maximum=2, admit=admit) as served, held(served, VICTIM, 2) as victims:
        for _ in range(3):
            async with served.connection(ATTACKER) as (reader, _writer):
                refused = await reader.read()
                assert refused.startswith(b"HTTP/1.1 429 ")
        assert [await answer(streams) for streams in victims] == [b"HTTP/1.1 200 OK"] * 2


async def test_a_lost_connection_counts_until_its_call_has_ended() -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def wait(*_: Any) -> None:
        began.set()
        await go_on.wait()

    async with serving(wait) as served:
        async with served.connection() as (_, writer):
            writer.write(GET)
            await began.wait()
        async with serving() as other, other.connection() as streams:
            await answer(streams)  # so the loop has noticed the end of the connection
        assert len(served.table) == 1
        go_on.set()
        await until(lambda: len(served.table) == 0)


async def test_a_stop_lets_calls_finish_and_closes_idle_connections() -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def wait(scope: Any, receive: Any, send: Any) -> None:
        began.set()
        await go_on.wait()
        await hello(scope, receive, send)

    async with serving(wait, grace=30) as served, held(served, VICTIM, 2) as (silent, busy):
        busy[1].write(GET)
        await began.wait()
        stopping = asyncio.create_task(served.listener.stop(30))
        assert await is_closed(silent)
        with pytest.raises(ConnectionError):
            async with served.connection():
                pass
        go_on.set()
        last = await busy[0].read()
        assert last.startswith(b"HTTP/1.1 200 OK")
        assert b"connection: close\r\n" in last
        await stopping
        assert len(served.table) == 0


async def test_a_stop_aborts_connections_whose_clients_do_not_read() -> None:
    async def endless(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(2000):
            await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})

    async with serving(endless) as served, served.connection() as (reader, writer):
        writer.write(GET)
        await reader.readuntil(b"\r\n")
        await served.listener.stop(0.1)
        assert len(served.table) == 0


async def test_three_hundred_connections_may_wait_while_the_service_is_busy() -> None:
    """The event loop accepts none of them meanwhile, because this coroutine never waits."""
    async with serving() as served:
        with ExitStack() as stack:
            for _ in range(300):
                stack.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=3))
