"""One request and its response: the ASGI interface of the application."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Protocol

from skerry_service.edge.http.asgi import Asgi, Scope
from skerry_service.edge.http.http_answers import closing_response
from skerry_service.edge.http1.response_lines import date_line, header_line, status_line
from skerry_service.telemetry.event_loop import EVENT_LOOP

_CLOSE = b"connection: close\r\n"
_CHUNKED = b"transfer-encoding: chunked\r\n"
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_BODILESS = (204, 304)
_DISCONNECT = {"type": "http.disconnect"}
_log = logging.getLogger(__name__)


class Connection(Protocol):
    """What a request needs of its connection."""

    transport: asyncio.Transport

    async def wait_until_writable(self) -> None:
        """Return when the client reads: at once, unless much of earlier responses is waiting."""

    def resume_reading(self) -> None:
        """Read on from the client."""

    def close_after_response(self) -> None:
        """Close the connection, so that the client can read the response."""

    def response_completed(self) -> None:
        """Go on to the next request."""

    def call_ended(self, cycle: RequestCycle) -> None:
        """The application has returned."""


class RequestCycle:
    """The request and the state of its response. ASGI's ``receive`` and ``send`` are its methods."""

    __slots__ = (
        "_body",
        "_chunked",
        "_connection",
        "_has_body",
        "_head",
        "_left",
        "_news",
        "_waiter",
        "disconnected",
        "expects_continue",
        "keep_alive",
        "more_body",
        "response_complete",
        "response_started",
        "scope",
    )

    def __init__(self, scope: Scope, connection: Connection, *, keep_alive: bool, expects_continue: bool) -> None:
        """``expects_continue``: the client waits for a response before it sends the body."""
        self.scope = scope
        self._connection = connection
        self.keep_alive = keep_alive
        self.expects_continue = expects_continue
        self.more_body = True
        """Whether the body is incomplete."""
        self.disconnected = False
        self.response_started = False
        self.response_complete = False
        self._body: bytes | bytearray = b""
        self._news = False
        """Whether the application has not received all of the request that has arrived."""
        self._waiter: asyncio.Future[None] | None = None
        self._head: Any = None
        """The start of the response, held until its body arrives: each write is a system call."""
        self._has_body = True
        self._chunked = False
        self._left: int | None = None
        """Bytes of the body that the headers announced and the application has not sent; ``None``: not announced."""

    async def run(self, app: Asgi) -> None:
        """Let the application answer."""
        try:
            await app(self.scope, self.receive, self.send)
            if not self.response_complete and not self.disconnected:
                raise RuntimeError("the application did not complete its response")
        except Exception as error:
            self._fail(error)
        finally:
            self._connection.call_ended(self)

    def _fail(self, error: Exception) -> None:
        """Answer with an internal error, which is logged. A response that has begun is cut off."""
        transport = self._connection.transport
        if self.response_started:
            _log.error("internal error", exc_info=error)
        elif not self.disconnected:
            transport.write(closing_response(error))
        self.response_complete = True
        self._connection.close_after_response()
        self._connection.response_completed()

    # ------------------------------------------------------------ the request

    @property
    def waiting_bytes(self) -> int:
        """The part of the body that the application has not received."""
        return len(self._body)

    def feed(self, data: bytes) -> None:
        """Add to the body."""
        if self._body:
            self._body = bytearray(self._body) if isinstance(self._body, bytes) else self._body
            self._body += data
        else:
            self._body = data
        self._notify()

    def end_body(self) -> None:
        """Complete the body."""
        self.more_body = False
        self._notify()

    def disconnect(self) -> None:
        """Report to the application that the client has disconnected."""
        self.disconnected, self.expects_continue = True, False
        self._notify()

    def _notify(self) -> None:
        self._news = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def receive(self) -> dict[str, Any]:
        """Return the next part of the request, or the disconnection."""
        if self.expects_continue and not self._connection.transport.is_closing():
            self._connection.transport.write(_CONTINUE)
            self.expects_continue = False
        while not (self._news or self.disconnected or self.response_complete):
            self._connection.resume_reading()
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            EVENT_LOOP.note_arrival()
        if self.disconnected or self.response_complete:
            return dict(_DISCONNECT)
        body, self._body, self._news = self._body, b"", False
        return {"type": "http.request", "body": bytes(body), "more_body": self.more_body}

    # ------------------------------------------------------------ the response

    async def send(self, message: Any) -> None:
        """Send a part of the response. The start is sent with the first part of the body."""
        await self._connection.wait_until_writable()
        if self.disconnected:
            return
        if self.response_complete:
            raise RuntimeError("the response is complete already")
        if message["type"] == "http.response.start":
            self._head = message
            if self.expects_continue and self.more_body:
                self.keep_alive = False  # the client may omit the body now
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        data = self._part(body, more) if self.response_started else self._first_part(body, more)
        if data:
            self._connection.transport.write(data)
        if not more:
            self._complete()

    def _first_part(self, body: bytes, more: bool) -> bytes:
        """Return the head and the first part of the body. Raises ValueError, RuntimeError."""
        if self._head is None:
            raise RuntimeError("the response has no start")
        length, status = None, self._head["status"]
        lines = [status_line(status), date_line()]
        for header in self._head["headers"]:
            line = header_line(header)
            lines.append(line)
            if line == _CLOSE:
                self.keep_alive = False
            elif header[0] == b"content-length":
                length = int(header[1])
        self._set_framing(length, len(body), more, status)
        if self._chunked:
            lines.append(_CHUNKED)
        if not self.keep_alive and _CLOSE not in lines:
            lines.append(_CLOSE)
        lines.append(b"\r\n")
        self.response_started, self.expects_continue = True, False
        lines.append(self._part(body, more))
        return b"".join(lines)

    def _set_framing(self, length: int | None, size: int, more: bool, status: int) -> None:
        """Decide how the client finds the end of the body. Raises RuntimeError for a wrong length."""
        if self.scope["method"] == "HEAD" or status in _BODILESS:
            self._has_body = False
        elif length is None:
            self._chunked = self.scope["http_version"] == "1.1"
            self.keep_alive &= self._chunked  # otherwise the end of the connection ends the body
        elif size > length or (size < length and not more):
            raise RuntimeError("the body has another length than announced")
        self._left = length

    def _part(self, body: bytes, more: bool) -> bytes:
        """Return a part of the body as it is sent. Raises RuntimeError for a wrong length."""
        if not self._has_body:
            return b""
        if self._chunked:
            data = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            return data if more else data + b"0\r\n\r\n"
        if self._left is not None:
            self._left -= len(body)
            if self._left < 0 or (self._left and not more):
                raise RuntimeError("the body has another length than announced")
        return body

    def _complete(self) -> None:
        self.response_complete = True
        self._notify()
        if not self.keep_alive:
            self._connection.close_after_response()
        self._connection.response_completed()
