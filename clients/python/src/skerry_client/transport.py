"""How calls reach the service: over gRPC, or straight into the service's own code (``skerry_client.local``)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar, runtime_checkable

from google.protobuf.message import Message

from skerry.v1 import service_pb2 as api

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Q, A]):
    """A unary method of ``SkerryService``."""

    name: str
    """As the proto spells it: ``CreateSession``."""
    request: type[Q]
    answer: type[A]


LIST_GAMES: Final = Method("ListGames", api.ListGamesRequest, api.ListGamesResponse)
GET_GAME: Final = Method("GetGame", api.GetGameRequest, api.GetGameResponse)
CREATE_SESSION: Final = Method("CreateSession", api.CreateSessionRequest, api.CreateSessionResponse)
JOIN_SESSION: Final = Method("JoinSession", api.JoinSessionRequest, api.JoinSessionResponse)
START_SESSION: Final = Method("StartSession", api.StartSessionRequest, api.StartSessionResponse)
LEAVE_SESSION: Final = Method("LeaveSession", api.LeaveSessionRequest, api.LeaveSessionResponse)
RETURN_TO_SESSION: Final = Method("ReturnToSession", api.ReturnToSessionRequest, api.ReturnToSessionResponse)
RESIGN_SESSION: Final = Method("ResignSession", api.ResignSessionRequest, api.ResignSessionResponse)
NUDGE_SEAT: Final = Method("NudgeSeat", api.NudgeSeatRequest, api.NudgeSeatResponse)
SET_WEBHOOK: Final = Method("SetWebhook", api.SetWebhookRequest, api.SetWebhookResponse)
OPEN_SEAT: Final = Method("OpenSeat", api.OpenSeatRequest, api.OpenSeatResponse)
CALL_OFF_SESSION: Final = Method("CancelSession", api.CancelSessionRequest, api.CancelSessionResponse)
REMATCH_SESSION: Final = Method("RematchSession", api.RematchSessionRequest, api.RematchSessionResponse)
FORK_SESSION: Final = Method("ForkSession", api.ForkSessionRequest, api.ForkSessionResponse)
REMOVE_PLAYER: Final = Method("RemovePlayer", api.RemovePlayerRequest, api.RemovePlayerResponse)
LABEL_SESSION: Final = Method("LabelSession", api.LabelSessionRequest, api.LabelSessionResponse)
GET_SESSION: Final = Method("GetSession", api.GetSessionRequest, api.GetSessionResponse)
SAMPLE_STATES: Final = Method("SampleStates", api.SampleStatesRequest, api.SampleStatesResponse)
LIST_SESSIONS: Final = Method("ListSessions", api.ListSessionsRequest, api.ListSessionsResponse)
ACT: Final = Method("Act", api.ActRequest, api.ActResponse)
CONFIRM_TABLE: Final = Method("ConfirmMatch", api.ConfirmMatchRequest, api.ConfirmMatchResponse)
GET_REPLAY: Final = Method("GetReplay", api.GetReplayRequest, api.GetReplayResponse)


class Exchange(Protocol):
    """One Play call. Raises nothing but SkerryError for what the service or the way to it does."""

    async def write(self, request: api.PlayRequest) -> None:
        """Send a request. One at a time."""

    async def read(self) -> api.PlayResponse | None:
        """Return the next response, ``None`` after the last."""

    def cancel(self) -> None:
        """Break the call off."""


@runtime_checkable
class OffersPlay(Protocol):
    """What a Transport has beside its own methods where seats can share a stream."""

    def play(self) -> Exchange:
        """Make a Play call."""


@runtime_checkable
class OffersFindMatch(Protocol):
    """What a Transport has beside its own methods where strangers are brought together."""

    def find_match(self, request: api.FindMatchRequest) -> AsyncGenerator[api.FindMatchResponse, None]:
        """Make one FindMatch call and yield its messages, heartbeats included, until the service ends it."""


class Transport(Protocol):
    """One attempt at a call. Raises nothing but SkerryError for what the service or the way to it does."""

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        """Make one unary call. Gives up after ``timeout`` seconds with DeadlineExceeded."""

    def observe(self, request: api.ObserveRequest, token: str | None) -> AsyncGenerator[api.ObserveResponse, None]:
        """Make one Observe call and yield its messages, heartbeats included, until the service ends it."""

    def hold(self, name: str) -> object:
        """Return what each handle of that session keeps for as long as it lives itself."""

    async def close(self) -> None:
        """Release what the transport holds. Calls under way end."""
