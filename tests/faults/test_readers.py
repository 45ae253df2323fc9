"""Readers that do not read, drop their streams or die: nobody else waits for them, and nothing of them stays."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from random import Random

import grpc
import pytest

from skerry.v1 import service_pb2 as api

from .driver import Api, Table, check_whole, connect, credentials, new_table, watched
from .processes import PATIENCE, Service, until

pytestmark = pytest.mark.deep

IDLE_READERS = 200
OBSERVING, PLAYING = 56, 70
"""KiB that a reader may cost that reads nothing: an open stream and one message. All that it leaves unread would come
to twice as much again. A stream of Play has two tasks of its own."""

SMALL_WINDOW = (("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0))
"""What a client takes in before it is read: far less than a game, so that the server's writes have to wait."""

READER = """
import sys
import grpc
from skerry.v1 import service_pb2 as api
from skerry.v1 import service_pb2_grpc

with grpc.insecure_channel(sys.argv[1]) as channel:
    stub = service_pb2_grpc.SkerryServiceStub(channel)
    for update in stub.Observe(api.ObserveRequest(name=sys.argv[2], after_sequence=0)):
        print(update.sequence, flush=True)
"""
"""A program that follows a session."""

Stream = grpc.aio.UnaryStreamCall[api.ObserveRequest, api.ObserveResponse]


def open_stream(client: Api, table: Table, token: str | None = None) -> Stream:
    """Open a stream and read nothing of it."""
    request = api.ObserveRequest(name=table.name, after_sequence=0)
    stream: Stream = client.stub.Observe(request, metadata=credentials(token))
    return stream


async def open_observe(client: Api, table: Table) -> None:
    """Observe, read nothing, and return when it has begun."""
    await open_stream(client, table).initial_metadata()


async def open_play(client: Api, table: Table) -> None:
    """Play, likewise."""
    stream = client.stub.Play()
    await stream.write(api.PlayRequest(attach=[api.PlayAttach(handle=1, name=table.name, after_sequence=0)]))
    await stream.initial_metadata()


async def nobody_listens(service: Service) -> bool:
    """Whether the service holds no subscription, and so no feed."""
    return not await service.ask("PUBSUB", "SHARDCHANNELS")


async def somebody_listens(service: Service) -> bool:
    return not await nobody_listens(service)


@pytest.mark.parametrize(("open_one", "most"), [(open_observe, OBSERVING), (open_play, PLAYING)])
async def test_readers_that_never_read_hold_up_nobody_and_cost_no_memory(
    service: Service, client: Api, open_one: Callable[[Api, Table], Awaitable[None]], most: int
) -> None:
    warm, *tables = [await new_table(client, seed, seats=4) for seed in (70, 71, 72)]
    await tables[0].play_acts(2)
    async with connect(service.address, *SMALL_WINDOW) as lazy:
        await open_one(lazy, warm)
        await warm.play()  # so that what any first game and stream leaves behind is there before
        before = service.resident()
        await asyncio.gather(*(open_one(lazy, table) for table in tables for _ in range(IDLE_READERS // 2)))
        async with watched(tables[0]) as watchers:
            await asyncio.gather(*(table.play() for table in tables))
        await check_whole(tables[0], watchers)
        assert service.resident() - before < IDLE_READERS * most << 10
        assert await somebody_listens(service)
    await until(lambda: nobody_listens(service))
    assert client.refusals == []


async def drop_at_random(client: Api, table: Table, random: Random) -> None:
    """Open a stream, read on for a moment or not at all, and let go of it."""
    await asyncio.sleep(random.random())
    stream = open_stream(client, table, random.choice((None, *table.tokens)))
    try:
        async with asyncio.timeout(random.random() / 10):
            async for _ in stream:
                await asyncio.sleep(random.random() / 50)
    except TimeoutError:
        stream.cancel()


async def test_streams_dropped_at_random_moments_leave_nothing_behind(service: Service, client: Api) -> None:
    random = Random(73)
    tables = [await new_table(client, seed) for seed in (73, 74, 75)]
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(table.play_acts(40))
        for _ in range(200):
            group.create_task(drop_at_random(client, random.choice(tables), random))
    await until(lambda: nobody_listens(service))
    assert client.refusals == []
    assert service.errors.read_text() == ""
    async with watched(tables[0]) as watchers:
        await tables[0].play()
    await check_whole(tables[0], watchers)


async def test_a_killed_reader_leaves_nothing_behind(service: Service, client: Api) -> None:
    table = await new_table(client, seed=76)
    reader = await asyncio.create_subprocess_exec(
        sys.executable, "-c", READER, service.address, table.name, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert reader.stdout
        async with asyncio.timeout(PATIENCE):
            assert await reader.stdout.readline()
        await until(lambda: somebody_listens(service))
    finally:
        reader.kill()
        await reader.wait()
    await until(lambda: nobody_listens(service))
    await table.play_acts(3)
    assert client.refusals == []
