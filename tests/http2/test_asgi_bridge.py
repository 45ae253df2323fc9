"""Applications on HTTP/2: requests that arrive while they are answered, and clients that go away."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from pyqwest import Client, HTTPTransport, HTTPVersion

from skerry_service.edge.http.asgi import Asgi
from skerry_service.edge.http2 import http2_connection
from skerry_service.edge.http2.asgi_bridge import AsgiBridge
from skerry_service.edge.http2.http2_connection import Http2Connection
from tests.connect.asgi_client import Script, app_of
from tests.http2.raw_client import DATA, END_HEADERS, GOAWAY, HEADERS, RST_STREAM, RawClient, frame, raw_client, request
from tests.listening.serving import serving

DIGITS = re.compile("[0-9]+")
START = {"type": "http.response.start", "status": 200, "headers": []}


@asynccontextmanager
async def client_of(app: Asgi, window: int | None = None) -> AsyncIterator[RawClient]:
    """Serve an application on HTTP/2, and begin a request to it."""
    bridge = AsgiBridge(app, lambda peer, error: None)
    async with (
        serving(http2=partial(Http2Connection, bridge.serve)) as served,
        raw_client(f"127.0.0.1:{served.port}", window) as client,
    ):
        client.send(frame(HEADERS, END_HEADERS, 1, request(b"/", media=b"text/plain")))
        yield client


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer each part of a request as it arrives."""
    await send(START)
    more = True
    while more:
        event = await receive()
        if event["type"] == "http.disconnect":
            return
        more = event["more_body"]
        await send({"type": "http.response.body", "body": event["body"], "more_body": more})


async def exchanged(client: RawClient, size: int) -> bool:
    """Send a part of the request; return whether it comes back."""
    client.send(frame(DATA, 0, 1, b"x" * size))
    while size > 0:
        answer = await client.until(DATA, RST_STREAM, GOAWAY)
        if answer.kind != DATA:
            return False
        size -= len(answer.payload)
    return True


async def test_a_request_that_is_answered_while_it_arrives_has_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "TICK_SECONDS", 0.02)
    monkeypatch.setattr(http2_connection, "REQUEST_SECONDS", 0.1)
    async with client_of(echo) as client:
        for _ in range(4):
            assert await exchanged(client, 100)
            await asyncio.sleep(0.1)


async def test_a_request_that_is_answered_while_it_arrives_may_be_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http2_connection, "MAX_HELD", 20_000)
    async with client_of(echo) as client:
        for _ in range(40):
            assert await exchanged(client, 1_000)


async def test_an_application_that_sends_to_a_client_that_is_gone_gets_no_error() -> None:
    ends: asyncio.Queue[str] = asyncio.Queue()

    async def large(scope: Any, receive: Any, send: Any) -> None:
        try:
            await send(START)
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
            await send({"type": "http.response.body", "body": b"x", "more_body": True})
        except Exception as error:
            ends.put_nowait(repr(error))
            raise
        while (await receive())["type"] != "http.disconnect":
            pass
        ends.put_nowait("disconnected")

    async with client_of(large, window=100) as client:
        await client.until(DATA)
        client.send(frame(RST_STREAM, 0, 1, bytes(4)))
        assert await asyncio.wait_for(ends.get(), 30) == "disconnected"


async def test_a_response_has_the_headers_that_it_has_over_http_1() -> None:
    async def headers(version: HTTPVersion, path: str) -> dict[str, str]:
        async with HTTPTransport(http_version=version) as transport:
            response = await Client(transport).get(f"http://127.0.0.1:{served.port}{path}")
        return {name: DIGITS.sub("0", value) for name, value in response.headers.items() if name != "connection"}

    app = app_of(Script())
    async with serving(app, http2=partial(Http2Connection, AsgiBridge(app, app.refused).serve)) as served:
        for path in ("/v1/games/kreta", "/v1/nothing", f"/{'x' * 9_000}"):
            over_http_2 = await headers(HTTPVersion.HTTP2, path)
            assert over_http_2 == await headers(HTTPVersion.HTTP1, path)
            assert "date" in over_http_2
