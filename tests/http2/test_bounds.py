"""What a client cannot make a server do on HTTP/2."""

from __future__ import annotations

import asyncio
import socket
import struct

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.edge.http2 import http2_connection
from skerry_service.edge.listening.connection_protocol import ConnectionFacts
from tests.api.wire import Api, create, get, sit_down
from tests.http2.raw_client import (
    ACK,
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    ENHANCE_YOUR_CALM,
    GOAWAY,
    HEADERS,
    PING,
    PREFACE,
    REFUSED_STREAM,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    RawClient,
    field,
    frame,
    message,
    odd,
    raw_client,
    request,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIST_GAMES, OBSERVE, PLAY = (f"/skerry.v1.SkerryService/{rpc}".encode() for rpc in ("ListGames", "Observe", "Play"))
REFLECTION = b"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
FLOODS = {
    "pings": frame(PING, 0, 0, bytes(8)) * 10,
    "settings": frame(SETTINGS, 0, 0) * 5_000,
    "window updates": frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)) * 5_000,
    "empty frames of a body": frame(HEADERS, END_HEADERS, 1, request(PLAY)) + frame(DATA, 0, 1) * 5_000,
    "tiny frames of a body": frame(HEADERS, END_HEADERS, 1, request(LIST_GAMES)) + frame(DATA, 0, 1, b"\0") * 5_000,
    "continuations": frame(HEADERS, 0, 1, request(LIST_GAMES)) + frame(CONTINUATION, 0, 1) * 100,
    "resets after a whole request": b"".join(
        frame(HEADERS, END_HEADERS | END_STREAM, stream, request(LIST_GAMES)) + frame(RST_STREAM, 0, stream, bytes(4))
        for stream in odd(5_000)
    ),
    "resets before a whole request": b"".join(
        frame(HEADERS, END_HEADERS, stream, request(LIST_GAMES)) + frame(RST_STREAM, 0, stream, bytes(4))
        for stream in odd(5_000)
    ),
}


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_of_frames_ends_its_connection_alone(api: Api, kind: str) -> None:
    async with raw_client(api.address) as client:
        client.send(FLOODS[kind])
        await client.ends_with()
    await api.stub.ListGames(pb.ListGamesRequest())


@pytest.mark.parametrize("reference", [b"\xbe", b"\x8f"], ids=["dynamic table", "static table"])
async def test_a_header_list_that_grows_when_it_is_decoded_ends_its_connection(api: Api, reference: bytes) -> None:
    async with raw_client(api.address) as client:
        bomb = field(b"x-bomb", b"y" * 3900, indexed=True) + reference * 4_000
        client.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, request(LIST_GAMES, bomb)))
        assert await client.ends_with() == ENHANCE_YOUR_CALM
    await api.stub.ListGames(pb.ListGamesRequest())


@pytest.mark.parametrize(
    "more",
    [[field(b"x", b"y" * 9_000)], [field(b"x-%d" % number, b"") for number in range(120)]],
    ids=["bytes", "fields"],
)
async def test_a_header_list_above_a_limit_is_refused_with_an_answer(api: Api, more: list[bytes]) -> None:
    async with raw_client(api.address) as client:
        client.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, request(LIST_GAMES, *more)))
        answer = await client.until(HEADERS, GOAWAY)
        assert (answer.kind, answer.stream, bool(answer.flags & END_STREAM)) == (HEADERS, 1, True)
        client.send(frame(HEADERS, END_HEADERS | END_STREAM, 3, request(LIST_GAMES, *more, media=b"application/json")))
        assert (await client.until(HEADERS, GOAWAY)).stream == 3


async def test_a_connection_has_no_more_streams_than_the_server_allows(api: Api) -> None:
    async with raw_client(api.address) as client:
        await client.until(SETTINGS)
        for stream in odd(1030):
            client.send(frame(HEADERS, END_HEADERS, stream, request(PLAY)))
        ended = await client.until(RST_STREAM, GOAWAY)
        assert ended.kind == GOAWAY or ended.code == REFUSED_STREAM


async def test_requests_that_are_held_have_a_total_size(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "MAX_HELD", 20_000)
    async with raw_client(api.address) as client:
        for stream in odd(5):
            client.send(frame(HEADERS, END_HEADERS, stream, request(LIST_GAMES, field(b"x", b"y" * 7_000))))
        refused = await client.until(RST_STREAM)
        assert (refused.stream, refused.code) == (7, REFUSED_STREAM)


async def test_a_proxy_may_hold_streams_of_many_users(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "MAX_HELD", 20_000)
    sitting = await create(api, pb.SeatSetup(), pb.SeatSetup())
    watching = pb.ObserveRequest(name=sitting.name).SerializeToString()
    headers = field(b"x-of-the-proxy", b"x" * 2_000), field(b"traceparent", b"y" * 1_000)
    async with raw_client(api.address) as client:
        for stream in odd(60):
            client.call(stream, OBSERVE, watching, *headers)
            assert (await client.until(DATA, RST_STREAM, GOAWAY)).kind == DATA


