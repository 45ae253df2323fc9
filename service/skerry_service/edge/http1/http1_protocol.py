"""HTTP/1.1 on one connection, with limits on the number, size and duration of requests."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, cast
from urllib.parse import unquote

from httptools import parse_url

from skerry_service.domain.errors import ShuttingDown
from skerry_service.edge.http import request_limits
from skerry_service.edge.http.asgi import Asgi
from skerry_service.edge.http.http_answers import closing_response
from skerry_service.edge.http.http_refusals import HttpRefusal, SlowRequest, TooFarAhead
from skerry_service.edge.http1.request_cycle import RequestCycle
from skerry_service.edge.http1.request_reader import RequestHead, RequestReader
from skerry_service.edge.listening.connection_end import ConnectionEnd, Refused
from skerry_service.edge.listening.connection_protocol import ConnectionFacts, ConnectionProtocol
from skerry_service.telemetry.event_loop import EVENT_LOOP

MAX_PIPELINED = 16
"""Requests that may wait on a connection for the response to an earlier one."""
MAX_PIPELINED_BYTES = 64 * 1024
"""The total size of their bodies."""
_MAX_UNREAD_BYTES = 64 * 1024
"""Bytes of a body that wait for the application before the connection is not read any more."""


class Http1Protocol(ConnectionProtocol):
    """A connection. Its errors have the API's form.

    An error that ends the connection is sent last, after the responses to all complete requests before it.
    """

    def __init__(self, app: Asgi, refused: Refused, facts: ConnectionFacts) -> None:
        """``refused``: called with errors that end the connection."""
        self._app = app
        self._refused = refused
        self._facts = facts
        self._loop = asyncio.get_running_loop()
        self._reader = RequestReader(self)
        self._running: RequestCycle | None = None
        """The request that is being answered, or was answered last."""
        self._newest: RequestCycle | None = None
        """The request that arrives, or arrived last."""
        self._waiting: deque[RequestCycle] = deque()
        """Requests behind the one that is being answered."""
        self._task: asyncio.Task[None] | None = None
        """The application's call; ``None``: none runs."""
        self._end: Exception | None = None
        """The error that ends the connection, sent after the responses before it."""
        self._has_answered_last = False
        """Whether the last response was sent. Later input is discarded."""
        self._is_draining = self._is_lost = self._reading_paused = False
        self._writable: asyncio.Future[None] | None = None
        """Done when the client reads again; ``None``: it reads."""
        self._closing: ConnectionEnd | None = None
        """The delay of the end after the last response; ``None``: none."""
        self._idle_since = self._loop.time()
        self._deadline: float | None = None
        """When the next request must be complete, or the connection is closed; ``None`` while the server answers or
        does not read."""
        self._seconds_left: float | None = None
        """What was left until the deadline when reading was paused; ``None``: it is read, or no request arrives."""
        self._timer: asyncio.TimerHandle | None = None
        """Fires at the deadline or earlier, as starting a timer for each request would be slow."""
        self._limits_arrival = True
        """Whether the deadline is that of a request which arrives."""
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "scheme": "https" if facts.is_tls else "http",
            "server": facts.server,
            "client": facts.client,
            "root_path": "",
        }

    # ------------------------------------------------------------ the connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request."""
        self.transport = cast("asyncio.Transport", transport)
        self._set_deadline(request_limits.REQUEST_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Parse requests, and start the first."""
        if self._end is not None or self._closes:
            self._discard(len(data))
            return
        EVENT_LOOP.note_arrival()
        try:
            self._reader.feed(data)
        except HttpRefusal as refusal:
            self._end_with(refusal)
            return
        if self._reader.is_arriving and not self._limits_arrival:
            self._limits_arrival = True
            if self._reading_paused:
                self._seconds_left = request_limits.REQUEST_SECONDS
            else:
                self._set_deadline(request_limits.REQUEST_SECONDS)

    def _discard(self, count: int) -> None:
        if self._closing is not None:
            self._closing.discard(count)
        elif not self.transport.is_closing():
            self._pause_reading()  # until the responses before the error are sent

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the disconnection to the application."""
        self._is_lost = True
        if self._timer is not None:
            self._timer.cancel()
        if self._closing is not None:
            self._closing.cancel()
        self._waiting.clear()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnect()
        self.resume_writing()
        self._reader.close()
        if self._task is None:
            self._release()

    def _release(self) -> None:
        """Stop counting the connection, and free its requests, which refer to it."""
        self._running = self._newest = None
        self._facts.release()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self._running is None or self._running.response_complete

    @property
    def idle_since(self) -> float:
        """When the last response was sent, or the connection was opened."""
        return self._idle_since

    def close_idle(self) -> None:
        """Free the connection's file descriptor."""
        self.transport.abort()

    def drain(self) -> None:
        """Close the connection because the server stops: at once if it is idle, else after the requests so far."""
        self._is_draining = True
        if self._reader.is_arriving:
            self._end_with(ShuttingDown())
        elif self.is_idle:
            self.transport.close()
        elif self._newest is not None:
            self._newest.keep_alive = False

    # ------------------------------------------------------------ requests

    def request_begun(self, head: RequestHead) -> None:
        """Start to answer a request, or let it wait. Raises TooFarAhead; any other error means a malformed URI."""
        if len(self._waiting) >= MAX_PIPELINED:
            raise TooFarAhead(MAX_PIPELINED)
        path, query = _split(head.uri)
        text = path.decode("ascii")
        scope = self._scope | {
            "http_version": head.version,
            "method": head.method.decode("ascii"),
            "path": unquote(text) if "%" in text else text,
            "raw_path": path,
            "query_string": query,
            "headers": head.headers,
        }
        keep_alive = head.keep_alive and not self._is_draining
        self._newest = RequestCycle(scope, self, keep_alive=keep_alive, expects_continue=head.expects_continue)
        if self.is_idle:
            self._start(self._newest)
        else:
            self._pause_reading()
            self._waiting.append(self._newest)

    def _start(self, cycle: RequestCycle) -> None:
        self._running = cycle
        self._task = self._loop.create_task(cycle.run(self._app))

    def body_received(self, data: bytes) -> None:
        """Hand a part of the body to its request. Raises TooFarAhead."""
        cycle = self._newest
        if cycle is None or cycle.response_complete:
            return
        cycle.feed(data)
        if cycle.waiting_bytes > _MAX_UNREAD_BYTES:
            self._pause_reading()
        if self._waiting and sum(waiting.waiting_bytes for waiting in self._waiting) > MAX_PIPELINED_BYTES:
            raise TooFarAhead(MAX_PIPELINED)

    def request_complete(self) -> None:
        """Complete the body of the newest request."""
        self._limits_arrival = False
        self._clear_deadline()
        if self._newest is not None:
            if not self._newest.response_complete:
                self._newest.end_body()
            elif self.is_idle:
                self._set_deadline(request_limits.KEEP_ALIVE_SECONDS)

    def response_completed(self) -> None:
        """Answer the next request, or wait for one."""
        self._idle_since = self._loop.time()
        if self._end is not None and not (self._waiting and not self._waiting[0].more_body):
            self._send_error_and_close()
        elif not self._closes:
            self.resume_reading()
            if self._waiting:
                self._start(self._waiting.popleft())
            elif not self._reader.is_arriving:
                self._set_deadline(request_limits.KEEP_ALIVE_SECONDS)

    @property
    def _closes(self) -> bool:
        return self._has_answered_last or self.transport.is_closing()

    def close_after_response(self) -> None:
        """Close the connection. The rest of a request is discarded first, as a reset would overtake the response."""
        self._has_answered_last = True
        self._clear_deadline()
        if self._reader.is_arriving and not self.transport.is_closing():
            self.resume_reading()
            self._closing = ConnectionEnd(self.transport)
        else:
            self.transport.close()

    def call_ended(self, cycle: RequestCycle) -> None:
        """Stop counting the connection if it is lost and this was its last call."""
        if cycle is self._running:
            self._task = None
            if self._is_lost:
                self._release()

    # ------------------------------------------------------------ flow control

    def _pause_reading(self) -> None:
        if not self._reading_paused:
            self._reading_paused = True
            self.transport.pause_reading()
            if self._limits_arrival and self._deadline is not None:
                self._seconds_left, self._deadline = self._deadline - self._loop.time(), None

    def resume_reading(self) -> None:
        """Read on from the client."""
        if self._reading_paused and not self.transport.is_closing():
            self._reading_paused = False
            self.transport.resume_reading()
            if self._seconds_left is not None:
                self._set_deadline(self._seconds_left)

    def pause_writing(self) -> None:
        """Hold back responses, as the client does not read."""
        if self._writable is None:
            self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        """Go on with responses."""
        if self._writable is not None:
            self._writable.set_result(None)
            self._writable = None

    async def wait_until_writable(self) -> None:
        """Return when the client reads."""
        while self._writable is not None and not self._is_lost:
            await asyncio.shield(self._writable)

    # ------------------------------------------------------------ the deadline

    def _clear_deadline(self) -> None:
        self._deadline = self._seconds_left = None

    def _set_deadline(self, seconds: float) -> None:
        self._deadline, self._seconds_left = self._loop.time() + seconds, None
        if self._timer is None or self._timer.when() > self._deadline:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_at(self._deadline, self._check_deadline)

    def _check_deadline(self) -> None:
        self._timer = None
        if self._deadline is None:
            return
        if self._loop.time() < self._deadline:
            self._timer = self._loop.call_at(self._deadline, self._check_deadline)
        elif self._limits_arrival:
            self._end_with(SlowRequest(request_limits.REQUEST_SECONDS))
        elif self.transport.get_write_buffer_size():
            self.transport.abort()  # the client has not read its last response
        else:
            self.transport.close()

    # ------------------------------------------------------------ the end

    def _end_with(self, refusal: Exception) -> None:
        """Let complete requests be answered, then send the error and close."""
        if self._end is not None or self._closes:
            return
        self._end = refusal
        self._refused(self._facts.peer, refusal)
        self._clear_deadline()
        running = self._running
        if running is None or running.response_complete:
            self._send_error_and_close()
        elif running.more_body and not running.response_started:
            running.disconnect()  # its body will never be complete
            self._send_error_and_close()

    def _send_error_and_close(self) -> None:
        if self._end is None or self._closes:
            return
        self.transport.write(closing_response(self._end))
        self.resume_reading()
        self._closing = ConnectionEnd(self.transport, self._end)


def _split(uri: bytes) -> tuple[bytes, bytes]:
    """Return path and query. Raises HttpParserInvalidURLError."""
    if uri.startswith(b"/") and b"#" not in uri:
        path, _, query = uri.partition(b"?")
        return path, query
    url = parse_url(uri)
    return url.path, url.query or b""
