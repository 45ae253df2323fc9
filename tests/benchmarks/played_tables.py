"""Sessions of a deployment whose recorded games are played at a rate, or as fast as responses arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import perf_counter

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry.v1.session_pb2 import Clock
from skerry_games.catalogue import all_games

from .callers import GAME, RECORDINGS, Seated, ServiceCaller, seat
from .deployment import Deployment, Reading, used_during
from .http2 import Reader
from .load import SERVICE_METHOD, AioCall
from .recorded import record
from .watchers import CONNECTIONS, OBSERVE

_AT_ONCE = 32
_OPENED_AT_ONCE = 200
"""Streams. A gRPC server rejects calls as CANCELLED when more than a thousand wait to start."""
_POLL_SECONDS = 0.01


class PlayedTable:
    """One session and the caller that plays it."""

    def __init__(self, seated: Seated) -> None:
        self.name = pb.ActRequest.FromString(seated.name).name
        self.left = len(seated.steps)
        self.busy = False
        self._caller = ServiceCaller([seated])

    @property
    def ready(self) -> bool:
        return self.left > 0 and not self.busy

    async def move(self, call: AioCall) -> None:
        self.busy, self.left = True, self.left - 1
        request, metadata = self._caller.request()
        self._caller.accept(await call(request, metadata=metadata))
        self.busy = False


async def sit_down(deployment: Deployment, sessions: int, clock: Clock | None = None) -> list[PlayedTable]:
    """Start that many sessions."""
    game = all_games()[GAME]
    recordings = [await record(game, game.seats[number % len(game.seats)], number) for number in range(RECORDINGS)]
    stub, gate = service_pb2_grpc.SkerryServiceStub(deployment.channel), asyncio.Semaphore(_AT_ONCE)

    async def one(number: int) -> PlayedTable:
        async with gate:
            return PlayedTable(await seat(stub, recordings[number % RECORDINGS], clock))

    return await asyncio.gather(*map(one, range(sessions)))


async def play(deployment: Deployment, tables: Sequence[PlayedTable], rate: float, seconds: float) -> None:
    """Make ``rate`` moves per second, at one table after the other, without waiting for responses."""
    call: AioCall = deployment.channel.unary_unary(SERVICE_METHOD)
    began, made, turn = perf_counter(), list[asyncio.Task[None]](), 0
    for number in range(round(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - perf_counter()))
        while not tables[turn % len(tables)].ready:
            turn += 1
        made.append(asyncio.create_task(tables[turn % len(tables)].move(call)))
        turn += 1
    await asyncio.gather(*made)


async def at_full_load(deployment: Deployment, tables: Sequence[PlayedTable], seconds: float) -> tuple[Reading, int]:
    """Make moves as fast as responses arrive; return the usage and the number of moves."""
    call: AioCall = deployment.channel.unary_unary(SERVICE_METHOD)
    until, made = perf_counter() + seconds, 0

    async def go_on(share: Sequence[PlayedTable]) -> None:
        nonlocal made
        for table in share:
            while table.ready and perf_counter() < until:
                await table.move(call)
                made += 1

    used = await used_during(deployment, asyncio.gather(*(go_on(tables[at::_AT_ONCE]) for at in range(_AT_ONCE))))
    return used, made


@asynccontextmanager
async def spectating(
    deployment: Deployment, tables: Sequence[PlayedTable], spectators: int
) -> AsyncIterator[list[int]]:
    """Open that many streams for each table; yield the number of received messages, as the only item of a list."""
    host, _, port = deployment.address.rpartition(":")
    received, readers = [0], list[Reader]()

    def count(message: bytes) -> None:
        received[0] += 1

    def new_reader() -> Reader:
        return Reader(count, lambda: None)

    for _ in range(CONNECTIONS):
        readers.append((await asyncio.get_running_loop().create_connection(new_reader, host, int(port)))[1])
    for number, table in enumerate([*tables] * spectators):
        request = pb.ObserveRequest(name=table.name).SerializeToString()
        readers[number % CONNECTIONS].open(deployment.address, OBSERVE, request)
        await _at_least(received, number + 1 - _OPENED_AT_ONCE)
    await _at_least(received, len(tables) * spectators)
    try:
        yield received
        for reader in readers:
            if reader.broken.done():
                reader.broken.result()
    finally:
        for reader in readers:
            reader.close()
            reader.broken.cancel()


async def _at_least(received: Sequence[int], messages: int) -> None:
    while received[0] < messages:  # noqa: ASYNC110 - an event per message would cost more than the message
        await asyncio.sleep(_POLL_SECONDS)
