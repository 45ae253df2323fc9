"""Requests on HTTP/2 for the ASGI application that also answers HTTP/1.1."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from skerry_service.edge.http.asgi import Asgi
from skerry_service.edge.http.http_answers import HttpAnswer, error_answer
from skerry_service.edge.http.http_dates import http_date
from skerry_service.edge.http.http_refusals import HeadersTooLarge, HttpRefusal, MalformedHttp, SlowRequest, UriTooLong
from skerry_service.edge.http.request_limits import LARGEST_HEADERS, LONGEST_URI, MAX_HEADERS
from skerry_service.edge.http2.engine import ErrorCode, Headers
from skerry_service.edge.http2.stream import Http2Stream, StreamClosed
from skerry_service.edge.listening.connection_end import Refused
from skerry_service.telemetry.event_loop import EVENT_LOOP

_DISCONNECT = {"type": "http.disconnect"}
_OF_CONNECTIONS = frozenset((b"connection", b"keep-alive", b"transfer-encoding"))
"""Headers that HTTP/2 forbids."""
_BODILESS = (204, 304)
_log = logging.getLogger(__name__)


class AsgiBridge:
    """Makes a handler for each stream."""

    def __init__(self, app: Asgi, refused: Refused) -> None:
        """``refused``: called with requests that the application never sees."""
        self._app = app
        self._refused = refused

    def serve(self, stream: Http2Stream, headers: Headers) -> AsgiRequest:
        """Let the application answer a stream."""
        request = AsgiRequest(stream, self._refused)
        try:
            request.start(self._app, _scope(stream, headers))
        except HttpRefusal as refusal:
            request.refuse(refusal)
        return request


def _scope(stream: Http2Stream, headers: Headers) -> dict[str, Any]:
    """Return the scope of a request, as for HTTP/1.1. Raises HttpRefusal."""
    named = dict(headers)
    target, method = named.get(b":path", b""), named[b":method"]
    if len(target) > LONGEST_URI:
        raise UriTooLong(LONGEST_URI)
    if stream.held - len(target) > LARGEST_HEADERS or len(headers) > MAX_HEADERS:
        raise HeadersTooLarge(LARGEST_HEADERS)
    if method == b"CONNECT" or not (target.startswith(b"/") and target.isascii()):
        raise MalformedHttp
    path, _, query = target.partition(b"?")
    text = path.decode("ascii")
    fields = [header for header in headers if not header[0].startswith(b":")]
    if b"host" not in named and b":authority" in named:
        fields.insert(0, (b"host", named[b":authority"]))
    if not stream.request_ended and b"content-length" not in named:
        fields.append((b"transfer-encoding", b"chunked"))  # as HTTP/1.1 says that a body of unknown length follows
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "2",
        "scheme": "https" if stream.facts.is_tls else "http",
        "server": stream.facts.server,
        "client": stream.facts.client,
        "root_path": "",
        "method": method.decode("ascii"),
        "path": unquote(text) if "%" in text else text,
        "raw_path": path,
        "query_string": query,
        "headers": fields,
    }


class AsgiRequest:
    """One request and the state of its response. ASGI's ``receive`` and ``send`` are its methods."""

    __slots__ = (
        "_body",
        "_ended",
        "_expects_continue",
        "_has_body",
        "_head",
        "_news",
        "_refused",
        "_stream",
        "_waiter",
    )

    def __init__(self, stream: Http2Stream, refused: Refused) -> None:
        self._stream = stream
        self._refused = refused
        self._body = bytearray()
        self._ended = False
        self._news = False
        """Whether the application has not received all of the request that has arrived."""
        self._waiter: asyncio.Future[None] | None = None
        self._head: Any = None
        """The start of the response, held until its body arrives."""
        self._has_body = True
        self._expects_continue = False

    def start(self, app: Asgi, scope: dict[str, Any]) -> None:
        """Let the application answer."""
        self._has_body = scope["method"] != "HEAD"
        self._expects_continue = (b"expect", b"100-continue") in scope["headers"]
        self._stream.run(self._run(app, scope))

    async def _run(self, app: Asgi, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self.receive, self.send)
            if not self._stream.response_ended and not self._stream.closed:
                raise RuntimeError("the application did not complete its response")
        except Exception as error:
            if self._head is None and not self._stream.closed:
                self._answer(error_answer(error))  # logs it
            else:
                _log.error("internal error", exc_info=error)
                self._stream.reset(ErrorCode.INTERNAL_ERROR)

    # ------------------------------------------------------------ the stream

    def received(self, data: bytes, *, ended: bool) -> None:
        """Keep a part of the body until the application receives it."""
        self._body += data
        self._ended = ended
        self._notify()

    def request_overdue(self, seconds: float) -> None:
        """Reject a request that does not arrive, unless the application answers it while it arrives."""
        if self._head is None:
            self.refuse(SlowRequest(seconds))

    def closed(self) -> None:
        """Report the disconnection to the application."""
        self._notify()

    def refuse(self, refusal: Exception) -> None:
        """Answer with an error in place of the application."""
        if self._stream.response_ended:
            return
        self._refused(self._stream.facts.peer, refusal)
        self._answer(error_answer(refusal))
        self._notify()

    def _answer(self, answer: HttpAnswer) -> None:
        fields = [field for field in answer.headers if field[0] not in _OF_CONNECTIONS]
        fields += [(b"content-type", answer.media), (b"content-length", b"%d" % len(answer.body))]
        self._head = {"status": answer.status, "headers": fields}
        self._begin(answer.body, more=False)

    def _notify(self) -> None:
        self._news = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # ------------------------------------------------------------ the application

    async def receive(self) -> dict[str, Any]:
        """Return the next part of the request, or the disconnection."""
        stream = self._stream
        if self._expects_continue:
            self._expects_continue = False
            stream.send_continue()
        while not (self._news or stream.closed or stream.response_ended):
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            EVENT_LOOP.note_arrival()
        if stream.closed or stream.response_ended:
            return dict(_DISCONNECT)
        body, self._news = bytes(self._body), False
        self._body.clear()
        stream.consume(len(body))
        if stream.response_begun and not self._ended:
            stream.release(len(body))  # the application answers as it reads, and keeps nothing
        return {"type": "http.request", "body": body, "more_body": not self._ended}

    async def send(self, message: Any) -> None:
        """Send a part of the response. Its start is sent with the first part of its body."""
        stream = self._stream
        if stream.closed:
            return
        if stream.response_ended:
            raise RuntimeError("the response is complete already")
        if message["type"] == "http.response.start":
            self._head = message
            self._expects_continue = False
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if not stream.response_begun:
            self._begin(body, more=more)
        elif self._has_body:
            self._send_part(body, more=more)
        if more:
            with suppress(StreamClosed):  # ``receive`` reports the disconnection
                await stream.drain()

    def _begin(self, body: bytes, *, more: bool) -> None:
        """Send the headers and the first part of the body. Raises RuntimeError without headers."""
        if self._head is None:
            raise RuntimeError("the response has no start")
        status = self._head["status"]
        self._has_body &= status not in _BODILESS
        headers = [(b":status", b"%d" % status), (b"date", http_date())]
        headers += [(name.lower(), value) for name, value in self._head["headers"] if name not in _OF_CONNECTIONS]
        ends = not self._has_body or not (more or body)
        self._stream.send_headers(headers, end=ends)
        if not ends:
            self._send_part(body, more=more)

    def _send_part(self, body: bytes, *, more: bool) -> None:
        if body:
            self._stream.send(body)
        if not more:
            self._stream.end()
