"""The transport over Connect: HTTP/1.1 with protobuf, and HTTP/2 for Play, on the same port.

It also passes networks and proxies that carry no gRPC. If they carry no HTTP/2 either, seats use Observe and Act
instead of Play.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager
from ssl import SSLContext

import grpc
from google.protobuf.message import Message

from skerry.v1 import ladder_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import status
from skerry_client.errors import ConnectionLost, DeadlineExceeded, MessageTooLarge, UnexpectedResponse
from skerry_client.transport.call_headers import NO_HEADERS, CallHeaders, Metadata, cell_of_request
from skerry_client.transport.connect_errors import error_of_response
from skerry_client.transport.connect_exchange import ConnectExchange
from skerry_client.transport.enveloped_messages import enveloped, messages_in, parsed
from skerry_client.transport.grpc_transport import MAX_MESSAGE_BYTES, SERVICE
from skerry_client.transport.http2_request import HTTP2, Http2Request, NotHttp2
from skerry_client.transport.http_address import HttpAddress
from skerry_client.transport.http_connections import HTTP1, BodyTooLarge, HttpConnection, HttpConnections, OnlyHttp2
from skerry_client.transport.rpcs import A, Method, Q
from skerry_client.transport.tls import TlsCredentials
from skerry_client.version import __version__

_LONGEST_TIMEOUT_MS = 10**10 - 1
_MOST_CALLS = 32
"""Unary calls at a time, each on its own connection. Further ones wait. A server accepts 500 connections of an address
by default, and this many calls keep it busy."""


class GrpcOnly(UnexpectedResponse):
    """The port serves gRPC alone. The server has not received the call."""


class ConnectTransport:
    """Calls one server over HTTP. It connects with the first call, in the event loop of that call."""

    def __init__(
        self,
        server: str,
        credentials: TlsCredentials | SSLContext | None = None,
        headers: CallHeaders = NO_HEADERS,
    ) -> None:
        """``server``: ``HOST:PORT`` or ``unix:PATH``; ``credentials``: ``None`` without TLS. Raises ValueError."""
        address = HttpAddress.parse(server)
        if address is None:
            raise ValueError(f"server: Pass HOST:PORT or unix:PATH, not {server!r}.")
        self._address = address
        self._contexts = _contexts_of(credentials)
        self._connections = HttpConnections(address, *self._contexts)
        self._calls = asyncio.Semaphore(_MOST_CALLS)
        self._exchanges: set[ConnectExchange] = set()
        self._metadata_of = headers
        self._server = server
        self._closed = False

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call."""
        extra = (("connect-timeout-ms", str(max(1, round(min(timeout * 1000, _LONGEST_TIMEOUT_MS))))),)
        metadata = *self._metadata(token, cell_of_request(request)), *extra
        sent = self._request(method.name, "proto", request.SerializeToString(), metadata)
        try:
            async with asyncio.timeout(timeout):
                with self._errors():
                    code, body = await self._exchange_bodies(sent)
        except TimeoutError:
            raise DeadlineExceeded(f"the call did not finish within {timeout:g} s") from None
        if code != 200:
            raise error_of_response(code, body)
        return parsed(method.response, body)

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        stream = self._stream("Observe", request, api.ObserveResponse, self._metadata(token, cell_of_request(request)))
        async with aclosing(stream) as messages:
            async for message in messages:
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        metadata = self._metadata(None, cell_of_request(request))
        stream = self._stream("FindMatch", request, api.FindMatchResponse, metadata)
        async with aclosing(stream) as messages:
            async for message in messages:
                yield message

    async def find_ladder_game(
        self, request: ladder_pb2.FindLadderGameRequest
    ) -> AsyncGenerator[ladder_pb2.FindLadderGameResponse, None]:
        """Make one FindLadderGame call."""
        metadata = self._metadata(None, cell_of_request(request))
        stream = self._stream("FindLadderGame", request, ladder_pb2.FindLadderGameResponse, metadata)
        async with aclosing(stream) as messages:
            async for message in messages:
                yield message

    def play(self, cell: str = "") -> ConnectExchange:
        """Make a Play call for sessions of a cell."""
        if self._closed:
            raise RuntimeError("this client is closed")
        exchange = self._exchange(cell)
        self._exchanges.add(exchange)
        exchange.on_end(lambda: self._exchanges.discard(exchange))
        return exchange

    def _exchange(self, cell: str) -> ConnectExchange:
        scheme = "http" if self._contexts[1] is None else "https"
        headers = [
            (":method", "POST"),
            (":scheme", scheme),
            (":authority", self._address.authority),
            (":path", f"/{SERVICE}/Play"),
            *self._headers("connect+proto", self._metadata(None, cell)),
        ]
        return ConnectExchange(Http2Request.open(self._address, self._contexts[1], headers), self._errors)

    def hold(self, name: str) -> None:
        """Return nothing: the sessions of a server do not depend on handles."""

    async def close(self) -> None:
        """Close all connections. Calls in progress raise RuntimeError."""
        self._closed = True
        self._connections.close()
        for exchange in list(self._exchanges):
            exchange.cancel()

    async def _exchange_bodies(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and return the status and the body of its response."""
        async with self._calls:
            connection, whole = await self._take(), False
            try:
                head = await connection.send(request)
                body = await connection.body(MAX_MESSAGE_BYTES)
                whole = True
            finally:
                self._connections.release(connection, reuse=whole)
            return head.status, body

    async def _stream(
        self, rpc: str, request: Message, response: type[A], metadata: Metadata
    ) -> AsyncGenerator[A, None]:
        sent = self._request(rpc, "connect+proto", enveloped(request.SerializeToString()), metadata)
        with self._errors():
            connection = await self._take()
            try:
                head = await connection.send(sent)
                if head.status != 200:
                    raise error_of_response(head.status, await connection.body(MAX_MESSAGE_BYTES))
                async with aclosing(messages_in(connection.parts())) as messages:
                    async for message in messages:
                        yield parsed(response, message)
            finally:
                self._connections.release(connection, reuse=False)

    async def _take(self) -> HttpConnection:
        if self._closed:
            raise RuntimeError("this client is closed")
        return await self._connections.take()

    @contextmanager
    def _errors(self) -> Generator[None, None, None]:
        """Raise the errors of connections as those of the client."""
        try:
            yield
        except (OSError, EOFError) as error:
            if self._closed:
                raise RuntimeError("this client was closed during the call") from None
            raise ConnectionLost(f"the connection to {self._server} failed: {error}") from None
        except BodyTooLarge:
            raise MessageTooLarge(f"the response has more than {MAX_MESSAGE_BYTES} bytes") from None
        except OnlyHttp2:
            raise GrpcOnly(f"{self._server} does not serve Connect: pass transport='grpc'") from None
        except NotHttp2:
            sentence = f"{self._server} does not serve HTTP/2"
            raise status.without_reason(grpc.StatusCode.UNIMPLEMENTED, sentence) from None
        except ValueError as error:
            raise UnexpectedResponse(f"the response is not HTTP: {error}") from None

    def _metadata(self, token: str | None, cell: str) -> Metadata:
        return self._metadata_of(token, cell)

    def _headers(self, media: str, metadata: Metadata) -> Metadata:
        return (
            ("user-agent", f"skerry-client/{__version__}"),
            ("connect-protocol-version", "1"),
            ("content-type", f"application/{media}"),
            *metadata,
        )

    def _request(self, rpc: str, media: str, body: bytes, metadata: Metadata) -> bytes:
        lines = [
            f"POST /{SERVICE}/{rpc} HTTP/1.1",
            f"host: {self._address.authority}",
            f"content-length: {len(body)}",
            *(f"{name}: {value}" for name, value in self._headers(media, metadata)),
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def _contexts_of(credentials: TlsCredentials | SSLContext | None) -> tuple[SSLContext | None, SSLContext | None]:
    """Return the TLS contexts of HTTP/1.1 and HTTP/2. A caller's own context serves both, without ALPN."""
    if isinstance(credentials, TlsCredentials):
        return credentials.context(HTTP1), credentials.context(HTTP2)
    return credentials, credentials
