"""What operators see of all replicas, and how one replica lets another drain."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skerry.admin.v1 import admin_pb2 as admin
from skerry.admin.v1 import admin_pb2_grpc
from skerry.admin.v1 import overview_pb2 as overview
from skerry_service.cli.app import run
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.housekeeping import Housekeeper
from skerry_service.store.replica_registry import Announcement
from tests.admin.test_calls import operated
from tests.api.wire import refused
from tests.store.servers import ask, open_store

COMMAND = [sys.executable, "-m", "skerry_service.cli", "serve", "--port", "0", "--admin", "127.0.0.1:0"]
SECONDS = 30.0


def started(valkey: EmbeddedServer, folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a replica in a process of its own; return it and its operators' port."""
    process = subprocess.Popen([*COMMAND, "--redis-url", valkey.url], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    process.stdout.readline()
    return process, process.stdout.readline().split()[-2]


def end(process: subprocess.Popen[str]) -> None:
    """Kill a replica, if it still runs."""
    with process:
        process.kill()


async def others(stub: admin_pb2_grpc.AdminServiceAsyncStub) -> list[overview.Replica]:
    """Return the replicas that do not answer."""
    seen = await stub.GetOverview(overview.GetOverviewRequest())
    assert [one.answers for one in seen.replicas] == [True, *(False for _ in seen.replicas[1:])]
    return list(seen.replicas[1:])


async def looks(stub: admin_pb2_grpc.AdminServiceAsyncStub) -> AsyncIterator[list[overview.Replica]]:
    """Yield the replicas that do not answer, again and again."""
    while True:
        yield await others(stub)
        await asyncio.sleep(0.2)


async def test_any_replica_is_seen_and_drained_by_its_name(valkey: EmbeddedServer, tmp_path: Path) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, _):
        process, _ = await asyncio.to_thread(started, valkey, tmp_path)
        try:
            (other,) = await others(stub)
            assert (other.process_id, other.draining, other.figures_missing) == (process.pid, False, False)
            assert other.host
            assert other.memory_bytes > 10_000_000
            assert other.HasField("calls_per_second")
            drained = await stub.DrainReplica(admin.DrainReplicaRequest(name=other.name))
            assert drained.name == other.name
            (other,) = await others(stub)
            assert other.draining
            again = await stub.DrainReplica(admin.DrainReplicaRequest(name=other.name))
            assert again == drained
            assert await asyncio.to_thread(process.wait, SECONDS) == 0
        finally:
            end(process)
        assert await others(stub) == []
        with refused("NOT_FOUND", "REPLICA_NOT_FOUND", replica=other.name.removeprefix("replicas/")):
            await stub.DrainReplica(admin.DrainReplicaRequest(name=other.name))
        log = await stub.ListAuditEntries(admin.ListAuditEntriesRequest())
        found = [(one.action, one.resource, one.outcome) for one in log.entries]
        done = ("DrainReplica", other.name, "OK")
        assert found[:3] == [("DrainReplica", other.name, "REPLICA_NOT_FOUND"), done, done]
        fields = await ask(valkey, "HKEYS", redis_keys.STORE)
        assert not [one for one in fields if other.name.removeprefix("replicas/").encode() in one]


@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("replicas/", "NOT_FOUND", "REPLICA_NOT_FOUND"),
        ("replicas/0123456789abcdef", "NOT_FOUND", "REPLICA_NOT_FOUND"),
        ("replicas/" + "a" * 99, "NOT_FOUND", "REPLICA_NOT_FOUND"),
        ("0123456789abcdef", "INVALID_ARGUMENT", "INVALID_FIELD"),
    ],
)
async def test_an_unknown_replica_is_refused(valkey: EmbeddedServer, name: str, code: str, reason: str) -> None:
    async with operated(valkey) as (stub, _):
        with refused(code, reason):
            await stub.DrainReplica(admin.DrainReplicaRequest(name=name))
        assert await ask(valkey, "HGET", redis_keys.STORE, redis_keys.drain_of(name.removeprefix("replicas/"))) is None


async def test_a_replica_that_was_killed_is_silent_and_then_gone(valkey: EmbeddedServer, tmp_path: Path) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, _):
        process, _ = await asyncio.to_thread(started, valkey, tmp_path)
        await asyncio.to_thread(end, process)
        await ask(valkey, "HINCRBY", redis_keys.STORE, redis_keys.UPTIME, 20_000)
        async with asyncio.timeout(SECONDS):
            found = await anext(seen async for seen in looks(stub) if seen and seen[0].silent_for.seconds >= 20)
        with refused("NOT_FOUND", "REPLICA_NOT_FOUND", replica=found[0].name.removeprefix("replicas/")):
            await stub.DrainReplica(admin.DrainReplicaRequest(name=found[0].name))
        await ask(valkey, "HINCRBY", redis_keys.STORE, redis_keys.UPTIME, 60_000)
        async with asyncio.timeout(SECONDS):
            await anext(seen async for seen in looks(stub) if not seen)
        assert redis_keys.load_of(found[0].name.removeprefix("replicas/")) not in await ask(
            valkey, "HKEYS", redis_keys.STORE
        )


async def test_a_replica_of_an_earlier_version_has_no_figures_and_reads_no_mark(valkey: EmbeddedServer) -> None:
    await ask(valkey, "FLUSHALL")
    async with operated(valkey) as (stub, _), open_store(valkey) as earlier:
        earlier.replicas.own = Announcement("0.1", 1, {})
        await Housekeeper(earlier, lambda: 1).tick()
        (other,) = await others(stub)
        assert (other.build, other.figures_missing, other.host) == ("0.1", True, "")
        with refused("NOT_FOUND", "REPLICA_NOT_FOUND", replica=other.name.removeprefix("replicas/")):
            await stub.DrainReplica(admin.DrainReplicaRequest(name=other.name))


async def test_the_command_lists_and_drains_replicas(
    valkey: EmbeddedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await ask(valkey, "FLUSHALL")
    one, where = await asyncio.to_thread(started, valkey, tmp_path)
    two, _ = await asyncio.to_thread(started, valkey, tmp_path)
    try:
        command = ["admin", "--server", where]
        assert await asyncio.to_thread(run, [*command, "replicas"]) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert first.endswith("answers")
        assert f":{two.pid}  " in second
        name = second.split()[0]
        assert await asyncio.to_thread(run, [*command, "drain", "0123456789abcdef"]) == 1
        assert "No live replica has the id '0123456789abcdef'" in capsys.readouterr().err
        assert await asyncio.to_thread(run, [*command, "drain", name.removeprefix("replicas/")]) == 0
        assert capsys.readouterr().out == f"{name} is draining and then stops.\n"
        assert await asyncio.to_thread(two.wait, SECONDS) == 0
        assert one.poll() is None
    finally:
        end(one)
        end(two)
