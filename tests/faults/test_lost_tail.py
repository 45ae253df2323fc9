"""A Redis with ``appendfsync everysec`` loses the end of its log: every viewer learns of it, and no histories mix.

The loss is made by cutting the append-only file back to an earlier length between kill and restart.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from skerry_service.store.embedded.embedded_server import EmbeddedServer

from .driver import Api, Refusal, Table, Watcher, check_whole, connect, new_table, refusal_of, watched
from .processes import Service, ask, held, kill_process, tail_of, until

pytestmark = pytest.mark.deep

LOST = 8
"""Acts that are acknowledged and then lost."""


ROUNDS = 10


class Forgetful:
    """A Redis that can be set back."""

    def __init__(self, folder: Path) -> None:
        self.server = EmbeddedServer(folder, "everysec")
        self._kept = 0

    async def remember(self) -> None:
        """All that is stored by now will be kept."""
        await until(self._written)
        self._kept = tail_of(self.server.directory).stat().st_size

    async def forget(self) -> None:
        """Crash, and come back without what was stored since."""
        await until(self._written)
        await kill_process(self.server.pid)
        await self.server.stop()
        cut(self.server.directory, self._kept)
        await self.server.start()

    async def _written(self) -> bool:
        return nothing_unwritten(await ask(self.server.url, "INFO", "persistence"))


def nothing_unwritten(info: Mapping[str, Any]) -> bool:
    return bool(info["aof_buffer_length"] == 0 and info["aof_pending_bio_fsync"] == 0)


def cut(directory: Path, length: int) -> None:
    tail = tail_of(directory)
    assert tail.stat().st_size > length
    os.truncate(tail, length)


@pytest.fixture
async def redis(folder: Path) -> AsyncIterator[Forgetful]:
    forgetful = Forgetful(folder / "redis")
    await forgetful.server.start()
    try:
        yield forgetful
    finally:
        await forgetful.server.stop()


@asynccontextmanager
async def replica(folder: Path, redis: Forgetful) -> AsyncIterator[tuple[Service, Api]]:
    """Run one replica on that Redis; yield it and a client of it."""
    server = Service(folder, redis_url=redis.server.url)
    try:
        await server.start()
        async with connect(server.address) as client:
            yield server, client
    finally:
        await server.close()


@asynccontextmanager
async def watching(table: Table, watchers: Sequence[Watcher]) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Follow until the streams end, however they end."""
    tokens = [None if watcher.seat is None else table.tokens[watcher.seat] for watcher in watchers]
    followed = zip(watchers, tokens, strict=True)
    tasks = [asyncio.create_task(watcher.follow(table.client, table.name, token)) for watcher, token in followed]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def all_seen(watchers: Sequence[Watcher], sequence: int) -> None:
    """Wait until the watchers have received everything."""
    await until(lambda: all(len(watcher.entries) == sequence for watcher in watchers))


async def sequence_of(table: Table) -> int:
    return (await table.look(None)).session.sequence


