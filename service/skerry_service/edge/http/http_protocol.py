"""HTTP/1.1 on one connection: uvicorn's protocol, with limits that uvicorn leaves to a proxy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser, parse_url
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from skerry_service.access.client_addresses import Peer
from skerry_service.domain.errors import LimitReached, ShuttingDown
from skerry_service.edge.http.http_answers import error_answer
from skerry_service.edge.http.http_refusals import (
    HeadersTooLarge,
    MalformedHttp,
    SlowRequest,
    TooFarAhead,
    TooManyConnections,
    UriTooLong,
)
from skerry_service.edge.http.request_cycle import RequestCycle

Admit = Callable[[Peer], AbstractContextManager[None]]
"""Holds the concurrency slot of a connection. Entering it may raise LimitReached."""
Refused = Callable[[Peer, Exception], None]
"""Called with each error that ends a connection."""
LONGEST_URI = 8 * 1024
LARGEST_HEADERS = 8 * 1024
"""Bytes, equal to the limit of gRPC's metadata."""
REQUEST_SECONDS = 10.0
"""How long a request may take to arrive. For the first one, since the connection was opened."""
MAX_PIPELINED = 16
"""Requests that may wait on a connection for the response to an earlier one."""
MAX_PIPELINED_BYTES = 64 * 1024
"""The total size of their bodies."""
_CHUNK = 512
"""Bytes that the parser gets at once. A limit can be exceeded by this much before it is noticed."""
_MAX_DISCARDED = 1024 * 1024
"""Bytes read after the error that ends a connection. A client that is still sending would not see the error."""
_LINGER_SECONDS = 1.0
"""How long a client may go on sending after the last response."""


