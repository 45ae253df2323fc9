"""Matchmaking: crowds that arrive at once, the wait while others arrive, and ten thousand tickets that wait."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, aclosing, contextmanager, suppress
from statistics import median, quantiles
from uuid import uuid4

import grpc
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_games.kreta import GAME
from skerry_service.domain.log import pack
from skerry_service.matching.criteria import ClockRange, Criteria
from skerry_service.matching.matcher import ROUND_SECONDS
from skerry_service.matching.replica_queue import MatchedPlayer, TicketRequest
from skerry_service.sessions.match_port import LEASE_MS
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.housekeeping import Housekeeper
from skerry_service.store.redis_store import RedisStore
from tests.store.servers import running_server

from .processes import server
from .report import Row, Target
from .settings import Settings

_SMALL, _LARGE = 40, 400
_CHANNELS = 8
_PATIENCE = 120.0
_PAIRS_A_SECOND = 10
_IDLE_SECONDS = 5.0
_TAKEN_OVER = Target(LEASE_MS / 1000 + 4)


def run(settings: Settings) -> Iterator[Row]:
    """Measure crowds over gRPC, the rest within this process."""
    with running_server("always") as redis:
        with ExitStack() as stack:
            environment = {"REDIS_URL": redis.url, "SKERRY_PORT": "0"}
            address, _ = stack.enter_context(server("service_server", environment=environment))
            yield from asyncio.run(_crowds(redis, address.split()[0], 1 if settings.quick else 3))
        yield from asyncio.run(_arrivals(redis, 5 if settings.quick else 20))
        yield from asyncio.run(_waiting(redis, 1_000 if settings.quick else 10_000))


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
        with _counted_commands(redis) as commands:  # apart, because it slows the store down
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
            group.create_task(_seat(stubs[player % len(stubs)], player, 2 if player % 2 else 4))
    return time.perf_counter() - began


async def _seat(stub: service_pb2_grpc.SkerryServiceAsyncStub, number: int, seats: int) -> None:
    request = pb.FindMatchRequest(game="kreta", display_name=f"Player {number}", seats=[seats], request_id=str(uuid4()))
    async for message in stub.FindMatch(request):
        if message.HasField("seat"):
            return
        if message.HasField("proposal") and not message.heartbeat:
            await stub.ConfirmMatch(pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id))
    raise RuntimeError("a stream of FindMatch ended without a seat")


@contextmanager
def _counted_commands(redis: EmbeddedServer) -> Iterator[Callable[[], int]]:
    """Count the commands that reach the store inside the block. A script counts as one."""
    with Redis.from_url(redis.url) as client, client.monitor() as monitor:
        sent = list[float]()

        def count() -> None:
            with suppress(RedisConnectionError, ValueError, OSError):  # the connection is closed at the end
                for command in monitor.listen():
                    if command["client_type"] != "lua":
                        sent.append(command["time"])

        thread = threading.Thread(target=count, daemon=True)
        thread.start()
        yield lambda: len(sent)
        monitor.connection.disconnect()
    thread.join(_PATIENCE)


# ------------------------------------------------------------ in this process


class _Replica:
    """A replica in this process."""

    def __init__(self, redis: EmbeddedServer) -> None:
        self.store = RedisStore(redis.url)
        self.sessions = Sessions(self.store, clock_ms=_clock_ms)
        self._housekeeping = asyncio.create_task(Housekeeper(self.store, _clock_ms).run())

    async def wait(self, name: str, seats: int) -> None:
        """Wait for a seat, and confirm every proposal."""
        await self.seat(name, seats, lambda _: None)

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

    async def kill(self) -> None:
        """Cut it off from the store, as if its process had been killed. Its tickets then wait in vain."""
        self._housekeeping.cancel()
        await self.store.close()

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


async def _waiting(redis: EmbeddedServer, number: int) -> Sequence[Row]:
    """Let many tickets of one name wait in one queue of three replicas, one of which is killed: the matcher."""
    replicas = [_Replica(redis) for _ in range(3)]
    first = asyncio.create_task(replicas[0].wait("Ada", 4))
    await asyncio.sleep(1)
    waiting = [asyncio.create_task(replicas[player % 3].wait("Ada", 4)) for player in range(number - 1)]
    filled = await _timed(lambda: _pair(replicas[1:], "after all others"))
    with _counted_commands(redis) as commands:
        began = time.process_time()
        await asyncio.sleep(_IDLE_SECONDS)
        idle, sent = (time.process_time() - began) / _IDLE_SECONDS, commands() / _IDLE_SECONDS
    beside = await _timed(lambda: _pair(replicas[1:], "beside them"))
    await replicas[0].kill()
    after = await _timed(lambda: _pair(replicas[1:], "after the kill"))
    again = await _timed(lambda: _pair(replicas[1:], "with a new matcher"))
    for task in (first, *waiting):
        task.cancel()
    await asyncio.gather(first, *waiting, return_exceptions=True)
    for replica in replicas[1:]:
        await replica.close()
    what = f"{number:,} tickets wait at three replicas"
    return [
        Row("matching", f"{what}: a pair that came last is seated after", filled, "s"),
        Row("matching", f"{what}: idle", idle * 100, "% of a core"),
        Row("matching", f"{what}: idle", sent, "store commands a second"),
        Row("matching", f"{what}: a pair is seated after", beside, "s"),
        Row(
            "matching",
            f"{what}, the matcher is killed: a pair is seated after",
            after,
            "s",
            Target(LEASE_MS / 1000 + 4),
        ),
        Row("matching", f"{what}, later: a pair is seated after", again, "s"),
    ]


async def _pair(replicas: Sequence[_Replica], name: str) -> None:
    await asyncio.gather(*(replica.wait(f"{name} {number}", 2) for number, replica in enumerate(replicas)))


async def _timed(do: Callable[[], Awaitable[None]]) -> float:
    began = time.perf_counter()
    async with asyncio.timeout(_PATIENCE):
        await do()
    return time.perf_counter() - began


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
