"""The calls of section ``scaling``, and their cost to the server and its Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import grpc
from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_games.catalogue import all_games

from .callers import GAME, Seated, WrongAnswer, seat
from .processes import exact_cpu_seconds
from .recorded import Recording, label, record
from .watchers import Audience, Plan

SEATS = 4
_AT_ONCE = 16


class Stand(Struct, frozen=True):
    """A server with its own store."""

    address: str
    pid: int
    redis_pid: int

    def used(self) -> tuple[float, float]:
        """Return the processor time that server and Redis have used, in seconds."""
        return exact_cpu_seconds(self.pid), exact_cpu_seconds(self.redis_pid)


Cost = tuple[float, float]
"""Processor time of the server and of Redis for a call, in seconds."""


async def cost(stand: Stand, calls: Sequence[Callable[[], Awaitable[object]]]) -> Cost:
    """Make the calls one after the other; return the mean cost of one."""
    before = stand.used()
    for call in calls:
        await call()
    server, redis = (now - then for now, then in zip(stand.used(), before, strict=True))
    return server / len(calls), redis / len(calls)


class Game:
    """A session in play that repeats the moves of a recording."""

    def __init__(self, stub: service_pb2_grpc.SkerryServiceAsyncStub, seated: Seated) -> None:
        self._stub = stub
        self.name = pb.ActRequest.FromString(seated.name).name
        self._seated = seated
        self._steps = iter(seated.steps)

    async def act(self) -> None:
        """Make the next move. Raises WrongAnswer, StopIteration."""
        step = next(self._steps)
        request = pb.ActRequest.FromString(self._seated.name + step.request)
        answer = await self._stub.Act(request, metadata=self._seated.authorizations[step.seat])
        if answer.sequence != step.sequence:
            raise WrongAnswer(answer)

    async def get(self) -> None:
        """Read the session as its first seat sees it."""
        await self._stub.GetSession(pb.GetSessionRequest(name=self.name), metadata=self._seated.authorizations[0])

    async def open_stream(self) -> None:
        """Open the first stream of the session, and close it after its first message."""
        stream = self._stub.Observe(pb.ObserveRequest(name=self.name))
        await anext(aiter(stream))
        stream.cancel()


async def games(channel: grpc.aio.Channel, count: int, entries: int) -> list[Game]:
    """Start ``count`` games with at least ``entries`` entries in their logs. Labels make up the difference."""
    stub, gate = service_pb2_grpc.SkerryServiceStub(channel), asyncio.Semaphore(_AT_ONCE)
    rules = all_games()[GAME]

    async def one(recording: Recording) -> Game:
        async with gate:
            seated = await seat(stub, recording)
            for turn in range(recording.labels):
                labels = dict([label(turn)])
                name = pb.ActRequest.FromString(seated.name).name
                await stub.LabelSession(pb.LabelSessionRequest(name=name, labels=labels), metadata=seated.host)
            return Game(stub, seated)

    recordings = [await record(rules, SEATS, number, entries) for number in range(count)]
    return await asyncio.gather(*map(one, recordings))


@asynccontextmanager
async def watched(stand: Stand, game: Game, streams: int) -> AsyncIterator[Audience]:
    """Open that many streams of the game."""
    audience = Audience(Plan(stand.address, stand.pid, streams, 0))
    await audience.open(game.name)
    try:
        yield audience
    finally:
        audience.close()


async def deliver_move(game: Game, audience: Audience) -> None:
    """Make a move, and wait until every stream has received it."""
    await game.act()
    await audience.received()
