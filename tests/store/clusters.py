"""A cluster of three masters on loopback, each a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from redis.crc import key_slot

from skerry_service.store import redis_keys

from .commits import new_id
from .replicated import Node, free_ports
from .servers import until

SLOTS = 16_384
TIMEOUT_MS = 1_000
"""After which a silent server seems dead to the others."""


def member(folder: Path) -> Node:
    """Return a server that can belong to a cluster."""
    (bus,) = free_ports(1)
    return Node(folder, cluster_enabled="yes", cluster_port=bus, cluster_node_timeout=TIMEOUT_MS)


@asynccontextmanager
async def cluster_of(folder: Path, count: int) -> AsyncIterator[Sequence[Node]]:
    """Run so many masters that share the slots evenly."""
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(member(folder / f"node-{number}")) for number in range(count)]
        for number, node in enumerate(nodes):
            bounds = number * SLOTS // count, (number + 1) * SLOTS // count - 1
            await node.ask("CLUSTER", "ADDSLOTSRANGE", *bounds)
            await node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in nodes[1:]:
            await join(node, nodes[0])
        await until(lambda: all_know(nodes, count))
        yield nodes


async def join(node: Node, other: Node) -> None:
    """Have a server meet one of the cluster."""
    _, bus = await other.ask("CONFIG", "GET", "cluster-port")
    await node.ask("CLUSTER", "MEET", "127.0.0.1", other.port, bus.decode())


async def all_know(nodes: Sequence[Node], masters: int) -> bool:
    """Whether all of them know who has what, of so many masters, and that all is well."""
    received = await asyncio.gather(*(node.ask("CLUSTER", "INFO") for node in nodes))
    wanted = {b"cluster_state:ok", b"cluster_size:%d" % masters, b"cluster_slots_assigned:%d" % SLOTS}
    return all(wanted <= {*one.split()} for one in received)


def url_of(nodes: Sequence[Node]) -> str:
    """Return what to give to a store."""
    return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in nodes)


def place_of(session: str, count: int) -> int:
    """Return at which of so many masters that session lies."""
    return key_slot(redis_keys.head(session)) * count // SLOTS


def session_at(number: int, count: int) -> str:
    """Return a new session that lies at that one of so many masters."""
    return next(one for one in iter(new_id, "") if place_of(one, count) == number)