def ahead_of(sequence: int) -> Refusal:
    return Refusal(grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_AHEAD", False, (("sequence", str(sequence)),))


async def test_a_viewer_of_lost_moves_learns_it_and_the_game_goes_on(folder: Path, redis: Forgetful) -> None:
    watchers = [Watcher(None), Watcher(0), Watcher(1)]
    async with replica(folder / "a", redis) as (_, client):
        table = await new_table(client, seed=51)
        async with watching(table, watchers) as streams:
            await table.play_acts(15)
            await redis.remember()
            kept, acknowledged = await sequence_of(table), list(table.acknowledged)
            await table.play_acts(LOST)
            (seat, *_) = await table.to_act()
            stale = await table.decide(seat)
            await all_seen(watchers, await sequence_of(table))
            await redis.forget()
            async with asyncio.timeout(20):
                ends = await asyncio.gather(*streams, return_exceptions=True)
        assert [refusal_of(end) for end in ends if isinstance(end, grpc.aio.AioRpcError)] == [ahead_of(kept)] * 3
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await client.call("Act", stale, table.tokens[seat])
        assert refusal_of(refused.value) == ahead_of(kept)
        assert await sequence_of(table) == kept
        first, second = client.epochs
        assert all(watcher.epochs == [first] for watcher in watchers)
        table.acknowledged = acknowledged
        async with watched(table) as again:
            await table.play()
        assert all(watcher.epochs == [second] for watcher in again)
        assert [entry.sequence for entry in again[0].entries[:kept]] == list(range(1, kept + 1))
        assert again[0].entries[: kept - 1] == watchers[0].entries[: kept - 1]
        await check_whole(table, again)


async def test_a_server_that_loses_the_end_with_its_own_store_says_so_to_who_comes_back(folder: Path) -> None:
    service = Service(folder, "--fsync", "everysec")

    async def written() -> bool:
        return nothing_unwritten(await service.ask("INFO", "persistence"))

    try:
        await service.start()
        async with connect(service.address) as client:
            table = await new_table(client, seed=59)
            watchers = [Watcher(None), Watcher(0), Watcher(1)]
            async with watching(table, watchers) as streams:
                await table.play_acts(10)
                await until(written)
                kept, length = await sequence_of(table), tail_of(service.data).stat().st_size
                acknowledged = list(table.acknowledged)
                await table.play_acts(LOST)
                await all_seen(watchers, await sequence_of(table))
                await until(written)
                await service.kill_with_store()
                cut(service.data, length)
                await service.start()
                async with asyncio.timeout(20):
                    ends = await asyncio.gather(*streams, return_exceptions=True)
            assert [refusal_of(end) for end in ends if isinstance(end, grpc.aio.AioRpcError)] == [ahead_of(kept)] * 3
            table.acknowledged = acknowledged
            async with watched(table) as again:
                await table.play()
            await check_whole(table, again)
            assert len(client.epochs) == 2
    finally:
        await service.close()


async def test_who_saw_nothing_that_was_lost_reads_on_under_the_new_epoch(folder: Path, redis: Forgetful) -> None:
    async with replica(folder / "a", redis) as (_, client):
        quiet, busy = await new_table(client, seed=52), await new_table(client, seed=53)
        async with watched(quiet) as watchers:
            await quiet.play_acts(5)
            await redis.remember()
            await busy.play_acts(LOST)
            await all_seen(watchers, await sequence_of(quiet))
            await redis.forget()
            await until(lambda: all(len(watcher.epochs) == 2 for watcher in watchers))
            await quiet.play()
        await check_whole(quiet, watchers)
        assert all(watcher.breaks == [] for watcher in watchers)


async def test_a_session_that_was_lost_altogether_is_not_found_any_more(folder: Path, redis: Forgetful) -> None:
    gone = Refusal(grpc.StatusCode.NOT_FOUND, "SESSION_NOT_FOUND", False)
    async with replica(folder / "a", redis) as (_, client):
        await new_table(client, seed=54)
        await redis.remember()
        lost = await new_table(client, seed=55)
        watchers = [Watcher(None), Watcher(1)]
        async with watching(lost, watchers) as streams:
            await lost.play_acts(3)
            await all_seen(watchers, await sequence_of(lost))
            await redis.forget()
            async with asyncio.timeout(20):
                ends = await asyncio.gather(*streams, return_exceptions=True)
        assert [refusal_of(end)[:3] for end in ends if isinstance(end, grpc.aio.AioRpcError)] == [gone[:3]] * 2
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await lost.look(0)
        assert refusal_of(refused.value)[:3] == gone[:3]


async def grow_to(table: Table, through: Api, sequence: int) -> bool:
    """Play through one replica until the log is as long as it was, with other moves in it. Return whether it is:
    chance can carry it beyond."""
    table.client = through
    while await sequence_of(table) < sequence:
        (seat, *_) = await table.to_act()
        await table.act(seat)
    return await sequence_of(table) == sequence


async def test_a_replica_that_slept_through_the_loss_mixes_nothing(folder: Path, redis: Forgetful) -> None:
    """It wakes with a game in its memory that is as long as the one stored, and is another one."""
    async with replica(folder / "a", redis) as (sleeper, client), replica(folder / "b", redis) as (_, other):
        table = await new_table(client, seed=56)
        watchers = [Watcher(None), Watcher(0), Watcher(1)]
        async with watching(table, watchers) as streams:
            await table.play_acts(15)
            await redis.remember()
            kept, acknowledged = await sequence_of(table), list(table.acknowledged)
            await table.play_acts(LOST)
            longest = await sequence_of(table)
            await all_seen(watchers, longest)
            with held(sleeper.process.pid):
                await redis.forget()
                table.acknowledged = acknowledged
                assert await grow_to(table, other, longest)
                (seat, *_) = await table.to_act()
                request = await table.decide(seat)
                act = asyncio.create_task(client.call("Act", request, table.tokens[seat]))
                await asyncio.sleep(0.1)
            table.note(seat, request, await act)
            async with asyncio.timeout(20):
                ends = await asyncio.gather(*streams, return_exceptions=True)
        assert [refusal_of(end) for end in ends if isinstance(end, grpc.aio.AioRpcError)] == [ahead_of(kept)] * 3
        table.client = client
        async with watched(table) as again:
            await table.play()
        await check_whole(table, again)


@asynccontextmanager
async def set_back(table: Table, redis: Forgetful) -> AsyncIterator[None]:
    """Undo in the store what the block does, as a restored backup would: no connection ends, no epoch changes."""
    keys = [key.decode() for key in await ask(redis.server.url, "KEYS", "skerry:{*")]
    backup = {key: await ask(redis.server.url, "DUMP", key) for key in keys}
    acknowledged = list(table.acknowledged)
    yield
    for key, content in backup.items():
        await ask(redis.server.url, "RESTORE", key, 0, content, "REPLACE")
    table.acknowledged = acknowledged


async def test_a_replica_that_remembers_another_game_of_the_same_length_plays_the_one_stored(
    folder: Path, redis: Forgetful
) -> None:
    async with replica(folder / "a", redis) as (_, client), replica(folder / "b", redis) as (_, other):
        table = await new_table(client, seed=57)
        coincided = 0
        for _ in range(ROUNDS):
            table.client = client
            async with set_back(table, redis):
                await table.play_acts(2)
                longest = await sequence_of(table)
            coincided += await grow_to(table, other, longest)
            (seat, *_) = await table.to_act()
            await table.act(seat, client)
        assert coincided > ROUNDS / 2
        await table.play()
        await check_whole(table, [])


async def test_a_replica_that_remembers_another_game_of_the_same_length_shows_the_one_stored(
    folder: Path, redis: Forgetful
) -> None:
    async with replica(folder / "a", redis) as (_, client), replica(folder / "b", redis) as (_, other):
        table = await new_table(client, seed=58)
        async with set_back(table, redis):
            await table.play_acts(LOST)
            longest = await sequence_of(table)
        assert await grow_to(table, other, longest)
        stored = await table.look(0)
        table.client = client
        assert await table.look(0) == stored
