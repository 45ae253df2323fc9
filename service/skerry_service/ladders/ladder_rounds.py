"""The rounds of a ladder's leader: it records results, pairs those who wait, and creates sessions.

The leader holds the lease of a matcher (``sessions.match_port``), under a name of the ladder's own. Every write is a
compare-and-set, so a second leader during a change of lease does no harm.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from random import Random
from secrets import token_hex

from msgspec import Struct

from skerry_service.domain.errors import SessionDamaged, SessionNotFound, SkerryError
from skerry_service.domain.record import Record
from skerry_service.ladders import ladder_records as stored
from skerry_service.ladders.ladder_games import create_session, paired_game
from skerry_service.ladders.ladder_records import (
    EntrantRecord,
    LadderSeatRecord,
    OpenBlock,
    OpenGame,
    RegisteredEntry,
    StoredLadder,
    WaitingBot,
    entrant_of,
)
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.pairing import Candidate, next_game
from skerry_service.ladders.people.rated_tables import RatedTables
from skerry_service.ladders.rating_fit import AVERAGE
from skerry_service.ladders.result_recorder import ResultRecorder
from skerry_service.ladders.standings_updates import StandingsUpdates
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.loader import read_record
from skerry_service.sessions.resource_ids import cell_of
from skerry_service.sessions.resources.field_values import replacing
from skerry_service.sessions.resources.lease import ResourceLease
from skerry_service.sessions.resources.resource_port import ANY, FieldChange
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner

SILENT_MS = 6_000
"""Silence after which the streams of a replica count as closed."""
_FORGOTTEN_MS = 3_600_000
MOST_PLAYING = 200
"""Games of a ladder in play."""
MOST_GAMES = 200_000
"""Games of a season. A full season pairs no more bots."""
KEPT_FOR = 2
"""A block is given up once so many results have come for each bot that plays or waits. Its waiting member would
otherwise see all others play while an opponent stays away."""
_UNBORN_MS = 600_000
"""How long after pairing a missing session is created. One that is missing later has expired."""
_log = logging.getLogger(__name__)


class _Round(Struct):
    """What a round has read."""

    games: Mapping[str, OpenGame]
    waiting: Mapping[str, WaitingBot]
    blocks: Mapping[str, OpenBlock]
    bots: Mapping[str, RegisteredEntry]
    entrants: Mapping[str, EntrantRecord]
    ratings: Mapping[str, tuple[float, float, float]]
    now: int
    """The store uptime in ms."""
    now_ms: int


class LadderRounds:
    """Decides the rounds of one ladder on one replica, while it leads."""

    def __init__(
        self, name: str, store: Store, tables: TableCache, committer: Committer, tasks: TaskRunner, random: Random
    ) -> None:
        self._name = name
        self._store = store
        self._tables = tables
        self._committer = committer
        self._random = random
        self._data = LadderData(store.resources)
        self._recorder = ResultRecorder(self._data)
        self._tables_of_people = RatedTables(name, store, self._data)
        self.lease = ResourceLease(f"ladder:{name}", store)
        """Held by the replica that leads."""
        self._standings = StandingsUpdates(name, self._data, tasks)

    async def round(self, ladder: StoredLadder) -> None:
        """Record results and pair. Raises what the store raises."""
        if ladder.people and not ladder.closed:
            await self._take_in(ladder)
        games = await self._data.games(self._name)
        if games and await self._settle(ladder, games):
            games = await self._data.games(self._name)
        if not ladder.closed and not ladder.people:
            await self._pair(ladder, games)
        for season in {ladder.season, max(1, ladder.season - 1)}:  # the last games of a season end during the next
            await self._standings.update(season)

    async def _take_in(self, ladder: StoredLadder) -> None:
        if await self._data.count(self._name, ladder.season) < MOST_GAMES:
            now = await self._committer.now()
            await self._tables_of_people.take_in(ladder, now.time_ms, now.uptime_ms)

    # ------------------------------------------------------------ results

    async def _settle(self, ladder: StoredLadder, games: Mapping[str, OpenGame]) -> bool:
        """Record the games that are over, and create sessions that are missing. Return whether any game ended."""
        now = await self._committer.now()
        summaries = await self._store.summaries(list(games))
        ended = False
        for game, summary in zip(games.values(), summaries, strict=True):
            try:
                if summary is None:
                    record = await self._missing(ladder, game, now.uptime_ms)
                elif isinstance(summary, SessionDamaged):
                    await self._recorder.void(self._name, game)
                    ended, record = True, None
                else:
                    record = read_record(game.session, summary)
                if record is not None and record.over:
                    await self._recorder.record(self._name, game, record, now.time_ms, now.uptime_ms)
                    ended = True
            except SessionDamaged:
                await self._recorder.void(self._name, game)
                ended = True
        return ended

    async def _missing(self, ladder: StoredLadder, game: OpenGame, uptime_ms: int) -> Record | None:
        """Return the record of a session that the live store lacks: archived, not created yet, or expired."""
        try:
            return (await self._tables.load(game.session)).record
        except SessionNotFound:
            if game.creation and uptime_ms - game.since < _UNBORN_MS:
                return (await create_session(self._committer, self._name, ladder, game)).record
            await self._recorder.void(self._name, game)
            return None

    # ------------------------------------------------------------ pairing

    async def _pair(self, ladder: StoredLadder, games: Mapping[str, OpenGame]) -> None:
        waiting = await self._data.waiting(self._name)
        if not waiting:
            return
        seen = await self._read(ladder, games, waiting)
        results = await self._data.count(self._name, ladder.season)
        room = min(MOST_PLAYING - len(games), MOST_GAMES - results)
        candidates = await self._candidates(ladder, seen)
        reserved, begun = set[str](), list[OpenGame]()
        oldest = results - KEPT_FOR * (len(games) * ladder.seats + len(waiting))
        for block_id, block in seen.blocks.items():
            members = [candidates.get(one.entrant) for one in block.seats]
            if block.until > seen.now and block.opened > oldest and len(block.seats) == ladder.seats:
                if None not in members and len(begun) < room:
                    begun += await self._begin(ladder, seen, block.seats, block_id, block)
                reserved.update(one.entrant for one in block.seats)
            else:
                await self._data.change(self._name, [replacing(stored.BLOCKS, block_id, block, None)])
        free = [one for name, one in candidates.items() if name not in reserved]
        while len(begun) < room:
            others = len(games) + len(begun) > 0 or len(reserved) > 0
            members_now = next_game(free, ladder.seats, seen.now_ms, self._random, others_play=others)
            if members_now is None:
                break
            free = [one for one in free if one not in members_now]
            self._random.shuffle(members_now)
            seats = tuple([LadderSeatRecord(one.entrant, one.bot) for one in members_now])
            begun += await self._begin(ladder, seen, seats, token_hex(8), None)
        created = await asyncio.gather(
            *(create_session(self._committer, self._name, ladder, game) for game in begun), return_exceptions=True
        )
        for game, result in zip(begun, created, strict=True):
            if isinstance(result, SkerryError):  # the next round creates it
                _log.debug("cannot create sessions/%s of ladders/%s yet: %s", game.session, self._name, result)
            elif isinstance(result, BaseException):
                raise result

    async def _read(
        self, ladder: StoredLadder, games: Mapping[str, OpenGame], waiting: Mapping[str, WaitingBot]
    ) -> _Round:
        now = await self._committer.now()
        names = [entrant_of(bot, one.hash) for bot, one in waiting.items()]
        return _Round(
            games,
            waiting,
            await self._data.blocks(self._name),
            await self._data.bots(waiting),
            await self._data.entrants(self._name, ladder.season, names),
            (await self._data.standings(self._name, ladder.season)).ratings,
            now.uptime_ms,
            now.time_ms,
        )

    async def _candidates(self, ladder: StoredLadder, seen: _Round) -> dict[str, Candidate]:
        """Return those who can play now, by entrant. Remove the others from those who wait."""
        heard = await self._data.replicas(self._name)
        await self._forget([name for name, at in heard.items() if at + _FORGOTTEN_MS <= seen.now])
        playing = {one.entrant for game in seen.games.values() for one in game.seats}
        playing_bots = {stored.bot_of_entrant(entrant) for entrant in playing}
        found: dict[str, Candidate] = {}
        for bot, one in seen.waiting.items():
            entrant, registered = entrant_of(bot, one.hash), seen.bots.get(bot)
            record = seen.entrants.get(entrant, EntrantRecord(bot))
            gone = heard.get(one.replica, 0) + SILENT_MS <= seen.now
            if (
                gone
                or registered is None
                or registered.hash != one.hash
                or bot in playing_bots
                or rests(record, registered)
            ):
                await self._data.change(self._name, [replacing(stored.WAITING, bot, one, None)])
                continue
            rating = seen.ratings.get(entrant, (AVERAGE, 0, 0))[0]
            found[entrant] = Candidate(
                bot,
                entrant,
                registered.key,
                one.since,
                record.games,
                record.blocks,
                rating,
                record.opponents,
                record.seen_ms,
            )
        return found

    async def _forget(self, replicas: Sequence[str]) -> None:
        """Forget replicas that have been silent for long."""
        if replicas:
            changes = [FieldChange(stored.REPLICAS, name.encode(), None, ANY) for name in replicas]
            await self._data.change(self._name, changes)

    async def _begin(
        self,
        ladder: StoredLadder,
        seen: _Round,
        seats: Sequence[LadderSeatRecord],
        block_id: str,
        block: OpenBlock | None,
    ) -> list[OpenGame]:
        """Store a new game, and take its members out of those who wait. Return it, or nothing after a conflict."""
        number = block.number if block else 0
        game = paired_game(tuple(seats), ladder.season, seen.now_ms, seen.now, block_id, number, cell_of(self._name))
        changes = [replacing(stored.GAMES, game.session, None, game)]
        for one in seats:
            bot = stored.bot_of_entrant(one.entrant)
            changes.append(replacing(stored.WAITING, bot, seen.waiting[bot], None))
        if block is not None:
            changes.append(replacing(stored.BLOCKS, block_id, block, None))
        return [game] if await self._data.change(self._name, changes) else []


def rests(entrant: EntrantRecord, bot: RegisteredEntry) -> bool:
    """Return whether a bot's version gets no games, because it failed in succession and was not woken since."""
    return entrant.rest is not None and entrant.rest.woken == bot.woken
