"""HTTP/1.1 on one connection: uvicorn's protocol, with bounds that uvicorn leaves to a proxy in front of it."""

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
"""Holds the place of a connection. Entered when it is opened, which may raise LimitReached."""
Refused = Callable[[Peer, Exception], None]
"""Is told of what is refused here."""
LONGEST_URI = 8 * 1024
LARGEST_HEADERS = 8 * 1024
"""Bytes, as of gRPC's metadata."""
REQUEST_SECONDS = 10.0
"""How long a request may take to arrive; from the opening of the connection on, for its first one."""
MOST_AHEAD = 16
"""Requests that may wait on a connection for the answer to the one before them."""
MOST_BYTES_AHEAD = 64 * 1024
"""Bytes that the bodies of those may have, all together."""
_PIECE = 512
"""Bytes that the parser is given at once: by so much a limit can be passed before it is noticed."""
_READ_IN_VAIN = 1024 * 1024
"""Bytes read behind what ends a connection: a client that is still sending would not see why it ends."""
_FAREWELL_SECONDS = 1.0
"""How long a client may go on sending after the last answer."""


class HttpProtocol(HttpToolsProtocol):
    """A connection whose requests are bounded in number, size and time, and refused as the API refuses.

    What ends a connection is answered last, when every whole request before it has been.
    """

    def __init__(self, *arguments: Any, admit: Admit, refused: Refused, most_connections: int, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._admit = admit
        self._refused = refused
        self._peer = Peer(None)
        self._place = ExitStack()
        self._most_connections = most_connections
        self._uri_bytes = self._unread_bytes = self._vain_bytes = 0
        self._arriving = False
        self._overdue: asyncio.TimerHandle | None = None
        self._running: Any = None
        """uvicorn's cycle of the request that is being answered, or was last."""
        self._refusal: Exception | None = None
        self._end: Exception | None = None
        """What the connection ends with; from then on nothing that arrives is looked at."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        name = transport.get_extra_info("peername")
        self._peer = Peer(name[0] if name else None)
        if len(self.connections) > self._most_connections:
            refusal = TooManyConnections(self._most_connections)
            self._refused(self._peer, refusal)
            self.transport.write(_as_bytes(refusal))
            self.transport.close()  # at once: each of them takes a descriptor
            return
        try:
            self._place.enter_context(self._admit(self._peer))
        except LimitReached as refusal:
            self._end_with(refusal)
        else:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._place.close()
        self.pipeline.clear()
        if self._running is not None and not self._running.response_complete:
            _disconnect(self._running)  # uvicorn does so with the newest request, this is the oldest
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Give the parser little at a time: it keeps what it has not told of, and copies it again with each byte."""
        for start in range(0, len(data), _PIECE):
            if self._end is not None or self.transport.is_closing():
                self._read_in_vain(len(data) - start)
                return
            self._feed(data[start : start + _PIECE])
        if self._end is None:
            self._limit_waiting()

    def _limit_waiting(self) -> None:
        """Bound the wait for the rest of a request, and for the next one: what came may have begun none, like a blank
        line, or a body that was answered before it was there."""
        if self._arriving:
            if self._overdue is None:
                self._await_request()
        elif self._running is not None and self._running.response_complete and self.timeout_keep_alive_task is None:
            loop = asyncio.get_running_loop()
            self.timeout_keep_alive_task = loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _feed(self, piece: bytes) -> None:
        self._unset_keepalive_if_required()
        self._unread_bytes += len(piece)
        try:
            self._parse(piece)
        except HttpParserError:
            self._end_with(self._refusal or MalformedHttp())
        if self._unread_bytes > LARGEST_HEADERS:
            self._end_with(HeadersTooLarge(LARGEST_HEADERS))

    def _parse(self, piece: bytes) -> None:
        try:
            self.parser.feed_data(piece)
        except HttpParserUpgrade as asked:
            self._decline(piece[asked.args[0] :])

    def _decline(self, rest: bytes) -> None:
        """Read a request again without its ``Upgrade``, which a server may ignore. The parser will not: it leaves the
        body to the protocol that was asked for, and would read it as the next request. ``rest``: what came behind."""
        first = b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        lines = [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = _parser(self)
        self._parse(b"\r\n".join([first, *lines, b"", b""]))
        self._unread_bytes = len(rest)
        self._parse(rest)

    def _read_in_vain(self, count: int) -> None:
        self._vain_bytes += count
        if self._vain_bytes > _READ_IN_VAIN:
            self.transport.abort()

    # ------------------------------------------------------------ what the parser tells

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._uri_bytes = self._unread_bytes = 0
        self._arriving = True

    def on_url(self, url: bytes) -> None:
        self._uri_bytes += len(url)
        self._unread_bytes -= len(url)
        if self._uri_bytes > LONGEST_URI:
            self._give_up(UriTooLong(LONGEST_URI))
        super().on_url(url)

    def on_headers_complete(self) -> None:
        self._require_few_bytes()
        if self.parser.should_upgrade():
            self._require_no_tunnel()
            return  # until ``_decline``
        if len(self.pipeline) >= MOST_AHEAD:
            self._give_up(TooFarAhead(MOST_AHEAD))
        self._complete_scope()
        self.cycle = self._cycle()
        if self._running is None or self._running.response_complete:
            self._running = self.cycle
            self._start_asgi_task(self.cycle, self.app)
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))

    def _complete_scope(self) -> None:
        """Fill in what the first line of the request said."""
        url = parse_url(self.url)
        path = url.path.decode("ascii")
        version = self.parser.get_http_version()
        if version != "1.1":
            self.scope["http_version"] = version
        self.scope["method"] = self.parser.get_method().decode("ascii")
        self.scope["path"] = unquote(path) if "%" in path else path
        self.scope["raw_path"] = url.path
        self.scope["query_string"] = url.query or b""
        self.headers = []  # what comes from here on are trailers: proxies that set headers let them pass

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
        if self.pipeline and sum(len(cycle.body) for cycle, _ in self.pipeline) > MOST_BYTES_AHEAD:
            self._give_up(TooFarAhead(MOST_AHEAD))

    def on_message_complete(self) -> None:
        if self.parser.should_upgrade():
            return
        self._require_few_bytes()
        self._arriving = False
        self._stop_waiting()
        super().on_message_complete()

    def _require_few_bytes(self) -> None:
        """Refuse headers, or trailers, that came to their end in a piece with which they passed their limit."""
        if self._unread_bytes > LARGEST_HEADERS:
            self._give_up(HeadersTooLarge(LARGEST_HEADERS))

    def _require_no_tunnel(self) -> None:
        if self.parser.get_method() == b"CONNECT":
            self._give_up(MalformedHttp())

    def _give_up(self, refusal: Exception) -> None:
        self._refusal = refusal
        raise ValueError(str(refusal))  # the parser takes it for a malformed request

    # ------------------------------------------------------------ the end

    def shutdown(self) -> None:
        """End because the server stops: at once if nothing is being answered, else after that."""
        if self._arriving:
            self._end_with(ShuttingDown())
        else:
            super().shutdown()

    def _end_with(self, refusal: Exception) -> None:
        """Let what is whole be answered, then refuse the rest and close."""
        if self._end is not None or self.transport.is_closing():
            return
        self._end = refusal
        self._refused(self._peer, refusal)
        self._stop_waiting()
        running = self._running
        if running is None or running.response_complete:
            self._say_farewell()
        elif running.more_body and not running.response_started:
            _disconnect(running)  # nothing was done: the rest of the request will not come
            self._say_farewell()

    def on_response_complete(self) -> None:
        if self._end is not None and not self._answers_next():
            self._say_farewell()
            return
        if self.pipeline:
            self._running = self.pipeline[-1][0]
        super().on_response_complete()

    def _answers_next(self) -> bool:
        """Whether another whole request waits for its answer."""
        return bool(self.pipeline) and not self.pipeline[-1][0].more_body

    def _say_farewell(self) -> None:
        if self._end is None or self.transport.is_closing():
            return
        self.transport.write(_as_bytes(self._end))
        if self.transport.can_write_eof():  # TLS knows no half of a connection
            self.transport.write_eof()
        asyncio.get_running_loop().call_later(_FAREWELL_SECONDS, self.transport.close)

    def _await_request(self) -> None:
        loop = asyncio.get_running_loop()
        self._overdue = loop.call_later(REQUEST_SECONDS, self._end_with, SlowRequest(REQUEST_SECONDS))

    def _stop_waiting(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None


def _parser(protocol: HttpProtocol) -> HttpRequestParser:
    """Return a parser as uvicorn makes one."""
    parser = HttpRequestParser(protocol)
    parser.set_dangerous_leniencies(lenient_data_after_close=True)
    return parser


def _disconnect(cycle: Any) -> None:
    """Let the application know that nobody waits for this answer."""
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
