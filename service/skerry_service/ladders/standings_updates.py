"""Computing ratings: by the leader, in short steps, and only when there are new results."""

from __future__ import annotations

import asyncio

from skerry_service.ladders.ladder_records import StandingsRecord
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.rating_fit import fit
from skerry_service.sessions.task_runner import TaskRunner

_REST_SECONDS = 2.0
"""Shortest time between two computations."""
_SHARE = 20
"""After a computation, the time for which none begins, in multiples of what it took."""


class StandingsUpdates:
    """The ratings of one ladder."""

    def __init__(self, ladder: str, data: LadderData, tasks: TaskRunner) -> None:
        self._ladder = ladder
        self._data = data
        self._tasks = tasks
        self._not_before: dict[int, float] = {}
        """For each season, when to compute again, by the clock of the event loop."""

    async def update(self, season: int) -> None:
        """Compute and store the ratings of a season if results were added, but not too often."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._not_before.get(season, 0.0):
            return
        count = await self._data.count(self._ladder, season)
        if count == (await self._data.standings(self._ladder, season)).games:
            self._not_before[season] = loop.time() + _REST_SECONDS / 2
            return
        began = loop.time()
        await self.compute(season, count)
        self._not_before[season] = loop.time() + max(_REST_SECONDS, _SHARE * (loop.time() - began))

    async def compute(self, season: int, count: int) -> None:
        """Compute and store the ratings of a season. ``count``: of the results, as read before."""
        pairs = await self._data.pairs(self._ladder, season)
        ratings = await self._tasks.run(fit({names: (one.wins, one.ties, one.losses) for names, one in pairs.items()}))
        await self._data.set_standings(self._ladder, season, StandingsRecord(count, ratings))
