"""A Redis whose machine has a wrong clock: it is shown another time than ours (libfaketime)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as api
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.embedded.server_binary import find_binary

from .driver import Api, check_whole, new_table
from .processes import Service, ask, until

_LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
_DAYS = 40
_DAY = 86_400

pytestmark = pytest.mark.skipif(_LIBRARY is None, reason="libfaketime is not installed")


class Misled:
    """A Redis, and what its clock is shown."""

    def __init__(self, folder: Path) -> None:
        self._offset = folder / "offset"
        wrapper = folder / "server-of-another-time"
        faking = f"LD_PRELOAD={_LIBRARY} FAKETIME_TIMESTAMP_FILE={self._offset} FAKETIME_NO_CACHE=1"
        wrapper.write_text(f'#!/bin/sh\n{faking} FAKETIME_DONT_FAKE_MONOTONIC=1 exec {find_binary()} "$@"\n')
        wrapper.chmod(0o700)
        self.server = EmbeddedServer(folder / "redis", binary=wrapper)

    async def show(self, days: int) -> None:
        """Set its clock, and return when it has looked."""
        before = await self._days()
        shown_before = self._offset.exists() and int(self._offset.read_text().rstrip("d\n"))
        self.show_at_start(days)
        await until(lambda: self._went(before, days - shown_before))

    def show_at_start(self, days: int) -> None:
        new = self._offset.with_suffix(".new")
        new.write_text(f"{days:+}d\n")
        new.replace(self._offset)

    async def _went(self, before: float, days: int) -> bool:
        return abs(await self._days() - before - days) < 1

    async def _days(self) -> float:
        return float((await ask(self.server.url, "TIME"))[0]) / _DAY


@pytest.fixture
async def misled(folder: Path) -> AsyncIterator[Misled]:
    redis = Misled(folder)
    redis.show_at_start(0)
    await redis.server.start()
    try:
        yield redis
    finally:
        await redis.server.stop()


@pytest.fixture
async def service(folder: Path, misled: Misled) -> AsyncIterator[Service]:
    server = Service(folder, redis_url=misled.server.url)
    try:
        await server.start()
        yield server
    finally:
        await server.close()


async def listed(client: Api) -> set[str]:
    return {one.name for one in (await client.call("ListSessions", api.ListSessionsRequest())).sessions}


async def test_a_clock_that_jumps_ends_no_game(service: Service, client: Api, misled: Misled) -> None:
    over, playing, waiting = [await new_table(client, seed=seed) for seed in (91, 92, 93)]
    await over.play()
    for days in (_DAYS, -_DAYS, 0):
        await misled.show(days)
        await playing.play_acts(3)
        assert await listed(client) == {over.name, playing.name, waiting.name}
        await misled.server.stop()
        await misled.server.start()
    for table in (playing, waiting):
        await table.play()
    for table in (over, playing, waiting):
        await check_whole(table, [])
