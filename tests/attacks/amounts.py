"""Attacks by how much is asked for: what limits and the store's own bounds are there for."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from time import perf_counter

import grpc

from skerry.v1 import service_pb2 as pb
from tests.api.wire import OPEN, Api, refusal_of
from tests.attacks.ground import Ground, attack

FROM_ELSEWHERE = (("x-forwarded-for", "198.51.100.7"),)
LOBBY = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN])
HEAVY_LOBBY = pb.CreateSessionRequest(
    game="kreta", seats=[OPEN, OPEN], labels={f"key-{number}": "x" * 64 for number in range(8)}
)
BACK_IN_A_SECOND = 10
"""Sessions that the limit gives back: 100 in 10 s."""
SESSIONS = 12
STREAMS = 100
"""Of each of those sessions: as many as one address may have."""


@attack("1,000 lobbies from one address, 16 at once", most=101, unit="more than come back")
async def lobbies(ground: Ground) -> float:
    made = 0
    async with grpc.aio.insecure_channel(ground.grpc) as channel:
        stub, left, begun = Api(channel).stub, iter(range(1000)), perf_counter()

        async def make() -> None:
            nonlocal made
            for _ in left:
                try:
                    await stub.CreateSession(LOBBY, metadata=FROM_ELSEWHERE)
                except grpc.aio.AioRpcError as error:
                    if refusal_of(error).reason != "LIMIT_REACHED":
                        raise
                else:
                    made += 1

        await asyncio.gather(*(make() for _ in range(16)))
        return made - BACK_IN_A_SECOND * (perf_counter() - begun)


@attack("1,200 streams from one address", most=1000, unit="open")
async def streams(ground: Ground) -> float:
    async with grpc.aio.insecure_channel(ground.grpc) as channel, AsyncExitStack() as stack:
        stub = Api(channel).stub
        made = [await stub.CreateSession(LOBBY, metadata=FROM_ELSEWHERE) for _ in range(SESSIONS)]
        asked = [pb.ObserveRequest(name=one.session.name) for one in made for _ in range(STREAMS)]
        calls = [stub.Observe(request, metadata=FROM_ELSEWHERE) for request in asked]
        for call in calls:
            stack.callback(call.cancel)
        first = await asyncio.gather(*(call.read() for call in calls), return_exceptions=True)
        return sum(isinstance(one, pb.ObserveResponse) for one in first)


@attack("a store of 16 MiB filled with lobbies", most=95, unit="% of its memory", settings=("--store-memory", "16"))
async def full_store(ground: Ground) -> float:
    """The victim's moves go on, in what is kept for them."""
    async with grpc.aio.insecure_channel(ground.grpc) as channel:
        stub = Api(channel).stub

        async def fill() -> None:
            while True:
                try:
                    await stub.CreateSession(HEAVY_LOBBY)
                except grpc.aio.AioRpcError as error:
                    if refusal_of(error).reason != "STORE_FULL":
                        raise
                    return

        await asyncio.gather(*(fill() for _ in range(16)))
        await asyncio.sleep(1)
        memory = await ground.service.ask("INFO", "memory")
        return 100 * float(memory["used_memory"]) / float(memory["maxmemory"])
