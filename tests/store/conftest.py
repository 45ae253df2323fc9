"""The stores that the port's contract is tested against."""

from __future__ import annotations

from asyncio import Runner
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.store_port import Store
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

from .clusters import cluster_of, url_of
from .replicated import Node, installed_redis
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


@pytest.fixture(scope="module")
def nodes() -> Iterator[Sequence[Node]]:
    """One cluster for the tests of a module."""
    stack = AsyncExitStack()
    with TemporaryDirectory(prefix="skerry-test-") as folder, Runner() as runner:
        running = runner.run(stack.enter_async_context(cluster_of(Path(folder), 3)))
        try:
            yield running
        finally:
            runner.run(stack.aclose())


@pytest.fixture(scope="module")
def installed() -> Iterator[Sequence[Node]]:
    """The Redis on the PATH, one for the tests of a module."""
    binary = installed_redis()
    with TemporaryDirectory(prefix="skerry-test-") as folder, Runner() as runner:
        node = Node(Path(folder) / "redis", binary=binary)
        runner.run(node.start())
        yield [node]
        node.kill()


_SERVERS = {"cluster": "nodes", "installed": "installed"}
_DEEP = [pytest.param(kind, marks=pytest.mark.deep) for kind in _SERVERS]


@pytest.fixture(params=["memory", "redis", *_DEEP])
def kind(request: pytest.FixtureRequest) -> tuple[str, Sequence[Node]]:
    """What the store is kept in; the servers if they are not the embedded one."""
    servers = _SERVERS.get(request.param)
    return request.param, request.getfixturevalue(servers) if servers else ()


@pytest.fixture
async def replicas(kind: tuple[str, Sequence[Node]], valkey: EmbeddedServer) -> AsyncIterator[Replicas]:
    """Opens one more replica of one store, which is empty at first; in memory there is only one."""
    kept_in, nodes = kind
    async with AsyncExitStack() as stack:
        if kept_in == "memory":
            memory = MemoryStore()

            async def another() -> Store:
                return memory
        elif nodes:
            for node in nodes:
                await node.ask("FLUSHALL")

            async def another() -> Store:
                store = RedisStore(url_of(nodes) if kept_in == "cluster" else nodes[0].url)
                stack.push_async_callback(store.close)
                return store
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
