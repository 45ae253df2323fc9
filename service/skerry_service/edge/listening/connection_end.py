"""The end of a connection that the server rejects: the error is sent last, and is not overtaken by a reset."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from skerry_service.access.client_addresses import Peer

Refused = Callable[[Peer, Exception], None]
"""Called with each error that ends a connection."""
LINGER_SECONDS = 1.0
"""How long a client may go on sending after the last response."""
MAX_DISCARDED = 1024 * 1024
"""Bytes that it may send meanwhile. A client that is still sending would not see the response after a reset."""


def close_with_delay(transport: asyncio.Transport) -> asyncio.TimerHandle:
    """Close a connection to which the last response was written, as soon as the client could read it."""
    if transport.can_write_eof():  # TLS cannot half-close
        transport.write_eof()
    return asyncio.get_running_loop().call_later(LINGER_SECONDS, transport.close)