class HttpProtocol(HttpToolsProtocol):
    """A connection with limits on the number, size and duration of requests. Its errors have the API's form.

    An error that ends the connection is sent last, after the responses to all complete requests before it.
    """

    def __init__(self, *arguments: Any, admit: Admit, refused: Refused, most_connections: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._admit = admit
        self._refused = refused
        self._peer = Peer(None)
        self._slot = ExitStack()
        self._most_connections = most_connections
        self._uri_bytes = self._unread_bytes = self._discarded_bytes = 0
        self._arriving = False
        self._overdue: asyncio.TimerHandle | None = None
        self._running: Any = None
        """The cycle of the request that is being answered, or was answered last."""
        self._refusal: Exception | None = None
        self._end: Exception | None = None
        """The error that ends the connection. Later input is discarded."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        name = transport.get_extra_info("peername")
        self._peer = Peer(name[0] if name else None)
        if len(self.connections) > self._most_connections:
            refusal = TooManyConnections(self._most_connections)
            self._refused(self._peer, refusal)
            self.transport.write(_as_bytes(refusal))
            self.transport.close()  # at once: each connection takes a file descriptor
            return
        try:
            self._slot.enter_context(self._admit(self._peer))
        except LimitReached as refusal:
            self._end_with(refusal)
        else:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._slot.close()
        self.pipeline.clear()
        if self._running is not None and not self._running.response_complete:
            _disconnect(self._running)  # uvicorn disconnects only the newest request
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Feed the parser small chunks: it buffers unreported input, and copies it again for each byte."""
        for start in range(0, len(data), _CHUNK):
            if self._end is not None or self.transport.is_closing():
                self._discard(len(data) - start)
                return
            self._feed(data[start : start + _CHUNK])
        if self._end is None:
            self._limit_waiting()

    def _limit_waiting(self) -> None:
        """Start the timer for the rest of a request, or for the next one.

        The input may not have started a request: a blank line, or the body of a request that was answered already.
        """
        if self._arriving:
            if self._overdue is None:
                self._await_request()
        elif self._running is not None and self._running.response_complete and self.timeout_keep_alive_task is None:
            loop = asyncio.get_running_loop()
            self.timeout_keep_alive_task = loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _feed(self, chunk: bytes) -> None:
        self._unset_keepalive_if_required()
        self._unread_bytes += len(chunk)
        try:
            self._parse(chunk)
        except HttpParserError:
            self._end_with(self._refusal or MalformedHttp())
        if self._unread_bytes > LARGEST_HEADERS:
            self._end_with(HeadersTooLarge(LARGEST_HEADERS))

    def _parse(self, chunk: bytes) -> None:
        try:
            self.parser.feed_data(chunk)
        except HttpParserUpgrade as upgrade:
            self._ignore_upgrade(chunk[upgrade.args[0] :])

    def _ignore_upgrade(self, rest: bytes) -> None:
        """Parse a request again without its ``Upgrade`` header, which a server may ignore.

        The parser does not ignore it: it would read the body as the next request. ``rest``: the input after the header.
        """
        first = b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        lines = [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = _parser(self)
        self._parse(b"\r\n".join([first, *lines, b"", b""]))
        self._unread_bytes = len(rest)
        self._parse(rest)

    def _discard(self, count: int) -> None:
        self._discarded_bytes += count
        if self._discarded_bytes > _MAX_DISCARDED:
            self.transport.abort()

    # ------------------------------------------------------------ callbacks of the parser

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._uri_bytes = self._unread_bytes = 0
        self._arriving = True

    def on_url(self, url: bytes) -> None:
        self._uri_bytes += len(url)
        self._unread_bytes -= len(url)
        if self._uri_bytes > LONGEST_URI:
            self._reject(UriTooLong(LONGEST_URI))
        super().on_url(url)

    def on_headers_complete(self) -> None:
        self._require_small_headers()
        if self.parser.should_upgrade():
            self._require_no_tunnel()
            return  # ``_ignore_upgrade`` continues
        if len(self.pipeline) >= MAX_PIPELINED:
            self._reject(TooFarAhead(MAX_PIPELINED))
        self._complete_scope()
        self.cycle = self._cycle()
        if self._running is None or self._running.response_complete:
            self._running = self.cycle
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def _complete_scope(self) -> None:
        """Fill in the fields from the request line."""
        url = parse_url(self.url)
        path = url.path.decode("ascii")
        version = self.parser.get_http_version()
        if version != "1.1":
            self.scope["http_version"] = version
        self.scope["method"] = self.parser.get_method().decode("ascii")
        self.scope["path"] = unquote(path) if "%" in path else path
        self.scope["raw_path"] = url.path
        self.scope["query_string"] = url.query or b""
        self.headers = []  # later headers are trailers, which proxies do not check

    def _cycle(self) -> RequestCycle:
        return RequestCycle(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=self.scope["http_version"] != "1.0" and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )

    def on_body(self, body: bytes) -> None:
        self._unread_bytes = 0
        super().on_body(body)
        if self.pipeline and sum(len(cycle.body) for cycle, _ in self.pipeline) > MAX_PIPELINED_BYTES:
            self._reject(TooFarAhead(MAX_PIPELINED))

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            return
        self._require_small_headers()
        self._arriving = False
        self._stop_waiting()
        super().on_message_complete()

    def _require_small_headers(self) -> None:
        """Reject headers or trailers that ended in the chunk in which they exceeded the limit."""
        if self._unread_bytes > LARGEST_HEADERS:
            self._reject(HeadersTooLarge(LARGEST_HEADERS))

    def _require_no_tunnel(self) -> None:
        if self.parser.get_method() == b"CONNECT":
            self._reject(MalformedHttp())

    def _reject(self, refusal: Exception) -> None:
        self._refusal = refusal
        raise ValueError(str(refusal))  # the parser reports it as a malformed request

    # ------------------------------------------------------------ the end

    def shutdown(self) -> None:
        """Close the connection because the server stops: at once if it is idle, else after the current response."""
        if self._arriving:
            self._end_with(ShuttingDown())
        else:
            super().shutdown()

    def _end_with(self, refusal: Exception) -> None:
        """Let complete requests be answered, then send the error and close."""
        if self._end is not None or self.transport.is_closing():
            return
        self._end = refusal
        self._refused(self._peer, refusal)
        self._stop_waiting()
        running = self._running
        if running is None or running.response_complete:
            self._send_error_and_close()
        elif running.more_body and not running.response_started:
            _disconnect(running)  # its body will never be complete
            self._send_error_and_close()

    def on_response_complete(self) -> None:
        if self._end is not None and not self._answers_next():
            self._send_error_and_close()
            return
        if self.pipeline:
            self._running = self.pipeline[-1][0]
        super().on_response_complete()

    def _answers_next(self) -> bool:
        """Return whether another complete request waits for its response."""
        return bool(self.pipeline) and not self.pipeline[-1][0].more_body

    def _send_error_and_close(self) -> None:
        if self._end is None or self.transport.is_closing():
            return
        self.transport.write(_as_bytes(self._end))
        if self.transport.can_write_eof():  # TLS cannot half-close
            self.transport.write_eof()
        asyncio.get_running_loop().call_later(_LINGER_SECONDS, self.transport.close)

    def _await_request(self) -> None:
        loop = asyncio.get_running_loop()
        self._overdue = loop.call_later(REQUEST_SECONDS, self._end_with, SlowRequest(REQUEST_SECONDS))

    def _stop_waiting(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None


def _parser(protocol: HttpProtocol) -> HttpRequestParser:
    """Return a parser with uvicorn's settings."""
    parser = HttpRequestParser(protocol)
    parser.set_dangerous_leniencies(lenient_data_after_close=True)
    return parser


def _disconnect(cycle: Any) -> None:
    """Tell the application that the client of this request has disconnected."""
    cycle.disconnected, cycle.waiting_for_100_continue = True, False
    cycle.message_event.set()


def _as_bytes(refusal: Exception) -> bytes:
    answer = error_answer(refusal)
    status = HTTPStatus(answer.status)
    headers = [*answer.headers, (b"content-type", answer.media), (b"content-length", b"%d" % len(answer.body))]
    if (b"connection", b"close") not in headers:
        headers.append((b"connection", b"close"))
    lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode()), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join([*lines, b"", answer.body])
