"""The interface between the client and a transport."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol, runtime_checkable

from skerry.v1 import ladder_pb2
from skerry.v1 import service_pb2 as api
from skerry_client.transport.rpcs import A, Method, Q


class Exchange(Protocol):
    """One Play call. Its methods raise only SkerryError for a failure of the service or the connection."""

    async def write(self, request: api.PlayRequest) -> None:
        """Send a request. Calls must not overlap."""

    async def read(self) -> api.PlayResponse | None:
        """Return the next response; ``None`` after the last."""

    def cancel(self) -> None:
        """Cancel the call."""


@runtime_checkable
class SupportsPlay(Protocol):
    """A transport on which seats can share one Play stream."""

    def play(self, cell: str = "") -> Exchange:
        """Make a Play call for sessions of a cell; an empty text if their names have none."""


@runtime_checkable
class SupportsFindMatch(Protocol):
    """A transport that supports matchmaking."""

    def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call and yield its messages, heartbeats included, until the service ends it."""


@runtime_checkable
class SupportsLadders(Protocol):
    """A transport on which bots can wait for games of ladders."""

    def find_ladder_game(
        self, request: ladder_pb2.FindLadderGameRequest
    ) -> AsyncGenerator[ladder_pb2.FindLadderGameResponse, None]:
        """Make one FindLadderGame call and yield its messages, heartbeats included, until the service ends it."""


class Transport(Protocol):
    """A transport makes one attempt at a call.

    Its methods raise only SkerryError for a failure of the service or the connection.
    """

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call. Raises DeadlineExceeded after ``timeout`` seconds."""

    def observe(self, request: api.ObserveRequest, token: str | None) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call and yield its messages, heartbeats included, until the service ends it."""

    def hold(self, name: str) -> object:
        """Return an object that each handle of the session keeps for its own lifetime."""

    async def close(self) -> None:
        """Release all resources. Calls in progress end."""
