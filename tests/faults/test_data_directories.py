"""A data directory that somebody has been at, while the service was down."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .driver import Api, check_whole, connect, new_table
from .processes import Service, tail_of
from .test_bad_stores import http
from .test_starting import refused

pytestmark = pytest.mark.deep


async def test_the_epoch_changes_after_a_cut_tail_and_play_goes_on(service: Service, client: Api) -> None:
    table = await new_table(client, seed=111)
    await table.play_acts(5)
    assert client.epochs == ["durable"]
    await service.kill_with_store()
    os.truncate(tail_of(service.data), tail_of(service.data).stat().st_size - 10)
    await service.start()
    async with connect(service.address) as again:
        table.client = again
        table.acknowledged.pop()
        await table.play()
        (epoch,) = again.epochs
        assert epoch != "durable"
        await check_whole(table, [])
        await service.terminate()
        await service.start()
        await table.look(None)
        assert again.epochs == [epoch]
    assert "lacks its last" in service.errors.read_text()


async def test_games_without_a_manifest_are_not_covered_by_new_ones(
    service: Service, client: Api, folder: Path
) -> None:
    table = await new_table(client, seed=112)
    await table.play_acts(5)
    await service.terminate()
    manifest = service.data / "appendonlydir" / "appendonly.aof.manifest"
    manifest.rename(folder / "kept")
    said = await refused(folder, "--port", "0", "--data-dir", str(service.data))
    assert f"{manifest} is missing" in said
    (folder / "kept").rename(manifest)
    await service.start()
    await table.play()
    await check_whole(table, [])


async def test_a_directory_that_is_open_to_others_is_said_so_at_the_start_and_by_health(folder: Path) -> None:
    service = Service(folder, "--http", "127.0.0.1:0")
    service.data.mkdir()
    service.data.chmod(0o755)
    try:
        await service.start()
        (line,) = service.errors.read_text().splitlines()
        assert f"{service.data} is accessible to every user" in line
        (warning,) = (await http(service, "/healthz"))["warnings"]
        assert warning in line
    finally:
        await service.close()
