"""Games that are played while faults are made, each held against its log when it is over."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc

from tests.faults.driver import Api, Table, Watcher, check_whole, new_table, watched
from tests.faults.suite.kinds import Outcome, Struck

Over = Sequence[type[Table]]
_MOST_FINDINGS = 5


class Players:
    """Several tables, at each of which one game is played after the other until it is enough."""

    def __init__(self, client: Api, seed: int, tables: int = 3, over: Over = (Table,)) -> None:
        """``over``: the ways in which tables are played, by turns."""
        self._client = client
        self._seed = seed
        self._places = tables
        self._over = over
        self._tables: list[Table] = []
        self._begun = 0
        self.games = 0
        """Games that were found to be as they should."""
        self.lost = 0
        self.findings: list[str] = []

    @property
    def moves(self) -> int:
        """How many were acknowledged."""
        return sum(len(table.acknowledged) for table in self._tables)

    async def play_for(self, seconds: float, over: Callable[[], object] = lambda: None) -> None:
        """Play for so long; then call ``over``, and play the games that are begun to their end."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.call_later(seconds, over)
        loop.call_later(seconds, ended.set)
        await self._play(ended.is_set)

    async def _play(self, enough: Callable[[], bool]) -> None:
        async with asyncio.TaskGroup() as group:
            for place in range(self._places):
                group.create_task(self._sit(place, enough))

    def outcome(self, struck: Struck, said: Sequence[str] = ()) -> Outcome:
        """Return what came of these faults; ``said``: what was found wrong beside the games."""
        received = f"{self.games} games, {self.moves} moves, {len(self._client.refusals)} calls repeated"
        return Outcome(struck.rows(self.moves), self.lost, received, [*self.findings, *said][:_MOST_FINDINGS])

    async def _sit(self, place: int, enough: Callable[[], bool]) -> None:
        over = self._over[place % len(self._over)]
        while not enough() and len(self.findings) < _MOST_FINDINGS:
            self._begun += 1
            try:
                table = await new_table(self._client, self._seed + self._begun, kind=over)
            except Exception as error:
                self._found(error, 1)
                continue
            self._tables.append(table)
            await self._play_one(table)

    async def _play_one(self, table: Table) -> None:
        watchers: list[Watcher] = []
        try:
            async with watched(table) as watchers:
                await table.play()
            await check_whole(table, watchers)
        except Exception as error:
            self._found(error, await _lost_at(table))
        else:
            self.games += 1

    def _found(self, error: BaseException, lost: int) -> None:
        self.lost += max(1, lost)
        self.findings.append(in_words(error))


@asynccontextmanager
async def meanwhile(doing: Coroutine[Any, Any, None]) -> AsyncIterator[Callable[[], object]]:
    """Do something beside the block, until that ends or calls what is yielded; if it fails, the block is given up."""
    task, outside = asyncio.create_task(doing), asyncio.current_task()
    assert outside is not None
    task.add_done_callback(lambda done: None if done.cancelled() else outside.cancel())
    try:
        yield task.cancel
    except asyncio.CancelledError:
        if not task.done():
            raise
        outside.uncancel()
    finally:
        task.cancel()
        await asyncio.wait((task,))
        if not task.cancelled():
            task.result()


async def _lost_at(table: Table) -> int:
    """Return how many acknowledged moves are not in the log, and how many are there twice."""
    try:
        log = (await table.replay()).entries
    except Exception:
        return len(table.acknowledged)
    own = [entry for entry in log if entry.WhichOneof("kind") == "moved" and not entry.automatic]
    made = Counter((entry.sequence, entry.seat) for entry in own if entry.HasField("seat"))
    received = Counter((one.sequence, one.seat) for one in table.acknowledged)
    unanswered = 1
    return (received - made).total() + max(0, (made - received).total() - unanswered)


def in_words(error: BaseException) -> str:
    """Return what went wrong, as a line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    words = error.details() if isinstance(error, grpc.aio.AioRpcError) else str(error)
    return f"{type(error).__name__}: {' '.join((words or '').split())[:200]}"
