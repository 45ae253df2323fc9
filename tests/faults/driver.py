"""Clients that only know the API: they repeat what was not answered with the same request id, and resume streams.

They write down what the service acknowledged, so that a test can hold the log against it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import grpc
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from skerry.v1 import service_pb2 as api
from skerry.v1 import service_pb2_grpc, session_pb2
from skerry_service.replays.verification import first_difference

from .processes import PATIENCE

GAME = "kreta"
LONGEST_CALL = 8.0
"""Seconds. The service answers within five even if its store does not; a call that takes longer than this fails."""

_OPTIONS = (
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 100),
    ("grpc.use_local_subchannel_pool", 1),
)


class Refusal(NamedTuple):
    """How a call failed: the code, the service's reason (``None``: it comes from the transport), whether to retry."""

    code: grpc.StatusCode
    reason: str | None
    retry: bool
    metadata: tuple[tuple[str, str], ...] = ()


AWAY = Refusal(grpc.StatusCode.UNAVAILABLE, None, retry=False)
"""There is no server."""
STORE_AWAY = Refusal(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", retry=True)
LEAVING = Refusal(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", retry=True)


def pause(refusal: Refusal) -> float:
    """Return how long to wait: as long as a closing server says, else much shorter, to put load on it."""
    return 1.0 if refusal == LEAVING else 0.05


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """Read a refusal."""
    packed = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin")
    return (
        refusal_in(Status.FromString(packed)) if isinstance(packed, bytes) else Refusal(error.code(), None, retry=False)
    )


def refusal_in(status: Status) -> Refusal:
    """Read a refusal by the service."""
    info, waits = ErrorInfo(), False
    for detail in status.details:
        waits |= detail.Unpack(RetryInfo())
        detail.Unpack(info)
    code = next(one for one in grpc.StatusCode if one.value[0] == status.code)
    return Refusal(code, info.reason, waits, tuple(sorted(info.metadata.items())))


class Api:
    """A channel that survives its server, and every refusal that came over it."""

    def __init__(self, address: str, channel: grpc.aio.Channel) -> None:
        self.address = address
        self.channel = channel
        self.stub = service_pb2_grpc.SkerryServiceStub(channel)
        self.refusals: list[Refusal] = []
        self.epochs: list[str] = []

    async def call(self, method: str, request: Any, token: str | None = None) -> Any:
        """Call until it is answered. Raises whatever is no reason to try again."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    answer = await self.once(method, request, token)
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.UNAVAILABLE:
                        raise
                    await asyncio.sleep(pause(self.refusals[-1]))
                else:
                    return answer

    async def once(self, method: str, request: Any, token: str | None = None, timeout: float = LONGEST_CALL) -> Any:
        """Call once; note how it was refused, or the epoch of the response."""
        try:
            answer = await getattr(self.stub, method)(request, metadata=credentials(token), timeout=timeout)
        except grpc.aio.AioRpcError as error:
            self.refusals.append(refusal_of(error))
            raise
        self._note(answer)
        return answer

    def _note(self, answer: Any) -> None:
        received = answer if hasattr(answer, "epoch") else getattr(answer, "session", None)
        if received is not None and received.epoch not in self.epochs:
            self.epochs.append(received.epoch)


@asynccontextmanager
async def connect(address: str, *options: tuple[str, int]) -> AsyncIterator[Api]:
    """Open a channel of one's own."""
    async with grpc.aio.insecure_channel(address, options=(*_OPTIONS, *options)) as channel:
        yield Api(address, channel)


def credentials(token: str | None) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()


class Acknowledged(NamedTuple):
    """What OK on an Act or an UndoMove said: this seat's move, or the undo of one, stands at this sequence."""

    sequence: int
    seat: int
    move: bytes
    undone: int = 0
    """The sequence of the move that was taken back; 0 for a move."""


@dataclass
class Watcher:
    """One observer: every entry it received, and how its streams broke."""

    seat: int | None
    entries: list[session_pb2.Entry] = field(default_factory=list)
    epochs: list[str] = field(default_factory=list)
    breaks: list[Refusal] = field(default_factory=list)

    async def follow(self, client: Api, name: str, token: str | None) -> None:
        """Follow to the end of the game, resuming behind the last entry. Raises what is no reason to resume."""
        while True:
            request = api.ObserveRequest(name=name, after_sequence=len(self.entries))
            try:
                async for update in client.stub.Observe(request, metadata=credentials(token)):
                    self._take(update)
            except grpc.aio.AioRpcError as error:
                self.breaks.append(refusal_of(error))
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(pause(self.breaks[-1]))
            else:
                return

    def _take(self, update: api.ObserveResponse) -> None:
        for entry in update.entries:
            assert entry.sequence == len(self.entries) + 1, "a gap or a repeat"
            self.entries.append(entry)
        if update.epoch not in self.epochs:
            self.epochs.append(update.epoch)


class Table:
    """One game, all of whose seats are played by random players of this process."""

    undo = session_pb2.UNDO_POLICY_UNSPECIFIED
    """The policy of its session."""

    def __init__(self, client: Api, name: str, tokens: Sequence[str], random: Random) -> None:
        self.client = client
        self.name = name
        self.tokens = tokens
        self.acknowledged: list[Acknowledged] = []
        self._random = random

    async def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Play until the game is over, or ``until`` holds after an Act."""
        to_act = await self.to_act()
        while to_act:
            to_act = await self.act(to_act[0])
            if until():
                return

    async def play_acts(self, count: int) -> None:
        """Play that many Acts."""
        last = len(self.acknowledged) + count
        await self.play(lambda: len(self.acknowledged) >= last)

    async def to_act(self) -> Sequence[int]:
        """Return the seats that owe a decision."""
        return (await self.look(None)).position.to_act

    async def look(self, seat: int | None) -> api.GetSessionResponse:
        """Return the session as a seat sees it."""
        token = None if seat is None else self.tokens[seat]
        looked = await self.client.call("GetSession", api.GetSessionRequest(name=self.name), token)
        assert isinstance(looked, api.GetSessionResponse)
        return looked

    async def decide(self, seat: int) -> api.ActRequest:
        """Choose a random move for a seat that is to act."""
        position = (await self.look(seat)).position
        move = self._random.choice(position.legal_moves)
        return api.ActRequest(
            name=self.name,
            move=move,
            expected_sequence=position.sequence,
            request_id=self.new_request_id(),
            view=api.POSITION_VIEW_FULL,
        )

    async def act(self, seat: int, client: Api | None = None) -> Sequence[int]:
        """Make a random move. Return who is to act then."""
        request = await self.decide(seat)
        answer = await (client or self.client).call("Act", request, self.tokens[seat])
        self.note(seat, request, answer)
        return list(answer.position.to_act)

    def note(self, seat: int, request: api.ActRequest, answer: api.ActResponse) -> None:
        """Write down what was acknowledged."""
        mine = acknowledged_by(answer.entries[0])
        assert (mine.seat, mine.move) == (seat, request.move.SerializeToString(deterministic=True))
        self.acknowledged.append(mine)

    def new_request_id(self) -> str:
        return str(UUID(int=self._random.getrandbits(128), version=4))

    async def replay(self) -> session_pb2.Replay:
        """Return the whole log."""
        answer = await self.client.call("GetReplay", api.GetReplayRequest(name=self.name))
        assert isinstance(answer.replay, session_pb2.Replay)
        return answer.replay


async def new_table(client: Api, seed: int, seats: int = 2, kind: type[Table] = Table) -> Table:
    """Create a session whose chance follows from the seed, and take all its seats."""
    random = Random(f"{seed} {seats}")
    created = await client.call(
        "CreateSession",
        api.CreateSessionRequest(
            game=GAME,
            seats=[api.SeatSetup()] * seats,
            seed=random.randbytes(32),
            undo=kind.undo,
            request_id=str(UUID(int=random.getrandbits(128), version=4)),
        ),
    )
    return await take_seats(client, created.session.name, seats, random, kind)


async def take_seats(client: Api, name: str, seats: int, random: Random, kind: type[Table] = Table) -> Table:
    """Take all seats of a session."""
    tokens = []
    for seat in range(seats):
        request_id = str(UUID(int=random.getrandbits(128), version=4))
        joining = api.JoinSessionRequest(name=name, display_name=f"Player {seat}", seat=seat, request_id=request_id)
        tokens.append((await client.call("JoinSession", joining)).seat_token)
    return kind(client, name, tokens, random)


@asynccontextmanager
async def watched(table: Table) -> AsyncIterator[list[Watcher]]:
    """Follow the game through every seat and as a spectator, each over a channel of its own, until it is over."""
    watchers = [Watcher(None), *(Watcher(seat) for seat in range(len(table.tokens)))]
    address = table.client.address
    async with asyncio.timeout(4 * PATIENCE), asyncio.TaskGroup() as group:
        for watcher in watchers:
            group.create_task(_follow(table, watcher, address))
        yield watchers


async def _follow(table: Table, watcher: Watcher, address: str) -> None:
    async with connect(address) as client:
        token = None if watcher.seat is None else table.tokens[watcher.seat]
        await watcher.follow(client, table.name, token)


async def check_whole(table: Table, watchers: Sequence[Watcher]) -> None:
    """Hold the log of a finished game against what was acknowledged, what was seen, the seed and the rules."""
    replay = await table.replay()
    log = replay.entries
    assert [entry.sequence for entry in log] == list(range(1, len(log) + 1))
    made = [
        acknowledged_by(entry)
        for entry in log
        if entry.WhichOneof("kind") in ("moved", "undone") and entry.HasField("seat") and not entry.automatic
    ]
    assert made == table.acknowledged, "a move is lost, moved or made twice"
    for watcher in watchers:
        assert list(map(identity, watcher.entries)) == list(map(identity, log))
    assert first_difference(replay) is None


def acknowledged_by(entry: session_pb2.Entry) -> Acknowledged:
    """Return what the answer with this entry acknowledged: a move of a seat, or that one was taken back."""
    move = entry.moved.move.SerializeToString(deterministic=True)
    return Acknowledged(entry.sequence, entry.seat, move, entry.undone.first)


def identity(entry: session_pb2.Entry) -> tuple[Any, ...]:
    """Return what of an entry is the same for everybody at any time."""
    seat = entry.seat if entry.HasField("seat") else None
    return entry.sequence, entry.time.ToMilliseconds(), seat, entry.automatic, entry.WhichOneof("kind")
