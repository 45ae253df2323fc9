"""A cheap reader of many gRPC streams, so that a benchmark measures the server and not itself.

It implements just enough of HTTP/2 (RFC 9113): one request on each of many streams of a connection, with responses read
as length-prefixed messages. A grpc client spends more on a message than the server.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import cast

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_WIDEST_WINDOW = (1 << 31) - 1
_FIRST_WINDOW = (1 << 16) - 1
_GRANT_AFTER = 1 << 24
_HEAD = 9
_INITIAL_WINDOW_SIZE = 4
_ACK = END_STREAM = 0x1
_END_HEADERS = 0x4
_PREFIX = struct.Struct(">BI")


class Frame(IntEnum):
    """Frame types."""

    DATA = 0
    HEADERS = 1
    RST_STREAM = 3
    SETTINGS = 4
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8


class StreamEnded(Exception):
    """The server ended a stream or the connection unexpectedly."""


class Reader(asyncio.Protocol):
    """One connection. Calls ``on_message`` for each message and ``on_end`` for each stream that ends normally."""

    def __init__(self, on_message: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_message = on_message
        self._on_end = on_end
        self._buffer = b""
        self._parts: dict[int, bytes] = {}
        self._taken = 0
        self._next_stream = 1
        self._transport: asyncio.Transport | None = None
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def open(self, authority: str, method: str, request: bytes) -> None:
        """Call a method with one message."""
        stream, self._next_stream = self._next_stream, self._next_stream + 2
        body = _PREFIX.pack(0, len(request)) + request
        self._write(
            _frame(Frame.HEADERS, _END_HEADERS, stream, _headers(authority, method))
            + _frame(Frame.DATA, END_STREAM, stream, body)
        )

    def close(self) -> None:
        """End the connection and every stream on it."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class does not derive from it
        settings = struct.pack(">HI", _INITIAL_WINDOW_SIZE, _WIDEST_WINDOW)
        self._write(_PREFACE + _frame(Frame.SETTINGS, 0, 0, settings) + _grant(_WIDEST_WINDOW - _FIRST_WINDOW))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.broken.done():
            self.broken.set_exception(exc or StreamEnded("the connection"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        for kind, flags, stream, payload in self._frames():
            if kind == Frame.DATA:
                self._take(stream, payload)
            elif kind == Frame.HEADERS and flags & END_STREAM:
                self._on_end()
            elif kind in (Frame.SETTINGS, Frame.PING) and not flags & _ACK:
                self._write(_frame(kind, _ACK, 0, payload if kind == Frame.PING else b""))
            elif kind in (Frame.RST_STREAM, Frame.GOAWAY) and not self.broken.done():
                self.broken.set_exception(StreamEnded(payload))

    def _frames(self) -> Iterator[tuple[int, int, int, bytes]]:
        """Yield (kind, flags, stream, payload) of each complete frame; keep the rest buffered."""
        buffer, at = self._buffer, 0
        while len(buffer) - at >= _HEAD:
            end = at + _HEAD + int.from_bytes(buffer[at : at + 3], "big")
            if end > len(buffer):
                break
            stream = int.from_bytes(buffer[at + 5 : at + _HEAD], "big")
            yield buffer[at + 3], buffer[at + 4], stream, buffer[at + _HEAD : end]
            at = end
        self._buffer = buffer[at:]

    def _take(self, stream: int, payload: bytes) -> None:
        self._taken += len(payload)
        if self._taken >= _GRANT_AFTER:
            self._write(_grant(self._taken))
            self._taken = 0
        payload = self._parts.pop(stream, b"") + payload
        while len(payload) >= _PREFIX.size:
            end = _PREFIX.size + _PREFIX.unpack_from(payload)[1]
            if end > len(payload):
                break
            self._on_message(payload[_PREFIX.size : end])
            payload = payload[end:]
        if payload:
            self._parts[stream] = payload

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _grant(size: int) -> bytes:
    """Return a frame that lets the server send ``size`` more bytes on the connection."""
    return _frame(Frame.WINDOW_UPDATE, 0, 0, size.to_bytes(4, "big"))


def _headers(authority: str, method: str) -> bytes:
    """Return the request's headers without indexing: POST over http, then names and values (RFC 7541, 6.2.2)."""
    named = {":path": method, ":authority": authority, "content-type": "application/grpc", "te": "trailers"}
    return b"\x83\x86" + b"".join(b"\x00" + _text(name) + _text(value) for name, value in named.items())


def _text(text: str) -> bytes:
    """Encode a string of less than 127 characters, without Huffman coding."""
    return bytes((len(text),)) + text.encode("ascii")
