"""An HTTP/2 connection: passes bytes between its transport and the engine, and enforces the limits of the client.

All output of one turn of the event loop is written at once. While the transport does not accept output, the connection
neither produces more nor reads.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any, cast

from skerry_service.edge.http.request_limits import REQUEST_SECONDS
from skerry_service.edge.http2.engine import Engine, EngineError, ErrorCode, Headers
from skerry_service.edge.http2.flood_guard import TINY, FloodGuard
from skerry_service.edge.http2.stream import Http2Stream, StreamHandler
from skerry_service.edge.listening.connection_protocol import ConnectionFacts, ConnectionProtocol
from skerry_service.telemetry.event_loop import EVENT_LOOP

Serve = Callable[[Http2Stream, Headers], StreamHandler]
"""Returns the handler of a new stream."""

STALL_SECONDS = 60.0
"""How long a client may hold back a part of a response, by its windows or by not reading."""
KEEPALIVE_SECONDS, PONG_SECONDS = 30.0, 10.0
"""After this silence the connection pings the client, which must answer in time."""
IDLE_SECONDS = 300.0
"""A connection without streams is closed after this time. Clients reconnect at their next call."""
AGE_SECONDS, _AGE_JITTER = 3600.0, 0.1
"""After this time, give or take a part of it, new calls go to another connection, perhaps to another replica."""
TICK_SECONDS = 5.0
"""How often these times are checked."""
_GOAWAY_SECONDS = 1.0
"""How long the connection accepts streams after the notice of its end, if the client does not answer a ping."""
MAX_HELD, MAX_HELD_PER_STREAM = 1024 * 1024, 2 * 1024
"""Bytes of requests that are held for one connection, and as many more for each of its streams: a proxy carries streams
of many users on one connection. Further streams are refused; clients begin them again."""
MAX_QUEUED = 16 * 1024 * 1024
"""Bytes of responses that may wait for the windows of one connection."""
_END_PING, _KEEPALIVE_PING = b"skry-end", b"skry-alv"


class Http2Connection(ConnectionProtocol):
    """The connection of one client. ``serve`` returns the handler of each stream."""

    def __init__(self, serve: Serve, facts: ConnectionFacts) -> None:
        self._serve = serve
        self.facts = facts
        self._calls: set[asyncio.Task[None]] = set()
        """Those of all streams that still run. They may outlive the connection a little."""
        self._streams: dict[int, Http2Stream] = {}
        self._waiting: set[Http2Stream] = set()
        """Streams whose producers wait for room."""
        self._stopping: list[Http2Stream] = []
        """Streams that are answered before their request is complete."""
        self._held = 0
        self._paused_since: float | None = None
        self.flushing = False
        """Whether the output will be written in this turn of the event loop."""
        self._configured = self._draining = self._refusing = self._closing = False
        self._is_lost = False

    # ------------------------------------------------------------ the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._loop = loop = asyncio.get_running_loop()
        self._made = self._received = self._idle_since = now = loop.time()
        self._pinged: float | None = None
        self._ends = now + AGE_SECONDS * random.uniform(1 - _AGE_JITTER, 1 + _AGE_JITTER)
        self.guard = FloodGuard(now)
        self.engine = Engine()
        self._ticking = loop.call_later(TICK_SECONDS, self._tick)
        self.flush()

    def data_received(self, data: bytes) -> None:
        """Handle input, and send what it calls for at once."""
        if self._closing:
            return
        EVENT_LOOP.note_arrival()
        self._received = self._loop.time()
        self._pinged = None
        self.flushing = True  # below
        try:
            self.engine.receive(data, self)
        except EngineError as error:
            self._fail(error)
            return
        self.flush()

    def pause_writing(self) -> None:
        """Stop producing output, and stop reading, since input may call for output."""
        self._paused_since = self._loop.time()
        if not self._closing:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Continue."""
        self._paused_since = None
        if not self._closing:
            self._transport.resume_reading()
            self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close every stream."""
        self._closing = self._is_lost = True
        self._ticking.cancel()
        self._drop_streams()
        if not self._calls:
            self.facts.release()

    def flush_soon(self) -> None:
        """Write the output at the end of this turn of the event loop."""
        if not self.flushing:
            self.flushing = True
            self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Write the output that the client's windows and the transport accept."""
        self.flushing = False
        if self._closing or self._paused_since is not None:
            return
        try:
            output = self.engine.output()
            if output:
                self._transport.write(output)
            self.engine.report(self)
            if self._stopping:
                self._stop_requests()
        except EngineError as error:
            self._fail(error)
            return
        for stream in [stream for stream in self._waiting if stream.notice_room()] if self._waiting else ():
            self._waiting.discard(stream)
        if self._refusing and not self._streams:
            self._close()

    def _fail(self, error: EngineError) -> None:
        self._transport.write(error.farewell)
        self._close()

    def _close(self) -> None:
        self._closing = True
        self._drop_streams()  # the engine accepts no more responses
        self._transport.close()

    def _drop_streams(self) -> None:
        streams, self._streams = self._streams, {}
        for stream in streams.values():
            stream.notice_closed()
        self._waiting.clear()
        self._stopping.clear()

    # ------------------------------------------------------------ for streams

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run the call of a stream in a task."""
        call = self._loop.create_task(work)
        self._calls.add(call)
        call.add_done_callback(self._call_ended)
        return call

    def _call_ended(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        if self._is_lost and not self._calls:
            self.facts.release()

    def consume(self, stream_id: int, count: int) -> None:
        """Let the client send as many bytes of a stream again."""
        if self._closing:
            return
        self.engine.acknowledge(count, stream_id)
        if not self.flushing:
            self.flush_soon()

    def release(self, count: int) -> None:
        """Count as many bytes of requests as no longer in memory."""
        self._held -= count

    def wait_for_room(self, stream: Http2Stream) -> None:
        """Wake the producer of a stream when the client lets its data through."""
        self._waiting.add(stream)

    def stop_request(self, stream: Http2Stream) -> None:
        """Let the client stop sending a request that is answered already, once it has the answer."""
        self._stopping.append(stream)

    def _stop_requests(self) -> None:
        waiting = []
        for stream in self._stopping:
            if stream.closed or stream.request_ended:
                continue
            if self.engine.queued(stream.id) == 0 and self.engine.is_open(stream.id):
                self.engine.reset(stream.id, ErrorCode.NO_ERROR)
                self.flush_soon()
            else:
                waiting.append(stream)
        self._stopping = waiting

    # ------------------------------------------------------------ the engine's events

    def on_request(self, stream_id: int, headers: Headers, ended: bool) -> None:
        """Open a stream, or refuse it if the connection holds too much."""
        if self._closing:
            return
        self.guard.useful += 1
        stream = self._streams[stream_id] = Http2Stream(self, stream_id, self._received, request_ended=ended)
        stream.held = sum(len(name) + len(value) for name, value in headers)
        self._held += stream.held
        if self._holds_too_much() or self.engine.queued_in_total > MAX_QUEUED:
            stream.reset(ErrorCode.REFUSED_STREAM)
            return
        stream.handler = handler = self._serve(stream, headers)
        if ended:
            handler.received(b"", ended=True)

    def on_data(self, stream_id: int, data: bytes, ended: bool) -> None:
        """Pass a part of a body to its handler."""
        if self._closing:
            return
        stream = self._streams.get(stream_id)
        if len(data) < TINY and not ended and self.guard.spend(self._received):
            self._end_flood()
        if stream is None or stream.handler is None or stream.response_ended:
            if data:
                self.consume(stream_id, len(data))
            if stream is not None:
                stream.request_ended = ended
            return
        stream.request_ended = ended
        if not ended:
            stream.held += len(data)
            self._held += len(data)
            if self._holds_too_much():
                stream.reset(ErrorCode.ENHANCE_YOUR_CALM)
        stream.handler.received(data, ended=ended)

    def _holds_too_much(self) -> bool:
        return self._held > MAX_HELD and self._held > MAX_HELD + MAX_HELD_PER_STREAM * len(self._streams)

    def on_closed(self, stream_id: int, code: int) -> None:
        """Close a stream."""
        stream = self._streams.pop(stream_id, None)
        if stream is not None:
            self._held -= stream.held
            stream.notice_closed()
        if not self._streams:
            self._idle_since = self._loop.time()

    def on_ping(self) -> None:
        if self.guard.ping(self._received):
            self._end_flood(b"too_many_pings")

    def on_pong(self, payload: bytes) -> None:
        if payload == _END_PING:
            self._refuse_new_streams()

    def on_settings(self) -> None:
        self._configured = True
        if self.guard.spend(self._received):
            self._end_flood()

    def on_window(self) -> None:
        if self.guard.spend(self._received):
            self._end_flood()

    def on_end(self) -> None:
        self._close()

    def _end_flood(self, reason: bytes = b"too many frames") -> None:
        if not self._closing:
            self.engine.terminate(ErrorCode.ENHANCE_YOUR_CALM, reason)
            output = self.engine.output()
            self._transport.write(output)
            self._close()

    # ------------------------------------------------------------ the end, and deadlines

    @property
    def is_idle(self) -> bool:
        """Whether the connection has no streams."""
        return not self._streams

    @property
    def idle_since(self) -> float:
        """When the last stream ended, or the connection was opened."""
        return self._idle_since

    def close_idle(self) -> None:
        """Close the connection, which has no streams. Clients begin their next call on another one."""
        if not self._closing:
            self._refuse_new_streams()
            self.flush()
        if not self._closing or self._transport.get_write_buffer_size():
            self._transport.abort()  # the client reads nothing, so a close would wait for it

    def drain(self) -> None:
        """Let the streams end, accept no further ones, then close the connection.

        A client may begin streams until it reads the notice, so the connection accepts them until then.
        """
        if self._draining or self._closing:
            return
        self._draining = True
        self.engine.announce_end()
        self.engine.ping(_END_PING)
        self._loop.call_later(_GOAWAY_SECONDS, self._refuse_new_streams)
        self.flush_soon()

    def _refuse_new_streams(self) -> None:
        if not self._refusing and not self._closing:
            self._draining = self._refusing = True
            self.engine.refuse_new_streams()
            self.flush_soon()

    def _tick(self) -> None:
        now = self._loop.time()
        self._ticking = self._loop.call_later(TICK_SECONDS, self._tick)
        if self._is_dead(now):
            self._transport.abort()
            return
        if self._closing:
            return
        if self._streams:
            self._check_streams(now)
        elif now - self._idle_since > IDLE_SECONDS:
            self.close_idle()
            return
        if now > self._ends:
            self.drain()
        if now - self._received > KEEPALIVE_SECONDS and self._pinged is None:
            self._pinged = now
            self.engine.ping(_KEEPALIVE_PING)
            self.flush_soon()

    def _is_dead(self, now: float) -> bool:
        """Return whether the client sends no settings, answers no ping, or reads nothing."""
        if not self._configured and now - self._made > REQUEST_SECONDS:
            return True
        if self._pinged is not None and now - self._pinged > PONG_SECONDS:
            return True
        return self._paused_since is not None and now - self._paused_since > STALL_SECONDS

    def _check_streams(self, now: float) -> None:
        for stream in list(self._streams.values()):
            if stream.is_stalled(now, STALL_SECONDS):
                stream.reset(ErrorCode.ENHANCE_YOUR_CALM)
            elif not stream.request_ended and stream.handler is not None and now - stream.began > REQUEST_SECONDS:
                stream.handler.request_overdue(REQUEST_SECONDS)
