"""A Redis that cannot keep what it is given: said when the service starts, by health, and by the epoch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from skerry_service.edge.grpc.health import DURABLE_SERVICE
from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .driver import connect, new_table
from .processes import Service, ask
from .test_external_redis import healthy
from .test_starting import refused

pytestmark = pytest.mark.deep


@pytest.fixture
async def redis(folder: Path) -> AsyncIterator[EmbeddedServer]:
    """A Redis of the operator's."""
    server = EmbeddedServer(folder / "redis")
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def http(service: Service, path: str) -> Mapping[str, Any]:
    """Read one of the pages beside the API."""
    url = f"{service.http}{path}"
    received = await asyncio.to_thread(lambda: urlopen(url).read())
    read: Mapping[str, Any] = json.loads(received)
    return read


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
async def test_a_redis_that_evicts_is_refused_by_name(redis: EmbeddedServer, folder: Path, policy: str) -> None:
    await ask(redis.url, "CONFIG", "SET", "maxmemory-policy", policy)
    said = await refused(folder, "--port", "0", "--redis-url", redis.url)
    assert policy in said
    assert "noeviction" in said
    assert "--allow-eviction" in said


LOSSY = {
    "eviction": ("maxmemory-policy", "allkeys-lru", "maxmemory-policy is allkeys-lru"),
    "no append-only file": ("appendonly", "no", "no append-only file"),
    "everysec": ("appendfsync", "everysec", "appendfsync is everysec"),
    "no sync on rewrite": ("no-appendfsync-on-rewrite", "yes", "no-appendfsync-on-rewrite"),
}


@pytest.mark.parametrize("what", LOSSY)
async def test_a_redis_that_may_lose_games_is_said_so_everywhere(
    redis: EmbeddedServer, folder: Path, what: str
) -> None:
    name, value, words = LOSSY[what]
    await ask(redis.url, "CONFIG", "SET", name, value)
    service = Service(folder, "--allow-eviction", "--http", "127.0.0.1:0", redis_url=redis.url)
    try:
        await service.start()
        (line,) = service.errors.read_text().splitlines()
        assert words in line
        for path in ("/healthz", "/readyz"):
            (warning,) = (await http(service, path))["warnings"]
            assert words in warning
        async with connect(service.address) as client:
            assert await healthy(client)
            assert not await healthy(client, DURABLE_SERVICE)
            await new_table(client, seed=81)
            assert client.epochs
            assert "durable" not in client.epochs[0]
    finally:
        await service.close()


async def test_a_redis_that_keeps_its_word_is_said_so_too(redis: EmbeddedServer, folder: Path) -> None:
    service = Service(folder, "--http", "127.0.0.1:0", redis_url=redis.url)
    try:
        await service.start()
        assert service.errors.read_text() == ""
        assert await http(service, "/healthz") == {"status": "alive", "warnings": []}
        async with connect(service.address) as client:
            assert await healthy(client, DURABLE_SERVICE)
    finally:
        await service.close()


async def test_a_redis_that_is_changed_under_the_service_is_noticed_on_the_next_connection(
    redis: EmbeddedServer, folder: Path
) -> None:
    service = Service(folder, "--http", "127.0.0.1:0", redis_url=redis.url)
    try:
        await service.start()
        await ask(redis.url, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        await ask(redis.url, "CLIENT", "KILL", "TYPE", "normal")
        async with connect(service.address) as client:
            await new_table(client, seed=82)
            assert "durable" not in client.epochs
        assert "maxmemory-policy is allkeys-lru" in service.errors.read_text()
        assert len((await http(service, "/healthz"))["warnings"]) == 1
    finally:
        await service.close()
