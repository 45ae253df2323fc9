"""The HTTP/2 state machine of one connection. The only module that knows ngh2, which wraps libnghttp2.

The engine does no I/O: it takes received bytes, reports what they mean to a ``ConnectionEvents``, and returns the bytes
to send.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import IntEnum
from typing import Protocol

from ngh2 import Configuration, Connection, Role
from ngh2.enums import Setting
from ngh2.events import (
    ConnectionClosed,
    DataReceived,
    Event,
    PingAcknowledged,
    PingReceived,
    RequestReceived,
    SettingsReceived,
    StreamClosed,
    TrailersReceived,
    WindowUpdated,
)
from ngh2.exceptions import DenialOfServiceError, NGH2Error, StreamProtocolError

from skerry_service.edge.http.request_limits import LARGEST_HEADERS

Headers = Sequence[tuple[bytes, bytes]]
"""Header fields in order, names in lower case."""

MAX_STREAMS = 1024
"""Concurrent streams of a connection. Further calls wait in the client. A proxy opens another connection."""
STREAM_WINDOW = 128 * 1024
"""Bytes that a client may send on a stream before they are consumed. More than the largest request."""
_CONNECTION_WINDOW = 1024 * 1024
_FATAL_HEADERS, _FATAL_HEADER_COUNT = 72 * 1024, 256
"""A header list beyond these ends the connection while it is decoded. A smaller one is refused with an answer: a proxy
such as Envoy passes up to 60 KiB on, and its connection carries the calls of others too."""
_SLICE = 4 * 1024
"""Bytes that are decoded before their events are handled. One byte of input can stand for a header of 4 KiB."""
_CONFIGURATION = Configuration(
    auto_window_update=False,
    max_inbound_header_list_size=_FATAL_HEADERS,
    max_inbound_header_count=_FATAL_HEADER_COUNT,
    max_outbound_ack=200,
    stream_reset_rate_limit=(1_000, 100),
    glitch_rate_limit=(1_000, 100),
)
_SETTINGS: dict[int, int] = {
    Setting.MAX_CONCURRENT_STREAMS: MAX_STREAMS,
    Setting.INITIAL_WINDOW_SIZE: STREAM_WINDOW,
    Setting.MAX_HEADER_LIST_SIZE: LARGEST_HEADERS,
}


class ErrorCode(IntEnum):
    """The error codes of RFC 9113, section 7, that the service sends or distinguishes."""

    NO_ERROR = 0x0
    PROTOCOL_ERROR = 0x1
    INTERNAL_ERROR = 0x2
    REFUSED_STREAM = 0x7
    CANCEL = 0x8
    ENHANCE_YOUR_CALM = 0xB


class EngineError(Exception):
    """The connection is no longer usable. ``farewell``: the last bytes to send."""

    def __init__(self, message: str, farewell: bytes) -> None:
        super().__init__(message)
        self.farewell = farewell


class ConnectionEvents(Protocol):
    """Receives the events of a connection. ``code``: an error code of HTTP/2."""

    def on_request(self, stream_id: int, headers: Headers, ended: bool) -> None:
        """Handle a new stream. ``ended``: whether the request has no body."""

    def on_data(self, stream_id: int, data: bytes, ended: bool) -> None:
        """Handle a part of a request's body."""

    def on_closed(self, stream_id: int, code: int) -> None:
        """Handle the end of a stream, in both directions."""

    def on_ping(self) -> None:
        """Handle a ping, which is answered already."""

    def on_pong(self, payload: bytes) -> None:
        """Handle the answer to a ping of ours."""

    def on_settings(self) -> None:
        """Handle settings of the client, which are acknowledged already."""

    def on_window(self) -> None:
        """Handle a window update of the client."""

    def on_end(self) -> None:
        """Handle the end of the connection: send the pending output and close the transport."""


