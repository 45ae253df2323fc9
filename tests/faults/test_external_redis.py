"""A Redis of the operator's that hangs, goes and comes back under a living service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from skerry.v1 import service_pb2 as api
from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .driver import LONGEST_CALL, STORE_AWAY, Api, Table, check_whole, connect, new_table, refusal_of, watched
from .processes import Service, held, kill_process, until

pytestmark = pytest.mark.deep


@pytest.fixture
async def redis(folder: Path) -> AsyncIterator[EmbeddedServer]:
    """A Redis that belongs to nobody: nothing brings it back but the test."""
    server = EmbeddedServer(folder / "redis")
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@pytest.fixture
async def service(folder: Path, redis: EmbeddedServer) -> AsyncIterator[Service]:
    server = Service(folder, redis_url=redis.url)
    try:
        await server.start()
        yield server
    finally:
        await server.close()


async def healthy(client: Api, service: str = "skerry.v1.SkerryService") -> bool:
    """Ask the health service."""
    check = client.channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    answer: HealthCheckResponse = await check(HealthCheckRequest(service=service), timeout=LONGEST_CALL)
    assert answer.status in (HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING)
    return answer.status == HealthCheckResponse.SERVING


async def sick(client: Api) -> bool:
    return not await healthy(client) and not await healthy(client, "")


async def test_a_move_whose_answer_was_lost_is_made_once_though_it_is_sent_again(
    service: Service, client: Api, redis: EmbeddedServer
) -> None:
    table = await new_table(client, seed=41)
    async with watched(table) as watchers:
        await table.play_acts(10)
        (seat, *_) = await table.to_act()
        request = await table.decide(seat)
        with held(redis.pid):
            with pytest.raises(grpc.aio.AioRpcError) as lost:
                await client.once("Act", request, table.tokens[seat])
            assert refusal_of(lost.value) == STORE_AWAY
            await until(lambda: sick(client))

        async def landed() -> bool:
            return (await table.look(None)).session.sequence > request.expected_sequence

        await until(landed)
        await until(lambda: healthy(client))
        table.note(seat, request, await client.call("Act", request, table.tokens[seat]))
        await table.play()
    await check_whole(table, watchers)
    assert [watcher.breaks for watcher in watchers] == [[]] * len(watchers)
    assert set(client.refusals) == {STORE_AWAY}
    assert client.epochs == ["durable"]


async def test_a_redis_that_went_and_came_back_has_every_game(
    service: Service, client: Api, redis: EmbeddedServer
) -> None:
    table = await new_table(client, seed=42)
    async with watched(table) as watchers, asyncio.TaskGroup() as group:
        await table.play_acts(10)
        await kill_process(redis.pid)
        playing = group.create_task(table.play())
        await until(lambda: sick(client))
        assert not playing.done()
        await redis.stop()
        await redis.start()
        await until(lambda: healthy(client))
    await check_whole(table, watchers)
    assert [watcher.breaks for watcher in watchers] == [[]] * len(watchers)
    assert set(client.refusals) == {STORE_AWAY}
    assert client.epochs == ["durable"]
    went, came = service.errors.read_text().splitlines()
    assert "the store accepts no writes, and changes fail until it does" in went
    assert "the store accepts writes again" in came


async def test_replicas_that_share_a_redis_serve_the_same_game(
    service: Service, client: Api, redis: EmbeddedServer, folder: Path
) -> None:
    """One of two replicas is killed; the players of both go on through the other."""
    other = Service(folder / "other", redis_url=redis.url)
    await other.start()
    try:
        async with connect(other.address) as second:
            table = await new_table(client, seed=43)
            async with watched(table) as watchers:
                for number in range(20):
                    (seat, *_) = await table.to_act()
                    await table.act(seat, (client, second)[number % 2])
                await other.kill()
                await table.play()
            await check_whole(table, watchers)
    finally:
        await other.close()
    assert client.refusals == []


@pytest.mark.deep
async def test_a_rematch_is_one_though_the_replica_that_made_it_is_killed(
    service: Service, client: Api, redis: EmbeddedServer, folder: Path
) -> None:
    """All ask at once for their seats, of a replica that dies over it. Asked again, another one gives each its own."""
    other = Service(folder / "other", redis_url=redis.url)
    await other.start()
    try:
        async with connect(other.address) as dying:
            table = await new_table(client, seed=44, seats=3)
            await table.play()
            request = api.RematchSessionRequest(name=table.name)
            asked = [asyncio.create_task(dying.once("RematchSession", request, token)) for token in table.tokens]
            await until(lambda: rematch_of(client, table.name))
            await other.kill()
            received = await asyncio.gather(*asked, return_exceptions=True)
            seated = [await client.call("RematchSession", request, token) for token in table.tokens]
    finally:
        await other.close()
    assert [(one.seat, one.session.name) for one in seated] == [(seat, seated[0].session.name) for seat in (1, 2, 0)]
    assert sum(one.host_token != "" for one in seated) == 1
    for one, again in zip(received, seated, strict=True):
        assert isinstance(one, BaseException) or one.seat_token == again.seat_token
    tokens = [seated[seat].seat_token for seat in (2, 0, 1)]
    rematch = Table(client, seated[0].session.name, tokens, Random(44))
    await rematch.play()
    assert [entry.WhichOneof("kind") for entry in (await rematch.replay()).entries].count("joined") == 3


async def rematch_of(client: Api, name: str) -> bool:
    """Whether there is one."""
    return bool((await client.call("GetSession", api.GetSessionRequest(name=name))).rematch)
