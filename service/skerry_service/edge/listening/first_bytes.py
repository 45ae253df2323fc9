"""The choice of a connection's protocol: by ALPN under TLS, else by its first bytes."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Any, cast

from skerry_service.access.client_addresses import Peer, peer_of
from skerry_service.domain.errors import LimitReached
from skerry_service.edge.http import request_limits
from skerry_service.edge.http.http_answers import closing_response
from skerry_service.edge.http.http_refusals import SlowRequest, TooManyConnections
from skerry_service.edge.listening.connection_end import ConnectionEnd, Refused
from skerry_service.edge.listening.connection_protocol import ConnectionFacts, ProtocolFactory, SocketName
from skerry_service.edge.listening.connection_table import ConnectionTable, OpenConnection

HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
"""The first bytes of a client of HTTP/2 (RFC 9113, section 3.4)."""
HTTP1, HTTP2 = "http/1.1", "h2"
"""The protocols in ALPN."""


@dataclass(frozen=True, slots=True)
class Protocols:
    """The protocols that a listener serves."""

    http1: ProtocolFactory
    http2: ProtocolFactory | None
    """``None``: not served."""
    refused: Refused
    """Called with connections that are rejected before their protocol is known."""


class FirstBytes(asyncio.Protocol):
    """The protocol of a connection until its own one is known."""

    def __init__(self, protocols: Protocols, table: ConnectionTable) -> None:
        self._protocols = protocols
        self._table = table
        self._connection: OpenConnection | None = None
        self._transport: asyncio.Transport | None = None
        self._client: tuple[str, int] | None = None
        self._peer = Peer(None)
        self._data = b""
        self._timer: asyncio.TimerHandle | None = None
        self._is_refused = False
        self._end: ConnectionEnd | None = None
        """The delay of the end after a refusal; ``None``: none."""

    def open(self, transport: asyncio.Transport) -> Exception | None:
        """Count the connection; return the error if there are too many, or ConnectionResetError if it is lost already.

        Under TLS, this is before the handshake.
        """
        try:
            self._client = _client_of(transport)
        except ConnectionResetError as lost:
            return lost
        self._peer = peer_of(self._client)
        try:
            self._connection = self._table.open(transport, self._peer)
        except (TooManyConnections, LimitReached) as error:
            refusal: Exception | None = error
        else:
            refusal = self._connection.refusal
        if refusal is not None:
            self._protocols.refused(self._peer, refusal)
        return refusal

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Choose the protocol by ALPN, or wait for the first bytes."""
        self._transport = cast("asyncio.Transport", transport)
        if self._connection is None and (refusal := self.open(self._transport)) is not None:
            if isinstance(refusal, ConnectionResetError):
                self._transport.abort()
            else:
                self._send_refusal(refusal)
            return
        ssl_object: Any = transport.get_extra_info("ssl_object")
        if ssl_object is not None and (alpn := ssl_object.selected_alpn_protocol()) is not None:
            self._choose(alpn == HTTP2, alpn)
        else:
            self._timer = asyncio.get_running_loop().call_later(request_limits.REQUEST_SECONDS, self._expire)

    def data_received(self, data: bytes) -> None:
        """Choose the protocol as soon as the first bytes decide."""
        if self._is_refused:
            if self._end is not None:
                self._end.discard(len(data))
            return
        self._data += data
        if not HTTP2_PREFACE.startswith(self._data[: len(HTTP2_PREFACE)]):
            self._choose(False)
        elif len(self._data) >= len(HTTP2_PREFACE):
            self._choose(True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, which was silent."""
        if self._timer is not None:
            self._timer.cancel()
        if self._end is not None:
            self._end.cancel()
        self.release()

    def release(self) -> None:
        """Stop counting the connection, unless a protocol has been chosen, which does so itself."""
        if self._connection is not None and self._connection.protocol is None:
            self._table.close(self._connection)

    def _choose(self, is_http2: bool, alpn: str | None = None) -> None:
        assert self._transport is not None
        assert self._connection is not None
        if self._timer is not None:
            self._timer.cancel()
        connection, transport, data = self._connection, self._transport, self._data
        make = self._protocols.http2 if is_http2 and self._protocols.http2 is not None else self._protocols.http1
        facts = ConnectionFacts(
            client=self._client,
            server=_server_of(transport),
            is_tls=transport.get_extra_info("sslcontext") is not None,
            alpn=alpn,
            release=lambda: self._table.close(connection),
        )
        connection.protocol = chosen = make(facts)
        transport.set_protocol(chosen)
        chosen.connection_made(transport)
        if data:
            chosen.data_received(data)

    def _expire(self) -> None:
        """Reject a connection that has been silent for too long."""
        refusal = SlowRequest(request_limits.REQUEST_SECONDS)
        self._protocols.refused(self._peer, refusal)
        self._send_refusal(refusal)

    def _send_refusal(self, refusal: Exception) -> None:
        """Send an error, and close the connection: at once if it is not counted, since it takes a file descriptor."""
        assert self._transport is not None
        self._is_refused = True
        self._transport.write(closing_response(refusal))
        if self._connection is None:
            self._transport.close()
        else:
            self._end = ConnectionEnd(self._transport, refusal)


def _client_of(transport: asyncio.BaseTransport) -> tuple[str, int] | None:
    """Return address and port of the other end; ``None`` for a unix socket. Raises ConnectionResetError.

    The other end has no address once it has reset the connection, though its request can still be read.
    """
    name = transport.get_extra_info("peername")
    if isinstance(name, tuple):
        return name[0], name[1]
    if transport.get_extra_info("socket").family != socket.AF_UNIX:
        raise ConnectionResetError
    return None


def _server_of(transport: asyncio.BaseTransport) -> SocketName:
    """Return this end: host and port, or the path of a unix socket and ``None``."""
    name = transport.get_extra_info("sockname")
    return (name[0], name[1]) if isinstance(name, tuple) else (str(name), None)
