"""A backup has ladders with their bots and results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.store.backups.backup import Backups, NotEmpty
from skerry_service.store.backups.backup_file import reading, writing
from skerry_service.store.backups.resource_backup import parts_of_resources, read_resource, write_fields
from skerry_service.store.call_router import CallRouter
from skerry_service.store.connections.cluster import servers_of
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from tests.ladders.bots import PATIENCE, create_ladder, serving, version
from tests.store.servers import ask, running_server


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


@asynccontextmanager
async def calls_of(server: EmbeddedServer) -> AsyncIterator[CallRouter]:
    """The calls of a backup to a store."""
    servers = servers_of(server.url, PATIENCE, None, lambda: None)
    calls = CallRouter(servers, PATIENCE, waits=False)
    yield calls
    calls.close()
    await servers.close()


async def test_a_resource_of_any_size_is_read_in_slices_and_as_it_is_at_one_moment(
    valkey: EmbeddedServer, other: EmbeddedServer
) -> None:
    await ask(valkey, "FLUSHALL")
    store, restored = RedisStore(valkey.url), RedisStore(other.url)
    await store.open()
    await restored.open()
    rows = [FieldChange("rows.1.0", b"%d" % row, b"row") for row in range(2_000)]
    begun = [FieldChange("games", b"s", b"1"), FieldChange("games", b"t", b"1"), FieldChange("counts", b"1", b"0")]
    ended = [
        FieldChange("games", b"s", None, b"1"),
        FieldChange("counts", b"1", b"1", b"0"),
        FieldChange("rows.1.1", b"2000", b"row"),
    ]
    assert await store.resources.change("ladder:x", [*rows, *begun])
    lengths = []
    async with calls_of(valkey) as calls, calls_of(other) as there:
        parts = (await parts_of_resources(calls))["ladder:x"]
        async for kept in read_resource(calls, "ladder:x", parts):
            lengths.append(len(kept.fields))
            if kept.part == "rows.1.0":  # after the games were read
                assert await store.resources.change("ladder:x", ended)
            await write_fields(there, kept)
    assert max(lengths) <= 500
    for part in (*parts - {"revisions"}, "rows.1.1"):
        found = await restored.resources.read_all("ladder:x", part)
        assert found == await store.resources.read_all("ladder:x", part)
    await store.close()
    await restored.close()
