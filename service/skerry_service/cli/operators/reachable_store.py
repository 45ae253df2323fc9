"""The store of a command: a Redis, or a data directory with or without a running service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from skerry_service.cli import interrupts
from skerry_service.cli.config_command import read_settings
from skerry_service.cli.refusal import Refusal
from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.embedded.data_directory import DataDirectory
from skerry_service.store.embedded.embedded_server import EmbeddedServer, EmbeddedServerError, socket_path
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.upgrades.store_format import UnsupportedFormat
from skerry_service.wiring.config import Config
from skerry_service.wiring.store.store_probe import root_cause

T = TypeVar("T")
Task = Callable[[RedisStore], Coroutine[Any, Any, T]]
RedisUrl = Annotated[str | None, typer.Option(help="Redis that stores the sessions (REDIS_URL).")]
DataDir = Annotated[
    Path | None, typer.Option(help="Data directory, with or without a running service (SKERRY_DATA_DIR).")
]
_DEADLINE = 30.0


def store_of(redis_url: str | None, data_dir: Path | None) -> tuple[Config, str | None]:
    """Return the settings with the data directory to use, and the URL of the Redis; ``None``: the data directory."""
    config = read_settings().config
    directory = (data_dir or config.data_dir).resolve()
    url = redis_url or (None if data_dir else config.redis_url)
    return Config(data_dir=directory, store_memory=config.store_memory), url


def store_at(config: Config, redis_url: str | None, data_dir: Path | None) -> str:
    """Return the URL of the store: from these options, otherwise from the settings."""
    directory = (data_dir or config.data_dir).resolve()
    return redis_url or (None if data_dir else config.redis_url) or f"unix://{socket_path(directory)}"


def run_on_store(
    task: Callable[[RedisStore], Coroutine[Any, Any, T]], redis_url: str | None, data_dir: Path | None
) -> T:
    """Run a task on the store. Raises Refusal if the store cannot be used."""
    config, url = store_of(redis_url, data_dir)
    shown = without_secrets(url or str(config.data_dir))

    async def run() -> T:
        async with opened_store(config, url) as store:
            return await task(store)

    try:
        result: T = interrupts.run(run())
    except (StoreUnavailable, ValueError) as error:
        raise Refusal(f"The store at {shown} cannot be used: {root_cause(error)}") from None
    except StoreFull:
        raise Refusal(f"The store at {shown} has no room.") from None
    except UnsupportedFormat as error:
        raise Refusal(f"{shown}: {error}") from None
    return result


@asynccontextmanager
async def opened_store(config: Config, url: str | None) -> AsyncIterator[RedisStore]:
    """Open the store, and close it at the end. Raises EmbeddedServerError, StoreUnavailable, ValueError."""
    async with reachable_store(config, url) as store_url:
        store = RedisStore(store_url, deadline=_DEADLINE)
        try:
            await store.open()
            yield store
        finally:
            await store.close()


@asynccontextmanager
async def reachable_store(config: Config, url: str | None, *, alone: bool = False) -> AsyncIterator[str]:
    """Yield the URL of the store. Start the embedded server of a data directory unless a service runs it.

    ``alone``: fail if a service runs it. Raises EmbeddedServerError.
    """
    if url is not None:
        yield url
        return
    if not alone and await _answers(socket_path(config.data_dir)):
        yield f"unix://{socket_path(config.data_dir)}"
        return
    if not alone and not DataDirectory(config.data_dir).is_one():
        raise EmbeddedServerError(f"{config.data_dir} is not a data directory")
    server = EmbeddedServer(config.data_dir, memory=config.store_memory)
    await server.start()
    try:
        yield server.url
    finally:
        await server.stop()


async def _answers(socket: Path) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(str(socket))
    except OSError:
        return False
    writer.close()
    return True
