"""HTTP/1.1 for one server: connections that carry one request at a time and are used again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from ssl import SSLContext

_LONGEST_IDLE = 30.0
"""Seconds. Servers close connections that have been idle for longer, and proxies often do."""
_LARGEST_HEAD = 64 * 1024
_CONNECT_SECONDS = 5.0


class BodyTooLarge(Exception):
    """The body of a response exceeds the limit."""


@dataclass
class ResponseHead:
    """The status and the headers of a response."""

    status: int
    headers: Mapping[str, str]
    """By name in lower case."""


class HttpConnection:
    """One connection. Its methods raise OSError, EOFError or ValueError if it breaks or the server breaks HTTP."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._length: int | None = None
        self._reusable = True
        self.idle_since = time.monotonic()

    async def send(self, request: bytes) -> ResponseHead:
        """Send a request and return the head of its response."""
        self._writer.write(request)
        try:
            lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        except asyncio.LimitOverrunError:
            raise ValueError("the head of the response is too long") from None
        version, _, rest = lines[0].partition(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:-2])}
        self._length = None if "transfer-encoding" in headers else int(headers.get("content-length", 0))
        self._reusable = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
        return ResponseHead(int(rest[:3]), headers)

    async def body(self, limit: int) -> bytes:
        """Return the whole body. Raises BodyTooLarge."""
        if self._length is not None:
            if self._length > limit:
                raise BodyTooLarge
            return await self._reader.readexactly(self._length)
        data = bytearray()
        async for part in self.parts():
            data += part
            if len(data) > limit:
                raise BodyTooLarge
        return bytes(data)

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the body in parts, as they arrive."""
        if self._length is not None:
            yield await self._reader.readexactly(self._length)
            return
        while size := int((await self._reader.readline()).partition(b";")[0], 16):
            yield (await self._reader.readexactly(size + 2))[:-2]
        while await self._reader.readline() not in (b"\r\n", b""):
            pass  # trailers

    @property
    def is_usable(self) -> bool:
        """Whether another request can be sent. The body of the last response must have been read."""
        idle = time.monotonic() - self.idle_since
        return self._reusable and idle < _LONGEST_IDLE and not self._reader.at_eof() and not self._writer.is_closing()

    def close(self) -> None:
        """Close the connection at once."""
        self._writer.transport.abort()


class HttpConnections:
    """The connections to one server, opened on demand."""

    def __init__(self, host: str, port: int, context: SSLContext | None) -> None:
        self._host = host
        self._port = port
        self._context = context
        self._idle: list[HttpConnection] = []
        self._used: set[HttpConnection] = set()

    async def take(self) -> HttpConnection:
        """Return a connection that nothing else uses until it is released. Raises OSError."""
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable:
                self._used.add(connection)
                return connection
            connection.close()
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                opened = await asyncio.open_connection(
                    self._host, self._port, ssl=self._context, limit=_LARGEST_HEAD, server_hostname=self._server_name
                )
        except TimeoutError:
            raise ConnectionError(f"no connection within {_CONNECT_SECONDS:g} s") from None
        connection = HttpConnection(*opened)
        self._used.add(connection)
        return connection

    @property
    def _server_name(self) -> str | None:
        return self._host if self._context is not None else None

    def release(self, connection: HttpConnection, *, reuse: bool) -> None:
        """Give a connection back. ``reuse``: whether its last response was read to the end."""
        self._used.discard(connection)
        connection.idle_since = time.monotonic()
        if reuse and connection.is_usable:
            self._idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        """Close all connections."""
        for connection in (*self._idle, *self._used):
            connection.close()
        self._idle.clear()
