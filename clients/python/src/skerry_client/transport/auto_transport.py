"""The transport that finds out which protocol a server's port serves: Connect, or gRPC alone."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from skerry.v1 import ladder_pb2
from skerry.v1 import service_pb2 as api
from skerry_client.transport.connect_transport import ConnectTransport, GrpcOnly
from skerry_client.transport.grpc_transport import GrpcTransport
from skerry_client.transport.interface import Exchange
from skerry_client.transport.rpcs import A, Method, Q


class AutoTransport:
    """Calls over Connect, which is faster for one caller. From the first sign of a port for gRPC alone, over gRPC."""

    def __init__(self, connect: ConnectTransport, make_grpc: Callable[[], GrpcTransport]) -> None:
        self._used: ConnectTransport | GrpcTransport = connect
        self._make_grpc = make_grpc

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call."""
        used = self._used
        try:
            return await used.call(method, request, token, timeout)
        except GrpcOnly:  # so the server has not received the call
            return await self._instead_of(used).call(method, request, token, timeout)

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        async with aclosing(self._stream(lambda used: used.observe(request, token))) as messages:
            async for message in messages:
                yield message

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        async with aclosing(self._stream(lambda used: used.find_match(request))) as messages:
            async for message in messages:
                yield message

    async def find_ladder_game(
        self, request: ladder_pb2.FindLadderGameRequest
    ) -> AsyncGenerator[ladder_pb2.FindLadderGameResponse, None]:
        """Make one FindLadderGame call."""
        async with aclosing(self._stream(lambda used: used.find_ladder_game(request))) as messages:
            async for message in messages:
                yield message

    async def _stream(
        self, open_stream: Callable[[ConnectTransport | GrpcTransport], AsyncGenerator[A, None]]
    ) -> AsyncGenerator[A, None]:
        used = self._used
        try:
            async with aclosing(open_stream(used)) as messages:
                async for message in messages:
                    yield message
        except GrpcOnly:
            async with aclosing(open_stream(self._instead_of(used))) as messages:
                async for message in messages:
                    yield message

    def play(self, cell: str = "") -> Exchange:
        """Make a Play call. A seat reads its session first, so the transport is known by then."""
        return self._used.play(cell)

    def hold(self, name: str) -> None:
        """Return nothing: the sessions of a server do not depend on handles."""

    async def close(self) -> None:
        """Close the connections. Calls in progress end."""
        await self._used.close()

    def _instead_of(self, failed: ConnectTransport | GrpcTransport) -> ConnectTransport | GrpcTransport:
        """Return the transport over gRPC. The one over Connect has no open connections."""
        if self._used is failed:
            self._used = self._make_grpc()
        return self._used
