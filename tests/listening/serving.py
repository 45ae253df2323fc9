"""A listener with an application of the test, on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from skerry_service.access.client_addresses import Peer
from skerry_service.edge.http.asgi import Asgi
from skerry_service.edge.http1.http1_protocol import Http1Protocol
from skerry_service.edge.listening.connection_protocol import ProtocolFactory
from skerry_service.edge.listening.connection_table import Admit, ConnectionTable
from skerry_service.edge.listening.first_bytes import Protocols
from skerry_service.edge.listening.listener import Listener
from skerry_service.edge.listening.listening_sockets import open_listener
from skerry_service.edge.listening.tls_connection import TlsContext

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def hello(scope: Any, receive: Any, send: Any) -> None:
    """Answer every request with ``hello``."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


@dataclass
class Served:
    """A listener that answers, and what it reported."""

    listener: Listener
    table: ConnectionTable
    port: int
    refused: list[Exception] = field(default_factory=list)

    @asynccontextmanager
    async def connection(self, host: str = "127.0.0.1") -> AsyncIterator[Streams]:
        """Connect from an address of this machine."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(host, 0))
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


def unlimited(_: Peer) -> nullcontext[None]:
    """Admit every connection."""
    return nullcontext()


@asynccontextmanager
async def serving(
    app: Asgi = hello,
    *,
    maximum: int = 100,
    admit: Admit = unlimited,
    http2: ProtocolFactory | None = None,
    tls: TlsContext | None = None,
    grace: float = 0,
) -> AsyncIterator[Served]:
    """Serve an application. ``grace``: seconds that calls may take after the block is left."""
    refused: list[Exception] = []

    def report(_: Peer, error: Exception) -> None:
        refused.append(error)

    listening = open_listener("127.0.0.1", 0)
    table = ConnectionTable(maximum, admit, lambda peer: str(peer.host))
    listener = Listener([listening], Protocols(partial(Http1Protocol, app, report), http2, report), table, tls)
    await listener.start()
    try:
        yield Served(listener, table, listening.getsockname()[1], refused)
    finally:
        await listener.stop(grace)
