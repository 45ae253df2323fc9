"""Results and standings of tournaments, as callers read them. They are read once for all callers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from skerry_games.pairing.match import Match
from skerry_service.domain.errors import StoreUnavailable
from skerry_service.tournaments.tournament_course import EntrantStanding, advancing, matches_of, standings
from skerry_service.tournaments.tournament_records import StoredTournament, TournamentEntrant, TournamentResult
from skerry_service.tournaments.tournament_store import TournamentData

T = TypeVar("T")
_Version = tuple[int, int]
"""What increases with each change of what was read."""
_Key = tuple[str, Sequence[TournamentEntrant]]
"""The id of a tournament, and its entrants, by whose names results count."""
_MOST_KEPT = 16
"""Tournaments whose results, and whose standings, are kept."""


class TournamentTable(Struct, frozen=True):
    """What follows from the results of a tournament."""

    rows: Sequence[EntrantStanding]
    """The best first."""
    rounds: Sequence[Sequence[Match]]
    """The complete rounds; empty for a format without rounds."""
    current: Sequence[Match]
    """The round after them, with its results so far. Empty as ``rounds`` is, and after the last round."""
    advancing: Sequence[Sequence[int | None]]
    """The player that advances from each table of ``rounds``, in a knockout."""


class VersionedReads(Generic[T]):
    """Values of tournaments that cost much to read. One task reads a value for all callers that want it."""

    def __init__(self, read: Callable[[str, StoredTournament], Awaitable[tuple[_Version, T]]]) -> None:
        """``read``: returns a value, and a version that was read no later than the value."""
        self._read = read
        self._kept: dict[_Key, tuple[_Version, T]] = {}
        self._tasks: dict[_Key, asyncio.Task[tuple[_Version, T]]] = {}

    async def get(self, name: str, tournament: StoredTournament, version: _Version) -> T:
        """Return a value of that version or a later one. Raises what reading raises."""
        key = name, tournament.entrants
        found = self._kept.get(key)
        for _ in range(2):  # the first task may have begun before the call, the second has not
            if found is None or found[0] < version:
                found = await asyncio.shield(self._task(key, name, tournament))
        assert found is not None
        return found[1]

    def _task(self, key: _Key, name: str, tournament: StoredTournament) -> asyncio.Task[tuple[_Version, T]]:
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.get_running_loop().create_task(self._renew(key, name, tournament))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # its callers may be gone
        return task

    async def _renew(self, key: _Key, name: str, tournament: StoredTournament) -> tuple[_Version, T]:
        try:
            found = await self._read(name, tournament)
            self._kept.pop(key, None)
            if len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = found
            return found
        finally:
            del self._tasks[key]


class TournamentReadings:
    """Reads results and standings of tournaments that have started."""

    def __init__(self, data: TournamentData) -> None:
        self._data = data
        self._results = VersionedReads[Mapping[int, TournamentResult]](self._read_results)
        self._tables = VersionedReads[TournamentTable](self._read_table)
        self._turn = asyncio.Lock()  # one table is computed at a time, in one thread

    async def results(self, name: str, tournament: StoredTournament) -> Mapping[int, TournamentResult]:
        """Return all results by number, at least those that were stored when the call began."""
        return await self._results.get(name, tournament, await self._version(name))

    async def table(self, name: str, tournament: StoredTournament, results: int) -> TournamentTable:
        """Return what follows from so many results, or from more."""
        return await self._tables.get(name, tournament, (results, 0))

    async def _version(self, name: str) -> _Version:
        """Return the version of the results: between two steps, the games in play only become fewer."""
        step = await self._data.step(name)  # first, so that games of a later step make the version lower, not higher
        return int(step or 0), -len(await self._data.in_play(name))

    async def _read_results(
        self, name: str, tournament: StoredTournament
    ) -> tuple[_Version, Mapping[int, TournamentResult]]:
        version, results = await self._version(name), await self._data.results(name)
        if (await self._data.get(name)).entrants != tournament.entrants:
            raise StoreUnavailable  # a person was erased, so the results can have other names than the tournament
        return version, results

    async def _read_table(self, name: str, tournament: StoredTournament) -> tuple[_Version, TournamentTable]:
        results = await self.results(name, tournament)
        async with self._turn:
            return (len(results), 0), await asyncio.to_thread(_table_of, tournament, results)


def _table_of(tournament: StoredTournament, results: Mapping[int, TournamentResult]) -> TournamentTable:
    played = matches_of(tournament, results)
    rows = standings(tournament, results, played)
    if not tournament.in_rounds:
        return TournamentTable(rows, [], [], [])
    return TournamentTable(rows, played.complete, played.current, advancing(tournament, played))
