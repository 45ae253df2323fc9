"""The transport over Connect: what differs from gRPC. ``conftest.skerry`` runs the common tests over it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from math import inf
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as api
from skerry_client import AsyncClient, Client, errors
from skerry_client.transport.http_address import HttpAddress
from skerry_client.transport.http_connections import HttpConnections
from tests.clients.servers import ServerProcess

PATIENCE = 30.0
GAMES = api.ListGamesResponse()
GAMES.games.add(id="kreta")
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
MALFORMED_DETAIL = b'{"code":"unavailable","details":[{"type":"google.rpc.ErrorInfo","value":"////"}]}'


def response(status: str, body: bytes, media: str = "application/proto", *headers: str) -> bytes:
    """Return an HTTP response."""
    head = [f"HTTP/1.1 {status}", f"content-type: {media}", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(head).encode() + body


@asynccontextmanager
async def scripted(*responses: bytes) -> AsyncIterator[tuple[str, list[int]]]:
    """Run a server that sends these responses, whatever it is asked. Yield its address and its requests' connections.

    An empty response closes the connection instead.
    """
    left, requests, writers = list(responses), list[int](), list[asyncio.StreamWriter]()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        number = len(writers)
        with suppress(asyncio.IncompleteReadError, ConnectionError):  # the client closes the connection
            while left and (head := await reader.readuntil(b"\r\n\r\n")):
                length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                await reader.readexactly(int(length))
                requests.append(number)
                answer = left.pop(0)
                writer.write(answer)
                if not answer or b"connection: close" in answer:
                    break
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", requests
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # lets the transports close


def address_of(server: asyncio.Server) -> HttpAddress:
    address = HttpAddress.parse(f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
    assert address is not None
    return address


OK = response("200 OK", GAMES.SerializeToString())


async def outcome(*responses: bytes, retry_for: float = 0) -> tuple[Sequence[str] | errors.SkerryError, list[int]]:
    """Call ListGames twice on a scripted server. Return the result of the second call."""
    async with (
        scripted(*responses) as (address, requests),
        AsyncClient(address, transport="connect", retry_for=retry_for) as skerry,
    ):
        try:
            return [game.id for game in await skerry.games()], requests
        except errors.SkerryError as error:
            return error, requests


@pytest.mark.asyncio
async def test_calls_use_one_connection_while_the_server_keeps_it_open() -> None:
    closing = response("200 OK", GAMES.SerializeToString(), "application/proto", "connection: close")
    async with (
        scripted(OK, OK, closing, OK) as (address, requests),
        AsyncClient(address, transport="connect") as skerry,
    ):
        for _ in range(4):
            assert len(await skerry.games()) == 1
        assert requests == [1, 1, 1, 2]


@pytest.mark.asyncio
async def test_many_calls_at_once_share_some_connections() -> None:
    async with (
        scripted(*[OK] * 200) as (address, requests),
        AsyncClient(address, transport="connect", retry_for=0, timeout=PATIENCE) as skerry,
    ):
        await asyncio.gather(*(skerry.games() for _ in range(200)))
        assert len(requests) == 200
        assert max(requests) <= 32


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (response("502 Bad Gateway", b"<h1>no</h1>", "text/html"), errors.ConnectionLost),
        (response("503 Service Unavailable", b""), errors.ConnectionLost),
        (response("404 Not Found", b"<h1>no</h1>", "text/html"), errors.UnexpectedResponse),
        (response("200 OK", b"not protobuf"), errors.UnexpectedResponse),
        (response("500 Internal Server Error", b'{"code":"no_such_code"}'), errors.UnexpectedResponse),
        (b"SSH-2.0-OpenSSH\r\n\r\n", errors.UnexpectedResponse),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n", errors.MessageTooLarge),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\nconnection: close\r\n\r\n", errors.ConnectionLost),
        (CHUNKED, errors.ConnectionLost),
        (CHUNKED + b"5\r\nabc", errors.ConnectionLost),
        (response("503 Service Unavailable", MALFORMED_DETAIL), errors.ConnectionLost),
        (b"", errors.ConnectionLost),
    ],
)
@pytest.mark.asyncio
async def test_what_is_no_response_of_the_service_is_an_error(answer: bytes, expected: type[Exception]) -> None:
    error, _ = await outcome(answer)
    assert type(error) is expected


@pytest.mark.parametrize(
    ("line", "hint"),
    [("502 Bad Gateway", "a proxy cannot reach the server"), ("429 Too Many", "perhaps transport='grpc' passes")],
)
@pytest.mark.asyncio
async def test_the_error_of_a_proxy_says_what_to_do(line: str, hint: str) -> None:
    error, _ = await outcome(response(line, b"<h1>no</h1>", "text/html"))
    assert str(error) == f"HTTP status {line[:3]} without an error of Connect; {hint}"


@pytest.mark.parametrize("framing", ["length", "chunks", "end"])
@pytest.mark.asyncio
async def test_a_body_ends_in_any_of_the_three_ways_of_http(framing: str) -> None:
    body = GAMES.SerializeToString()
    chunks = b"".join(b"1;x=y\r\n%c\r\n" % byte for byte in body) + b"0\r\nx-trailer: 1\r\n\r\n"
    answers = {
        "length": OK,
        "chunks": CHUNKED + chunks,
        "end": b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n" + body,
    }
    games, _ = await outcome(answers[framing])
    assert games == ["kreta"]


@pytest.mark.asyncio
async def test_a_stream_that_breaks_off_is_resumed() -> None:
    def message(sequence: int) -> bytes:
        data = api.ObserveResponse(sequence=sequence, epoch="e").SerializeToString()
        return _chunk(b"\0" + len(data).to_bytes(4, "big") + data)

    session = response("200 OK", api.GetSessionResponse().SerializeToString())
    end = _chunk(b"\2\0\0\0\2{}") + b"0\r\n\r\n"
    async with (
        scripted(session, CHUNKED + message(1), CHUNKED + message(1) + message(2) + end) as (address, _),
        AsyncClient(address, transport="connect", retry_for=PATIENCE) as skerry,
    ):
        table = await skerry.table("sessions/aaaaaaaaaaaaaaaa")
        assert [update.sequence async for update in table.observe()] == [1, 2]


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


@pytest.mark.asyncio
async def test_an_error_of_http_itself_has_its_reason() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SHUTTING_DOWN", "domain": "skerry"}
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1s"}
    value = {"code": 503, "message": "It stops.", "status": "UNAVAILABLE", "details": [info, retry]}
    body = json.dumps({"error": value}).encode()
    error, _ = await outcome(response("503 Service Unavailable", body, "application/json"))
    assert isinstance(error, errors.ShuttingDown)
    assert (str(error), error.retry_after) == ("It stops.", 1.0)


@pytest.mark.asyncio
async def test_a_call_is_repeated_after_a_proxys_error() -> None:
    games, requests = await outcome(response("502 Bad Gateway", b""), b"", OK, retry_for=PATIENCE)
    assert (games, len(requests)) == (["kreta"], 3)


@pytest.mark.asyncio
async def test_a_call_without_a_response_ends_with_its_timeout() -> None:
    async with (
        scripted(b"HTTP/1.1 200 OK\r\n", OK) as (address, _),
        AsyncClient(address, transport="connect", retry_for=0, timeout=0.05) as skerry,
    ):
        with pytest.raises(errors.DeadlineExceeded):
            await skerry.games()


@pytest.mark.asyncio
async def test_closing_the_client_ends_its_calls() -> None:
    async with scripted(b"HTTP/1.1 200 OK\r\n", OK) as (address, requests):
        skerry = AsyncClient(address, transport="connect")
        call = asyncio.ensure_future(skerry.games())
        async with asyncio.timeout(PATIENCE):
            while not requests:  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.01)
        await skerry.close()
        with pytest.raises(RuntimeError, match="closed"):
            await call
        with pytest.raises(RuntimeError, match="closed"):
            await skerry.games()


@pytest.mark.asyncio
async def test_closing_the_client_ends_a_call_that_is_connecting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:  # connects, and never responds
        skerry = AsyncClient(f"127.0.0.1:{server.getsockname()[1]}", transport="connect", timeout=PATIENCE, retry_for=0)
        call = asyncio.ensure_future(skerry.games())
        await asyncio.sleep(0)
        await skerry.close()
        with pytest.raises(RuntimeError, match="closed"):
            await call


@pytest.mark.asyncio
async def test_a_call_may_wait_without_end() -> None:
    async with scripted(OK) as (address, _), AsyncClient(address, transport="connect", timeout=inf) as skerry:
        assert len(await skerry.games()) == 1


@pytest.mark.asyncio
async def test_connections_that_the_server_has_closed_are_not_kept() -> None:
    writers, gone = list[asyncio.StreamWriter](), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        is_first = len(writers) == 1
        await reader.read()
        if is_first:
            gone.set()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, asyncio.timeout(PATIENCE):
        connections = HttpConnections(address_of(server), None, None)
        first, second = await connections.take(), await connections.take()
        connections.release(first, reuse=True)
        connections.release(second, reuse=True)
        while len(writers) < 2:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.01)
        writers[0].write_eof()
        while first.is_usable:  # noqa: ASYNC110 - nor the connection
            await asyncio.sleep(0.01)
        assert await connections.take() is second
        await gone.wait()
        connections.close()
        for writer in writers:
            writer.close()
            await writer.wait_closed()


UNASKED = response("200 OK", api.ListGamesResponse().SerializeToString())
"""A response that differs from those that were asked for."""


@pytest.mark.asyncio
async def test_a_response_that_follows_another_unasked_answers_no_call() -> None:
    async with (
        scripted(OK + UNASKED, OK) as (address, requests),
        AsyncClient(address, transport="connect", retry_for=0) as skerry,
    ):
        assert [len(await skerry.games()) for _ in range(2)] == [1, 1]
        assert requests == [1, 2]


@pytest.mark.asyncio
async def test_a_connection_with_an_unasked_response_is_not_used_again() -> None:
    idle, ended = asyncio.Event(), asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await idle.wait()
        writer.write(UNASKED)
        with suppress(ConnectionError):
            await reader.read()
        writer.close()
        ended.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, asyncio.timeout(PATIENCE):
        connections = HttpConnections(address_of(server), None, None)
        connection = await connections.take()
        await connection.send(b"POST / HTTP/1.1\r\n\r\n")
        await connection.body(1_000)
        connections.release(connection, reuse=True)
        assert await connections.take() is connection
        connections.release(connection, reuse=True)
        idle.set()
        while connection.is_usable:  # noqa: ASYNC110 - the connection has no event for it
            await asyncio.sleep(0.01)
        connections.close()
        await ended.wait()


def test_a_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, http="127.0.0.1:0")
    server.start()
    try:
        with Client(server.http, transport="connect", retry_for=PATIENCE) as skerry:
            table = skerry.create("kreta", seats=2, bots=1)
            seat = table.join("Ada")
            for moves, turn in enumerate(seat.turns()):
                if moves == 3:
                    server.kill()
                    server.start()
                if moves == 6:
                    break
                seat.act(turn.legal_moves[0])
            entries = skerry.table(table.name).replay().entries
            own = [entry for entry in entries if entry.HasField("moved") and entry.HasField("seat") and entry.seat == 0]
            assert len(own) == 6
    finally:
        server.stop()
