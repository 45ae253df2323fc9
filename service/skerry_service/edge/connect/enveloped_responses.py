"""The response of an enveloped call: messages in envelopes, and an envelope that ends it. Its HTTP status is 200."""

from __future__ import annotations

from http import HTTPStatus

from skerry_service.edge.connect.connect_errors import closing_headers
from skerry_service.edge.connect.stream_formats import StreamFormat
from skerry_service.edge.framing.compression import SMALLEST_COMPRESSED
from skerry_service.edge.framing.envelopes import COMPRESSED, envelope
from skerry_service.edge.http.asgi import HeaderList, HttpExchange
from skerry_service.edge.http.http_answers import accepts_gzip, compress_body

_HEADERS: HeaderList = [
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would buffer messages
]
_GZIP = b"gzip"


class EnvelopedResponse:
    """Sends the response of one call. The head is sent with the first message."""

    def __init__(self, call: HttpExchange, form: StreamFormat) -> None:
        self._call = call
        self._form = form
        accepted = call.headers.get(form.accept_header, call.headers.get(form.encoding_header))
        self._compresses = accepted is not None and accepts_gzip(accepted)
        self._started = False

    async def enveloped(self, message: bytes) -> bytes:
        """Return a message in its envelope, compressed if it is large and the client accepts gzip."""
        if self._compresses and len(message) >= SMALLEST_COMPRESSED:
            return envelope(await compress_body(message), COMPRESSED)
        return envelope(message)

    async def send(self, message: bytes) -> None:
        """Send a message."""
        body = self._form.encoded(await self.enveloped(message))
        if not self._started:
            self._started = True
            await self._start([])
        await self._call.send({"type": "http.response.body", "body": body, "more_body": True})

    async def finish(self, error: Exception | None, last: bytes = b"") -> None:
        """Send the end of the response. ``last``: an envelope before it."""
        body = self._form.encoded(last + self._form.end(error))
        if not self._started:
            closing = [] if error is None else closing_headers(error)
            await self._start([*closing, (b"content-length", b"%d" % len(body))])
        await self._call.send({"type": "http.response.body", "body": body})

    async def _start(self, headers: HeaderList) -> None:
        head = [*_HEADERS, (b"content-type", self._form.media), *self._call.response_headers]
        if self._compresses:
            head.append((self._form.encoding_header, _GZIP))
        await self._call.send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": [*head, *headers]})
