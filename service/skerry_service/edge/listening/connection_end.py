"""The end of a connection that the server rejects: the error is sent last, and is not overtaken by a reset."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from skerry_service.access.client_addresses import Peer
from skerry_service.edge.http.http_refusals import SlowRequest

Refused = Callable[[Peer, Exception], None]
"""Called with each error that ends a connection."""
SILENT_SECONDS = 1.0
"""How long a client may be silent after the last response before its connection is closed."""
MAX_SILENCES = 10
"""How often this time may pass, as long as the client goes on sending. A slow client would not see the response after a
reset, and many clients read it only when they have sent their request."""
MAX_DISCARDED = 1024 * 1024
"""Bytes that the client may send meanwhile. The server reads no more of them, but leaves the client time to read."""


class ConnectionEnd:
    """Discards what a client sends after the last response, then closes the connection."""

    def __init__(self, transport: asyncio.Transport, error: Exception | None = None) -> None:
        """``transport``: to which the last response was written. ``error``: why the connection ends, if for one.

        A client that sent its request too slowly gets no more time for it.
        """
        self._transport = transport
        self._discarded = self._discarded_before = 0
        self._checks_left = 1 if isinstance(error, SlowRequest) else MAX_SILENCES
        if transport.can_write_eof():  # TLS cannot half-close
            transport.write_eof()
        self._timer = asyncio.get_running_loop().call_later(SILENT_SECONDS, self._check)

    def discard(self, count: int) -> None:
        """Ignore as many bytes of the client."""
        self._discarded += count
        if self._discarded > MAX_DISCARDED:
            self._transport.pause_reading()

    def cancel(self) -> None:
        """Do nothing any more, since the connection is lost."""
        self._timer.cancel()

    def _check(self) -> None:
        self._checks_left -= 1
        if self._discarded == self._discarded_before or not self._checks_left:
            self._transport.close()
            return
        self._discarded_before = self._discarded
        self._timer = asyncio.get_running_loop().call_later(SILENT_SECONDS, self._check)
