"""A store that is spread over the servers of a cluster, one of which is killed in mid-game."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from skerry_service.store import redis_keys
from tests.store.clusters import cluster_of, join, member, place_of, url_of
from tests.store.replicated import Node

from .driver import STORE_AWAY, Api, Table, check_whole, connect, new_table, watched
from .processes import Service, until

pytestmark = pytest.mark.deep
MASTERS = 3


async def tables_at(client: Api, seed: int) -> Sequence[Table]:
    """Return a table at each of the masters, of the first one first."""
    found: dict[int, Table] = {}
    while len(found) < MASTERS:
        table = await new_table(client, seed)
        seed += 1
        found.setdefault(place_of(table.name.removeprefix("sessions/"), MASTERS), table)
    return [found[place] for place in range(MASTERS)]


async def replicate(replica: Node, master: Node) -> None:
    """Have a server join the cluster of a master as its replica, and return when it has all of it."""
    await join(replica, master)
    name = (await master.ask("CLUSTER", "MYID")).decode()

    async def knows_it() -> bool:
        return name.encode() in await replica.ask("CLUSTER", "NODES")

    await until(knows_it)
    await replica.ask("CLUSTER", "REPLICATE", name)
    await until(lambda: replica.has_all_of(master))


async def test_a_master_of_a_cluster_is_killed_and_every_game_goes_on(folder: Path) -> None:
    """Two replicas of the service serve three tables, one at each master; that of the first one is promoted."""
    async with cluster_of(folder, MASTERS) as nodes, member(folder / "replica") as replica:
        await replicate(replica, nodes[0])
        services = [Service(folder / name, redis_url=url_of(nodes)) for name in ("a", "b")]
        try:
            for service in services:
                await service.start()
            async with connect(services[0].address) as client, connect(services[1].address) as other:
                tables = await tables_at(client, 81)
                async with watched(tables[0]) as watchers:
                    for table in tables:
                        await table.play_acts(6)
                        table.client = other
                    await until(lambda: replica.has_all_of(nodes[0]))
                    nodes[0].kill()
                    await asyncio.gather(*(table.play() for table in tables))
                await check_whole(tables[0], watchers)
                for table in tables[1:]:
                    await check_whole(table, [])
                assert set(client.refusals + other.refusals) <= {STORE_AWAY}
                assert [watcher.breaks for watcher in watchers] == [[]] * len(watchers)
                assert watchers[0].epochs[-1] != watchers[0].epochs[0]
                assert await replica.ask(
                    "HEXISTS", redis_keys.head(tables[0].name.removeprefix("sessions/")).decode(), "s"
                )
        finally:
            for service in services:
                await service.close()
