"""Attacks by calls on sessions."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import grpc

from skerry.v1 import service_pb2 as pb
from tests.api.wire import BOT, OPEN, Api, Sitting, bearer, create, get
from tests.attacks.target import Target, attack

SEATS = {"canarias": 5, "kreta": 4, "small_islands": 4, "tenerife": 4}


@attack("a lobby joined and left 2,000 times, then read 40 times at once", most=1016, unit="entries in its log")
async def bloated_log(target: Target) -> float:
    async with grpc.aio.insecure_channel(target.grpc) as channel:
        api = Api(channel)
        sitting = await create(api, OPEN, OPEN)
        with suppress(grpc.aio.AioRpcError):
            for _ in range(2000):
                await join_and_leave(api, sitting)
        replays = [api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name)) for _ in range(20)]
        bad = bearer("skerry_seat_nonsense")
        streams = [api.stub.Observe(pb.ObserveRequest(name=sitting.name), metadata=bad).read() for _ in range(20)]
        await asyncio.gather(*replays, *streams, return_exceptions=True)
        return (await get(api, sitting)).session.sequence


async def join_and_leave(api: Api, sitting: Sitting) -> None:
    joined = await api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name="Eve"))
    await api.stub.LeaveSession(pb.LeaveSessionRequest(name=sitting.name), metadata=bearer(joined.seat_token))


@attack("160 games of bots alone and their replays, 16 at once", most=96, unit="MiB more memory")
async def games_of_bots(target: Target) -> float:
    return await target.growth(asyncio.gather(*(make_games(target.grpc, number) for number in range(16))))


async def make_games(address: str, number: int) -> None:
    """Create ten games of bots on a separate connection, and read their replays."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        api = Api(channel)
        for turn in range(10):
            game = sorted(SEATS)[(number + turn) % len(SEATS)]
            sitting = await create(api, *[BOT] * SEATS[game], game=game)
            await api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name))
