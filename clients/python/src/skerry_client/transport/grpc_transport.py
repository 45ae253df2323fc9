"""The transport over gRPC."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import cast
from weakref import WeakSet

import grpc
from google.protobuf.message import Message

from skerry.v1 import ladder_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import status
from skerry_client.errors import ConnectionLost, UnexpectedResponse
from skerry_client.loop import FORKED
from skerry_client.transport.call_headers import NO_HEADERS, CallHeaders, Metadata, cell_of_request
from skerry_client.transport.interface import Exchange
from skerry_client.transport.rpcs import A, Method, Q
from skerry_client.version import __version__

SERVICE = "skerry.v1.SkerryService"
_PATH = f"/{SERVICE}/"
MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""Far above the size of the longest replay."""

_OPTIONS = [
    ("grpc.primary_user_agent", f"skerry-client/{__version__}"),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    # The client itself repeats calls, because it knows which of them have a request id.
    ("grpc.enable_retries", 0),
    # Reconnect to a restarted server within two seconds. gRPC's default is up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # The time limit of one attempt to connect.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    # Detect a dead connection within 30 s while a call is open. Idle connections send no keepalives.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    # Give each channel its own connection, so that two clients in a process do not affect each other.
    ("grpc.use_local_subchannel_pool", 1),
]

_channels: WeakSet[grpc.aio.Channel] = WeakSet()
"""The channels that are open in this process, or were open when it was forked."""
_forked_with_channels = False
"""Whether channels were open when this process was forked. gRPC aborts such a process when it is used."""


def _record_fork() -> None:
    global _forked_with_channels  # noqa: PLW0603 - a fact about the process
    _forked_with_channels = _forked_with_channels or bool(_channels)


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_record_fork)


class GrpcTransport:
    """One channel to one server. It connects with the first call, in the event loop of that call."""

    def __init__(
        self,
        server: str,
        credentials: grpc.ChannelCredentials | None = None,
        headers: CallHeaders = NO_HEADERS,
    ) -> None:
        self._server = server
        self._metadata_of = headers
        self._credentials = credentials
        self._channel: grpc.aio.Channel | None = None
        self._calls: dict[str, grpc.aio.UnaryUnaryMultiCallable[Message, Message]] = {}
        self._closed = False

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call."""
        channel = self._connected()
        if method.name not in self._calls:
            self._calls[method.name] = channel.unary_unary(
                _PATH + method.name,
                request_serializer=method.request.SerializeToString,
                response_deserializer=method.response.FromString,
            )
        call = cast("grpc.aio.UnaryUnaryMultiCallable[Q, A]", self._calls[method.name])
        try:
            metadata = self._metadata(token, cell_of_request(request))
            return _checked(await call(request, timeout=timeout, metadata=metadata), method.response)
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        except asyncio.CancelledError:
            self._raise_if_closed()
            raise

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        metadata = self._metadata(token, cell_of_request(request))
        async with aclosing(self._stream("Observe", request, api.ObserveResponse, metadata)) as messages:
            async for message in messages:
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        metadata = self._metadata(None, cell_of_request(request))
        async with aclosing(self._stream("FindMatch", request, api.FindMatchResponse, metadata)) as messages:
            async for message in messages:
                yield message

    async def find_ladder_game(
        self, request: ladder_pb2.FindLadderGameRequest
    ) -> AsyncGenerator[ladder_pb2.FindLadderGameResponse, None]:
        """Make one FindLadderGame call."""
        metadata = self._metadata(None, cell_of_request(request))
        async with aclosing(
            self._stream("FindLadderGame", request, ladder_pb2.FindLadderGameResponse, metadata)
        ) as messages:
            async for message in messages:
                yield message

    async def _stream(
        self, rpc: str, request: Message, response: type[A], metadata: Metadata | None
    ) -> AsyncGenerator[A, None]:
        open_stream: grpc.aio.UnaryStreamMultiCallable[Message, A] = self._connected().unary_stream(
            _PATH + rpc,
            request_serializer=cast("Callable[[Message], bytes]", type(request).SerializeToString),
            response_deserializer=response.FromString,
        )
        stream = open_stream(request, metadata=metadata)
        try:
            async for message in stream:
                yield _checked(message, response)
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        except asyncio.CancelledError:
            self._raise_if_closed()
            raise
        finally:
            stream.cancel()

    def play(self, cell: str = "") -> Exchange:
        """Make a Play call for sessions of a cell."""
        return self._exchange(cell)

    def _exchange(self, cell: str) -> GrpcExchange:
        open_stream: grpc.aio.StreamStreamMultiCallable[api.PlayRequest, api.PlayResponse]
        open_stream = self._connected().stream_stream(
            _PATH + "Play",
            request_serializer=cast("Callable[[api.PlayRequest], bytes]", api.PlayRequest.SerializeToString),
            response_deserializer=api.PlayResponse.FromString,
        )
        return GrpcExchange(open_stream(metadata=self._metadata(None, cell)))

    def hold(self, name: str) -> None:
        """Return nothing: the sessions of a server do not depend on handles."""

    async def close(self) -> None:
        """Close the connection. This cancels calls in progress."""
        self._closed = True
        if self._channel:
            channel, self._channel = self._channel, None
            # gRPC keeps threads, which break forks, as long as a reference to a channel exists.
            self._calls.clear()
            await channel.close()

    def _raise_if_closed(self) -> None:
        """Raise RuntimeError if ``close`` cancelled the call, because its caller was not cancelled."""
        if self._closed:
            raise RuntimeError("this client was closed during the call") from None

    def _metadata(self, token: str | None, cell: str) -> Metadata | None:
        return self._metadata_of(token, cell) or None

    def _connected(self) -> grpc.aio.Channel:
        if self._closed:
            raise RuntimeError("this client is closed")
        if _forked_with_channels:
            raise RuntimeError(f"gRPC cannot be used in a process that was forked while a client was open: {FORKED}")
        if self._channel is None:
            if self._credentials is None:
                self._channel = grpc.aio.insecure_channel(self._server, _OPTIONS)
            else:
                self._channel = grpc.aio.secure_channel(self._server, self._credentials, _OPTIONS)
            _channels.add(self._channel)
        return self._channel


def _checked(message: A, message_type: type[A]) -> A:
    """Return the message. Raises UnexpectedResponse for ``None``, which gRPC returns for a malformed message."""
    if not isinstance(message, message_type):
        raise UnexpectedResponse(f"the response is not of type {message_type.DESCRIPTOR.name}")
    return message


class GrpcExchange:
    """One Play call."""

    def __init__(self, call: grpc.aio.StreamStreamCall[api.PlayRequest, api.PlayResponse]) -> None:
        self._call = call

    def on_end(self, callback: Callable[[], None]) -> None:
        """Run the callback once the call has ended, with or without an error."""
        self._call.add_done_callback(lambda _: callback())

    async def write(self, request: api.PlayRequest) -> None:
        """Send a request. Calls must not overlap."""
        try:
            await self._call.write(request)
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        except asyncio.InvalidStateError:
            raise ConnectionLost("the stream has ended") from None

    async def read(self) -> api.PlayResponse | None:
        """Return the next response; ``None`` after the last."""
        try:
            response = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        return response if isinstance(response, api.PlayResponse) else None

    def cancel(self) -> None:
        """Cancel the call."""
        self._call.cancel()
