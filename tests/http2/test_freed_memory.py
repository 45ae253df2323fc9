"""Calls and connections are freed at their end. The garbage collector of a server seldom looks at old objects."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from skerry.v1 import service_pb2 as pb
from tests.api.wire import Api, create
from tests.http2.raw_client import DATA, END_HEADERS, END_STREAM, HEADERS, RST_STREAM, frame, raw_client, request

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIST_GAMES, OBSERVE, PLAY = (f"/skerry.v1.SkerryService/{rpc}".encode() for rpc in ("ListGames", "Observe", "Play"))
GET = b"GET /v1/games/kreta HTTP/1.1\r\nhost: x\r\n\r\n"
POST = b"POST %b HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\ncontent-type: application/%%b\r\n\r\n" % LIST_GAMES


@asynccontextmanager
async def no_garbage() -> AsyncIterator[None]:
    """Assert that the block leaves no objects of the service that refer to each other."""
    gc.collect()
    gc.disable()
    try:
        yield
        await asyncio.sleep(0.05)  # lets the calls end
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found = [type(one).__qualname__ for one in gc.garbage if type(one).__module__.startswith("skerry_service")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert found == []


async def call(api: Api, watching: bytes, sitting: str) -> None:
    """Make calls over both versions of HTTP, and leave one of them incomplete."""
    host, _, port = api.address.rpartition(":")
    async with raw_client(api.address) as client:
        for stream, path, body in ((1, LIST_GAMES, b""), (3, OBSERVE, watching)):
            client.call(stream, path, body)
            await client.until(DATA)
        client.send(frame(RST_STREAM, 0, 3, bytes(4)))
        client.send(frame(HEADERS, END_HEADERS, 5, request(LIST_GAMES)))
        playing = pb.PlayRequest(attach=[pb.PlayAttach(handle=1, name=sitting)])
        client.call(7, PLAY, playing.SerializeToString(), ended=False)
        await client.until(DATA)
        client.send(frame(RST_STREAM, 0, 7, bytes(4)))
        client.call(9, OBSERVE, b"")  # is refused
        assert (await client.until(HEADERS)).flags & END_STREAM
    for begin, ends in (
        (GET, b"}"),
        (GET.replace(b"kreta", b"chess"), b"}"),
        (GET.replace(b"games/kreta", f"{sitting}:observe".encode()), b"data: "),
        (POST % b"proto", b"kreta"),
        (POST % b"grpc-web", b"grpc-status"),
    ):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(begin)
        await reader.readuntil(ends)
        writer.write(b"POST / HTTP")
        writer.transport.abort()


async def test_calls_and_connections_are_freed_at_their_end(api: Api) -> None:
    sitting = await create(api, pb.SeatSetup(), pb.SeatSetup())
    watching = pb.ObserveRequest(name=sitting.name).SerializeToString()
    await call(api, watching, sitting.name)  # fills the caches
    async with no_garbage():
        for _ in range(3):
            await call(api, watching, sitting.name)
