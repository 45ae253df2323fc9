"""Ladders as callers use them: bots that wait for games, and what the background does for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from random import Random, SystemRandom

from msgspec import Struct

from skerry_service.domain.errors import (
    BotRests,
    LadderClosed,
    RulesetUnsupported,
    SessionNotFound,
    ShuttingDown,
    SkerryError,
    StoreUnavailable,
    VersionOutdated,
)
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.table import Table
from skerry_service.ladders.bot_registry import BotRegistry
from skerry_service.ladders.ladder_admin import LadderAdmin
from skerry_service.ladders.ladder_games import create_session, seat_of_bot, seat_token
from skerry_service.ladders.ladder_readings import LadderReadings
from skerry_service.ladders.ladder_records import (
    OpenGame,
    RegisteredEntry,
    StoredLadder,
    bot_of_entrant,
    entrant_of,
)
from skerry_service.ladders.ladder_rounds import MOST_GAMES, LadderRounds, rests
from skerry_service.ladders.ladder_store import LadderData
from skerry_service.ladders.ladder_streams import BotStream, LadderStreams
from skerry_service.ladders.result_recorder import ResultRecorder
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.resources.resource_upkeep import Pace, ResourceUpkeep
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner

MOST_ENTRANTS = 500
"""Versions of bots in a season. A full season takes no further version."""
VERSIONS_OF_A_KEY = 50
"""Versions of one API key in a season, so that no author fills it."""
_log = logging.getLogger(__name__)


class LadderUpdate(Struct, frozen=True):
    """A message of a FindLadderGame stream."""

    others: int = 0
    """Other bots that wait."""
    heartbeat: bool = False
    table: Table | None = None
    """The session, in the last message."""
    seat: int = 0
    token: str = ""


class Ladders:
    """The ladders of a store, as one replica serves them."""

    def __init__(  # noqa: PLR0913, PLR0917 - the services that it uses
        self,
        store: Store,
        tables: TableCache,
        committer: Committer,
        tasks: TaskRunner,
        limits: SessionLimits,
        new_games: NewGames,
        clock_ms: Callable[[], int],
        random: Random | None = None,
    ) -> None:
        """``random``: draws who plays whom; by default not reproducible."""
        self._store = store
        self._tables = tables
        self._committer = committer
        self._tasks = tasks
        self._limits = limits
        self._random = random or SystemRandom()
        self._data = LadderData(store.resources)
        self._recorder = ResultRecorder(self._data)
        self.bots = BotRegistry(self._data)
        """Registered bots."""
        self._upkeep = ResourceUpkeep("ladders", self.look)
        self.admin = LadderAdmin(self._data, new_games, clock_ms, self._upkeep.wake)
        """Calls of operators."""
        self.readings = LadderReadings(self._data, tasks)
        """Standings and games."""
        self._streams: dict[str, LadderStreams] = {}
        self._rounds: dict[str, LadderRounds] = {}
        self._closing = False

    # ------------------------------------------------------------ one stream

    async def find(self, name: str, bot: str, version: str, key: str) -> AsyncGenerator[LadderUpdate, None]:
        """Yield an update at once, at each change, as a heartbeat, and at last with the seat of the bot's game.

        Raises ApiKeyMissing, LadderNotFound, BotNotFound, NotAllowed, LadderClosed, VersionOutdated, BotRests,
        ShuttingDown, StoreUnavailable, StoreFull.
        """
        loop = asyncio.get_running_loop()
        streams: LadderStreams | None = None
        stream: BotStream | None = None
        sent, heartbeat_at = -1, 0.0
        try:
            while True:
                if self._closing:
                    raise ShuttingDown
                registered = await self.bots.own(bot, key)
                ladder = await self._data.ladder(name)
                if (found := await self._game_of(name, ladder, bot)) is not None:
                    yield found
                    return
                await self._require_playable(name, ladder, bot, version, registered)
                if streams is None or stream is None:
                    streams = self._streams_of(name)  # after the checks: an invented name must cost no memory
                    stream = await streams.open(bot, version, key)
                    self._upkeep.wake()
                others = streams.others
                if others != sent or loop.time() >= heartbeat_at:
                    yield LadderUpdate(others, heartbeat=others == sent)
                    sent, heartbeat_at = others, loop.time() + self._limits.heartbeat_seconds
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(self._limits.heartbeat_seconds, Pace.IDLE.value)):
                        await stream.changed.wait()
                stream.changed.clear()
        finally:
            if streams is not None and stream is not None:
                await streams.close(stream)

    def _streams_of(self, name: str) -> LadderStreams:
        """Return the streams of a ladder that exists."""
        if name not in self._streams:
            self._streams[name] = LadderStreams(name, self._store)
        return self._streams[name]

    async def _game_of(self, name: str, ladder: StoredLadder, bot: str) -> LadderUpdate | None:
        """Return the seat of a bot in its game in play, if it has one. A game that is over is recorded first."""
        for game in (await self._data.games(name)).values():
            seat = seat_of_bot(game, bot)
            if seat is None or not game.creation:
                continue
            table = await self._table_of(name, ladder, game)
            if not table.record.over:
                return LadderUpdate(table=table, seat=seat, token=seat_token(game, seat))
            now = await self._committer.now()
            await self._recorder.record(name, game, table.record, now.time_ms, now.uptime_ms)
        return None

    async def _table_of(self, name: str, ladder: StoredLadder, game: OpenGame) -> Table:
        try:
            return await self._tables.load(game.session)
        except SessionNotFound:
            return await create_session(self._committer, name, ladder, game)

    async def _require_playable(
        self, name: str, ladder: StoredLadder, bot: str, version: str, registered: RegisteredEntry
    ) -> None:
        """Raise LadderClosed, VersionOutdated or BotRests if the version gets no games."""
        if ladder.closed or ladder.people:
            raise LadderClosed(name, "it ranks people" if ladder.people else "it is closed")
        if registered.hash != version:
            raise VersionOutdated(bot, registered.hash)
        entrants = await self._data.entrants(name, ladder.season, [entrant_of(bot, version)])
        for entrant in entrants.values():
            if entrant.rest is not None and rests(entrant, registered):
                raise BotRests(bot, entrant.rest.reason, entrant.rest.session)
        if not entrants:
            await self._require_room(name, ladder.season, registered.key)
        if await self._data.count(name, ladder.season) >= MOST_GAMES:
            raise LadderClosed(name, phrase("ladder-games", most=f"{MOST_GAMES:,}"))

    async def _require_room(self, name: str, season: int, key: str) -> None:
        """Raise LadderClosed if a season has no room for another version of an API key."""
        entrants = await self._data.entrants(name, season)
        if len(entrants) >= MOST_ENTRANTS:
            raise LadderClosed(name, phrase("ladder-versions", most=MOST_ENTRANTS))
        bots = [bot_of_entrant(one) for one in entrants]
        registered = await self._data.bots(bots)
        if sum(registered[bot].key == key for bot in bots if bot in registered) >= VERSIONS_OF_A_KEY:
            raise LadderClosed(name, phrase("ladder-versions-of-key", most=VERSIONS_OF_A_KEY))

    # ------------------------------------------------------------ background

    async def run(self) -> None:
        """Look at all ladders for ever: keep the streams' bots waiting, lead, record and pair."""
        await self._upkeep.run()

    async def look(self) -> Pace:
        """Look at all ladders once. Return when the next look is due. Raises StoreUnavailable."""
        if self._closing:
            return Pace.EMPTY
        ladders = await self._data.ladders()
        busy = False
        for name, ladder in ladders.items():
            try:
                busy = await self._look_at(name, ladder) or busy
            except StoreUnavailable:  # it would fail for the others as well
                raise
            except SkerryError as error:
                _log.debug("cannot look at ladders/%s: %s", name, error)
            except Exception:  # such as damaged data; the other ladders go on
                _log.exception("a look at ladders/%s has failed; trying again", name)
        return Pace.BUSY if busy else Pace.IDLE if ladders else Pace.EMPTY

    async def _look_at(self, name: str, ladder: StoredLadder) -> bool:
        """Look at a ladder. Return whether it needs to be looked at soon."""
        streams = self._streams_of(name)
        await streams.keep_waiting()
        rounds = self._rounds.get(name)
        if rounds is None:
            rounds = self._rounds[name] = LadderRounds(
                name, self._store, self._tables, self._committer, self._tasks, self._random
            )
        leads = await rounds.lease.leads()
        if leads:
            with suppress(RulesetUnsupported):  # another build may support it
                await rounds.round(ladder)
        await streams.report()
        return streams.any or (leads and bool(await self._data.games(name)))

    async def close(self) -> None:
        """End the streams with ShuttingDown, and resign."""
        self._closing = True
        for streams in self._streams.values():
            streams.wake_all()
        for rounds in self._rounds.values():
            with suppress(SkerryError):
                await rounds.lease.resign()
