"""What an application sends is written as HTTP/1.1, and one that fails cannot send a wrong response."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

import pytest

from skerry_service.edge.http import request_limits
from skerry_service.edge.http.asgi import Asgi, HeaderList
from skerry_service.edge.listening import connection_end
from tests.listening.serving import hello, serving

GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
DATE = re.compile(rb"date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n")


def responding(headers: HeaderList, *bodies: bytes, status: int = 200) -> Asgi:
    """Return an application whose responses have these headers and parts."""

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for number, body in enumerate(bodies, 1):
            await send({"type": "http.response.body", "body": body, "more_body": number < len(bodies)})

    return app


async def answered(app: Asgi, request: bytes) -> bytes:
    """Return all bytes until the server closes the connection, without the date."""
    async with asyncio.timeout(30), serving(app) as served, served.connection() as (reader, writer):
        writer.write(request)
        found = await reader.read()
    return DATE.sub(b"", found)


async def test_a_response_is_written_as_the_application_sends_it() -> None:
    found = await answered(responding([(b"X-Kind", b"plain"), (b"content-length", b"5")], b"hello"), GET + LAST)
    head = b"HTTP/1.1 200 OK\r\nx-kind: plain\r\ncontent-length: 5\r\n"
    assert found == head + b"\r\nhello" + head + b"connection: close\r\n\r\nhello"


async def test_a_response_has_the_time() -> None:
    async with serving() as served, served.connection() as (reader, writer):
        writer.write(GET)
        assert DATE.search(await reader.readuntil(b"hello"))


async def test_a_response_to_head_has_the_headers_and_no_body() -> None:
    found = await answered(responding([(b"content-length", b"5")], b"hello"), LAST.replace(b"GET", b"HEAD"))
    assert found == b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\n"


@pytest.mark.parametrize("status", [204, 304])
async def test_a_response_without_a_body_has_no_length(status: int) -> None:
    found = await answered(responding([], b"", status=status), LAST)
    assert found.endswith(b"\r\nconnection: close\r\n\r\n")
    assert b"transfer-encoding" not in found


async def test_an_application_that_closes_says_so_once() -> None:
    closing = responding([(b"connection", b"close"), (b"content-length", b"0")], b"")
    for request in (GET, LAST):
        assert (await answered(closing, request)).count(b"connection: close\r\n") == 1


async def test_a_last_response_is_not_lost_while_the_request_still_arrives() -> None:
    closing = responding([(b"connection", b"close"), (b"content-length", b"5")], b"hello")
    request = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 900000\r\n\r\n" + b"x" * 900_000
    for _ in range(5):
        assert (await answered(closing, request + GET)).count(b"hello") == 1


async def test_a_client_that_sends_on_after_the_last_response_can_read_it() -> None:
    closing = responding([(b"connection", b"close"), (b"content-length", b"5")], b"hello")
    async with asyncio.timeout(30), serving(closing) as served, served.connection() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % connection_end.MAX_DISCARDED)
        assert DATE.search(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"x" * connection_end.MAX_DISCARDED)
        await writer.drain()
        assert await reader.read() == b"hello"


async def test_a_connection_outlasts_the_last_response_a_little_while_its_client_sends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_end, "SILENT_SECONDS", 0.05)
    monkeypatch.setattr(connection_end, "MAX_SILENCES", 3)
    loop, closing = asyncio.get_running_loop(), responding([(b"connection", b"close")], b"hello")
    async with asyncio.timeout(30), serving(closing) as served, served.connection() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n")
        await reader.read()
        ended = loop.time()
        while len(served.table):
            writer.write(b"x")
            await asyncio.sleep(0.001)
        assert loop.time() - ended > 2 * 0.05


async def test_a_stream_is_written_in_chunks() -> None:
    found = await answered(responding([], b"one", b"two", b""), GET + LAST)
    parts = b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
    assert found.count(b"transfer-encoding: chunked\r\n") == 2
    assert found.count(parts) == 2
    assert found.endswith(b"\r\n\r\n" + parts)


async def test_a_stream_for_http_1_0_ends_with_the_connection() -> None:
    found = await answered(responding([], b"one", b"two", b""), GET.replace(b"1.1", b"1.0"))
    assert found == b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nonetwo"


@pytest.mark.parametrize("bodies", [[b"hello"], [b"he", b"llo"]])
async def test_a_body_longer_than_announced_is_not_sent(bodies: list[bytes]) -> None:
    found = await answered(responding([(b"content-length", b"4")], *bodies), GET + GET)
    assert b"llo" not in found
    assert found.count(b"HTTP/1.1 ") == 1


async def test_a_body_shorter_than_announced_ends_the_connection() -> None:
    found = await answered(responding([(b"content-length", b"6")], b"he", b"llo"), GET + GET)
    assert found.endswith(b"\r\n\r\nhe")


@pytest.mark.parametrize("header", [(b"x-kind", b"a\r\nx-other: b"), (b"x kind", b"a"), (b"x:kind", b"a")])
async def test_an_invalid_header_becomes_an_internal_error(
    header: tuple[bytes, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    app = responding([header, (b"content-length", b"5")], b"hello")
    async with serving(app) as served, served.connection() as (reader, writer):
        writer.write(GET + GET)
        found = await reader.read()
    assert found.startswith(b"HTTP/1.1 500 ")
    assert found.count(b"HTTP/1.1") == 1
    assert b"x-other" not in found
    assert "is not a header" in caplog.text


async def test_an_application_that_does_not_answer_is_an_internal_error(caplog: pytest.LogCaptureFixture) -> None:
    async def silent(*_: Any) -> None:
        pass

    with caplog.at_level(logging.ERROR):
        async with serving(silent) as served, served.connection() as (reader, writer):
            writer.write(GET)
            assert (await reader.read()).startswith(b"HTTP/1.1 500 ")


async def test_a_client_that_waits_for_permission_gets_it_when_the_body_is_read() -> None:
    async def echo(_: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": body})

    async with serving(echo) as served, served.connection() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"hi")
        assert (await reader.readuntil(b"\r\n\r\nhi")).startswith(b"HTTP/1.1 200 OK\r\n")


async def test_an_application_that_reads_slowly_holds_up_its_client() -> None:
    received, go_on = 0, asyncio.Event()

    async def slow(_: Any, receive: Any, send: Any) -> None:
        nonlocal received
        await go_on.wait()
        more = True
        while more:
            event = await receive()
            received, more = received + len(event["body"]), event["more_body"]
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    size = 32 * 1024 * 1024
    async with serving(slow) as served, served.connection() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % size)
        writer.write(b"x" * size)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await writer.drain()
        go_on.set()
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 204 ")
        assert received == size


async def test_a_request_is_not_too_slow_while_the_server_does_not_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "REQUEST_SECONDS", 0.5)
    go_on = asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "GET":
            await go_on.wait()
        while (await receive())["more_body"]:
            pass
        await hello(scope, receive, send)

    async with asyncio.timeout(30), serving(slow) as served, served.connection() as (reader, writer):
        writer.write(GET + b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\na")
        await asyncio.sleep(0.8)
        writer.write(b"b")
        go_on.set()
        for _ in range(2):
            assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200 ")


async def test_a_client_that_reads_slowly_holds_up_its_application() -> None:
    sent = 0

    async def endless(_: Any, __: Any, send: Any) -> None:
        nonlocal sent
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(2000):
            await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
            sent += 65536

    async with serving(endless) as served, served.connection() as (reader, writer):
        writer.write(GET)
        before = -1
        while sent != before:
            before = sent
            await asyncio.sleep(0.2)
        assert sent < 64 * 1024 * 1024
        await reader.readuntil(b"x")
