"""Health follows writes: each reason why a real server accepts none is named, and a write that succeeds ends it."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from skerry_service.domain.errors import SkerryError
from skerry_service.store import redis_keys
from skerry_service.store.connections.free_space import FreeSpace
from skerry_service.store.connections.replication_wait import ReplicationWait
from skerry_service.store.health.write_health import PATIENCE_SECONDS, SENTENCES, WriteHealth, WriteProblem
from skerry_service.store.redis_store import RedisStore

from .clusters import url_of
from .commits import first, new_id
from .replicated import Node
from .servers import until

HINDRANCES: Mapping[str, tuple[tuple[str | int, ...], tuple[str | int, ...]]] = {
    "NOREPLICAS": (("CONFIG", "SET", "min-replicas-to-write", 1), ("CONFIG", "SET", "min-replicas-to-write", 0)),
    "OOM": (("CONFIG", "SET", "maxmemory", 1000), ("CONFIG", "SET", "maxmemory", 0)),
    "READONLY": (("REPLICAOF", "127.0.0.1", 1), ("REPLICAOF", "NO", "ONE")),
    "NOPERM": (("ACL", "SETUSER", "default", "-@scripting"), ("ACL", "SETUSER", "default", "+@all")),
}
"""For each reason, the command that brings it about, and the one that ends it."""


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Node]:
    async with Node(tmp_path / "node") as started:
        yield started


@asynccontextmanager
async def opened(url: str, deadline: float = 5.0, wait: ReplicationWait | None = None) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, deadline=deadline, wait=wait)
    try:
        yield store
    finally:
        await store.close()


async def reason(store: RedisStore) -> str | None:
    """Tick once, and return why the store accepts no writes."""
    with suppress(SkerryError):
        await store.tick(1)
    problem = store.ticks.problem()
    return None if problem is None else problem.reason


async def test_each_reason_why_a_server_accepts_no_writes_is_named(node: Node) -> None:
    for name, (hinder, free) in HINDRANCES.items():
        await node.ask(*hinder)
        async with opened(node.url) as store:
            assert await reason(store) == name
            await node.ask(*free)
            assert await reason(store) is None


async def test_a_server_that_hangs_or_is_gone_is_named(node: Node) -> None:
    async with opened(node.url, deadline=0.5) as store:
        os.kill(node.pid, signal.SIGSTOP)
        assert await reason(store) == "NO_ANSWER"
        os.kill(node.pid, signal.SIGCONT)
        await until(lambda: _recovers(store))
        node.kill()
    async with opened(node.url) as store:
        assert await reason(store) == "UNREACHABLE"
        problem = store.ticks.problem()
        assert problem and str(node.port) in str(problem) and str(node.port) not in problem.sentence


async def _recovers(store: RedisStore) -> bool:
    return await reason(store) is None


async def test_a_write_that_replicas_do_not_confirm_is_none(node: Node) -> None:
    async with opened(node.url, wait=ReplicationWait(1, 50)) as store:
        assert await reason(store) == "NOT_REPLICATED"


async def test_a_disk_without_room_is_named(node: Node) -> None:
    room = FreeSpace.NONE
    store = RedisStore(node.url, disk=lambda: room)
    assert await reason(store) == "DISK_FULL"
    room = FreeSpace.PLENTY
    assert await reason(store) is None
    await store.close()


async def test_a_commit_that_is_stored_counts_as_a_write(node: Node) -> None:
    """On a server that takes sessions, but no ticks: their key is no hash."""
    async with opened(node.url) as store:
        await node.ask("SET", redis_keys.STORE.decode(), "no hash")
        assert await reason(store) == "REJECTED"
        await store.create(new_id(), first(), None)
        assert store.ticks.problem() is None


@pytest.mark.deep
async def test_a_master_of_a_cluster_that_accepts_no_writes_is_named_and_the_others_are_used(
    nodes: Sequence[Node],
) -> None:
    async with opened(url_of(nodes)) as store:
        await store.open()
        assert await reason(store) is None
        for number, node in enumerate(nodes, start=1):
            await node.ask(*HINDRANCES["NOREPLICAS"][0])
            async with opened(url_of(nodes)) as fresh:
                await fresh.open()
                assert await reason(fresh) == ("NOREPLICAS" if number == len(nodes) else None)
                assert [problem.reason for problem in fresh.ticks.problems()] == ["NOREPLICAS"] * number
        for node in nodes:
            await node.ask(*HINDRANCES["NOREPLICAS"][1])
        assert await reason(store) is None
        assert store.ticks.problems() == []


def test_a_short_failure_is_no_problem_and_a_long_one_is_until_a_write_succeeds() -> None:
    now = 0.0
    health = WriteHealth(lambda: now)
    health.began()
    health.succeeded()
    now = 1_000.0  # the process was stopped: no write has failed
    assert health.problem() is None
    health.began()
    now += PATIENCE_SECONDS / 2
    health.failed(SkerryError(""))
    health.began()
    assert health.problem() is None
    now += PATIENCE_SECONDS / 2
    assert health.problem() == WriteProblem("REJECTED", SENTENCES["REJECTED"])
    health.succeeded()
    assert health.problem() is None
    health.began()
    now += PATIENCE_SECONDS
    assert (found := health.problem()) and found.reason == "NO_ANSWER"
