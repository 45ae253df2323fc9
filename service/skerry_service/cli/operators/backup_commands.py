"""``skerry backup`` and ``skerry restore``: write all games of a store to a file, and read them into an empty store."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from skerry_service import __version__
from skerry_service.cli import interrupts
from skerry_service.cli.operators.reachable_store import DataDir, RedisUrl, reachable_store, store_of
from skerry_service.cli.refusal import FAILED, MISUSED, Refusal
from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.store.backups.backup import Backups, NotEmpty
from skerry_service.store.backups.backup_file import BackupUnusable, reading, writing
from skerry_service.store.connections.redacted_address import without_secrets
from skerry_service.store.upgrades.index_survey import IndexSurvey
from skerry_service.store.upgrades.store_format import UnsupportedFormat
from skerry_service.wiring.config import Config
from skerry_service.wiring.store.store_probe import root_cause

_MIB = 1 << 20


def backup_command(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The file to write. It appears once it is complete.")],
    redis_url: RedisUrl = None,
    data_dir: DataDir = None,
) -> None:
    """Write all games of a store to one file, with or without a running service. Changes nothing in the store.

    The exit code is 1 if the indexes of the store lack a session, or name one that does not exist. The file is complete
    nevertheless.
    """
    config, url = store_of(redis_url, data_dir)
    if not file.parent.is_dir():
        raise Refusal(f"The folder {file.parent} does not exist.", MISUSED)
    if file.exists() and not file.is_file():
        raise Refusal(f"{file}: This is not a file.", MISUSED)
    sessions, compared = _run(lambda: _backup(file, config, url), url or str(config.data_dir))
    where = without_secrets(url) if url else str(config.data_dir)
    print(f"{sessions:,} sessions of {where} are in {file} ({file.stat().st_size / _MIB:.1f} MiB).")
    if compared is not None and not compared.agrees:
        raise Refusal(f"{compared.sentence} Run `skerry repair`.")


def restore_command(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A file that `skerry backup` wrote.")],
    redis_url: RedisUrl = None,
    data_dir: Annotated[Path | None, typer.Option(help="A new or empty data directory.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only check that the file is complete.")] = False,
) -> None:
    """Restore all games of a backup into an empty store that no service uses, under a new epoch."""
    config, url = store_of(redis_url, data_dir)
    if not (check or file.is_file()):
        raise Refusal(f"{file}: This is not a file. A restore reads it twice, so a pipe does not work.", MISUSED)
    taken, sessions = _checked(file)
    if check:
        print(f"{sessions:,} sessions of {taken} are in {file}, which is complete.")
        return
    epoch = _run(lambda: _restore(file, config, url), url or str(config.data_dir))
    where = without_secrets(url) if url else str(config.data_dir)
    print(f"{sessions:,} sessions of {taken} are in {where}, under the epoch {epoch}.")


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
    except UnsupportedFormat as error:
        raise Refusal(f"{without_secrets(where)}: {error}") from None
    except BackupUnusable as error:  # it was complete a moment ago
        raise Refusal(str(error)) from None


async def _backup(file: Path, config: Config, url: str | None) -> tuple[int, IndexSurvey | None]:
    """Return the number of sessions in the file, and what a comparison with the indexes has found."""
    async with reachable_store(config, url) as store_url, _opened(store_url) as backups:
        with writing(file) as writer:
            compared = await backups.survey()
            await backups.write(writer, time.time_ns() // 1_000_000)
        return writer.sessions, compared


async def _restore(file: Path, config: Config, url: str | None) -> str:
    async with reachable_store(config, url, alone=True) as store_url:
        async with _opened(store_url) as backups:
            if url:
                await backups.require_idle()
            with reading(file) as reader:
                await backups.read(reader)
        async with _opened(store_url) as backups:
            return await backups.epoch()


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Backups]:
    backups = Backups(url, __version__)
    try:
        yield backups
    finally:
        await backups.close()
