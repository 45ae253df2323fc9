"""Parses requests, with limits on the size of their heads."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

from skerry_service.edge.http.asgi import HeaderList
from skerry_service.edge.http.http_refusals import HeadersTooLarge, HttpRefusal, MalformedHttp, UriTooLong
from skerry_service.edge.http.request_limits import LARGEST_HEADERS, LONGEST_URI, MAX_HEADERS

_CHUNK = 512
"""Bytes that the parser gets at once of a request that did not arrive whole.

The parser buffers what it has not reported, and copies it again for each part. A limit can be exceeded by this much
before it is noticed.
"""


class RequestHead(NamedTuple):
    """The head of a request."""

    method: bytes
    uri: bytes
    version: str
    """``1.1`` or ``1.0``."""
    headers: HeaderList
    """Names in lower case."""
    keep_alive: bool
    """Whether the client wants to go on using the connection."""
    expects_continue: bool
    """Whether the client waits for a response before it sends the body."""


class RequestHandler(Protocol):
    """Gets the parts of requests, in order. May raise HttpRefusal, which ends the connection."""

    def request_begun(self, head: RequestHead) -> None:
        """The head is complete."""

    def body_received(self, data: bytes) -> None:
        """A part of the body has arrived."""

    def request_complete(self) -> None:
        """The body is complete."""


class RequestReader:
    """The parser of one connection."""

    def __init__(self, handler: RequestHandler) -> None:
        self._handler = handler
        self._parser = self._new_parser()
        self.is_arriving = False
        """Whether a request has begun and is not complete."""
        self._in_head = self._completed = self._expects_continue = False
        self._unread_bytes = 0
        """Bytes fed to the parser that are neither part of a URI nor of a body."""
        self._uri = b""
        self._headers: HeaderList = []

    def close(self) -> None:
        """Free the parser and the handler, which refer to the reader. Nothing is fed any more."""
        del self._parser, self._handler

    def _new_parser(self) -> HttpRequestParser:
        parser = HttpRequestParser(self)
        parser.set_dangerous_leniencies(lenient_data_after_close=True)  # requests behind the last are ignored
        return parser

    def feed(self, data: bytes) -> None:
        """Parse the next bytes of the connection. Raises HttpRefusal, after which the connection has to end."""
        if self.is_arriving or len(data) > LARGEST_HEADERS:
            for start in range(0, len(data), _CHUNK):
                self._feed(data[start : start + _CHUNK])
            return
        self._completed = False
        self._feed(data)
        if self._in_head and not self._completed:
            self._unread_bytes = len(data) - len(self._uri)

    def _feed(self, chunk: bytes) -> None:
        self._unread_bytes += len(chunk)
        try:
            self._parse(chunk)
        except HttpParserError as error:
            # The parser turns an error of a callback into the context of its own.
            raise error.__context__ if isinstance(error.__context__, HttpRefusal) else MalformedHttp() from None
        if self._unread_bytes > LARGEST_HEADERS:
            raise HeadersTooLarge(LARGEST_HEADERS)

    def _parse(self, chunk: bytes) -> None:
        try:
            self._parser.feed_data(chunk)
        except HttpParserUpgrade as upgrade:
            self._ignore_upgrade(chunk[upgrade.args[0] :])

    def _ignore_upgrade(self, rest: bytes) -> None:
        """Parse a request again without its ``Upgrade`` header, which a server may ignore.

        The parser does not ignore it: it would read the body as the next request. ``rest``: the input after the header.
        """
        first = b"%b %b HTTP/%b" % (self._parser.get_method(), self._uri, self._parser.get_http_version().encode())
        lines = [b"%b: %b" % header for header in self._headers if header[0] != b"upgrade"]
        self._parser = self._new_parser()
        self._parse(b"\r\n".join([first, *lines, b"", b""]))
        self._unread_bytes = len(rest)
        self._parse(rest)

    # ------------------------------------------------------------ callbacks of the parser

    def on_message_begin(self) -> None:
        """Start a request."""
        self._uri, self._headers = b"", []
        self._unread_bytes = 0
        self.is_arriving = self._in_head = True
        self._expects_continue = False

    def on_url(self, url: bytes) -> None:
        """Add to the URI."""
        self._uri += url
        self._unread_bytes -= len(url)
        if len(self._uri) > LONGEST_URI:
            raise UriTooLong(LONGEST_URI)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header. Those behind the body are ignored: proxies do not check them."""
        if not self._in_head:
            return
        name = name.lower()
        if name == b"expect" and value.lower() == b"100-continue":
            self._expects_continue = True
        self._headers.append((name, value))
        if len(self._headers) > MAX_HEADERS:
            raise HeadersTooLarge(LARGEST_HEADERS)

    def on_headers_complete(self) -> None:
        """Report the head."""
        self._require_small_headers()
        parser = self._parser
        method = parser.get_method()
        if parser.should_upgrade():
            if method == b"CONNECT":
                raise MalformedHttp
            return  # ``_ignore_upgrade`` continues
        self._in_head = False
        version = parser.get_http_version()
        keep_alive = version != "1.0" and parser.should_keep_alive()
        self._handler.request_begun(
            RequestHead(method, self._uri, version, self._headers, keep_alive, self._expects_continue)
        )

    def on_body(self, body: bytes) -> None:
        """Report a part of the body."""
        self._unread_bytes = 0
        self._handler.body_received(body)

    def on_message_complete(self) -> None:
        """Report the end of the request."""
        if self._parser.should_upgrade():
            return
        self._require_small_headers()
        self.is_arriving, self._completed = False, True
        self._handler.request_complete()

    def _require_small_headers(self) -> None:
        """Reject headers or trailers that ended in the chunk in which they exceeded the limit."""
        if self._unread_bytes > LARGEST_HEADERS:
            raise HeadersTooLarge(LARGEST_HEADERS)
