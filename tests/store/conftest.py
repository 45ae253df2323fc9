"""The stores that the port's contract is tested against."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack

import pytest

from skerry_service.sessions.memory import MemoryStore
from skerry_service.sessions.port import Store
from skerry_service.store.embedded import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .servers import ask, open_store, running_server

Replicas = Callable[[], Awaitable[Store]]


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """One embedded server for the tests of a module."""
    with running_server() as server:
        yield server


@pytest.fixture
async def redis_store(valkey: EmbeddedServer) -> AsyncIterator[RedisStore]:
    """A store on the module's server, which is empty."""
    await ask(valkey, "FLUSHALL")
    async with open_store(valkey) as store:
        yield store


@pytest.fixture(params=["memory", "redis"])
async def replicas(request: pytest.FixtureRequest, valkey: EmbeddedServer) -> AsyncIterator[Replicas]:
    """Opens one more replica of one store, which is empty at first; in memory there is only one."""
    async with AsyncExitStack() as stack:
        if request.param == "memory":
            memory = MemoryStore()

            async def another() -> Store:
                return memory
        else:
            await ask(valkey, "FLUSHALL")

            async def another() -> Store:
                return await stack.enter_async_context(open_store(valkey))

        yield another


@pytest.fixture
async def store(replicas: Replicas) -> Store:
    """One store, empty."""
    return await replicas()


@pytest.fixture
def lasting() -> Iterator[EmbeddedServer]:
    """A server of this test alone, which it may hurt."""
    with running_server("always") as server:
        yield server


@pytest.fixture
def lossy() -> Iterator[EmbeddedServer]:
    """The same, where a crash may cost a second."""
    with running_server("everysec") as server:
        yield server
