"""``skerry backup`` and ``skerry restore``: write all games of a store to a file, and read them into an empty store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from skerry_service.cli import interrupts
from skerry_service.cli.config_command import read_settings
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.store.backups.backup import Backups, NotEmpty
from skerry_service.store.backups.backup_file import BackupUnusable, reading, writing
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.embedded.data_directory import DataDirectory
from skerry_service.store.embedded.embedded_server import EmbeddedServer, EmbeddedServerError, socket_path
from skerry_service.wiring.config import Config
from skerry_service.wiring.store_probe import root_cause

_MIB = 1 << 20
RedisUrl = Annotated[str | None, typer.Option(help="Redis that stores the sessions (REDIS_URL).")]


def backup_command(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The file to write. It appears once it is complete.")],
    redis_url: RedisUrl = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Data directory, with or without a running service (SKERRY_DATA_DIR).")
    ] = None,
) -> None:
    """Write all games of a store to one file, with or without a running service. Changes nothing in the store."""
    config, url = _store(redis_url, data_dir)
    if not file.parent.is_dir():
        raise Refusal(f"The folder {file.parent} does not exist.", MISUSED)
    if file.exists() and not file.is_file():
        raise Refusal(f"{file}: This is not a file.", MISUSED)
    sessions = _run(lambda: _backup(file, config, url), url or str(config.data_dir))
    where = without_secrets(url) if url else str(config.data_dir)
    print(f"{sessions:,} sessions of {where} are in {file} ({file.stat().st_size / _MIB:.1f} MiB).")


def restore_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that `skerry backup` wrote.")],
    redis_url: RedisUrl = None,
    data_dir: Annotated[Path | None, typer.Option(help="A new or empty data directory.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check that the file is complete.")] = False,
) -> None:
    """Restore all games of a backup into an empty store that no service uses, under a new epoch."""
    config, url = _store(redis_url, data_dir)
    if not (check or file.is_file()):
        raise Refusal(f"{file}: This is not a file. A restore reads it twice, so a pipe does not work.", MISUSED)
    taken, sessions = _checked(file)
    if check:
        print(f"{sessions:,} sessions of {taken} are in {file}, which is complete.")
        return
    epoch = _run(lambda: _restore(file, config, url), url or str(config.data_dir))
    where = without_secrets(url) if url else str(config.data_dir)
    print(f"{sessions:,} sessions of {taken} are in {where}, under the epoch {epoch}.")


def _store(redis_url: str | None, data_dir: Path | None) -> tuple[Config, str | None]:
    """Return the settings with the data directory to use, and the URL of the Redis; ``None``: the data directory."""
    config = read_settings().config
    directory = (data_dir or config.data_dir).resolve()
    url = redis_url or (None if data_dir else config.redis_url)
    return Config(data_dir=directory, store_memory=config.store_memory), url


def _checked(file: Path) -> tuple[str, int]:
    """Return the time of a backup and its number of sessions. Raises Refusal unless the file is complete."""
    try:
        with reading(file) as reader:
            taken = datetime.fromtimestamp(reader.heading.taken_ms / 1000, UTC)
            return taken.isoformat(timespec="seconds"), sum(1 for _ in reader.sessions())
    except BackupUnusable as error:
        raise Refusal(str(error), FAILED) from None


def _run(task: Callable[[], Coroutine[Any, Any, Any]], where: str) -> Any:
    try:
        return interrupts.run(task())
    except (StoreUnavailable, ValueError) as error:
        raise Refusal(f"The store at {without_secrets(where)} cannot be used: {root_cause(error)}") from None
    except StoreFull:
        raise Refusal(f"The store at {without_secrets(where)} has no room for all games of the backup.") from None
    except NotEmpty as error:
        raise Refusal(f"{without_secrets(where)}: {error}") from None
    except BackupUnusable as error:  # it was complete a moment ago
        raise Refusal(str(error)) from None


async def _backup(file: Path, config: Config, url: str | None) -> int:
    async with _reachable_store(config, url) as store_url, _opened(store_url) as backups:
        with writing(file) as writer:
            await backups.write(writer, time.time_ns() // 1_000_000)
        return writer.sessions


async def _restore(file: Path, config: Config, url: str | None) -> str:
    async with _reachable_store(config, url, alone=True) as store_url:
        async with _opened(store_url) as backups:
            if url:
                await backups.require_idle()
            with reading(file) as reader:
                await backups.read(reader)
        async with _opened(store_url) as backups:
            return await backups.epoch()


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Backups]:
    backups = Backups(url)
    try:
        yield backups
    finally:
        await backups.close()


@asynccontextmanager
async def _reachable_store(config: Config, url: str | None, *, alone: bool = False) -> AsyncIterator[str]:
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
