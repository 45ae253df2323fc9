"""A cheap HTTP/1.1 client, so that a benchmark measures the server and not itself.

It reads responses with a content-length, one after the other, and counts the events of event streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

_LENGTH = b"content-length: "
_END = b"\r\n\r\n"
_OK = b"HTTP/1.1 200 "
_EVENT = b"\ndata: "


class Connection(asyncio.Protocol):
    """One connection that sends its next request after each response."""

    def __init__(self) -> None:
        self._buffer = b""
        self._answered: asyncio.Future[bytes] | None = None
        self._transport: asyncio.Transport | None = None

    async def ask(self, request: bytes) -> bytes:
        """Send a request; return the body of the response. Raises ConnectionError unless its status is 200."""
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answered

    def close(self) -> None:
        """Close it."""
        assert self._transport is not None
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class does not derive from it

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head = self._buffer.find(_END)
        if head < 0 or self._answered is None:
            return
        at = self._buffer.find(_LENGTH, 0, head) + len(_LENGTH)
        end = head + len(_END) + int(self._buffer[at : self._buffer.find(b"\r", at)])
        if len(self._buffer) < end:
            return
        done = self._buffer.startswith(_OK)
        body, self._buffer = self._buffer[head + len(_END) : end], self._buffer[end:]
        if done:
            self._answered.set_result(body)
        else:
            self._answered.set_exception(ConnectionError(body))


class Stream(asyncio.Protocol):
    """One event stream. Calls ``on_events`` with the number of events received."""

    def __init__(self, request: bytes, on_events: Callable[[int], None]) -> None:
        self._request = request
        self._on_events = on_events
        self._transport: asyncio.Transport | None = None
        self.bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        if events := data.count(_EVENT):
            self._on_events(events)

    def close(self) -> None:
        """Close it."""
        assert self._transport is not None
        self._transport.abort()
