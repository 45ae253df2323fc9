"""Two replicas, one Redis, and between them links that are cut: of one replica or of both, one way or both ways.

Run as a script, in a network of its own, it prints what came of it as JSON.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from tests.faults.driver import LONGEST_CALL, Api, connect
from tests.faults.processes import Service
from tests.faults.suite.kinds import Asked, Kind, Outcome, Struck, complaints
from tests.faults.suite.links import UNSHARED, Link, cables, detours, namespaces_allowed
from tests.faults.suite.players import Players, meanwhile
from tests.faults.suite.proxies import Way

_WAYS: dict[str, tuple[Way, ...]] = {"there": ("there",), "back": ("back",), "both ways": ("there", "back")}
_WHO = ("one replica", "both replicas")
_SORTS = tuple((who, way) for way in _WAYS for who in _WHO)
"""By turns."""
_SHORTEST, _LONGEST = 0.1, 1.5
"""Seconds between two faults, and of most of them."""
_BEYOND = 6.5
"""Seconds of each fifth: longer than any call waits for the store."""


class Either(Api):
    """A client of several replicas, who asks each in turn. What one does not answer is asked of the next one."""

    def __init__(self, clients: Sequence[Api]) -> None:
        first = clients[0]
        super().__init__(first.address, first.channel)
        self._clients = clients
        self._turn = 0

    async def once(self, method: str, request: Any, token: str | None = None, timeout: float = LONGEST_CALL) -> Any:
        self._turn += 1
        client = self._clients[self._turn % len(self._clients)]
        self.address = client.address  # of streams that are opened next
        try:
            return await client.once(method, request, token, timeout)
        finally:
            self.refusals += client.refusals
            client.refusals.clear()


async def run(asked: Asked) -> Outcome:
    """Cut links between network namespaces, where these are allowed, else proxies."""
    if not asked.namespaces or not await namespaces_allowed():
        outcome = await _between(detours, asked)
        outcome.received += "; no network namespaces, so proxies hold up what is sent"
        return outcome
    command = (*UNSHARED, sys.executable, "-m", __spec__.name, msgspec.json.encode(asked).decode())
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    outcome = msgspec.json.decode(printed, type=Outcome)
    outcome.received += "; network namespaces"
    return outcome


async def _between(links: Callable[[Path], AbstractAsyncContextManager[Sequence[Link]]], asked: Asked) -> Outcome:
    struck = Struck(_sort(*sort) for sort in _SORTS)
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        async with links(Path(name) / "redis") as ways, _replicas(Path(name), ways) as replicas, AsyncExitStack() as on:
            clients = [await on.enter_async_context(connect(replica.address)) for replica in replicas]
            players = Players(Either(clients), asked.seed)
            async with meanwhile(_cut(ways, Random(asked.seed), players, struck)) as peace:
                await players.play_for(asked.seconds, peace)
        said = [words for replica in replicas for words in complaints(replica.errors)]
    return players.outcome(struck, said)


@asynccontextmanager
async def _replicas(folder: Path, links: Sequence[Link]) -> Any:
    """Run a replica at the end of each link."""
    replicas = [Service(folder / str(number), redis_url=link.url) for number, link in enumerate(links)]
    async with AsyncExitStack() as stack:
        for replica in replicas:
            stack.push_async_callback(replica.close)
            await replica.start()
        yield replicas


async def _cut(links: Sequence[Link], random: Random, players: Players, struck: Struck) -> None:
    """Cut links and mend them, for good."""
    number = 0
    while True:
        await asyncio.sleep(random.uniform(_SHORTEST, _LONGEST))
        (who, way), number = _SORTS[number % len(_SORTS)], number + 1
        chosen = [random.choice(links)] if who == _WHO[0] else links
        struck.note(_sort(who, way), players.moves)
        try:
            for link in chosen:
                await link.cut(*_WAYS[way])
            await asyncio.sleep(random.uniform(_SHORTEST, _LONGEST) if number % 5 else _BEYOND)
        finally:
            for link in chosen:
                await asyncio.shield(link.mend())


def _sort(who: str, way: str) -> str:
    return f"{who} cut off, {way}"


PARTITIONS = Kind("partitions", "replicas cut off from Redis", run)

if __name__ == "__main__":
    found = asyncio.run(_between(cables, msgspec.json.decode(sys.argv[1], type=Asked)))
    sys.stdout.buffer.write(msgspec.json.encode(found))
