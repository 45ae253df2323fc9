"""TLS for HTTP: handshakes are counted and timed as connections are, before there is one."""

from __future__ import annotations

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from typing import cast

from skerry_service.edge.http.http_protocol import HttpProtocol

Context = Callable[[], ssl.SSLContext]
"""Returns what a connection is begun with now."""
HANDSHAKE_SECONDS = 10
"""How long a client may take to begin, as over gRPC."""
_GOODBYE_SECONDS = 2
"""How long a connection is held that was closed here, for the client's own word."""
_BUFFER = 16 * 1024


class TlsHandshakes:
    """The connections of one port. asyncio would count none of them before its handshake, and give each a minute."""

    def __init__(self, context: Context, most: int) -> None:
        """``most``: connections at a time; further ones are closed at once."""
        self._context = context
        self._most = most
        self._open: dict[_Connection, asyncio.Transport] = {}

    def begin(self, protocol: HttpProtocol) -> asyncio.BaseProtocol:
        """Return what makes a handshake on a connection, and hands it on to ``protocol`` after that."""
        return _Connection(protocol, self._context(), self)

    def opened(self, connection: _Connection, transport: asyncio.Transport) -> None:
        """Count a connection."""
        self._open[connection] = transport
        if len(self._open) > self._most:
            transport.abort()

    def closed(self, connection: _Connection) -> None:
        """Count it no more."""
        self._open.pop(connection, None)

    def cut_off(self) -> None:
        """End what has not come as far as to be a connection."""
        for connection, transport in list(self._open.items()):
            if not connection.is_through:
                transport.abort()


class _Connection(SSLProtocol):
    """asyncio's own, which its servers make of each connection that they accept."""

    max_size = _BUFFER
    """asyncio's is sixteen times as large, for each connection."""

    def __init__(self, protocol: HttpProtocol, context: ssl.SSLContext, all_of_them: TlsHandshakes) -> None:
        super().__init__(
            asyncio.get_running_loop(),
            protocol,
            context,
            None,  # type: ignore[arg-type]  # nobody waits for the handshake
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=_GOODBYE_SECONDS,
        )
        self.protocol = protocol
        self._all = all_of_them

    @property
    def is_through(self) -> bool:
        """Whether its handshake is made."""
        transport: asyncio.Transport | None = self.protocol.transport
        return transport is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake."""
        super().connection_made(transport)
        self._all.opened(self, cast("asyncio.Transport", transport))

    def connection_lost(self, exc: BaseException | None) -> None:
        """End."""
        self._all.closed(self)
        super().connection_lost(exc)
