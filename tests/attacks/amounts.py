"""Attacks that ask for too much: too many sessions, too many streams, too much of the store."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from time import perf_counter

import grpc

from skerry.v1 import service_pb2 as pb
from tests.api.wire import OPEN, Api, refusal_of
from tests.attacks.target import Target, attack

FROM_REMOTE_ADDRESS = (("x-forwarded-for", "198.51.100.7"),)
LOBBY = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN])
HEAVY_LOBBY = pb.CreateSessionRequest(
    game="kreta", seats=[OPEN, OPEN], labels={f"key-{number}": "x" * 64 for number in range(8)}
)
REFILL_PER_SECOND = 10
"""Sessions that the limit refills: 100 in 10 s."""
SESSIONS = 12
STREAMS = 100
"""Streams of each session. In total they exceed the limit of one address."""


@attack("1,000 lobbies from one address, 16 at once", most=101, unit="beyond the refill")
async def lobbies(target: Target) -> float:
    made = 0
    async with grpc.aio.insecure_channel(target.grpc) as channel:
        stub, left, begun = Api(channel).stub, iter(range(1000)), perf_counter()

        async def make() -> None:
            nonlocal made
            for _ in left:
                try:
                    await stub.CreateSession(LOBBY, metadata=FROM_REMOTE_ADDRESS)
                except grpc.aio.AioRpcError as error:
                    if refusal_of(error).reason != "LIMIT_REACHED":
                        raise
                else:
                    made += 1

        await asyncio.gather(*(make() for _ in range(16)))
        return made - REFILL_PER_SECOND * (perf_counter() - begun)


@attack("1,200 streams from one address", most=1000, unit="open")
async def streams(target: Target) -> float:
    async with grpc.aio.insecure_channel(target.grpc) as channel, AsyncExitStack() as stack:
        stub = Api(channel).stub
        made = [await stub.CreateSession(LOBBY, metadata=FROM_REMOTE_ADDRESS) for _ in range(SESSIONS)]
        requests = [pb.ObserveRequest(name=created.session.name) for created in made for _ in range(STREAMS)]
        calls = [stub.Observe(request, metadata=FROM_REMOTE_ADDRESS) for request in requests]
        for call in calls:
            stack.callback(call.cancel)
        first = await asyncio.gather(*(call.read() for call in calls), return_exceptions=True)
        return sum(isinstance(response, pb.ObserveResponse) for response in first)


@attack("a store of 16 MiB filled with lobbies", most=95, unit="% of its memory", settings=("--store-memory", "16"))
async def full_store(target: Target) -> float:
    """Fill the store. The victim's moves continue, in the memory that is reserved for them."""
    async with grpc.aio.insecure_channel(target.grpc) as channel:
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
        memory = await target.service.ask("INFO", "memory")
        return 100 * float(memory["used_memory"]) / float(memory["maxmemory"])
