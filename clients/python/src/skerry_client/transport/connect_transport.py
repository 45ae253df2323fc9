"""The transport over Connect: HTTP/1.1 with protobuf, for networks and proxies that carry no gRPC.

It has no Play stream, which needs HTTP/2. Seats use Observe and Act instead.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager
from ssl import SSLContext
from struct import Struct

from google.protobuf.message import DecodeError, Message

from skerry.v1 import service_pb2 as api
from skerry_client.errors import ConnectionLost, DeadlineExceeded, MessageTooLarge, UnexpectedResponse
from skerry_client.transport.connect_errors import error_in_stream, error_of_response
from skerry_client.transport.grpc_transport import MAX_MESSAGE_BYTES, SERVICE, Metadata
from skerry_client.transport.http_connections import BodyTooLarge, HttpConnection, HttpConnections
from skerry_client.transport.rpcs import A, Method, Q
from skerry_client.version import __version__

_ENVELOPE = Struct(">BI")
_END = 0b10
"""The flag of the envelope that ends a stream."""
_LONGEST_TIMEOUT_MS = 10**10 - 1
_ADDRESS = re.compile(r"(?:\[(?P<v6>[^]]+)]|(?P<host>[^:/]+)):(?P<port>[0-9]+)")


class ConnectTransport:
    """Calls one server over HTTP. It connects with the first call, in the event loop of that call."""

    def __init__(self, server: str, context: SSLContext | None = None, api_key: str | None = None) -> None:
        """``server``: ``HOST:PORT``; ``context``: ``None`` for plain HTTP. Raises ValueError."""
        found = _ADDRESS.fullmatch(server)
        if found is None:
            raise ValueError(f"server: Pass HOST:PORT, not {server!r}.")
        self._connections = HttpConnections(found["v6"] or found["host"], int(found["port"]), context)
        self._api_key = (("x-api-key", api_key),) if api_key else ()
        self._host = server
        self._closed = False

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call."""
        extra = (("connect-timeout-ms", str(max(1, round(min(timeout * 1000, _LONGEST_TIMEOUT_MS))))),)
        sent = self._request(method.name, "proto", request.SerializeToString(), (*self._metadata(token), *extra))
        try:
            async with asyncio.timeout(timeout):
                with self._errors():
                    status, body = await self._exchange(sent)
        except TimeoutError:
            raise DeadlineExceeded(f"the call did not finish within {timeout:g} s") from None
        if status != 200:
            raise error_of_response(status, body)
        return _parsed(method.response, body)

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        stream = self._stream("Observe", request, api.ObserveResponse, self._metadata(token))
        async with aclosing(stream) as messages:
            async for message in messages:
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        stream = self._stream("FindMatch", request, api.FindMatchResponse, self._metadata(None))
        async with aclosing(stream) as messages:
            async for message in messages:
                yield message

    def hold(self, name: str) -> None:
        """Return nothing: the sessions of a server do not depend on handles."""

    async def close(self) -> None:
        """Close all connections. Calls in progress raise RuntimeError."""
        self._closed = True
        self._connections.close()

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and return the status and the body of its response."""
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
        data = request.SerializeToString()
        sent = self._request(rpc, "connect+proto", _ENVELOPE.pack(0, len(data)) + data, metadata)
        with self._errors():
            connection = await self._take()
            try:
                head = await connection.send(sent)
                if head.status != 200:
                    raise error_of_response(head.status, await connection.body(MAX_MESSAGE_BYTES))
                async with aclosing(_enveloped(connection)) as messages:
                    async for message in messages:
                        yield _parsed(response, message)
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
            raise ConnectionLost(f"the connection to {self._host} failed: {error}") from None
        except BodyTooLarge:
            raise MessageTooLarge(f"the response has more than {MAX_MESSAGE_BYTES} bytes") from None
        except ValueError as error:
            raise UnexpectedResponse(f"the response is not HTTP: {error}") from None

    def _metadata(self, token: str | None) -> Metadata:
        return (*self._api_key, ("authorization", f"Bearer {token}")) if token else self._api_key

    def _request(self, rpc: str, media: str, body: bytes, metadata: Metadata) -> bytes:
        lines = [
            f"POST /{SERVICE}/{rpc} HTTP/1.1",
            f"host: {self._host}",
            f"user-agent: skerry-client/{__version__}",
            "connect-protocol-version: 1",
            f"content-type: application/{media}",
            f"content-length: {len(body)}",
            *(f"{name}: {value}" for name, value in metadata),
        ]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


async def _enveloped(connection: HttpConnection) -> AsyncGenerator[bytes, None]:
    """Yield the messages of a stream. Raises the error with which the server ended it."""
    data = bytearray()
    async with aclosing(connection.parts()) as parts:
        async for part in parts:
            data += part
            while len(data) >= _ENVELOPE.size:
                flags, length = _ENVELOPE.unpack_from(data)
                if length > MAX_MESSAGE_BYTES:
                    raise BodyTooLarge
                end = _ENVELOPE.size + length
                if len(data) < end:
                    break
                message = bytes(data[_ENVELOPE.size : end])
                del data[:end]
                if flags & _END:
                    if (error := error_in_stream(message)) is not None:
                        raise error
                    return
                yield message
    raise ConnectionLost("the stream broke off")


def _parsed(kind: type[A], data: bytes) -> A:
    try:
        return kind.FromString(data)
    except DecodeError:
        raise UnexpectedResponse(f"the response is not of type {kind.DESCRIPTOR.name}") from None
