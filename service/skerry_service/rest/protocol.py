"""HTTP/1.1 on one connection: uvicorn's protocol, with bounds that uvicorn leaves to a proxy in front of it."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from skerry_service.rest.answers import refuse
from skerry_service.rest.refusals import HeadersTooLarge, HttpRefusal, MalformedHttp, SlowRequest, UriTooLong

LONGEST_URI = 8 * 1024
LARGEST_HEADERS = 8 * 1024
"""Bytes, as of gRPC's metadata."""
REQUEST_SECONDS = 10.0
"""How long a request may take to arrive; from the opening of the connection on, for its first one."""


class Protocol(HttpToolsProtocol):
    """A connection whose requests are bounded in size and time, and refused as the API refuses."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._header_bytes = 0
        self._arriving = True
        self._overdue: asyncio.TimerHandle | None = None
        self._refusal: HttpRefusal | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._arriving and self._overdue is None and not self.transport.is_closing():
            self._await_request()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._header_bytes, self._arriving = 0, True

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > LONGEST_URI:
            self._give_up(UriTooLong(LONGEST_URI))

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_bytes += len(name) + len(value)
        if self._header_bytes > LARGEST_HEADERS:
            self._give_up(HeadersTooLarge(LARGEST_HEADERS))
        super().on_header(name, value)

    def on_message_complete(self) -> None:
        self._arriving = False
        self._stop_waiting()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser could not read, or what was too much, and close."""
        self._refuse(self._refusal or MalformedHttp())

    def _give_up(self, refusal: HttpRefusal) -> None:
        self._refusal = refusal
        raise ValueError(refusal.sentence)  # the parser takes it for a malformed request

    def _refuse(self, refusal: HttpRefusal) -> None:
        if self.transport.is_closing():
            return
        if not self._answering():
            self.transport.write(_as_bytes(refusal))
        self.transport.close()

    def _answering(self) -> bool:
        """Whether bytes would land inside or before the answer to an earlier request."""
        if self.pipeline:
            return True
        cycle = getattr(self, "cycle", None)  # there is none before the first request
        return cycle is not None and cycle.response_started and not cycle.response_complete

    def _await_request(self) -> None:
        self._overdue = self.loop.call_later(REQUEST_SECONDS, self._refuse, SlowRequest(REQUEST_SECONDS))

    def _stop_waiting(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None


def _as_bytes(refusal: HttpRefusal) -> bytes:
    answer = refuse(refusal)
    status = HTTPStatus(answer.status)
    headers = [*answer.headers, (b"content-type", answer.media), (b"content-length", b"%d" % len(answer.body))]
    lines = [b"HTTP/1.1 %d %b" % (status, status.phrase.encode()), *(b"%b: %b" % pair for pair in headers)]
    return b"\r\n".join([*lines, b"", answer.body])
