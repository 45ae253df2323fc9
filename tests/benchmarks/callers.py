"""Callers of a load, one for the floor and one for the service: build each request and check its response."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import chain, cycle, islice
from typing import Protocol

import grpc
from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc, session_pb2
from skerry_games.catalogue import all_games

from .floor import ACTION_BYTES, Reply, Request
from .recorded import Recording, Step, record

Metadata = tuple[tuple[str, str], ...]

GAME = "kreta"
RECORDINGS = 12
_CREATED_AT_ONCE = 32


class Caller(Protocol):
    """One caller: alternately builds a request and checks its response."""

    def request(self) -> tuple[bytes, Metadata | None]:
        """Return the next request in wire format and its metadata."""

    def accept(self, reply: bytes) -> None:
        """Check the response to the last request. Raises WrongAnswer."""


class WrongAnswer(Exception):
    """The server's response is wrong, so its timing would mean nothing."""


class FloorCaller:
    """Makes moves in one session of the floor."""

    def __init__(self, session: str) -> None:
        self._session = session
        self._version = 0

    def request(self) -> tuple[bytes, Metadata | None]:
        request = Request(
            session=self._session,
            token="t" * 32,
            version=self._version,
            request_id="r" * 36,
            action=b"a" * ACTION_BYTES,
        )
        return request.SerializeToString(), None

    def accept(self, reply: bytes) -> None:
        answer = Reply.FromString(reply)
        if answer.status != "ok" or answer.version != self._version + 1:
            raise WrongAnswer(answer)
        self._version = answer.version


class Seated(Struct, frozen=True):
    """A session of the service with all its seats taken."""

    name: bytes
    """Its ``name`` as a field of an ActRequest, in wire format."""
    attach: bytes
    """Its ``name`` as a field of a PlayAttach."""
    tokens: tuple[str, ...]
    """By seat."""
    authorizations: tuple[Metadata, ...]
    """Metadata by seat."""
    steps: tuple[Step, ...]
    host: Metadata
    """Metadata of the host."""


class ServiceCaller:
    """Plays recorded games one after the other, for the seat that is to act."""

    def __init__(self, sessions: Sequence[Seated]) -> None:
        self._moves = chain.from_iterable(((one, step) for step in one.steps) for one in sessions)
        self._step: Step | None = None

    def request(self) -> tuple[bytes, Metadata | None]:
        session, self._step = next(self._moves)
        return session.name + self._step.request, session.authorizations[self._step.seat]

    def accept(self, reply: bytes) -> None:
        answer = pb.ActResponse.FromString(reply)
        step = self._step
        assert step is not None
        entries = [entry.sequence for entry in answer.entries]
        if answer.sequence != step.sequence or entries != [*range(step.expected + 1, step.sequence + 1)]:
            raise WrongAnswer(answer)


async def service_callers(address: str, callers: int, moves_each: int) -> list[Caller]:
    """Return callers with sessions for ``moves_each`` moves each, all seats taken."""
    return [ServiceCaller(share) for share in await service_sessions(address, callers, moves_each)]


async def service_sessions(address: str, callers: int, moves_each: int) -> list[list[Seated]]:
    """Create the sessions of each caller, enough for ``moves_each`` moves, and join all seats."""
    game = all_games()[GAME]
    recordings = [await record(game, game.seats[number % len(game.seats)], number) for number in range(RECORDINGS)]
    shares = [_enough(recordings, caller, moves_each) for caller in range(callers)]
    gate = asyncio.Semaphore(_CREATED_AT_ONCE)
    async with grpc.aio.insecure_channel(address) as channel:
        stub = service_pb2_grpc.SkerryServiceStub(channel)
        made = await asyncio.gather(*(_seat(stub, one, gate) for share in shares for one in share))
    seated = deque(made)
    return [[seated.popleft() for _ in share] for share in shares]


def _enough(recordings: Sequence[Recording], first: int, moves: int) -> list[Recording]:
    """Return recordings from number ``first`` on that have at least ``moves`` moves in total."""
    chosen: list[Recording] = []
    for one in islice(cycle(recordings), first, None):
        if sum(len(recording.steps) for recording in chosen) >= moves:
            break
        chosen.append(one)
    return chosen


async def seat(
    stub: service_pb2_grpc.SkerryServiceAsyncStub, recording: Recording, clock: session_pb2.Clock | None = None
) -> Seated:
    """Create a session with the recording's seed, and take every seat."""
    setup = [pb.SeatSetup()] * recording.seats
    asked = pb.CreateSessionRequest(game=recording.game, seats=setup, seed=recording.seed, clock=clock)
    created = await stub.CreateSession(asked)
    name = created.session.name
    tokens = []
    for number in range(recording.seats):
        joined = await stub.JoinSession(pb.JoinSessionRequest(name=name, display_name=f"Player {number}", seat=number))
        tokens.append(joined.seat_token)
    return Seated(
        name=pb.ActRequest(name=name).SerializeToString(),
        attach=pb.PlayAttach(name=name).SerializeToString(),
        tokens=tuple(tokens),
        authorizations=tuple(_bearer(token) for token in tokens),
        steps=recording.steps,
        host=_bearer(created.host_token),
    )


def _bearer(token: str) -> Metadata:
    return (("authorization", f"Bearer {token}"),)


async def _seat(stub: service_pb2_grpc.SkerryServiceAsyncStub, recording: Recording, gate: asyncio.Semaphore) -> Seated:
    async with gate:
        return await seat(stub, recording)
