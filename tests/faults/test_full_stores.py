"""A store without room, in memory or on disk: moves go on for longest, nothing ends, nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import grpc
import pytest

from skerry.v1 import service_pb2 as api

from .driver import GAME, STORE_AWAY, Api, Refusal, Table, check_whole, connect, new_table, refusal_of
from .processes import Service, kill_process, until
from .readiness import readiness
from .test_external_redis import healthy, sick

pytestmark = pytest.mark.deep

MIB = 2**20
FULL = Refusal(grpc.StatusCode.RESOURCE_EXHAUSTED, "STORE_FULL", retry=True)
NEW = api.CreateSessionRequest(game=GAME, seats=[api.SeatSetup()] * 2)


async def refused(client: Api, method: str, request: object, token: str | None = None) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await client.once(method, request, token)
    assert refusal_of(error.value) == FULL


async def comes_to_be_refused(client: Api, method: str, request: object) -> None:
    """Repeat it until it is refused: what the server says of its memory is good for a moment."""
    async with asyncio.timeout(10):
        while True:
            try:
                await client.once(method, request)
            except grpc.aio.AioRpcError:
                return await refused(client, method, request)


async def takes_moves(table: Table) -> bool:
    """Try one move; it is made, or there is no room for it."""
    try:
        await table.play_acts(1)
    except grpc.aio.AioRpcError as error:
        if refusal_of(error) != FULL:
            raise
        return False
    return True


async def answers(client: Api) -> bool:
    """Whether the store of the service can be read."""
    try:
        await client.once("ListSessions", api.ListSessionsRequest())
    except grpc.aio.AioRpcError as error:
        if refusal_of(error) != STORE_AWAY:
            raise
        return False
    return True


async def refuses(table: Table) -> bool:
    return not await takes_moves(table)


# ---------------------------------------------------------------- memory


@pytest.fixture
async def small(folder: Path) -> AsyncIterator[Service]:
    """A service whose Valkey may use 16 MiB."""
    server = Service(folder, "--store-memory", "16", "--http", "127.0.0.1:0")
    try:
        await server.start()
        yield server
    finally:
        await server.close()


async def test_a_store_that_is_nearly_full_takes_moves_and_no_sessions(small: Service) -> None:
    assert await small.ask("CONFIG", "GET", "maxmemory") == [b"maxmemory", b"%d" % (16 * MIB)]
    async with connect(small.address) as client:
        again = api.CreateSessionRequest(game=GAME, seats=[api.SeatSetup()] * 2, request_id=str(uuid4()))
        made = await client.once("CreateSession", again)
        table = await new_table(client, seed=101)
        await small.ask("SETRANGE", "filler", 14 * MIB, "x")
        await comes_to_be_refused(client, "CreateSession", NEW)
        assert (await client.once("CreateSession", again)).session.name == made.session.name
        joining = api.JoinSessionRequest(name=made.session.name, display_name="Ada")
        await client.once("JoinSession", joining)
        await table.play()
        await check_whole(table, [])
        assert await readiness(small) == (200, {"status": "ready", "warnings": []})


async def test_a_store_that_is_full_is_not_one_that_is_away(small: Service) -> None:
    async with connect(small.address) as client:
        table = await new_table(client, seed=102)
        await table.play_acts(5)
        (seat, *_) = await table.to_act()
        request = await table.decide(seat)
        table.note(seat, request, await client.call("Act", request, table.tokens[seat]))
        for number in range(3):
            await small.ask("SETRANGE", f"filler{number}", 6 * MIB, "x")
        (other, *_) = await table.to_act()
        await refused(client, "Act", await table.decide(other), table.tokens[other])
        await refused(client, "CreateSession", NEW)
        assert (await client.once("Act", request, table.tokens[seat])).entries
        await until(lambda: sick(client))
        assert (await readiness(small))[1]["reason"] == "OOM"
        await small.ask("DEL", "filler0", "filler1", "filler2")
        await until(lambda: healthy(client))
        await table.play()
        await check_whole(table, [])
        assert set(client.refusals) == {FULL}


# ---------------------------------------------------------------- disk


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """A file system of 96 MiB, on which the data directory lies."""
    data = folder / "data"
    data.mkdir(mode=0o700)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=96m,mode=700", "skerry-test", data], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield data
    finally:
        subprocess.run(["umount", "--lazy", data], check=True)


def leave(disk: Path, free: int) -> None:
    """Fill the disk up to so many bytes."""
    filler = disk / "filler"
    filler.unlink(missing_ok=True)
    status = os.statvfs(disk)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, status.f_bavail * status.f_frsize - free)


async def test_a_full_disk_stops_writing_and_nothing_else(disk: Path, folder: Path) -> None:
    service = Service(folder, "--http", "127.0.0.1:0")
    try:
        await service.start()
        async with connect(service.address) as client:
            table = await new_table(client, seed=103)
            leave(disk, 32 * MIB)
            await refused(client, "CreateSession", NEW)
            await table.play_acts(5)
            (seat, *_) = await table.to_act()
            request = await table.decide(seat)
            table.note(seat, request, await client.call("Act", request, table.tokens[seat]))
            leave(disk, 0)
            (other, *_) = await table.to_act()
            await refused(client, "Act", await table.decide(other), table.tokens[other])
            assert (await client.once("Act", request, table.tokens[seat])).entries
            await until(lambda: sick(client))
            assert (await readiness(service))[1]["reason"] == "DISK_FULL"
            dead = await service.store_pid()
            await kill_process(dead)
            assert await service.store_pid() != dead
            await refused(client, "Act", await table.decide(other), table.tokens[other])
            assert len((await client.call("ListSessions", api.ListSessionsRequest())).sessions) == 1
            (disk / "filler").unlink()
            await until(lambda: healthy(client))
            await table.play()
            await check_whole(table, [])
            assert client.epochs == ["durable"]
        assert await service.terminate() == 0
    finally:
        await service.close()


async def test_a_valkey_that_ends_because_it_cannot_write_is_brought_back_and_spared(
    service: Service, client: Api
) -> None:
    """The disk says nothing beforehand, as with a quota."""
    table = await new_table(client, seed=104)
    await table.play_acts(5)
    dead = await service.store_pid()
    resource.prlimit(dead, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    (seat, *_) = await table.to_act()
    with pytest.raises(grpc.aio.AioRpcError):
        await client.once("Act", await table.decide(seat), table.tokens[seat])
    await until(lambda: not Path(f"/proc/{dead}").exists())
    assert await service.store_pid() != dead
    await until(lambda: answers(client))
    await refused(client, "Act", await table.decide(seat), table.tokens[seat])

    await until(lambda: takes_moves(table))
    await table.play()
    await check_whole(table, [])
    assert client.epochs == ["durable"]
    assert "ended with status 1" in service.errors.read_text()


async def test_a_valkey_that_goes_on_without_a_disk_refuses_writes_until_it_has_one(folder: Path) -> None:
    service = Service(folder, "--fsync", "everysec", "--http", "127.0.0.1:0")
    try:
        await service.start()
        async with connect(service.address) as client:
            table = await new_table(client, seed=105)
            await table.play_acts(5)
            pid = await service.store_pid()
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            await until(lambda: refuses(table))
            await until(lambda: sick(client))
            assert (await readiness(service))[1]["reason"] == "MISCONF"
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            await until(lambda: takes_moves(table))
            await table.play()
            await check_whole(table, [])
            assert await service.store_pid() == pid
    finally:
        await service.close()


async def test_a_valkey_that_hangs_is_not_waited_for_for_ever(service: Service, client: Api) -> None:
    table = await new_table(client, seed=106)
    await table.play_acts(5)
    hung = await service.store_pid()
    os.kill(hung, signal.SIGSTOP)
    await until(lambda: not Path(f"/proc/{hung}").exists(), patience=90.0)
    await table.play()
    await check_whole(table, [])
    assert client.epochs == ["durable"]
    assert "has not replied for 3" in service.errors.read_text()
