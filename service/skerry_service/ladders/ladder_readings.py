"""Standings, games and head-to-head results of ladders, as callers read them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from math import inf
from typing import Generic, TypeVar

from msgspec import Struct

from skerry_service.domain.cooperative import CooperativeTask
from skerry_service.domain.errors import LadderNotFound
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.game_results import plus
from skerry_service.ladders.ladder_records import (
    EntrantRecord,
    GameRow,
    OpenGame,
    PairRecord,
    RegisteredEntry,
    StoredLadder,
    WaitingBot,
    bot_of_entrant,
)
from skerry_service.ladders.ladder_rounds import rests
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.sessions.task_runner import TaskRunner

SeasonKey = tuple[str, int]
"""A ladder and the number of a season."""
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
RATED_BLOCKS = 10
"""Complete blocks from which on a rating is shown."""
_FRESH_SECONDS = 0.5
"""How long, at least, all callers get the same value: reading costs as much as a season has entrants or pairs."""
_SHARE, _STALE_SECONDS = 10, 10.0
"""A value that took long to read is kept for that multiple of the time, but no longer than the seconds."""
_MOST_STANDINGS, _MOST_RESULTS, _MOST_PLAYING, _MOST_KEPT_CHUNKS = 32, 4, 50, 16
"""Values that are kept: standings and results of seasons, games in play of ladders, and chunks of results."""
_MOST_CHUNKS = 4
"""Chunks of results that one page reads."""


class LadderStanding(Struct, frozen=True):
    """A row of the standings."""

    entrant: str
    record: EntrantRecord
    rank: int
    """0: without a rating."""
    rating: tuple[float, float, float] | None
    bot: RegisteredEntry | None
    """``None`` for a person."""
    rests: bool
    session: str
    """The session that it plays; empty: none."""
    waiting: bool


class StandingsTable(Struct, frozen=True):
    """The standings of a season."""

    ladder: StoredLadder
    season: int
    rows: Sequence[LadderStanding]
    games: int
    """The number of results that the ratings follow from."""
    playing: int
    waiting: int


class BotResults(Struct, frozen=True):
    """The results of a season between bots, all versions of a bot in total."""

    games: int
    """The number of results of the season, read before the pairs."""
    opponents: Mapping[str, Mapping[str, PairRecord]]
    """For each bot, its results against each opponent, most games first."""


class SharedReads(Generic[K, T]):
    """Values that cost much to read. One task reads a value for all callers that want it."""

    def __init__(self, most: int, read: Callable[[K, T | None], Awaitable[T]]) -> None:
        """``most``: how many values are kept. ``read``: from the key, and the value that was read before."""
        self._most = most
        self._read = read
        self._kept: dict[K, tuple[float, T]] = {}
        """Values, with the time until which they are fresh, by the clock of the event loop."""
        self._tasks: dict[K, asyncio.Task[T]] = {}

    async def get(self, key: K) -> T:
        """Return a value that is at most a moment old. Raises what reading raises."""
        loop = asyncio.get_running_loop()
        fresh_until, *values = self._kept.get(key, (-inf,))
        if values and loop.time() < fresh_until:
            return values[0]
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = loop.create_task(self._renew(key))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # its callers may be gone
        return await asyncio.shield(task)

    async def _renew(self, key: K) -> T:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            value = await self._read(key, self._kept[key][1] if key in self._kept else None)
            self._kept.pop(key, None)
            if len(self._kept) >= self._most:
                del self._kept[next(iter(self._kept))]
            took = loop.time() - began
            self._kept[key] = loop.time() + min(_STALE_SECONDS, max(_FRESH_SECONDS, _SHARE * took)), value
            return value
        finally:
            del self._tasks[key]


class LadderReadings:
    """Reads ladders."""

    def __init__(self, data: LadderData, tasks: TaskRunner) -> None:
        self._data = data
        self._tasks = tasks
        self._ladders = SharedReads[None, Mapping[str, tuple[StoredLadder, int, int]]](1, self._read_ladders)
        self._standings = SharedReads[SeasonKey, StandingsTable](_MOST_STANDINGS, self._read_standings)
        self._playing = SharedReads[str, Sequence[OpenGame]](_MOST_PLAYING, self._read_playing)
        self._chunks = SharedReads[tuple[str, int, int, int], Mapping[int, GameRow]](_MOST_KEPT_CHUNKS, self._read_rows)
        self._pairs_turn = asyncio.Lock()  # one season's pairs are read at a time, whichever seasons callers name
        self._bot_results = SharedReads[SeasonKey, BotResults](_MOST_RESULTS, self._read_bot_results)

    async def all(self) -> Mapping[str, tuple[StoredLadder, int, int]]:
        """Return all ladders by id, each with the numbers of games in play and of bots that wait."""
        return await self._ladders.get(None)

    async def _read_ladders(self, key: None, before: object) -> Mapping[str, tuple[StoredLadder, int, int]]:
        ladders = await self._data.ladders()
        return {name: (ladder, *await self.activity(name)) for name, ladder in ladders.items()}

    async def activity(self, name: str) -> tuple[int, int]:
        """Return the numbers of games in play and of bots that wait."""
        return len(await self._data.games(name)), len(await self._data.waiting(name))

    async def season_of(self, name: str, season: int) -> tuple[StoredLadder, int]:
        """Return a ladder, and the number of a season; 0 stands for the present one. Raises LadderNotFound."""
        ladder = await self._data.ladder(name)
        if not 0 <= season <= ladder.season:
            raise LadderNotFound(name, season)
        return ladder, season or ladder.season

    async def standings(self, name: str, season: int) -> StandingsTable:
        """Return the standings of a season, at most a moment old. Raises LadderNotFound."""
        return await self._standings.get((name, season))

    async def _read_standings(self, key: SeasonKey, before: StandingsTable | None) -> StandingsTable:
        name, _ = key
        ladder, season = await self.season_of(*key)
        entrants = await self._data.entrants(name, season)
        computed = await self._data.standings(name, season)
        games, waiting = await self._data.games(name), await self._data.waiting(name)
        bots = {} if ladder.people else await self._data.bots([bot_of_entrant(one) for one in entrants])

        sessions = {one.entrant: session for session, game in games.items() for one in game.seats}

        def order(entrant: str) -> tuple[bool, float, int, str]:
            record = entrants[entrant]
            rated = record.blocks >= RATED_BLOCKS and entrant in computed.ratings
            return not rated, -computed.ratings[entrant][0] if rated else 0.0, -record.games, entrant

        rows = [
            _standing(entrant, entrants[entrant], at, order(entrant)[0], computed.ratings, bots, sessions, waiting)
            for at, entrant in enumerate(sorted(entrants, key=order), 1)
        ]
        return StandingsTable(ladder, season, rows, computed.games, len(games), len(waiting))

    async def games(
        self, name: str, season: int, bot: str, before: int | None, most: int
    ) -> tuple[Sequence[OpenGame], Sequence[GameRow], int]:
        """Return a page of games, the latest first: those in play, on the first page, and ``most`` results.

        ``bot``: only its games; empty: all. ``before``: the number of results before which the page begins; ``None``:
        the first page. The last value is where the next page begins; 0: no page follows.
        """
        playing = await self._playing.get(name) if before is None else ()
        rows, following = await self._results(name, season, bot, before, most)
        over = {one.session for one in rows}  # since the games in play were read
        found = [one for one in playing if one.season == season and one.session not in over and _plays(one.seats, bot)]
        return found, rows, following

    async def _read_playing(self, name: str, before: object) -> Sequence[OpenGame]:
        return sorted((await self._data.games(name)).values(), key=lambda game: -game.started_ms)

    async def _results(
        self, name: str, season: int, bot: str, before: int | None, most: int
    ) -> tuple[Sequence[GameRow], int]:
        count = await self._data.count(name, season)
        upper = count if before is None else min(before, count)
        found: list[GameRow] = []
        for _ in range(_MOST_CHUNKS):
            if upper <= 0:
                break
            chunk = (upper - 1) // stored.ROWS_OF_A_CHUNK
            first = chunk * stored.ROWS_OF_A_CHUNK
            # The key has the number of results in the chunk, so that no kept chunk lacks new ones.
            rows = await self._chunks.get((name, season, chunk, min(count, first + stored.ROWS_OF_A_CHUNK)))
            while upper > first:
                upper -= 1
                if upper in rows and _plays(rows[upper].seats, bot):
                    found.append(rows[upper])
                    if len(found) == most:
                        return found, upper
        return found, max(upper, 0)

    async def _read_rows(self, key: tuple[str, int, int, int], before: object) -> Mapping[int, GameRow]:
        name, season, chunk, _ = key
        return await self._data.rows(name, season, chunk)

    async def head_to_head(self, name: str, season: int, bot: str, opponent: str) -> Mapping[str, PairRecord]:
        """Return the results of a bot, of all its versions, against each opponent, or against one."""
        _, season = await self.season_of(name, season)
        found = (await self._bot_results.get((name, season))).opponents.get(bot, {})
        return {other: record for other, record in found.items() if opponent in ("", other)}

    async def _read_bot_results(self, key: SeasonKey, before: BotResults | None) -> BotResults:
        name, season = key
        games = await self._data.count(name, season)
        if before is not None and before.games == games:
            return before
        async with self._pairs_turn:
            pairs = await self._data.pairs(name, season)
            return BotResults(games, await self._tasks.run(_results_of_bots(pairs)))


def _results_of_bots(
    pairs: Mapping[tuple[str, str], PairRecord],
) -> CooperativeTask[Mapping[str, Mapping[str, PairRecord]]]:
    """Return the results of each bot against each opponent, most games first."""
    totals: dict[str, dict[str, PairRecord]] = {}
    for names, pair in pairs.items():
        first, second = map(bot_of_entrant, names)
        if first != second:
            turned = PairRecord(pair.losses, pair.ties, pair.wins)
            for bot, other, result in ((first, second, pair), (second, first, turned)):
                opponents = totals.setdefault(bot, {})
                opponents[other] = plus(opponents[other], result) if other in opponents else result
        yield
    ordered = {}
    for bot, opponents in totals.items():
        ordered[bot] = dict(sorted(opponents.items(), key=lambda one: (-_games_of(one[1]), one[0])))
        yield
    return ordered


def _games_of(pair: PairRecord) -> int:
    return pair.wins + pair.ties + pair.losses


def _standing(  # noqa: PLR0913, PLR0917 - what a row is made of
    entrant: str,
    record: EntrantRecord,
    place: int,
    unrated: bool,
    ratings: Mapping[str, tuple[float, float, float]],
    bots: Mapping[str, RegisteredEntry],
    sessions: Mapping[str, str],
    waiting: Mapping[str, WaitingBot],
) -> LadderStanding:
    bot = bots.get(bot_of_entrant(entrant))
    held = waiting.get(bot_of_entrant(entrant))
    return LadderStanding(
        entrant,
        record,
        0 if unrated else place,
        None if unrated else ratings[entrant],
        bot,
        bot is not None and rests(record, bot),
        sessions.get(entrant, ""),
        held is not None and stored.entrant_of(bot_of_entrant(entrant), held.hash) == entrant,
    )


def _plays(seats: Sequence[stored.LadderSeatRecord], bot: str) -> bool:
    return not bot or any(bot_of_entrant(one.entrant) == bot for one in seats)
