"""HTTP/1.1 for one server: connections that carry one request at a time and are used again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from ssl import SSLContext

from skerry_client.transport.http_address import HttpAddress

_LONGEST_IDLE = 30.0
"""Seconds. Servers close connections that have been idle for longer, and proxies often do."""
_LARGEST_HEAD = 64 * 1024
_LARGEST_PART = 64 * 1024
_CUT_OFF = "it ended within a response"
HTTP1 = "http/1.1"
"""The protocol's name in ALPN."""
_HTTP2_SETTINGS = b"\x04"
"""The type of the frame that a server of HTTP/2 sends first. It follows the frame's length, three bytes."""


class BodyTooLarge(Exception):
    """The body of a response exceeds the limit."""


class OnlyHttp2(Exception):
    """The server speaks HTTP/2 alone at this address. It has not received the request."""


@dataclass
class ResponseHead:
    """The status and the headers of a response."""

    status: int
    headers: Mapping[str, str]
    """By name in lower case."""


class HttpConnection:
    """One connection. Its methods raise OSError, EOFError or ValueError if it breaks or the server breaks HTTP."""

    def __init__(self, arrivals: _Arrivals, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._arrivals = arrivals
        self._reader = reader
        self._writer = writer
        self._taken = 0
        """Bytes of all responses so far."""
        self._length: int | None = None
        """Bytes of the body; ``None`` if only its end shows its length."""
        self._chunked = False
        self._reusable = True
        self.idle_since = time.monotonic()

    async def send(self, request: bytes) -> ResponseHead:
        """Send a request and return the head of its response."""
        self._writer.write(request)
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as cut_off:
            if cut_off.partial[3:4] == _HTTP2_SETTINGS:
                raise OnlyHttp2 from None
            raise
        except asyncio.LimitOverrunError:
            raise ValueError("the head of the response is too long") from None
        self._taken += len(head)
        lines = head.decode("latin-1").split("\r\n")
        version, _, rest = lines[0].partition(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:-2])}
        self._chunked, length = "transfer-encoding" in headers, headers.get("content-length")
        self._length = int(length) if length is not None and not self._chunked else None
        ends = self._chunked or self._length is not None
        self._reusable = ends and version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
        return ResponseHead(int(rest[:3]), headers)

    async def body(self, limit: int) -> bytes:
        """Return the whole body. Raises BodyTooLarge."""
        if (self._length or 0) > limit:
            raise BodyTooLarge
        data = bytearray()
        async with aclosing(self.parts()) as parts:
            async for part in parts:
                data += part
                if len(data) > limit:
                    raise BodyTooLarge
        return bytes(data)

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the body in parts, as they arrive."""
        if self._length is None and not self._chunked:
            while part := await self._reader.read(_LARGEST_PART):
                yield part
            return
        left = int(await self._line(), 16) if self._chunked else self._length or 0
        while left > 0:
            part = await self._reader.read(min(left, _LARGEST_PART))
            if not part:
                raise EOFError(_CUT_OFF)
            left -= len(part)
            self._taken += len(part)
            yield part
            if self._chunked and not left:
                await self._line()
                left = int(await self._line(), 16)
        while self._chunked and await self._line():
            pass  # trailers

    async def _line(self) -> bytes:
        """Return the next line of the chunked form, without the extensions of a chunk."""
        line = await self._reader.readline()
        if not line.endswith(b"\n"):
            raise EOFError(_CUT_OFF)
        self._taken += len(line)
        return line.partition(b";")[0].strip()

    @property
    def is_usable(self) -> bool:
        """Whether another request can be sent. The body of the last response must have been read.

        Bytes that no request has asked for would be taken for the next response.
        """
        idle = time.monotonic() - self.idle_since
        is_open = not self._reader.at_eof() and not self._writer.is_closing()
        return self._reusable and idle < _LONGEST_IDLE and is_open and self._arrivals.count == self._taken

    def close(self) -> None:
        """Close the connection at once."""
        self._writer.transport.abort()


class _Arrivals(asyncio.StreamReaderProtocol):
    """Feeds a reader, and counts the bytes."""

    count = 0

    def data_received(self, data: bytes) -> None:
        self.count += len(data)
        super().data_received(data)


class HttpConnections:
    """The connections to one server, opened on demand."""

    def __init__(self, address: HttpAddress, context: SSLContext | None, http2_context: SSLContext | None) -> None:
        """The contexts offer their protocol by ALPN, if they are not one and the same. ``None``: without TLS."""
        self._address = address
        self._context = context
        self._http2_context = http2_context if http2_context is not context else None
        """Finds out whether a server that does not confirm HTTP/1.1 is one of HTTP/2 alone; ``None``: nothing to do."""
        self._idle: list[HttpConnection] = []
        self._used: set[HttpConnection] = set()
        self._closed = False

    async def take(self) -> HttpConnection:
        """Return a connection that nothing else uses until it is released. Raises OSError, OnlyHttp2."""
        self._close_stale()
        if self._idle:
            self._used.add(connection := self._idle.pop())
            return connection
        connection = await self._open()
        if self._closed:  # meanwhile
            connection.close()
            raise ConnectionError("closed")
        self._used.add(connection)
        return connection

    async def _open(self) -> HttpConnection:
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(_LARGEST_HEAD, loop)
        transport, arrivals = await self._address.connect(lambda: _Arrivals(reader, loop=loop), self._context)
        try:
            if self._http2_context is not None:
                await self._require_http1(transport, self._http2_context)
        except BaseException:
            transport.abort()
            raise
        return HttpConnection(arrivals, reader, asyncio.StreamWriter(transport, arrivals, reader, loop))

    async def _require_http1(self, transport: asyncio.Transport, http2_context: SSLContext) -> None:
        """Raise OnlyHttp2 if the server confirms HTTP/2 by ALPN, but not HTTP/1.1. Not all servers know ALPN."""
        if transport.get_extra_info("ssl_object").selected_alpn_protocol() is None:
            other, _ = await self._address.connect(asyncio.Protocol, http2_context)
            confirmed = other.get_extra_info("ssl_object").selected_alpn_protocol()
            other.abort()
            if confirmed is not None:
                raise OnlyHttp2
        self._http2_context = None

    def _close_stale(self) -> None:
        idle, self._idle = self._idle, []
        for connection in idle:
            if connection.is_usable:
                self._idle.append(connection)
            else:
                connection.close()

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
        self._closed = True
        for connection in (*self._idle, *self._used):
            connection.close()
        self._idle.clear()
