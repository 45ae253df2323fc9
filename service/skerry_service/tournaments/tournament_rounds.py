"""What the leader does for a tournament: it records results, begins games, and ends the tournament.

Every write is a compare-and-set, and sessions derive from the tournament and the game's number. So a second leader, or
a crash between two steps, does no harm.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.domain.errors import SessionDamaged, SessionNotFound, SkerryError
from skerry_service.domain.record import Record
from skerry_service.domain.table import Table
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.loader import read_record
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.tournaments import tournament_records as stored
from skerry_service.tournaments.tournament_course import next_step, session_of_game
from skerry_service.tournaments.tournament_games import create_session, result_of
from skerry_service.tournaments.tournament_records import BegunGame, StoredTournament, TournamentState
from skerry_service.tournaments.tournament_store import TournamentData

_log = logging.getLogger(__name__)


class _Seen(Struct, frozen=True):
    """What the last look found, after which nothing was to do."""

    step: bytes | None
    in_play: frozenset[int]


class TournamentRounds:
    """Moves tournaments on."""

    def __init__(self, store: Store, tables: TableCache, committer: Committer, data: TournamentData) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._data = data
        self._seen: dict[str, _Seen] = {}

    async def advance(self, name: str, tournament: StoredTournament) -> None:
        """Record the results of a running tournament, begin its next games, and end it after the last one."""
        step, in_play = await self._data.step(name), await self._data.in_play(name)  # in the order of ``begin``
        ended = await self._settle(name, tournament, in_play)
        seen = _Seen(step, frozenset(in_play))
        if not ended and self._seen.get(name) == seen:
            return
        left = await self._data.in_play(name) if ended else in_play
        following = await asyncio.to_thread(next_step, tournament, await self._data.results(name), left.keys())
        now_ms = (await self._committer.now()).time_ms
        if following.over and not left:
            await self._end(name, tournament, now_ms)
        elif following.begin:
            games = {game.number: BegunGame(now_ms, game.lineup) for game in following.begin}
            if await self._data.begin(name, tournament, step, games):
                await self._create(name, games)
        elif not ended:
            self._seen[name] = seen

    def forget_others(self, names: Collection[str]) -> None:
        """Forget what the last look found of all tournaments but these."""
        self._seen = {name: self._seen[name] for name in names if name in self._seen}

    async def settle(self, name: str, tournament: StoredTournament) -> bool:
        """Record the results of a tournament that has ended. Return whether none of its games is in play."""
        in_play = await self._data.in_play(name)
        return not in_play or (await self._settle(name, tournament, in_play) and not await self._data.in_play(name))

    async def create_missing(self, name: str, tournament: StoredTournament, games: Mapping[int, BegunGame]) -> None:
        """Create the sessions of games in play that do not exist yet, because a process died or is about to."""
        sessions = [session_of_game(tournament, number) for number in games]
        summaries = await self._store.summaries(sessions) if sessions else ()
        for (number, game), summary in zip(games.items(), summaries, strict=True):
            if summary is None:
                await self._missing(name, tournament, number, game)

    async def _settle(self, name: str, tournament: StoredTournament, in_play: Mapping[int, BegunGame]) -> bool:
        """Record the games that are over, and create sessions that are missing. Return whether any game ended."""
        sessions = [session_of_game(tournament, number) for number in in_play]
        summaries = await self._store.summaries(sessions) if sessions else ()
        now_ms, ended = (await self._committer.now()).time_ms, False
        for (number, game), session, summary in zip(in_play.items(), sessions, summaries, strict=True):
            record: Record | None = None
            try:
                if summary is None:
                    record = await self._missing(name, tournament, number, game)
                elif not isinstance(summary, SessionDamaged):
                    record = read_record(session, summary)
            except SessionDamaged:
                _log.warning("sessions/%s of tournaments/%s is damaged and does not count", session, name)
            if record is None or record.over:
                result = result_of(tournament, number, game, record, now_ms)
                await self._data.record(name, tournament, number, game, result)
                ended = True
        return ended

    async def _missing(self, name: str, tournament: StoredTournament, number: int, game: BegunGame) -> Record | None:
        """Return the record of a session that the live store lacks: archived, or not created yet.

        A cancelled tournament creates no session. ``None``: the session does not exist.
        """
        try:
            return (await self._tables.load(session_of_game(tournament, number))).record
        except SessionNotFound:
            if tournament.state is TournamentState.CANCELLED:
                return None
            return (await self._created(name, number, game)).record

    async def _create(self, name: str, games: Mapping[int, BegunGame]) -> None:
        for number, game in games.items():
            try:
                await self._created(name, number, game)
            except SkerryError as error:  # the next look creates it
                _log.debug("cannot create game %d of tournaments/%s yet: %s", number, name, error)

    async def _created(self, name: str, number: int, game: BegunGame) -> Table:
        tournament = await self._data.get(name)  # again: a person may have been erased since the look began
        return await create_session(self._committer, name, tournament, number, game)

    async def _end(self, name: str, tournament: StoredTournament, now_ms: int) -> None:
        after = replace(tournament, state=TournamentState.FINISHED, ended_ms=now_ms)
        if await self._data.set(name, tournament, after):
            await self._data.list_as(name, stored.kept_ms(after), stored.ENDED)
