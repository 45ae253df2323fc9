"""One request and its response on an HTTP/2 connection."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

from skerry_service.edge.http2.engine import Engine, ErrorCode, Headers
from skerry_service.edge.http2.flood_guard import FloodGuard
from skerry_service.edge.listening.connection_protocol import ConnectionFacts

HIGH_WATER = 16 * 1024
"""Bytes of a response that may wait for the client's windows before its producer waits too."""


class StreamClosed(Exception):
    """The client has reset the stream, or its connection is lost."""


class StreamHandler(Protocol):
    """Serves one stream."""

    def received(self, data: bytes, *, ended: bool) -> None:
        """Handle a part of the request's body. ``ended``: it is the last one.

        The client may send as many bytes again once the handler passes their number to ``Http2Stream.consume``.
        """

    def request_overdue(self, seconds: float) -> None:
        """Handle a request that is not complete after this time."""

    def closed(self) -> None:
        """Handle the end of the stream: the response is sent, the client has reset it, or the connection is lost."""


class StreamConnection(Protocol):
    """What a stream needs of its connection."""

    engine: Engine
    guard: FloodGuard
    facts: ConnectionFacts
    flushing: bool
    """Whether the output will be written in this turn of the event loop."""

    def flush_soon(self) -> None:
        """Write the output at the end of this turn of the event loop."""

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run the call of a stream in a task."""

    def consume(self, stream_id: int, count: int) -> None:
        """Let the client send as many bytes of a stream again."""

    def release(self, count: int) -> None:
        """Count as many bytes of requests as no longer in memory."""

    def wait_for_room(self, stream: Http2Stream) -> None:
        """Wake the producer of a stream when the client lets its data through."""

    def stop_request(self, stream: Http2Stream) -> None:
        """Let the client stop sending a request that is answered already, once it has the answer."""


class Http2Stream:
    """The server's side of one stream. Once it is closed, its methods do nothing, and ``drain`` raises."""

    __slots__ = (
        "_connection",
        "_drained",
        "_due",
        "_produced",
        "began",
        "closed",
        "handler",
        "held",
        "id",
        "request_ended",
        "response_begun",
        "response_ended",
    )  # fmt: skip

    def __init__(self, connection: StreamConnection, stream_id: int, began: float, *, request_ended: bool) -> None:
        self._connection = connection
        self.id = stream_id
        self.began = began
        """When the request's headers arrived, in seconds of the event loop."""
        self.handler: StreamHandler | None = None
        self.held = 0
        """Bytes of the request in memory."""
        self.request_ended = request_ended
        self.response_begun = False
        self.response_ended = False
        self.closed = False
        self._drained: asyncio.Future[None] | None = None
        self._produced = 0
        """Bytes of the response's body so far."""
        self._due: tuple[int, float] | None = None
        """How many bytes the client must have let through, and until when."""

    @property
    def facts(self) -> ConnectionFacts:
        """What is known about the connection."""
        return self._connection.facts

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run the call of the stream in a task."""
        return self._connection.run(work)

    # ------------------------------------------------------------ the request

    def consume(self, count: int) -> None:
        """Let the client send as many bytes again."""
        if count and not self.closed:
            self._connection.consume(self.id, count)

    def release(self, count: int) -> None:
        """Count as many bytes of the request as no longer in memory. The request has not ended."""
        if not self.closed:
            self.held -= count
            self._connection.release(count)

    def send_continue(self) -> None:
        """Let a client send its body that waits for permission."""
        if not self.closed and not self.response_ended:
            self._connection.engine.send_continue(self.id)
            self._connection.flush_soon()

    # ------------------------------------------------------------ the response

    def send_headers(self, headers: Headers, *, end: bool = False) -> None:
        """Begin the response. ``end``: it has no body and no trailers."""
        if self.closed:
            return
        self.response_begun = True
        self._connection.engine.send_headers(self.id, headers, end=end)
        self._connection.guard.useful += 1
        if end:
            self._end()
        self._connection.flush_soon()

    def send(self, data: bytes) -> None:
        """Send a part of the body. Call ``drain`` before a further part if the stream ``is_full``."""
        if self.closed:
            return
        self._produced += len(data)
        connection = self._connection
        connection.engine.send_data(self.id, data)
        connection.guard.useful += 1
        if not connection.flushing:
            connection.flush_soon()

    @property
    def is_full(self) -> bool:
        """Whether ``drain`` would wait, or the stream is closed."""
        return self.closed or self._connection.engine.queued(self.id) > HIGH_WATER

    async def drain(self) -> None:
        """Wait until the client has let through most of the body. Raises StreamClosed."""
        while not self.closed and self._connection.engine.queued(self.id) > HIGH_WATER:
            self._drained = asyncio.get_running_loop().create_future()
            self._connection.wait_for_room(self)
            await self._drained
        if self.closed:
            raise StreamClosed

    def end(self, trailers: Headers = ()) -> None:
        """End the response after its body."""
        if self.closed:
            return
        if trailers:
            self._connection.engine.send_trailers(self.id, trailers)
        else:
            self._connection.engine.end(self.id)
        self._end()
        self._connection.flush_soon()

    def respond(self, headers: Headers, body: bytes, trailers: Headers) -> None:
        """Send a whole response."""
        if self.closed:
            return
        self.response_begun = True
        self._produced = len(body)
        self._connection.engine.respond(self.id, headers, body, trailers)
        self._connection.guard.useful += 1
        self._end()
        self._connection.flush_soon()

    def _end(self) -> None:
        self.response_ended = True
        if not self.request_ended:
            self._connection.stop_request(self)

    def reset(self, code: ErrorCode = ErrorCode.CANCEL) -> None:
        """End the stream at once, in both directions."""
        if not self.closed:
            self._connection.engine.reset(self.id, code)
            self._connection.flush_soon()

    # ------------------------------------------------------------ for the connection

    def notice_room(self) -> bool:
        """Wake the producer if there is room; return whether it is awake."""
        drained = self._drained
        if drained is None or drained.done():
            return True
        if not self.closed and self._connection.engine.queued(self.id) > HIGH_WATER:
            return False
        drained.set_result(None)
        return True

    def is_stalled(self, now: float, seconds: float) -> bool:
        """Return whether the client has held back a byte of the response for this time. Call it regularly.

        A client cannot extend the time by small windows: each byte has this long from the call that finds it waiting.
        """
        queued = self._connection.engine.queued(self.id)
        if not queued:
            self._due = None
        elif self._due is None or self._produced - queued >= self._due[0]:
            self._due = (self._produced, now + seconds)
        return self._due is not None and now >= self._due[1]

    def notice_closed(self) -> None:
        """Tell the handler and the producer that the stream is closed."""
        self.closed = True
        self.notice_room()
        handler, self.handler = self.handler, None  # each refers to the other, so nothing would free them at once
        if handler is not None:
            handler.closed()
