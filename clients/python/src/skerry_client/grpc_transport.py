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

from skerry.v1 import service_pb2 as api
from skerry_client import status
from skerry_client.errors import ConnectionLost, UnexpectedAnswer
from skerry_client.loop import FORKED
from skerry_client.transport import A, Exchange, Method, Q
from skerry_client.version import __version__

SERVICE = "skerry.v1.SkerryService"
_PATH = f"/{SERVICE}/"
_API_KEY = "x-api-key"
_MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""Far above the longest replay; what passes it is a fault."""

Metadata = tuple[tuple[str, str], ...]

_OPTIONS = [
    ("grpc.primary_user_agent", f"skerry-client/{__version__}"),
    ("grpc.max_receive_message_length", _MAX_MESSAGE_BYTES),
    # Repeating is this client's own business: it knows which calls carry a request id.
    ("grpc.enable_retries", 0),
    # A server that restarts is found again within a second or two, not after gRPC's default of up to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # How long one attempt to connect may take.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    # A dead connection shows within 30 s while a call is open. Idle connections are left alone.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 0),
    # One channel is one connection: two clients in a process do not share their fate.
    ("grpc.use_local_subchannel_pool", 1),
]

_channels: WeakSet[grpc.aio.Channel] = WeakSet()
"""Those that are open in this process, or were when it was forked."""
_born_beside_channels = False
"""Whether there were any when this process was forked: gRPC ends such a process when it is used there."""


def _note_the_fork() -> None:
    global _born_beside_channels  # noqa: PLW0603 - a fact about the process
    _born_beside_channels = _born_beside_channels or bool(_channels)


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_note_the_fork)


class GrpcTransport:
    """One channel to one server. It connects with the first call, in the event loop of that call."""

    def __init__(
        self, server: str, credentials: grpc.ChannelCredentials | None = None, api_key: str | None = None
    ) -> None:
        self._server = server
        self._own = ((_API_KEY, api_key),) if api_key else ()
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
                response_deserializer=method.answer.FromString,
            )
        call = cast("grpc.aio.UnaryUnaryMultiCallable[Q, A]", self._calls[method.name])
        try:
            return _understood(await call(request, timeout=timeout, metadata=self._metadata(token)), method.answer)
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        except asyncio.CancelledError:
            self._tell_if_closed()
            raise

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        metadata = self._metadata(token)
        async with aclosing(self._stream("Observe", request, api.ObserveResponse, metadata)) as messages:
            async for message in messages:
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        metadata = self._metadata(None)
        async with aclosing(self._stream("FindMatch", request, api.FindMatchResponse, metadata)) as messages:
            async for message in messages:
                yield message

    async def _stream(
        self, rpc: str, request: Message, answer: type[A], metadata: Metadata | None
    ) -> AsyncGenerator[A, None]:
        follow: grpc.aio.UnaryStreamMultiCallable[Message, A] = self._connected().unary_stream(
            _PATH + rpc,
            request_serializer=cast("Callable[[Message], bytes]", type(request).SerializeToString),
            response_deserializer=answer.FromString,
        )
        stream = follow(request, metadata=metadata)
        try:
            async for message in stream:
                yield _understood(message, answer)
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        except asyncio.CancelledError:
            self._tell_if_closed()
            raise
        finally:
            stream.cancel()

    def play(self) -> Exchange:
        """Make a Play call."""
        return self._exchange()

    def _exchange(self) -> GrpcExchange:
        both: grpc.aio.StreamStreamMultiCallable[api.PlayRequest, api.PlayResponse]
        both = self._connected().stream_stream(
            _PATH + "Play",
            request_serializer=cast("Callable[[api.PlayRequest], bytes]", api.PlayRequest.SerializeToString),
            response_deserializer=api.PlayResponse.FromString,
        )
        return GrpcExchange(both(metadata=self._metadata(None)))

    def hold(self, name: str) -> None:
        """Sessions of a server live without their handles."""

    async def close(self) -> None:
        """Close the connection. Calls under way are cancelled."""
        self._closed = True
        if self._channel:
            channel, self._channel = self._channel, None
            # gRPC has threads for as long as anything holds a channel of it, and they do not go well with a fork.
            self._calls.clear()
            await channel.close()

    def _tell_if_closed(self) -> None:
        """Closing cancels the calls under way. Their callers were not cancelled and must not believe so."""
        if self._closed:
            raise RuntimeError("this client was closed during the call") from None

    def _metadata(self, token: str | None) -> Metadata | None:
        return (*self._own, ("authorization", f"Bearer {token}")) if token else self._own or None

    def _connected(self) -> grpc.aio.Channel:
        if self._closed:
            raise RuntimeError("this client is closed")
        if _born_beside_channels:
            raise RuntimeError(f"gRPC cannot be used in a process that was forked while a client was open: {FORKED}")
        if self._channel is None:
            if self._credentials is None:
                self._channel = grpc.aio.insecure_channel(self._server, _OPTIONS)
            else:
                self._channel = grpc.aio.secure_channel(self._server, self._credentials, _OPTIONS)
            _channels.add(self._channel)
        return self._channel


def _understood(message: A, kind: type[A]) -> A:
    """Return the message. gRPC hands over ``None`` in the place of one that cannot be read."""
    if not isinstance(message, kind):
        raise UnexpectedAnswer(f"the answer is no {kind.DESCRIPTOR.name}")
    return message


class GrpcExchange:
    """One Play call."""

    def __init__(self, call: grpc.aio.StreamStreamCall[api.PlayRequest, api.PlayResponse]) -> None:
        self._call = call

    def when_ended(self, then: Callable[[], None]) -> None:
        """Call it once the call has ended, however that is."""
        self._call.add_done_callback(lambda _: then())

    async def write(self, request: api.PlayRequest) -> None:
        """Send a request. One at a time."""
        try:
            await self._call.write(request)
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        except asyncio.InvalidStateError:
            raise ConnectionLost("the stream has ended") from None

    async def read(self) -> api.PlayResponse | None:
        """Return the next response, ``None`` after the last."""
        try:
            response = await self._call.read()
        except grpc.aio.AioRpcError as error:
            raise status.from_grpc(error) from None
        return response if isinstance(response, api.PlayResponse) else None

    def cancel(self) -> None:
        """Break the call off."""
        self._call.cancel()
