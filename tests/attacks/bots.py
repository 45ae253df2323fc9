"""Attacks on the time of bots and players: too many strong bots, and clocks that are to run longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from time import perf_counter

import grpc

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_client import AsyncClient
from skerry_client.errors import SkerryError
from tests.api.wire import Api
from tests.attacks.amounts import FROM_REMOTE_ADDRESS
from tests.attacks.target import Target, attack

STRONG = "expert"
STRONG_BOT = pb.SeatSetup(occupant=session_pb2.OCCUPANT_BOT, level=STRONG)
GAMES = 40
DECISIONS = 6
"""Decisions of the stranger's bot that are timed."""
MOVE_MS = 4_000


@attack(f"bot starving: {GAMES} games of strong bots by one address", most=5_000, unit="ms wait of a stranger's bot")
async def bot_starving(target: Target) -> float:
    async with grpc.aio.insecure_channel(target.grpc) as channel, AsyncClient(target.grpc) as stranger:
        request = pb.CreateSessionRequest(game="kreta", seats=[STRONG_BOT] * 4)
        stub = Api(channel).stub
        await asyncio.gather(*(stub.CreateSession(request, metadata=FROM_REMOTE_ADDRESS) for _ in range(GAMES)))
        return 1000 * await longest_wait(stranger)


async def longest_wait(client: AsyncClient) -> float:
    """Return the longest wait for a bot's decisions, in seconds, in a game against one strong bot."""
    table = await client.create("kreta", seats=2, bots=1, level=STRONG, seed=bytes(32))
    seat, chance, worst, waits, acted = await table.join("Ada"), Random(1), 0.0, 0, 0.0
    async for position in seat.turns():
        if acted and (waited := perf_counter() - acted) > 0.1:  # otherwise the turn was not over
            worst, waits = max(worst, waited), waits + 1
        if waits == DECISIONS:
            break
        await seat.act(chance.choice(position.legal_moves))
        acted = perf_counter()
    return worst


@attack("clock gaming: leaving and returning while 4 s run", most=MOVE_MS + 600, unit="ms for one decision")
async def clock_gaming(target: Target) -> float:
    """Return the longest time after which a move of the same decision was accepted."""
    async with AsyncClient(target.grpc) as client:
        return max(await asyncio.gather(*(decide_late(client, pause) for pause in (0.5, 0.6, 1.5, 3.0))))


async def decide_late(client: AsyncClient, pause: float) -> float:
    """Leave and return six times during a decision, then move. Return the time that it took, in ms.

    0: the move was refused, or the substitute had moved, so the move belonged to a later decision.
    """
    clock = session_pb2.Clock(per_move=session_pb2.PerMove(time_ms=MOVE_MS))
    policy = session_pb2.AbandonmentPolicy(level=STRONG)
    table = await client.create("kreta", seats=2, clock=clock, abandonment=policy)
    seats = [await table.join(name) for name in ("Ada", "Bob")]
    (to_act,) = (await seats[0].position()).to_act
    seat, begun = seats[to_act], perf_counter()
    steps: list[Callable[[], Awaitable[object]]] = [seat.leave, seat.return_to_seat] * 6
    try:
        for number, step in enumerate(steps):
            if number % 2 == 0:
                await asyncio.sleep(pause)
            await step()
        await seat.act((await seat.position()).legal_moves[0])
    except (SkerryError, IndexError):  # the time is up, or the substitute was quicker
        return 0.0
    took = 1000 * (perf_counter() - begun)
    entries = await table.entries()
    substituted = any(one.WhichOneof("kind") == "moved" and one.automatic and one.seat == to_act for one in entries)
    return 0.0 if substituted else took
