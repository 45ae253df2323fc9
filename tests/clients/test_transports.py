"""The client finds out what a port and the network serve: Connect, HTTP/2, or gRPC alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as api
from skerry_client import AsyncClient, Client, errors
from skerry_client.transport.choice import TransportName
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.clients import test_connect
from tests.clients.play import SEED
from tests.clients.servers import ServerProcess, scripted
from tests.store.servers import running_server as running_store

NO_GAMES = api.ListGamesResponse()
HTTP2_PREFACE = b"PRI * HTTP/2.0"
NOT_SUPPORTED = b"HTTP/1.1 505 HTTP Version Not Supported\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


async def play(skerry: AsyncClient) -> int:
    """Play a game against a bot and return the number of moves."""
    seat, moves = await (await skerry.create("kreta", seats=2, bots=1, seed=SEED)).join("Ada"), 0
    async for position in seat.turns():
        await seat.act(position.legal_moves[0])
        moves += 1
    return moves


async def test_the_default_is_connect() -> None:
    async with test_connect.scripted(test_connect.OK) as (address, requests), AsyncClient(address) as skerry:
        assert len(await skerry.games()) == len(requests) == 1


async def test_a_port_for_grpc_alone_is_called_over_grpc() -> None:
    async with scripted(ListGames=[NO_GAMES]) as server:
        async with AsyncClient(server.address, retry_for=0) as skerry:
            for _ in range(2):
                await skerry.games()
        assert len(server.requests["ListGames"]) == 2
        async with AsyncClient(server.address, transport="connect") as skerry:
            with pytest.raises(errors.UnexpectedResponse, match="does not serve Connect: pass transport='grpc'"):
                await skerry.games()


async def test_calls_at_once_change_to_grpc_together() -> None:
    async with scripted(ListGames=[NO_GAMES]) as server, AsyncClient(server.address, retry_for=0) as skerry:
        await asyncio.gather(*(skerry.games() for _ in range(20)))
        assert len(server.requests["ListGames"]) == 20


@asynccontextmanager
async def without_http2(server: str, answer: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """Run a proxy that passes HTTP/1.1 on, and answers HTTP/2. Yield its address and each connection's first bytes."""
    begun, writers, tasks = list[bytes](), list[asyncio.StreamWriter](), set[asyncio.Task[None]]()

    async def pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            target.write(data)
        target.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        first = await reader.read(65_536)
        begun.append(first[:14])
        if first.startswith(HTTP2_PREFACE):
            writer.write(answer)
            writer.close()
            return
        host, _, port = server.rpartition(":")
        there, back = await asyncio.open_connection(host, int(port))
        writers.append(back)
        back.write(first)
        for work in (pass_on(there, writer), pass_on(reader, back)):
            tasks.add(task := asyncio.create_task(work))
            task.add_done_callback(tasks.discard)

    proxy = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with proxy:
        yield f"127.0.0.1:{proxy.sockets[0].getsockname()[1]}", begun
        for task in tasks:
            task.cancel()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # lets the transports close


@pytest.mark.parametrize("answer", [NOT_SUPPORTED, b""])
async def test_seats_need_no_http2(server: ServerProcess, answer: bytes) -> None:
    async with without_http2(server.address, answer) as (address, begun), AsyncClient(address) as skerry:
        assert await play(skerry) > 5
        assert begun.count(HTTP2_PREFACE) == 1


@pytest.fixture
def store() -> Iterator[EmbeddedServer]:
    """The store of the server of a test."""
    with running_store() as running:
        yield running


async def test_a_unix_socket_serves_both_transports(store: EmbeddedServer, tmp_path: Path) -> None:
    path = tmp_path / "socket"
    async with running_server(Config(port=0, redis_url=store.url, socket=path)):
        transports: list[tuple[str, TransportName]] = [("unix:", "grpc"), ("unix:", "connect"), ("unix://", "auto")]
        for form, transport in transports:
            async with AsyncClient(f"{form}{path}", transport=transport) as skerry:
                assert await play(skerry) > 5


@pytest.mark.parametrize("transport", ["grpc", "connect"])
def test_a_client_that_stops_playing_ends_its_stream(server: ServerProcess, transport: TransportName) -> None:
    with Client(server.address, transport=transport) as skerry:
        seat = skerry.create("kreta", seats=2, bots=1).join("Ada")
        for _ in range(20):  # a token has at most 8 streams
            position = next(seat.turns())
            seat.act(position.legal_moves[0])
