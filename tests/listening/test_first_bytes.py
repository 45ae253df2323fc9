"""The first bytes of a connection, or ALPN under TLS, choose its protocol."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from pathlib import Path
from typing import Any, cast

import pytest
import uvloop

from skerry_service.edge.http import request_limits
from skerry_service.edge.http.http_refusals import SlowRequest
from skerry_service.edge.listening.connection_protocol import ConnectionFacts, ConnectionProtocol
from skerry_service.edge.listening.first_bytes import HTTP2_PREFACE
from tests.listening.serving import hello, serving
from tests.tls.authority import HOST, Authority

GET = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"


class Echo(ConnectionProtocol):
    """Stands in for HTTP/2: sends back all bytes in upper case, with the facts of its connection."""

    def __init__(self, facts: ConnectionFacts) -> None:
        self.facts = facts
        self.idle_at = asyncio.get_running_loop().time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.transport.write(data.upper() + repr((self.facts.is_tls, self.facts.alpn)).encode())
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.facts.release()

    @property
    def is_idle(self) -> bool:
        return True

    @property
    def idle_since(self) -> float:
        return self.idle_at

    def close_idle(self) -> None:
        self.transport.abort()

    def drain(self) -> None:
        self.transport.close()


@pytest.mark.parametrize("cuts", [[24], [1, 24], [3, 10, 24], [14, 24], [*range(1, 25)]], ids=str)
async def test_the_preface_of_http2_chooses_http2_in_however_many_parts(cuts: list[int]) -> None:
    async with serving(http2=Echo) as served, served.connection() as (reader, writer):
        begin = 0
        for end in cuts:
            writer.write(HTTP2_PREFACE[begin:end])
            await writer.drain()
            await asyncio.sleep(0)
            begin = end
        assert await reader.read() == HTTP2_PREFACE + b"(False, None)"


@pytest.mark.parametrize("request_", [GET, GET.replace(b"GET", b"PUT"), GET.replace(b"GET", b"PROPFIND")])
async def test_any_other_bytes_choose_http1(request_: bytes) -> None:
    async with serving(http2=Echo) as served, served.connection() as (reader, writer):
        writer.write(request_[:1])
        await writer.drain()
        writer.write(request_[1:])
        assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")


async def test_without_http2_its_preface_is_a_malformed_request() -> None:
    async with serving() as served, served.connection() as (reader, writer):
        writer.write(HTTP2_PREFACE)
        assert (await reader.read()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("sent", [b"", b"P", HTTP2_PREFACE[:-1]])
async def test_a_connection_without_a_choice_is_rejected_after_a_while(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(request_limits, "REQUEST_SECONDS", 0.1)
    async with serving(http2=Echo) as served, served.connection() as (reader, writer):
        writer.write(sent)
        assert (await reader.read()).startswith(b"HTTP/1.1 408 ")
        assert [type(error) for error in served.refused] == [SlowRequest]


@pytest.mark.parametrize(("offered", "chosen"), [(["h2", "http/1.1"], "h2"), (["http/1.1"], "http/1.1"), ([], None)])
async def test_alpn_chooses_before_the_first_bytes(tmp_path: Path, offered: list[str], chosen: str | None) -> None:
    authority = Authority(tmp_path)
    pem = authority.issue("server")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem.certificate, pem.key)
    context.set_alpn_protocols(["h2", "http/1.1"])
    trusting = ssl.create_default_context(cafile=authority.file)
    if offered:
        trusting.set_alpn_protocols(offered)
    async with serving(http2=Echo, tls=lambda: context) as served:
        reader, writer = await asyncio.open_connection(HOST, served.port, ssl=trusting)
        writer.write(b"any" if chosen == "h2" else GET)
        answer = await reader.read()
        writer.close()
    assert answer == b"ANY(True, 'h2')" if chosen == "h2" else answer.startswith(b"HTTP/1.1 200 OK")


def test_a_client_that_resets_its_connection_is_not_taken_for_one_at_a_unix_socket() -> None:
    """The server's event loop asks the kernel for the address, which forgets it at the reset."""
    clients: list[Any] = []

    async def note(scope: Any, receive: Any, send: Any) -> None:
        clients.append(scope["client"])
        await hello(scope, receive, send)

    async def reset() -> None:
        async with serving(note) as served:
            with socket.create_connection(("127.0.0.1", served.port)) as client:
                client.sendall(GET)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            async with served.connection() as (reader, writer):
                writer.write(GET)
                await reader.read()

    uvloop.run(reset())
    assert clients
    assert None not in clients
