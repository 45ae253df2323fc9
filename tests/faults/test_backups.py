"""The rehearsal: a backup in the middle of play, a disk that is lost, a restore, and what players see of it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import grpc
import pytest

from skerry.v1 import service_pb2 as api

from .driver import Api, Refusal, check_whole, new_table, refusal_of, watched
from .processes import Service, until
from .test_crashes import played

pytestmark = pytest.mark.deep


async def skerry(*arguments: str | Path) -> str:
    """Run a command, which has to succeed; return what it prints."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "skerry_service.cli", *map(str, arguments)), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0, printed
    return printed.decode()


async def test_a_backup_made_in_the_middle_of_play_is_played_on_from(
    service: Service, client: Api, folder: Path
) -> None:
    tables = [await new_table(client, seed) for seed in (201, 202, 203)]
    backup = folder / "games"
    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(table.play_acts(30))
        await until(lambda: played(tables[0], 10))
        assert (await skerry("backup", backup, "--data-dir", service.data)).startswith("3 sessions of ")
    for table in tables:
        await table.play_acts(5)
    assert client.epochs == ["durable"]
    seen = [(await table.look(None)).session.sequence for table in tables]

    await service.kill_with_store()
    await asyncio.to_thread(shutil.rmtree, service.data)
    await skerry("restore", backup, "--data-dir", service.data)
    await service.start()

    assert "3 sessions: 3 pass, 0 differ" in await skerry("validate", "--data-dir", service.data)
    for table, before in zip(tables, seen, strict=True):
        kept = (await table.look(None)).session.sequence
        assert kept < before
        asked = api.ObserveRequest(name=table.name, after_sequence=before)
        with pytest.raises(grpc.aio.AioRpcError) as received:
            await anext(aiter(client.stub.Observe(asked)))
        assert refusal_of(received.value) == Refusal(
            grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_AHEAD", False, (("sequence", str(kept)),)
        )
        table.acknowledged = [one for one in table.acknowledged if one.sequence <= kept]
        async with watched(table) as watchers:
            await table.play()
        await check_whole(table, watchers)
    assert len(client.epochs) == 2 and client.epochs[1].startswith("durable-")


async def test_a_store_that_is_served_takes_no_restore(service: Service, client: Api, folder: Path) -> None:
    backup, url = folder / "games", f"unix://{service.data}/redis.sock"
    await skerry("backup", backup, "--data-dir", service.data)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "skerry_service.cli", "restore", str(backup), "--redis-url", url),
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"A service is using this store. Stop every replica first." in said
    await (await new_table(client, seed=204)).play_acts(1)
    assert client.epochs == ["durable"]
