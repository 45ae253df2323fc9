"""A client transport into an endpoint of the same process: the calls pass its interceptors, and no connection."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar, cast

from google.protobuf.message import Message

from skerry.v1 import ladder_pb2
from skerry.v1 import service_pb2 as api
from skerry_client import status
from skerry_client.errors import SkerryError
from skerry_client.transport import A, Method, Q
from skerry_service.access.client_addresses import IN_PROCESS
from skerry_service.api.endpoint import Endpoint, FindPeer
from skerry_service.api.error_table import is_refusal, status_of
from skerry_service.wire.caller_language import caller_wording, worded

M = TypeVar("M", bound=Message)


class InProcessTransport:
    """A transport that calls an endpoint. ``find_peer``: returns the origin for which its limits count the calls."""

    def __init__(self, endpoint: Endpoint, find_peer: FindPeer = lambda: IN_PROCESS) -> None:
        self._endpoint = endpoint
        self._find_peer = find_peer

    def hold(self, name: str) -> object:
        """Return nothing: the sessions of a server do not depend on handles."""
        return None

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call. The endpoint bounds its time, so ``timeout`` has no effect."""
        with worded(caller_wording()):
            try:
                answer = await self._endpoint.answer(method.name, lambda: (request, token), self._find_peer)
                return cast("A", answer.message)
            except Exception as error:
                raise _client_error(error) from _cause(error)

    async def observe(
        self, request: api.ObserveRequest, token: str | None
    ) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call."""
        async with aclosing(self._stream("Observe", request, token)) as messages:
            async for message in messages:
                yield cast("api.ObserveResponse", message)

    async def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call."""
        async with aclosing(self._stream("FindMatch", request, None)) as messages:
            async for message in messages:
                yield cast("api.FindMatchResponse", message)

    async def find_ladder_game(
        self, request: ladder_pb2.FindLadderGameRequest
    ) -> AsyncGenerator[ladder_pb2.FindLadderGameResponse, None]:
        """Make one FindLadderGame call."""
        async with aclosing(self._stream("FindLadderGame", request, None)) as messages:
            async for message in messages:
                yield cast("ladder_pb2.FindLadderGameResponse", message)

    async def _stream(self, rpc: str, request: Message, token: str | None) -> AsyncGenerator[Message, None]:
        try:
            copied = _copy(request)
            async with aclosing(self._endpoint.messages(rpc, lambda: (copied, token), self._find_peer)) as messages:
                async for message in messages:
                    # Observers of one session may share a message, so each gets its own copy.
                    yield _copy(message.message)
        except Exception as error:
            raise _client_error(error) from _cause(error)

    async def close(self) -> None:
        """Nothing to release."""


def _client_error(error: Exception) -> SkerryError:
    return status.from_status(status_of(error))


def _cause(error: Exception) -> Exception | None:
    """Return the cause to show: ``None`` for an expected error, the error with its traceback for an internal one."""
    return None if is_refusal(error) else error


def _copy(message: M) -> M:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy
