"""The same store on one node of a cluster: it refuses whatever crosses slots, in commands and inside scripts."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from skerry_service.quotas.limits import Rate
from skerry_service.sessions.errors import StoreUnavailable
from skerry_service.sessions.port import Conflict, Stored
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.server_binary import find_binary

from .commits import first, new_id, request, step
from .servers import until


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@pytest.fixture
async def node(tmp_path: Path) -> AsyncIterator[Redis]:
    """A cluster of one node that owns no slot yet."""
    port, bus = free_ports(2)
    settings = {"port": port, "cluster-port": bus, "bind": "127.0.0.1", "dir": tmp_path, "save": ""}
    settings |= {"cluster-enabled": "yes", "logfile": tmp_path / "log"}
    words = [str(word) for name, value in settings.items() for word in (f"--{name}", value)]
    process = subprocess.Popen([find_binary(), *words])  # noqa: ASYNC220
    client = Redis(host="127.0.0.1", port=port, protocol=2)
    try:
        await until(lambda: answers(client))
        yield client
    finally:
        await client.aclose()
        process.kill()
        process.wait()


async def answers(client: Redis) -> bool:
    try:
        return bool(await client.execute_command("PING"))
    except RedisError:
        return False


def url(node: Redis) -> str:
    return f"redis://127.0.0.1:{node.get_connection_kwargs()['port']}"


async def all_slots(node: Redis) -> None:
    await node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    await until(lambda: is_up(node))


async def is_up(node: Redis) -> bool:
    return "cluster_state:ok" in str(await node.execute_command("CLUSTER", "INFO"))


async def test_all_that_one_call_touches_lies_in_one_slot(node: Redis) -> None:
    await all_slots(node)
    store, session = RedisStore(url(node)), new_id()
    heard: list[bytes | None] = []
    try:
        assert await store.create(session, first(lifetime_ms=60_000), 1000) is None
        await store.listen(session, heard.append)
        assert await store.commit(session, step(0, record=b"r", by=request(1))) == Stored()
        assert await store.commit(session, step(1, lifetime_ms=60_000)) == Stored()
        assert await store.commit(session, step(1)) == Conflict(sequence=2)
        assert await store.batches(session, 0) == [b"batch 1", b"batch 2"]
        assert await store.create(new_id(), first(), None) is None
        assert await store.public(None, 5) == [(1000, session)]
        assert await store.take("join", [(f"{limit}:60:192.0.2.1", Rate(9, 60)) for limit in "abcd"]) is None
        await until(lambda: heard == [b"batch 1", b"batch 2"])
    finally:
        await store.close()


async def test_a_cluster_that_is_down_is_unavailable(node: Redis) -> None:
    store = RedisStore(url(node))
    try:
        with pytest.raises(StoreUnavailable):
            await store.load(new_id())
        await all_slots(node)
        assert await store.load(new_id()) is None
    finally:
        await store.close()
