"""A replica is killed at each step of a game's way to the archive, over a real store: the game is never nowhere."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skerry_service.archive.archive import Archive
from skerry_service.archive.locations import Directory, sessions_at
from skerry_service.archive.mover import Mover
from skerry_service.sessions.service import Sessions
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.redis_store import RedisStore
from tests.archive.games import Place, archive_due, finished, received
from tests.sessions.tables import Clock
from tests.store.servers import ask, open_store, running_server

MOST_STEPS = 100
_OF_STORE = ("read", "delete", "archive_id", "set_archive_id")
_OF_SCHEDULE = ("at", "lease", "done")


class Killer:
    """Counts what a process does outside, before and behind each thing, and kills it at one of these steps."""

    def __init__(self, step: int) -> None:
        self.left = step

    def step(self, call: str = "") -> None:
        self.left -= 1
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, owner: Any, call: str) -> None:
        """Count that method's calls."""
        method = getattr(owner, call)

        async def counted(*arguments: Any) -> Any:
            self.step()
            done = await method(*arguments)
            self.step()
            return done

        setattr(owner, call, counted)


def move(url: str, folder: str, session: str, step: int) -> None:
    """Move a session, as a process of its own, as far as that step; all the way if there are not so many."""
    asyncio.run(_move(url, folder, session, step))


async def _move(url: str, folder: str, session: str, step: int) -> None:
    store, killer, place = RedisStore(url), Killer(step), Place(Directory(Path(folder)))
    for call in _OF_STORE:
        killer.around(store.finished, call)
    for call in _OF_SCHEDULE:
        killer.around(store.schedule, call)
    killer.around(store, "unlist")
    place.before = place.after = killer.step
    await store.schedule.at("archive", session, 0)
    await archive_due(Mover(store, Archive(place), 0))
    await store.close()


@pytest.fixture
def server() -> Iterator[EmbeddedServer]:
    with running_server("everysec") as server:
        yield server


@pytest.mark.deep
async def test_killing_the_mover_at_any_step_changes_no_response(server: EmbeddedServer, tmp_path: Path) -> None:
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    loop = asyncio.get_running_loop()
    for step in range(1, MOST_STEPS):
        folder = tmp_path / str(step)
        await ask(server, "FLUSHALL")
        async with open_store(server) as store:
            sessions = Sessions(store, clock_ms=Clock(), archive=Archive(Directory(folder)))
            sitting = await finished(sessions, moves=1)
            before = await received(sessions, sitting)
            process = processes.Process(target=move, args=(server.url, str(folder), sitting.id, step))
            process.start()
            await loop.run_in_executor(None, process.join)
            assert await received(sessions, sitting) == before
            await store.schedule.at("archive", sitting.id, 0)
            await archive_due(Mover(store, Archive(Directory(folder)), 0))
            assert await store.load(sitting.id) is None
            assert await received(sessions, sitting) == before
            assert list(sessions_at(Directory(folder))) == [sitting.id]
            await sessions.close()
        if process.exitcode == 0:  # there are not so many steps, so it has been killed at every one
            break
        assert process.exitcode == -signal.SIGKILL
    assert step > 25
