"""Matchmaking: crowds that arrive at once, the wait while others arrive, and many tickets that wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, aclosing
from statistics import median, quantiles
from uuid import uuid4

import grpc

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_games.kreta import GAME
from skerry_service.domain.log import pack
from skerry_service.matching.criteria import ClockRange, Criteria
from skerry_service.matching.matcher import ROUND_SECONDS
from skerry_service.matching.ticket_streams import MatchedPlayer, TicketRequest
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.housekeeping import Housekeeper
from skerry_service.store.redis_store import RedisStore
from tests.store.servers import running_server

from . import matching_waiting
from .processes import server
from .report import Row, Target
from .settings import Settings
from .store_commands import counted_commands

_SMALL, _LARGE = 40, 400
_CHANNELS = 8
_PATIENCE = 120.0
_PAIRS_A_SECOND = 10


def run(settings: Settings) -> Iterator[Row]:
    """Measure crowds over gRPC, arrivals within this process, and tickets that wait at other processes."""
    with running_server("always") as redis:
        with ExitStack() as stack:
            environment = {"REDIS_URL": redis.url, "SKERRY_PORT": "0"}
            address, _ = stack.enter_context(server("service_server", environment=environment))
            yield from asyncio.run(_crowds(redis, address.split()[0], 1 if settings.quick else 3))
        yield from asyncio.run(_arrivals(redis, 5 if settings.quick else 20))
    with running_server("always") as redis:  # in the first, the players are absent by now, which is work
        yield from matching_waiting.run(redis, 1_000 if settings.quick else 10_000)


# ------------------------------------------------------------ crowds


async def _crowds(redis: EmbeddedServer, address: str, rounds: int) -> Sequence[Row]:
    """Seat small and large crowds by turns, half of each wanting two seats and half four."""
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(address, [("bench.channel", number)]))
            for number in range(_CHANNELS)
        ]
        stubs: list[service_pb2_grpc.SkerryServiceAsyncStub] = [
            service_pb2_grpc.SkerryServiceStub(channel) for channel in channels
        ]
        await _seat_crowd(stubs, 8)
        small, large = list[float](), list[float]()
        for _ in range(rounds):
            small.append(await _seat_crowd(stubs, _SMALL))
            large.append(await _seat_crowd(stubs, _LARGE))
        with counted_commands(redis) as commands:  # apart, because it slows the store down
            await _seat_crowd(stubs, _LARGE)
            sent = commands()
    ratio = median(many / few for few, many in zip(small, large, strict=True))
    return [
        Row("matching", f"{_SMALL} players at once: all are seated after", median(small), "s"),
        Row("matching", f"{_LARGE} players at once: all are seated after", median(large), "s"),
        Row("matching", f"{_LARGE} players against {_SMALL}", ratio, "times the time", Target(3)),
        Row("matching", f"{_LARGE} players: store commands", sent / _LARGE, "a player", Target(8)),
    ]


async def _seat_crowd(stubs: Sequence[service_pb2_grpc.SkerryServiceAsyncStub], number: int) -> float:
    """Return the seconds until every player of a crowd has a seat."""
    began = time.perf_counter()
    async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as group:
        for player in range(number):
            group.create_task(find_seat(stubs[player % len(stubs)], player, 2 if player % 2 else 4))
    return time.perf_counter() - began


async def find_seat(stub: service_pb2_grpc.SkerryServiceAsyncStub, number: int, seats: int) -> None:
    """Look for a table of Kreta, and confirm each proposal, until there is a seat."""
    request = pb.FindMatchRequest(game="kreta", display_name=f"Player {number}", seats=[seats], request_id=str(uuid4()))
    async for message in stub.FindMatch(request):
        if message.HasField("seat"):
            return
        if message.HasField("proposal") and not message.heartbeat:
            await stub.ConfirmMatch(pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id))
    raise RuntimeError("a stream of FindMatch ended without a seat")


# ------------------------------------------------------------ in this process


class _Replica:
    """A replica in this process."""

    def __init__(self, redis: EmbeddedServer) -> None:
        self.store = RedisStore(redis.url)
        self.sessions = Sessions(self.store, clock_ms=_clock_ms)
        self._housekeeping = asyncio.create_task(Housekeeper(self.store, _clock_ms).run())

    async def seat(self, name: str, seats: int, on_proposal: Callable[[float], None]) -> None:
        """Get a seat. ``on_proposal`` receives the seconds until the first proposal."""
        criteria = Criteria(((seats, pack(GAME.options_type())),), (ClockRange(None),))
        request = TicketRequest(GAME, criteria, (MatchedPlayer(name),))
        began, matchmaker = time.perf_counter(), self.sessions.matchmaker
        async with aclosing(matchmaker.find(request, None)) as updates:
            async for update in updates:
                if update.proposal and not update.heartbeat:
                    on_proposal(time.perf_counter() - began)
                    await matchmaker.confirm(update.ticket, update.proposal)

    async def close(self) -> None:
        self._housekeeping.cancel()
        await self.sessions.close()
        await self.store.close()


async def _arrivals(redis: EmbeddedServer, seconds: int) -> Sequence[Row]:
    """Let pairs of players arrive at two replicas, each pair at once."""
    replicas = [_Replica(redis), _Replica(redis)]
    waits: list[float] = []
    await asyncio.gather(
        *(replica.seat(f"First {number}", 2, lambda _: None) for number, replica in enumerate(replicas))
    )
    async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as group:
        for pair in range(seconds * _PAIRS_A_SECOND):
            for number, replica in enumerate(replicas):
                group.create_task(replica.seat(f"Player {pair}-{number}", 2, waits.append))
            await asyncio.sleep(1 / _PAIRS_A_SECOND)
    for replica in replicas:
        await replica.close()
    rounds = quantiles([wait / ROUND_SECONDS for wait in waits], n=100)
    what = f"{2 * _PAIRS_A_SECOND} players a second: wait for a proposal"
    return [
        Row("matching", f"{what}, median", rounds[49], "rounds"),
        Row("matching", f"{what}, p99", rounds[98], "rounds", Target(2)),
    ]


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
