"""TLS, with limits on the number, the duration and the memory of handshakes."""

from __future__ import annotations

import asyncio
import ssl
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from typing import cast

from skerry_service.edge.listening.first_bytes import FirstBytes

TlsContext = Callable[[], ssl.SSLContext]
"""Returns the TLS context for a new connection."""
HANDSHAKE_SECONDS = 10
"""How long a handshake may take, as over gRPC."""
_CLOSE_SECONDS = 2
"""How long a closed connection waits for the client's close message."""
_BUFFER = 16 * 1024


class TlsConnection(SSLProtocol):
    """asyncio's TLS protocol, with a smaller buffer and shorter timeouts, whose pending handshakes are counted."""

    max_size = _BUFFER
    """asyncio's default is sixteen times as large, for each connection."""

    def __init__(self, first_bytes: FirstBytes, context: ssl.SSLContext) -> None:
        """``first_bytes``: gets the decrypted data after the handshake."""
        super().__init__(
            asyncio.get_running_loop(),
            first_bytes,
            context,
            None,  # type: ignore[arg-type]  # no future awaits the handshake
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=_CLOSE_SECONDS,
        )
        self._first_bytes = first_bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the handshake, unless there are too many connections. No error can be sent before it."""
        super().connection_made(transport)
        raw = cast("asyncio.Transport", transport)
        if self._first_bytes.open(raw) is not None:
            raw.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop counting the connection."""
        super().connection_lost(exc)
        self._first_bytes.release()
