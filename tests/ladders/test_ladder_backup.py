"""A backup has ladders with their bots and results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from skerry_service.store.backups.backup import Backups, NotEmpty
from skerry_service.store.backups.backup_file import reading, writing
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.ladders.bots import create_ladder, serving, version
from tests.store.servers import running_server


@pytest.fixture
def other() -> Iterator[EmbeddedServer]:
    """Another store, which is empty."""
    with running_server() as server:
        yield server


@asynccontextmanager
async def backups(server: EmbeddedServer) -> AsyncIterator[Backups]:
    """The backups of a store."""
    opened = Backups(server.url, "a build")
    try:
        yield opened
    finally:
        await opened.close()


async def test_ladders_and_bots_come_back_from_a_backup(
    valkey: EmbeddedServer, other: EmbeddedServer, tmp_path: Path
) -> None:
    async with serving(valkey, tmp_path) as service, service.client("ada") as ada:
        ladder = await create_ladder(service)
        bot = await ada.register_bot("alpha", version("alpha"))
    file = tmp_path / "games"
    async with backups(valkey) as one, backups(other) as two:
        with writing(file) as writer:
            await one.write(writer, 0)
        with reading(file) as reader:
            await two.read(reader)
        with reading(file) as reader, pytest.raises(NotEmpty):
            await two.read(reader)
    async with serving(other, tmp_path, flush=False) as service, service.client("ada") as ada:
        assert list(await ada.ladders()) == [ladder]
        assert await ada.bot("alpha") == bot