class Engine:
    """The server's side of one connection. Every method may raise EngineError, which ends the connection.

    It does not keep the receiver of events, which refers to the engine: both are freed with the connection.
    """

    __slots__ = ("_connection", "_last_stream", "acknowledge", "queued")

    def __init__(self) -> None:
        self._last_stream = 0
        self._connection = connection = Connection(Role.SERVER, _CONFIGURATION)
        connection.initiate_connection(_SETTINGS)
        connection.set_local_window_size(_CONNECTION_WINDOW)
        self.acknowledge: Callable[[int, int], None] = connection.acknowledge_received_data
        """Let the client send as many bytes again: ``(count, stream_id)``."""
        self.queued: Callable[[int], int] = connection.queued_body_size
        """Return the bytes of a stream's body that the client's windows hold back."""

    def receive(self, data: bytes, events: ConnectionEvents) -> None:
        """Decode received bytes and report their events."""
        if len(data) <= _SLICE:
            self._receive(data, events)
            return
        view = memoryview(data)
        for start in range(0, len(data), _SLICE):
            self._receive(view[start : start + _SLICE], events)

    def _receive(self, data: bytes | memoryview, events: ConnectionEvents) -> None:
        try:
            self._connection.receive_data(data)
        except NGH2Error as error:
            raise self._failure(error) from error
        self.report(events)

    def output(self) -> bytes:
        """Return the bytes to send now. Call ``report`` once they are sent."""
        try:
            return self._connection.data_to_send()
        except NGH2Error as error:
            raise self._failure(error) from error

    def report(self, events: ConnectionEvents) -> None:
        """Report the events since the last time."""
        for event in self._connection.events():
            if isinstance(event, RequestReceived):
                self._last_stream = event.stream_id
                events.on_request(event.stream_id, event.headers, event.end_stream)
            elif isinstance(event, DataReceived):
                events.on_data(event.stream_id, event.data, event.end_stream)
            elif isinstance(event, StreamClosed):
                events.on_closed(event.stream_id, event.error_code)
            else:
                self._report_rare(event, events)

    def _report_rare(self, event: Event, events: ConnectionEvents) -> None:
        if isinstance(event, WindowUpdated):
            events.on_window()
        elif isinstance(event, TrailersReceived):
            events.on_data(event.stream_id, b"", True)
        elif isinstance(event, PingReceived):
            events.on_ping()
        elif isinstance(event, PingAcknowledged):
            events.on_pong(event.opaque_data)
        elif isinstance(event, SettingsReceived):
            events.on_settings()
        elif isinstance(event, ConnectionClosed):
            events.on_end()
        # StreamReset precedes StreamClosed, which has the same code.

    def _failure(self, error: NGH2Error) -> EngineError:
        floods = isinstance(error, DenialOfServiceError)
        code = ErrorCode.ENHANCE_YOUR_CALM if floods else ErrorCode.PROTOCOL_ERROR
        return EngineError(str(error), _goaway(self._last_stream, code))

    # ------------------------------------------------------------ responses
    # A client may have reset a stream whose end is not reported yet. Then nothing is sent.

    def respond(self, stream_id: int, headers: Headers, body: bytes, trailers: Headers) -> None:
        """Queue a whole response."""
        connection = self._connection
        try:
            connection.send_response(stream_id, headers)
            connection.send_data(stream_id, body)
            connection.send_trailers(stream_id, trailers)
        except StreamProtocolError:
            return

    def send_headers(self, stream_id: int, headers: Headers, *, end: bool = False) -> None:
        """Queue the headers of a response. ``end``: it has no body."""
        with suppress(StreamProtocolError):
            self._connection.send_response(stream_id, headers, end_stream=end)

    def send_data(self, stream_id: int, data: bytes) -> None:
        """Queue bytes of a response's body."""
        try:
            self._connection.send_data(stream_id, data)
        except StreamProtocolError:
            return

    def send_continue(self, stream_id: int) -> None:
        """Queue the informational response that lets a client send its body."""
        with suppress(StreamProtocolError):
            self._connection.send_informational_response(stream_id, ((b":status", b"100"),))

    def end(self, stream_id: int) -> None:
        """End a response after its queued body."""
        with suppress(StreamProtocolError):
            self._connection.end_stream(stream_id)

    def send_trailers(self, stream_id: int, trailers: Headers) -> None:
        """End a response after its queued body, with trailers."""
        with suppress(StreamProtocolError):
            self._connection.send_trailers(stream_id, trailers)

    def reset(self, stream_id: int, code: int) -> None:
        """End a stream at once. What is queued of its response is dropped."""
        with suppress(StreamProtocolError):
            self._connection.reset_stream(stream_id, code)

    def is_open(self, stream_id: int) -> bool:
        """Return whether no window of the client holds back the end of a response whose body is sent."""
        return min(self._connection.remote_window_size, self._connection.stream_remote_window_size(stream_id)) > 0

    # ------------------------------------------------------------ the connection

    @property
    def queued_in_total(self) -> int:
        """The bytes of all responses that the client's windows hold back."""
        return self._connection.queued_body_size()

    def ping(self, payload: bytes) -> None:
        """Queue a ping. ``payload``: eight bytes, which ``on_pong`` gets back."""
        self._connection.ping(payload)

    def announce_end(self) -> None:
        """Queue the notice that the connection will end soon. Streams may still begin."""
        self._connection.send_shutdown_notice()

    def refuse_new_streams(self) -> None:
        """Queue the notice which streams are served to their end. Clients begin others on a new connection."""
        self._connection.send_goaway(ErrorCode.NO_ERROR)

    def terminate(self, code: ErrorCode, reason: bytes) -> None:
        """Queue the end of the connection, with all its streams."""
        self._connection.send_goaway(code, debug_data=reason)
        self._connection.terminate_connection(code)


def _goaway(last_stream: int, code: ErrorCode) -> bytes:
    """Return a GOAWAY frame, for a connection whose state machine has failed."""
    return struct.pack(">BHBBIII", 0, 8, 7, 0, 0, last_stream, code)
