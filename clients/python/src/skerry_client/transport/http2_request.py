"""A request over HTTP/2 whose body can be sent while the response arrives, on a connection of its own.

The only module of the client that knows ngh2, which wraps libnghttp2.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from ssl import SSLContext
from typing import Any, cast

from ngh2 import Configuration, Connection, Role
from ngh2.enums import Setting
from ngh2.events import DataReceived, Event, ResponseReceived, SettingsReceived, StreamClosed
from ngh2.exceptions import NGH2Error

from skerry_client.transport.http_address import HttpAddress

HTTP2 = "h2"
"""The protocol's name in ALPN."""
_WINDOW = 1024 * 1024
"""Bytes of the response that the server may send before they are read."""
_CONFIGURATION = Configuration(auto_window_update=False)


class NotHttp2(Exception):
    """The server, or a proxy in front of it, does not speak HTTP/2 at this address."""


class Http2Request(asyncio.Protocol):
    """One request. Its methods raise OSError, EOFError or ValueError if it breaks, and NotHttp2."""

    def __init__(self) -> None:
        self._http2 = Connection(Role.CLIENT, _CONFIGURATION)
        self._http2.initiate_connection({Setting.INITIAL_WINDOW_SIZE: _WINDOW, Setting.ENABLE_PUSH: 0})
        self._http2.set_local_window_size(_WINDOW)
        self._stream = 0
        self._status: int | None = None
        self._parts: deque[bytes] = deque()
        """The parts of the response's body that are not read yet."""
        self._is_http2 = False
        self._is_paused = False
        self._ended = False
        self._failure: Exception | None = None
        self._waiters: list[asyncio.Future[None]] = []

    @classmethod
    async def open(
        cls, address: HttpAddress, context: SSLContext | None, headers: Sequence[tuple[str, str]]
    ) -> Http2Request:
        """Connect and send the headers of the request, of which the first are the pseudo-headers."""
        transport, request = await address.connect(cls, context)
        ssl_object: Any = transport.get_extra_info("ssl_object")
        if ssl_object is not None and ssl_object.selected_alpn_protocol() not in {HTTP2, None}:
            transport.abort()
            raise NotHttp2
        request.begin(headers)
        return request

    def begin(self, headers: Sequence[tuple[str, str]]) -> None:
        """Send the headers of the request."""
        encoded = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
        self._stream = self._http2.send_request(encoded)
        self._flush()

    async def send(self, data: bytes) -> None:
        """Send a part of the body. Return when the server's windows and the network have room for another one."""
        self._raise_failure()
        if self._ended:
            raise EOFError("the server has ended the response")
        self._http2.send_data(self._stream, data)
        self._flush()
        while not self._has_room():
            await self._change()

    def _has_room(self) -> bool:
        return self._ended or not (self._is_paused or self._http2.queued_body_size(self._stream))

    async def status(self) -> int:
        """Return the status of the response."""
        while self._status is None:
            await self._change()
        return self._status

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the body of the response in parts, as they arrive."""
        while True:
            while self._parts:
                part = self._parts.popleft()
                self._http2.acknowledge_received_data(len(part), self._stream)
                self._flush()
                yield part
            if self._ended:
                return
            await self._change()

    def close(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    # ------------------------------------------------------------ the event loop's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Handle frames of the server."""
        try:
            self._http2.receive_data(data)
            for event in self._http2.events():
                self._handle(event)
        except NGH2Error as error:
            self._fail(ValueError(str(error)))
        if not (self._is_http2 or self._http2.want_read):
            self._fail(NotHttp2())
        self._flush()
        self._notify()

    def _handle(self, event: Event) -> None:
        if isinstance(event, DataReceived):
            if event.data:
                self._parts.append(event.data)
            self._ended |= event.end_stream
        elif isinstance(event, ResponseReceived):
            self._status = next((int(value) for name, value in event.headers if name == b":status"), 0)
            self._ended |= event.end_stream
        elif isinstance(event, SettingsReceived):
            self._is_http2 = True
        elif isinstance(event, StreamClosed) and not self._ended:
            self._fail(EOFError(f"the server reset the stream with code {event.error_code}"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail unless the response is complete."""
        if not self._ended:
            self._fail(exc or EOFError("it ended within a response"))
        self._notify()

    def pause_writing(self) -> None:
        """Let senders wait."""
        self._is_paused = True

    def resume_writing(self) -> None:
        """Let senders go on."""
        self._is_paused = False
        self._notify()

    def _flush(self) -> None:
        if self._failure is None and (output := self._http2.data_to_send()):
            self._transport.write(output)

    def _fail(self, failure: Exception) -> None:
        self._failure = self._failure or failure
        self._transport.abort()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _change(self) -> None:
        """Wait until anything has changed. Raises the failure of the connection."""
        self._raise_failure()
        self._waiters.append(waiter := asyncio.get_running_loop().create_future())
        await waiter
        self._raise_failure()

    def _notify(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
