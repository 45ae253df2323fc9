"""A client of HTTP/2 that sends any frames, also those that no library would send."""

from __future__ import annotations

import asyncio
import ssl
import struct
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import NamedTuple

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 7, 8, 11
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTING_WINDOW = 4


class Frame(NamedTuple):
    """A received frame."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self) -> int:
        """The error code of RST_STREAM or GOAWAY."""
        return int.from_bytes(self.payload[:4] if self.kind == RST_STREAM else self.payload[4:8], "big")


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return a frame."""
    return struct.pack(">BHBBI", len(payload) >> 16, len(payload) & 0xFFFF, kind, flags, stream) + payload


def _length(size: int) -> bytes:
    """Return a length as HPACK writes it, with a prefix of seven bits."""
    if size < 127:
        return bytes((size,))
    rest, data = size - 127, bytearray((127,))
    while rest >= 128:
        data.append(rest & 127 | 128)
        rest >>= 7
    data.append(rest)
    return bytes(data)


def field(name: bytes, value: bytes, *, indexed: bool = False) -> bytes:
    """Return a header field for HPACK. ``indexed``: the server keeps it in its table, at index 62 while it is new."""
    return (b"\x40" if indexed else b"\x00") + _length(len(name)) + name + _length(len(value)) + value


def request(path: bytes, *more: bytes, media: bytes = b"application/grpc") -> bytes:
    """Return the header block of a call. ``more``: further encoded fields."""
    fields = ((b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"x"))
    headers = (*fields, (b"content-type", media), (b"te", b"trailers"))
    return b"".join((*(field(name, value) for name, value in headers), *more))


def message(data: bytes) -> bytes:
    """Return a message as gRPC sends it."""
    return struct.pack(">BI", 0, len(data)) + data


class RawClient:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def begin(self, window: int | None = None) -> None:
        """Send the preface. ``window``: of each stream, in bytes."""
        payload = b"" if window is None else struct.pack(">HI", _SETTING_WINDOW, window)
        self.writer.write(PREFACE + frame(SETTINGS, 0, 0, payload))

    def send(self, *frames: bytes) -> None:
        """Send frames."""
        if not self.writer.is_closing():
            self.writer.write(b"".join(frames))

    def call(self, stream: int, path: bytes, body: bytes, *more: bytes, ended: bool = True) -> None:
        """Send a call."""
        flags = END_STREAM if ended else 0
        self.send(frame(HEADERS, END_HEADERS, stream, request(path, *more)), frame(DATA, flags, stream, message(body)))

    async def next(self) -> Frame:
        """Return the next frame; acknowledge settings. Raises IncompleteReadError at the end of the connection."""
        head = await self._reader.readexactly(9)
        high, low, kind, flags, stream = struct.unpack(">BHBBI", head)
        received = Frame(kind, flags, stream, await self._reader.readexactly(high << 16 | low))
        if kind == SETTINGS and not flags & ACK:
            self.send(frame(SETTINGS, ACK, 0))
        return received

    async def until(self, *kinds: int) -> Frame:
        """Return the next frame of one of these kinds."""
        while (received := await self.next()).kind not in kinds:
            pass
        return received

    async def rest(self) -> list[Frame]:
        """Return all frames until the server closes the connection."""
        found = []
        try:
            while True:
                found.append(await self.next())
        except (asyncio.IncompleteReadError, ConnectionError):
            return found

    async def ends_with(self) -> int | None:
        """Return the error code of the last GOAWAY once the server has closed the connection; ``None`` without one."""
        codes = [received.code for received in await self.rest() if received.kind == GOAWAY]
        return codes[-1] if codes else None


@asynccontextmanager
async def raw_client(
    address: str, window: int | None = None, tls: ssl.SSLContext | None = None
) -> AsyncIterator[RawClient]:
    """Connect to ``HOST:PORT`` and begin a connection of HTTP/2."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=tls)
    client = RawClient(reader, writer)
    client.begin(window)
    try:
        yield client
    finally:
        writer.transport.abort()


def odd(count: int) -> Iterable[int]:
    """Return the ids of as many streams."""
    return range(1, 2 * count, 2)
