"""The API without a client library: generated stubs, bearer tokens, statuses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc.aio import StreamStreamMultiCallable, UnaryStreamMultiCallable, UnaryUnaryMultiCallable

from skerry.v1 import payload_pb2, service_pb2, service_pb2_grpc, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config, GrpcKind
from skerry_service.wiring.server import running_server

if TYPE_CHECKING:
    from skerry.v1.service_pb2_grpc import SkerryServiceAsyncStub as Stub

SERVICE = service_pb2.DESCRIPTOR.services_by_name["SkerryService"]
OPEN = pb.SeatSetup()
BOT = pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT)
PLAYERS = ("Ada", "Bob", "Cyd", "Dot", "Eve", "Fay")

SAYS = re.compile(r"([a-z_]+[\w.\[\]]*: |[A-Z]+(-[A-Z0-9]+)+: )?['A-Z0-9-][^\n]*[^.\s]\.(\.\.)?")
"""The form of every refusal: full sentences, behind the field or the rule if it is one's. Long ones are cut short."""

Metadata = tuple[tuple[str, str], ...]


class Transport:
    """How tests call the servers of ``served``. A fixture chooses it."""

    over_http: Callable[[str, grpc.aio.Channel], Any] | None = None
    """Returns a channel to an HTTP address; ``None``: they use gRPC."""
    grpc: GrpcKind = "nghttp2"
    """The gRPC server."""


class Api:
    """The calls of one server."""

    def __init__(self, channel: grpc.aio.Channel, address: str = "") -> None:
        self.channel = channel
        self.address = address
        self.stub: Stub = service_pb2_grpc.SkerryServiceStub(channel)

    async def send(self, method: str, request: bytes, metadata: Metadata = ()) -> list[bytes]:
        """Send bytes, whatever they are; return the bytes of each answer, of a stream those of the first."""
        path = f"/{SERVICE.full_name}/{method}"
        if SERVICE.methods_by_name[method].client_streaming:
            return await self._exchange(path, request, metadata)
        if not SERVICE.methods_by_name[method].server_streaming:
            unary: UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(path)
            return [await unary(request, metadata=metadata)]
        stream: UnaryStreamMultiCallable[bytes, bytes] = self.channel.unary_stream(path)
        call = stream(request, metadata=metadata)
        async for message in call:
            call.cancel()
            return [message]
        return []

    async def _exchange(self, path: str, request: bytes, metadata: Metadata) -> list[bytes]:
        both: StreamStreamMultiCallable[bytes, bytes] = self.channel.stream_stream(path)
        call = both(metadata=metadata)
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # reading says why
            await call.write(request)
            await call.done_writing()
        async for message in call:
            call.cancel()
            return [message]
        return []


@asynccontextmanager
async def served(store: EmbeddedServer, limits: SessionLimits | None = None, **settings: Any) -> AsyncIterator[Api]:
    """Run a server on a free port; offer its calls over the transport in use."""
    http = None if Transport.over_http is None else "127.0.0.1:0"
    settings = {"http": http, "grpc": Transport.grpc} | settings
    config = Config(port=0, redis_url=store.url, limits=limits or SessionLimits(), **settings)
    async with running_server(config) as running, grpc.aio.insecure_channel(running.address) as channel:
        if Transport.over_http is None or running.http is None:
            yield Api(channel, running.address)
        else:
            yield Api(Transport.over_http(running.http, channel), running.address)


@dataclass
class Refusal:
    """What a status says, taken apart."""

    code: str = ""
    reason: str = ""
    message: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    retry_after: float | None = None


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """Read the details, which every refusal by Skerry itself carries."""
    refusal = Refusal(error.code().name, message=error.details() or "")
    packed = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin")
    if not isinstance(packed, bytes):
        return refusal
    status = Status.FromString(packed)
    assert (status.code, status.message) == (error.code().value[0], error.details())
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info)
    assert info.domain == "skerry"
    assert SAYS.fullmatch(refusal.message), refusal
    refusal.reason, refusal.metadata = info.reason, dict(info.metadata)
    for detail in status.details[1:]:
        assert detail.Unpack(retry)
        refusal.retry_after = retry.retry_delay.ToMilliseconds() / 1000
    return refusal


