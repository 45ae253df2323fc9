"""A Redis that answers and accepts no writes: the service says so everywhere, and why, until it accepts them again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .driver import Api, check_whole, connect, new_table
from .processes import Service, ask, until
from .readiness import readiness
from .test_external_redis import healthy, sick

pytestmark = pytest.mark.deep

NO_REPLICAS = "NOREPLICAS Not enough good replicas to write."


@pytest.fixture
async def redis(folder: Path) -> AsyncIterator[EmbeddedServer]:
    """A Redis of the operator's."""
    server = EmbeddedServer(folder / "redis")
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@pytest.fixture
async def service(folder: Path, redis: EmbeddedServer) -> AsyncIterator[Service]:
    server = Service(folder, "--http", "127.0.0.1:0", "--metrics", "127.0.0.1:0", redis_url=redis.url)
    try:
        yield server
    finally:
        await server.close()


async def watched_statuses(client: Api, statuses: list[int]) -> None:
    """Append what the health service says of the service, from now on."""
    watch = client.channel.unary_stream(
        "/grpc.health.v1.Health/Watch",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=HealthCheckResponse.FromString,
    )
    try:
        async for answer in watch(HealthCheckRequest(service="")):
            statuses.append(answer.status)
    except grpc.aio.AioRpcError:
        pass


async def test_a_redis_without_its_replicas_is_not_ready(service: Service, redis: EmbeddedServer) -> None:
    await service.start()
    statuses: list[int] = []
    async with connect(service.address) as client:
        watching = asyncio.create_task(watched_statuses(client, statuses))
        table = await new_table(client, seed=91)
        await table.play_acts(5)
        assert (await readiness(service)) == (200, {"status": "ready", "warnings": []})
        await ask(redis.url, "CONFIG", "SET", "min-replicas-to-write", 1)
        await until(lambda: sick(client))
        status, body = await readiness(service)
        assert (status, body["reason"]) == (503, "NOREPLICAS")
        assert "min-replicas-to-write" in body["problem"]
        await until(lambda: statuses[-1:] == [HealthCheckResponse.NOT_SERVING])
        await ask(redis.url, "CONFIG", "SET", "min-replicas-to-write", 0)
        await until(lambda: healthy(client))
        assert (await readiness(service))[0] == 200
        await table.play()
        await check_whole(table, [])
        await until(lambda: len(statuses) == 3)
        watching.cancel()
    serving, not_serving = HealthCheckResponse.SERVING, HealthCheckResponse.NOT_SERVING
    assert statuses == [serving, not_serving, serving]
    said = service.errors.read_text()
    assert f"the store accepts no writes, and changes fail until it does. {NO_REPLICAS}" in said
    assert re.search("the store accepts writes again, after [0-9]+ s", said)


async def test_a_service_starts_on_such_a_redis_and_is_not_ready_until_it_accepts_writes(
    service: Service, redis: EmbeddedServer
) -> None:
    await service.start()
    assert await service.terminate() == 0  # a new store needs one write before the start
    await ask(redis.url, "CONFIG", "SET", "min-replicas-to-write", 1)
    await service.start()
    async with connect(service.address) as client:
        assert (await readiness(service))[1]["reason"] == "NOREPLICAS"
        assert await sick(client)
        await until(lambda: NO_REPLICAS in service.errors.read_text())
        await ask(redis.url, "CONFIG", "SET", "min-replicas-to-write", 0)
        await until(lambda: healthy(client))
