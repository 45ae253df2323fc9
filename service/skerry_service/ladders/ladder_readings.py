"""Standings, games and head-to-head results of ladders, as callers read them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct

from skerry_service.domain.errors import LadderNotFound
from skerry_service.ladders import ladder_records as stored
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

RATED_BLOCKS = 10
"""Complete blocks from which on a rating is shown."""
_FRESH_SECONDS = 0.5
"""How long all callers get the same standings: reading them costs as much as a season has entrants."""
_MOST_RECENT = 32
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


class LadderReadings:
    """Reads ladders."""

    def __init__(self, data: LadderData) -> None:
        self._data = data
        self._recent: dict[tuple[str, int], tuple[float, StandingsTable]] = {}
        """The tables that were read last, with the times by the clock of the event loop."""

    async def all(self) -> Mapping[str, tuple[StoredLadder, int, int]]:
        """Return all ladders by id, each with the numbers of games in play and of bots that wait."""
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
        now = asyncio.get_running_loop().time()
        read_at, table = self._recent.get((name, season), (-inf, None))
        if table is None or now - read_at > _FRESH_SECONDS:
            table = await self._read(name, season)
            if len(self._recent) >= _MOST_RECENT:
                self._recent.clear()
            self._recent[name, season] = now, table
        return table

    async def _read(self, name: str, season: int) -> StandingsTable:
        ladder, season = await self.season_of(name, season)
        entrants = await self._data.entrants(name, season)
        computed = await self._data.standings(name, season)
        games, waiting = await self._data.games(name), await self._data.waiting(name)
        bots = {} if ladder.people else await self._data.bots([bot_of_entrant(one) for one in entrants])

        def order(entrant: str) -> tuple[bool, float, int, str]:
            record = entrants[entrant]
            rated = record.blocks >= RATED_BLOCKS and entrant in computed.ratings
            return not rated, -computed.ratings[entrant][0] if rated else 0.0, -record.games, entrant

        rows = [
            _standing(entrant, entrants[entrant], at, order(entrant)[0], computed.ratings, bots, games, waiting)
            for at, entrant in enumerate(sorted(entrants, key=order), 1)
        ]
        return StandingsTable(ladder, season, rows, computed.games, len(games), len(waiting))

    async def playing(self, name: str, season: int, bot: str) -> Sequence[OpenGame]:
        """Return the games in play of a season, the latest first. ``bot``: only its games; empty: all."""
        found = [game for game in (await self._data.games(name)).values() if game.season == season]
        return sorted((game for game in found if _plays(game.seats, bot)), key=lambda game: -game.started_ms)

    async def results(
        self, name: str, season: int, bot: str, before: int | None, most: int
    ) -> tuple[Sequence[GameRow], int]:
        """Return results, the latest first, and the number before which the next page begins; 0: no page follows."""
        upper = await self._data.count(name, season) if before is None else before
        found: list[GameRow] = []
        for _ in range(_MOST_CHUNKS):
            if upper <= 0:
                break
            chunk = (upper - 1) // stored.ROWS_OF_A_CHUNK
            rows = await self._data.rows(name, season, chunk)
            first = chunk * stored.ROWS_OF_A_CHUNK
            while upper > first:
                upper -= 1
                if upper in rows and _plays(rows[upper].seats, bot):
                    found.append(rows[upper])
                    if len(found) == most:
                        return found, upper
        return found, max(upper, 0)

    async def head_to_head(self, name: str, season: int, bot: str, opponent: str) -> Mapping[str, PairRecord]:
        """Return the results of a bot, of all its versions, against each opponent, or against one."""
        _, season = await self.season_of(name, season)
        totals: dict[str, list[int]] = {}
        for names, pair in (await self._data.pairs(name, season)).items():
            first, second = map(bot_of_entrant, names)
            if bot not in (first, second) or first == second:
                continue
            other = second if bot == first else first
            if opponent in ("", other):
                counts = (pair.wins, pair.ties, pair.losses)
                total = totals.setdefault(other, [0, 0, 0])
                for at, count in enumerate(counts if bot == first else reversed(counts)):
                    total[at] += count
        ordered = sorted(totals, key=lambda other: (-sum(totals[other]), other))
        return {other: PairRecord(*totals[other]) for other in ordered}


def _standing(  # noqa: PLR0913, PLR0917 - what a row is made of
    entrant: str,
    record: EntrantRecord,
    place: int,
    unrated: bool,
    ratings: Mapping[str, tuple[float, float, float]],
    bots: Mapping[str, RegisteredEntry],
    games: Mapping[str, OpenGame],
    waiting: Mapping[str, WaitingBot],
) -> LadderStanding:
    bot = bots.get(bot_of_entrant(entrant))
    session = next((id for id, game in games.items() if any(one.entrant == entrant for one in game.seats)), "")
    held = waiting.get(bot_of_entrant(entrant))
    return LadderStanding(
        entrant,
        record,
        0 if unrated else place,
        None if unrated else ratings[entrant],
        bot,
        bot is not None and rests(record, bot),
        session,
        held is not None and stored.entrant_of(bot_of_entrant(entrant), held.hash) == entrant,
    )


def _plays(seats: Sequence[stored.LadderSeatRecord], bot: str) -> bool:
    return not bot or any(bot_of_entrant(one.entrant) == bot for one in seats)
