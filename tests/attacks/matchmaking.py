"""Attacks on matchmaking: ghosts that never confirm, filled queues, and criteria that are costly to compare."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from time import perf_counter
from uuid import uuid4

import grpc

from skerry.games.kreta.v1 import kreta_pb2
from skerry.v1 import payload_pb2, session_pb2
from skerry.v1 import service_pb2 as pb
from skerry_client import AsyncClient
from skerry_service.api.requests.match_requests import MOST_CLOCKS
from skerry_service.matching.tickets import CONFIRM_MS
from tests.api.wire import Api
from tests.attacks.target import Target, attack
from tests.benchmarks.processes import exact_cpu_seconds

STREAMS = 50
"""Matchmaking streams that one address may have."""
ADDRESSES = 8
PAIRS = 3
"""Pairs of honest players that look for a seat, one pair after the other."""
MINUTE_MS = 60_000


@attack(
    "ghosts: one address reopens its streams and never confirms",
    most=CONFIRM_MS + 2_000,
    unit="ms until two players are seated",
)
async def ghosts(target: Target) -> float:
    requests = [pb.FindMatchRequest(game="kreta", seats=[2], display_name=f"Ghost {n}") for n in range(STREAMS - 1)]
    async with streams(target, [requests]):
        return await worst_wait(target)


@attack(
    f"ghosts: {ADDRESSES} addresses reopen their streams and never confirm",
    most=CONFIRM_MS + 2_000,
    unit="ms until two players are seated",
)
async def many_ghosts(target: Target) -> float:
    """All ghosts have one name, so they are not matched with each other."""
    requests = [[pb.FindMatchRequest(game="kreta", seats=[2], display_name="Ghost")] * STREAMS] * ADDRESSES
    async with streams(target, requests):
        return await worst_wait(target, pairs=2)


@attack(
    f"queue filling: {ADDRESSES} addresses with {STREAMS} streams each",
    most=2_000,
    unit="ms until two players are seated",
)
async def queue_filling(target: Target) -> float:
    requests = [[pb.FindMatchRequest(game="kreta", seats=[3, 4], display_name="Ghost")] * STREAMS] * ADDRESSES
    async with streams(target, requests):
        return await worst_wait(target)


@attack(
    f"queue blocking: {ADDRESSES * STREAMS} tickets with a clock that fits no one",
    most=2_000,
    unit="ms until two players are seated",
)
async def queue_blocking(target: Target) -> float:
    request = pb.FindMatchRequest(game="kreta", seats=[2], display_name="Ghost", clocks=[bank_of(1)])
    async with streams(target, [[request] * STREAMS] * ADDRESSES):
        return await worst_wait(target, clocks=[bank_of(3)])


def bank_of(minutes: int) -> pb.ClockRange:
    return pb.ClockRange(least=session_pb2.Clock(bank=session_pb2.Bank(time_ms=minutes * MINUTE_MS)))


@attack(
    f"crafted criteria: {ADDRESSES * STREAMS} tickets with disjoint times in many queues",
    most=4_000,
    unit="ms of processor time",
)
async def crafted_criteria(target: Target) -> float:
    requests = [[crafted(address * STREAMS + number) for number in range(STREAMS)] for address in range(ADDRESSES)]
    before = exact_cpu_seconds(target.service.process.pid)
    async with streams(target, requests):
        await worst_wait(target)
        return 1000 * (exact_cpu_seconds(target.service.process.pid) - before)


def crafted(number: int) -> pb.FindMatchRequest:
    """Return a request for as many settings as allowed, each with a time of its own."""
    bank = session_pb2.Bank(time_ms=MINUTE_MS + 1000 * number)
    clocks = [
        pb.ClockRange(least=session_pb2.Clock(bank=session_pb2.Bank(time_ms=bank.time_ms, increment_ms=1000 * one)))
        for one in range(MOST_CLOCKS)
    ]
    options = [payload_pb2.GameOptions(kreta=kreta_pb2.Options(start_seat=seat)) for seat in (0, 1)]
    return pb.FindMatchRequest(
        game="kreta", display_name=f"Ghost {number}", seats=[3, 4], clocks=clocks, options=options
    )


@asynccontextmanager
async def streams(target: Target, requests: Sequence[Sequence[pb.FindMatchRequest]]) -> AsyncIterator[None]:
    """Hold the streams of several addresses, and open each again when it ends."""
    async with grpc.aio.insecure_channel(target.grpc) as channel:
        opened = [
            asyncio.create_task(keep_open(Api(channel), request, f"198.51.100.{address}"))
            for address, of_address in enumerate(requests, 1)
            for request in of_address
        ]
        await asyncio.sleep(2)
        try:
            yield
        finally:
            for task in opened:
                task.cancel()
            await asyncio.gather(*opened, return_exceptions=True)


async def keep_open(api: Api, request: pb.FindMatchRequest, address: str) -> None:
    while True:
        with suppress(grpc.aio.AioRpcError):
            async for _ in api.stub.FindMatch(request, metadata=(("x-forwarded-for", address),)):
                pass
        await asyncio.sleep(0.5)


async def worst_wait(target: Target, pairs: int = PAIRS, clocks: Sequence[pb.ClockRange] = ()) -> float:
    """Return the longest time until an honest pair is seated, in ms."""
    worst = 0.0
    async with AsyncClient(target.grpc) as client:
        for pair in range(pairs):
            began = perf_counter()
            names = [f"Player {pair} {uuid4().hex[:6]}" for _ in range(2)]
            await asyncio.gather(*(client.find_match("kreta", name, seats=2, clocks=clocks) for name in names))
            worst = max(worst, perf_counter() - began)
    return 1000 * worst