async def test_a_request_without_end_is_held_only_until_the_call_takes_it(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http2_connection, "MAX_HELD", 20_000)
    async with raw_client(api.address) as client:
        client.send(frame(HEADERS, END_HEADERS, 1, request(REFLECTION)))
        for _ in range(40):
            client.send(frame(DATA, 0, 1, message(b"\x0a\xe8\x07" + b"x" * 1_000)))
            assert (await client.until(DATA, RST_STREAM, GOAWAY)).kind == DATA


async def test_a_client_that_does_not_read_holds_up_its_own_stream_alone(api: Api) -> None:
    sitting = await sit_down(api)
    watching = pb.ObserveRequest(name=sitting.name, after_sequence=0).SerializeToString()
    async with raw_client(api.address, window=0) as client:
        client.call(1, OBSERVE, watching)
        assert (await client.until(HEADERS, DATA)).kind == HEADERS
        client.call(3, LIST_GAMES, b"")
        assert (await client.until(HEADERS, DATA)).stream == 3
        client.send(frame(WINDOW_UPDATE, 0, 3, struct.pack(">I", 100_000)))
        answer = await client.until(DATA)
        assert answer.stream == 3 and answer.payload
        client.send(frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)))
        assert (await client.until(DATA)) == (DATA, 0, 1, b"\0")
    await get(api, sitting)


async def test_a_stream_held_back_by_tiny_windows_ends(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(http2_connection, "STALL_SECONDS", 0.2)
    async with raw_client(api.address, window=0) as client:
        client.call(1, LIST_GAMES, b"")
        dripping = asyncio.create_task(drip(client))
        ended = await client.until(RST_STREAM, GOAWAY)
        dripping.cancel()
        assert (ended.kind, ended.stream, ended.code) == (RST_STREAM, 1, ENHANCE_YOUR_CALM)


async def drip(client: RawClient) -> None:
    """Open the window of the first stream byte by byte."""
    while True:
        client.send(frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)))
        await asyncio.sleep(0.02)


async def test_a_request_that_does_not_arrive_ends(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(http2_connection, "REQUEST_SECONDS", 0.2)
    async with raw_client(api.address) as client:
        await client.until(SETTINGS)
        client.call(1, LIST_GAMES, b"", ended=False)
        answer = await client.until(HEADERS)
        assert answer.stream == 1 and answer.flags & END_STREAM
        client.send(frame(HEADERS, END_HEADERS, 3, request(b"/v1/sessions", media=b"application/json")))
        assert (await client.until(HEADERS)).stream == 3


async def test_a_client_that_sends_no_settings_is_disconnected(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(http2_connection, "REQUEST_SECONDS", 0.1)
    host, _, port = api.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    assert await RawClient(reader, writer).rest()
    writer.close()


async def test_a_silent_client_is_pinged_and_disconnected(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(http2_connection, "KEEPALIVE_SECONDS", 0.1)
    monkeypatch.setattr(http2_connection, "PONG_SECONDS", 0.1)
    async with raw_client(api.address) as client:
        assert PING in [received.kind for received in await client.rest()]


async def test_an_idle_connection_is_closed_and_an_old_one_drained(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = await create(api, pb.SeatSetup(), pb.SeatSetup())
    watching = pb.ObserveRequest(name=sitting.name).SerializeToString()
    monkeypatch.setattr(http2_connection, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(http2_connection, "IDLE_SECONDS", 0.1)
    async with raw_client(api.address) as client:
        assert await client.ends_with() == 0
    monkeypatch.setattr(http2_connection, "AGE_SECONDS", 0.1)
    async with raw_client(api.address) as client:
        client.call(1, OBSERVE, watching)
        notice = await client.until(GOAWAY)
        assert (notice.code, int.from_bytes(notice.payload[:4], "big")) == (0, 2**31 - 1)
        client.call(3, LIST_GAMES, b"")
        assert (await client.until(HEADERS)).stream == 3


async def test_an_idle_connection_whose_client_does_not_read_is_closed_at_once() -> None:
    """A closed connection that waits for its client would hold a file descriptor that nothing counts."""
    ours, theirs = socket.socketpair()
    released = asyncio.Event()
    facts = ConnectionFacts(None, ("", None), is_tls=False, alpn=None, release=released.set)
    theirs.setblocking(False)
    with theirs:
        theirs.sendall(PREFACE + frame(SETTINGS, 0, 0))
        connection = http2_connection.Http2Connection(lambda *_: pytest.fail("no stream begins"), facts)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(lambda: connection, sock=ours)
        received = b""
        while frame(SETTINGS, ACK, 0) not in received:
            received += await loop.sock_recv(theirs, 1_000)
        unread = 0
        while not unread:
            transport.write(bytes(10_000))
            unread = transport.get_write_buffer_size()
        connection.close_idle()
        await asyncio.wait_for(released.wait(), 30)
