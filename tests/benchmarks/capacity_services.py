"""The unit costs of what surrounds moves: clocks, sessions that begin, players who find a match, tickets that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from uuid import uuid4

from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry.v1.session_pb2 import Clock, PerMove

from .callers import GAME
from .deployment import Deployment, Reading, share_of_one, used_during
from .matching import find_seat
from .played_tables import play, sit_down
from .report import Row
from .settings import Settings

CLOCK = Clock(per_move=PerMove(time_ms=600_000))
"""Long enough that no time runs out."""
PAIRS_A_SECOND = 5.0
_TABLES = 200
_RATE = 100.0
_TICKETS = 200
_SHORTEST_MS = 60_000
_SETTLE_SECONDS = 2.0
_MICRO = 1e6


class Used(Struct, frozen=True):
    """Processor time in seconds."""

    service: float
    store: float


class ServiceCosts(Struct, frozen=True):
    """The unit costs."""

    clock: Used
    """Of a clock, for each move. What a move costs without one is not included."""
    begun: Used
    """Of a session: created, and all its seats taken, by one call each."""
    matched: Used
    """Of a player who finds a seat at a table for two, the session included."""
    waiting: Used
    """Of a ticket that waits, for each second."""


async def measure_services(deployment: Deployment, settings: Settings, idle: Reading) -> ServiceCosts:
    """Measure the costs on a service that has warmed up. ``idle``: what was used without calls."""
    begun = share_of_one(await used_during(deployment, sit_down(deployment, _TABLES)), idle, _TABLES)
    clock = await _clock(deployment, settings, idle)
    pairs = round(PAIRS_A_SECOND * settings.seconds)
    found = await used_during(deployment, arrive(deployment, pairs))
    return ServiceCosts(
        clock=clock,
        begun=_of(begun),
        matched=_of(share_of_one(found, idle, 2 * pairs)),
        waiting=await _waiting(deployment, settings, idle),
    )


async def _clock(deployment: Deployment, settings: Settings, idle: Reading) -> Used:
    """Compare moves with and without a clock by turns."""
    plain, timed = await sit_down(deployment, _TABLES), await sit_down(deployment, _TABLES, CLOCK)
    moves = _RATE * settings.seconds
    differences: list[Used] = []
    for _ in range(settings.rounds):
        rounds = [
            share_of_one(await used_during(deployment, play(deployment, tables, _RATE, settings.seconds)), idle, moves)
            for tables in (plain, timed)
        ]
        differences.append(Used(rounds[1].service - rounds[0].service, rounds[1].store - rounds[0].store))
    service, store = (median(getattr(one, name) for one in differences) for name in Used.__struct_fields__)
    return Used(max(0.0, service), max(0.0, store))  # below zero where the cost is smaller than the noise


async def arrive(deployment: Deployment, pairs: int) -> None:
    """Let pairs of players come at an even rate, and wait until each player has a seat."""
    stub, began = service_pb2_grpc.SkerryServiceStub(deployment.channel), perf_counter()
    async with asyncio.TaskGroup() as group:
        for pair in range(pairs):
            await asyncio.sleep(max(0.0, began + pair / PAIRS_A_SECOND - perf_counter()))
            for player in range(2):
                group.create_task(find_seat(stub, 2 * pair + player, 2))


async def _waiting(deployment: Deployment, settings: Settings, idle: Reading) -> Used:
    """Measure tickets that wait. Each wants a clock of its own, so that no two match."""
    stub = service_pb2_grpc.SkerryServiceStub(deployment.channel)
    tasks = [asyncio.create_task(_wait(stub, _SHORTEST_MS + number)) for number in range(_TICKETS)]
    await asyncio.sleep(_SETTLE_SECONDS)
    used = await used_during(deployment, asyncio.sleep(2 * settings.seconds))
    for task in tasks:
        if task.done():
            raise RuntimeError("a ticket did not wait")
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return _of(share_of_one(used, idle, _TICKETS * used.at))


async def _wait(stub: service_pb2_grpc.SkerryServiceAsyncStub, time_ms: int) -> None:
    clock = Clock(per_move=PerMove(time_ms=time_ms))
    wanted = pb.ClockRange(least=clock, most=clock)
    request = pb.FindMatchRequest(game=GAME, display_name="Ada", seats=[2], clocks=[wanted], request_id=str(uuid4()))
    async for _ in stub.FindMatch(request):
        pass


def _of(used: Reading) -> Used:
    return Used(used.service, used.store)


def rows_of_services(costs: ServiceCosts) -> Iterator[Row]:
    """Yield a line for each cost of each process."""
    for what, used in (
        ("a clock, for each move", costs.clock),
        ("a session that begins", costs.begun),
        ("a player who finds a match", costs.matched),
        ("a ticket that waits, for each second", costs.waiting),
    ):
        yield Row("capacity", f"{what}: CPU of the service", used.service * _MICRO, "µs")
        yield Row("capacity", f"{what}: CPU of Redis", used.store * _MICRO, "µs")
