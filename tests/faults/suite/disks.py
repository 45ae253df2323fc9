"""A disk that hangs and one that is full, as far as that can be had without one: the store is stopped, or cannot write.

A store that is stopped (SIGSTOP) does to the service what one does whose fsync hangs: it takes connections and
commands, and answers nothing. A store whose files may not grow (RLIMIT_FSIZE) meets at its next write what it meets on
a full disk, or at the end of a quota.
"""

from __future__ import annotations

import asyncio
import os
import resource
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import grpc

from tests.faults.driver import Api, connect, refusal_of
from tests.faults.processes import Service, held, until
from tests.faults.suite.kinds import Asked, Kind, Outcome, Struck, complaints
from tests.faults.suite.players import Players, meanwhile

_HANGS, _HANGS_LONG, _FULL = (
    "the store stopped for up to 1.5 s",
    "the store stopped for 6.5 s, longer than calls wait",
    "the store not able to write, until it ends by that",
)
_SORTS = (_HANGS, _HANGS, _HANGS_LONG, _HANGS, _FULL)
"""By turns."""
_SHORTEST, _LONGEST, _BEYOND = 0.1, 1.5, 6.5
"""Seconds."""


class Waiting(Api):
    """A client that also waits for room."""

    async def call(self, method: str, request: Any, token: str | None = None) -> Any:
        while True:
            try:
                return await super().call(method, request, token)
            except grpc.aio.AioRpcError as error:
                if refusal_of(error).reason != "STORE_FULL":
                    raise
                await asyncio.sleep(_SHORTEST)


async def run(asked: Asked) -> Outcome:
    """Let games be played on a disk that is in trouble."""
    struck = Struck(dict.fromkeys(_SORTS))
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        service = Service(Path(name))
        try:
            await service.start()
            async with connect(service.address) as client:
                players = Players(Waiting(client.address, client.channel), asked.seed)
                async with meanwhile(_trouble(service, Random(asked.seed), players, struck)) as peace:
                    await players.play_for(asked.seconds, peace)
            said = complaints(service.errors)
        finally:
            await service.close()
    return players.outcome(struck, said)


async def _trouble(service: Service, random: Random, players: Players, struck: Struck) -> None:
    """Make trouble, for good."""
    number = 0
    while True:
        await asyncio.sleep(random.uniform(_SHORTEST, _LONGEST))
        sort, number = _SORTS[number % len(_SORTS)], number + 1
        store = await service.store_pid()
        struck.note(sort, players.moves)
        if sort == _FULL:
            await _fill(store)
            continue
        with held(store):
            await asyncio.sleep(_BEYOND if sort == _HANGS_LONG else random.uniform(_SHORTEST, _LONGEST))


async def _fill(store: int) -> None:
    """Forbid the store to write, and return when it has ended by that. Its successor may."""
    resource.prlimit(store, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    try:
        await until(lambda: not Path(f"/proc/{store}").exists())
    finally:
        with suppress(ProcessLookupError):
            os.kill(store, 0)
            resource.prlimit(store, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


DISKS = Kind("disks", "a store that hangs, as on a slow disk, or cannot write", run)
