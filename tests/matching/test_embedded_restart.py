"""The lease and the tickets of a service that ran on the embedded server, for the next service on the same folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from skerry_games.catalogue import all_games
from skerry_service.sessions.match_port import Exchange
from skerry_service.store import redis_keys
from skerry_service.store.redis_store import RedisStore
from skerry_service.wiring.config import Config
from skerry_service.wiring.store.opened_store import start_embedded

GAME = all_games()["tenerife"].ruleset


@asynccontextmanager
async def embedded(folder: Path) -> AsyncIterator[RedisStore]:
    """Start the embedded server as a service does; yield its store."""
    async with AsyncExitStack() as stack:
        server = await start_embedded(Config(data_dir=folder), stack)
        store = RedisStore(server.url)
        stack.push_async_callback(store.close)
        yield store


def exchange(replica: str, message: bytes = b"") -> Exchange:
    """Ask for the lease with a term named after the replica."""
    return Exchange(replica, 1_000, replica.encode(), b"", message)


async def test_a_crashed_service_leaves_no_lease_and_no_tickets(tmp_path: Path) -> None:
    async with embedded(tmp_path) as store:
        assert (await store.matching.exchange(GAME, exchange("first", b"ticket"))).leads
    async with embedded(tmp_path) as store:
        assert (await store.matching.exchange(GAME, exchange("second"))).leads
        collected = await store.matching.collect(GAME, b"second", 1_000, b"", everything=True)
        assert collected is not None
        assert not collected.messages


async def test_the_tickets_of_a_service_that_has_shut_down_keep_their_places(tmp_path: Path) -> None:
    async with embedded(tmp_path) as store:
        await store.matching.exchange(GAME, exchange("first"))
        await store.matching.resign(GAME, b"first")
        await store.matching.exchange(GAME, Exchange("first", 1_000, b"", b"", b"farewell"))
    async with embedded(tmp_path) as store:
        await store.matching.exchange(GAME, exchange("second"))
        collected = await store.matching.collect(GAME, b"second", 1_000, b"", everything=True)
        assert collected is not None
        assert list(collected.messages) == [b"farewell"]


@pytest.mark.parametrize("damage", [("SET", "x"), ("HSET", "until", "x")])
async def test_a_damaged_lease_prevents_no_start(tmp_path: Path, damage: tuple[str, ...]) -> None:
    async with embedded(tmp_path) as store:
        await store._call(damage[0], redis_keys.matcher(GAME), *damage[1:])
    async with embedded(tmp_path) as store:
        assert (await store.matching.exchange(GAME, exchange("second"))).leads
