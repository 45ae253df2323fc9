"""TLS for HTTP, with limits on the number and duration of handshakes."""

from __future__ import annotations

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from typing import cast

from skerry_service.edge.http.http_protocol import HttpProtocol

Context = Callable[[], ssl.SSLContext]
"""Returns the TLS context for a new connection."""
HANDSHAKE_SECONDS = 10
"""How long a handshake may take, as over gRPC."""
_CLOSE_SECONDS = 2
"""How long a closed connection waits for the client's close message."""
_BUFFER = 16 * 1024


class TlsHandshakes:
    """The connections of one port. asyncio would not count pending handshakes, and give each a minute."""

    def __init__(self, context: Context, maximum: int) -> None:
        """``maximum``: connections at once. Further ones are closed immediately."""
        self._context = context
        self._maximum = maximum
        self._open: dict[_Connection, asyncio.Transport] = {}

    def begin(self, protocol: HttpProtocol) -> asyncio.BaseProtocol:
        """Return a protocol that makes the handshake, and passes the decrypted data to ``protocol``."""
        return _Connection(protocol, self._context(), self)

    def opened(self, connection: _Connection, transport: asyncio.Transport) -> None:
        """Count a connection."""
        self._open[connection] = transport
        if len(self._open) > self._maximum:
            transport.abort()

    def closed(self, connection: _Connection) -> None:
        """Stop counting a connection."""
        self._open.pop(connection, None)

    def abort_pending(self) -> None:
        """Abort the connections whose handshake is not complete."""
        for connection, transport in list(self._open.items()):
            if not connection.is_complete:
                transport.abort()


class _Connection(SSLProtocol):
    """asyncio's TLS protocol, with a smaller buffer and shorter timeouts."""

    max_size = _BUFFER
    """asyncio's default is sixteen times as large, for each connection."""

    def __init__(self, protocol: HttpProtocol, context: ssl.SSLContext, handshakes: TlsHandshakes) -> None:
        super().__init__(
            asyncio.get_running_loop(),
            protocol,
            context,
            None,  # type: ignore[arg-type]  # no future awaits the handshake
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=_CLOSE_SECONDS,
        )
        self.protocol = protocol
        self._handshakes = handshakes

    @property
    def is_complete(self) -> bool:
        """Whether the handshake is complete."""
        transport: asyncio.Transport | None = self.protocol.transport
        return transport is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the handshake."""
        super().connection_made(transport)
        self._handshakes.opened(self, cast("asyncio.Transport", transport))

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop counting the connection."""
        self._handshakes.closed(self)
        super().connection_lost(exc)
