"""Real servers and stores for tests, here and in every suite that needs Redis underneath."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from redis.asyncio.connection import UnixDomainSocketConnection

from skerry_service.store.connections.connection import pack
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore

PATIENCE = 30.0
"""Seconds after which a test stops waiting for what has to come. Far more than it takes: it only bounds a hang."""


@contextmanager
def running_server(fsync: Literal["always", "everysec"] = "always") -> Iterator[EmbeddedServer]:
    """Run an embedded server over a fresh directory. Outside any event loop, so that it can outlive those of tests."""
    with TemporaryDirectory(prefix="skerry-test-") as directory:
        server = EmbeddedServer(Path(directory) / "data", fsync)
        asyncio.run(server.start())
        try:
            yield server
        finally:
            asyncio.run(server.stop())


@asynccontextmanager
async def open_store(server: EmbeddedServer, deadline: float = 5.0) -> AsyncIterator[RedisStore]:
    """Open one replica's store."""
    store = RedisStore(server.url, deadline=deadline)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def watched(server: EmbeddedServer) -> AsyncIterator[None]:
    """Bring the server back whenever it dies."""
    task = asyncio.create_task(server.watch())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def ask(server: EmbeddedServer, *arguments: bytes | str | int) -> Any:
    """Send the server one command past the store, over a connection of its own; return the bare reply."""
    connection = UnixDomainSocketConnection(path=str(server.socket), protocol=2)
    try:
        await connection.send_packed_command(pack(*arguments))
        return await connection.read_response()
    finally:
        await connection.disconnect()


async def until(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until it holds; ``TimeoutError`` if it never does."""
    async with asyncio.timeout(PATIENCE):
        while not await _holds(condition()):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.005)


async def _holds(answer: bool | Awaitable[bool]) -> bool:
    return answer if isinstance(answer, bool) else await answer