@contextmanager
def refused(code: str, reason: str, **metadata: object) -> Iterator[Refusal]:
    """Expect the call inside to be refused like this; ``metadata`` names what its metadata must hold."""
    refusal = Refusal()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield refusal
    refusal.__dict__.update(refusal_of(caught.value).__dict__)
    assert (refusal.code, refusal.reason) == (code, reason), refusal
    assert {key: str(value) for key, value in metadata.items()}.items() <= refusal.metadata.items(), refusal


def bearer(token: str | None) -> Metadata:
    """Return the metadata that carries a token."""
    return () if token is None else (("authorization", f"Bearer {token}"),)


@dataclass
class Sitting:
    """A session, with the tokens that it gave out."""

    name: str
    host: str
    spectator: str
    seats: list[str] = field(default_factory=list)
    """By seat."""


async def create(api: Api, *seats: pb.SeatSetup, game: str = "kreta", **fields: Any) -> Sitting:
    """Create a session."""
    made = await api.stub.CreateSession(pb.CreateSessionRequest(game=game, seats=seats, **fields))
    return Sitting(made.session.name, made.host_token, made.spectator_token)


async def lose_seat(api: Api, sitting: Sitting, seat: int) -> pb.OpenSeatResponse:
    """Leave a seat in play, and have the host open it to others: the token is void then."""
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(sitting.seats[seat]))
    opened = pb.OpenSeatRequest(name=sitting.name, seat=seat)
    return await api.stub.OpenSeat(opened, metadata=bearer(sitting.host))


async def sit_down(api: Api, players: int = 2, **fields: Any) -> Sitting:
    """Create a session and join it until it starts."""
    sitting = await create(api, *[OPEN] * players, **fields)
    for name in PLAYERS[:players]:
        joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
        sitting.seats.append(joined.seat_token)
    return sitting


async def look(api: Api, sitting: Sitting, token: str | None = None) -> session_pb2.Position:
    """Return the position as the holder of that token sees it."""
    return (await get(api, sitting, token)).position


async def get(api: Api, sitting: Sitting, token: str | None = None) -> pb.GetSessionResponse:
    """Return the session as the holder of that token sees it."""
    return await api.stub.GetSession(pb.GetSessionRequest(name=sitting.name), metadata=bearer(token))


async def turn(api: Api, sitting: Sitting) -> tuple[str, session_pb2.Position]:
    """Return the token of the first seat that is to act, and what it sees."""
    token = sitting.seats[(await look(api, sitting)).to_act[0]]
    return token, await look(api, sitting, token)


def act(sitting: Sitting, move: payload_pb2.Move, expected_sequence: int, **fields: Any) -> pb.ActRequest:
    """Return the request of a move."""
    return pb.ActRequest(name=sitting.name, move=move, expected_sequence=expected_sequence, **fields)


async def move_once(api: Api, sitting: Sitting, pick: int = 0, **fields: Any) -> pb.ActResponse:
    """Let the seat that is to act make one of its moves."""
    token, position = await turn(api, sitting)
    move = position.legal_moves[pick % len(position.legal_moves)]
    return await api.stub.Act(act(sitting, move, position.sequence, **fields), metadata=bearer(token))


async def play_out(api: Api, sitting: Sitting, others: Sequence[Api] = ()) -> int:
    """Play until the game is over, through each of the servers in turn. Return the last sequence."""
    servers, moves = (api, *others), 0
    while (position := await look(api, sitting)).to_act:
        await move_once(servers[moves % len(servers)], sitting, 7 * moves)
        moves += 1
    return position.sequence


async def everything(api: Api, sitting: Sitting) -> bytes:
    """Return all that a spectator can learn, to compare it before and after what must change nothing."""
    got = await get(api, sitting)
    replay = await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))
    parts: list[Message] = [got, replay]
    return b"".join(part.SerializeToString(deterministic=True) for part in parts)
