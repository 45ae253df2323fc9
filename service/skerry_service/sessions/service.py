"""Sessions as callers use them: load, decide, commit, notify. Each change takes one trip to the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from secrets import token_bytes

from skerry_games.rng import SEED_BYTES
from skerry_service.domain import transitions
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.errors import (
    GameOver,
    NotFinished,
    NotStarted,
    RequestIdReused,
    SequenceAhead,
    ShuttingDown,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import RANDOM, Phase, Record
from skerry_service.domain.table import Applied, Change, Table
from skerry_service.domain.tokens import (
    Caller,
    Role,
    new_token,
    recognise,
    require_seat,
    require_view_access,
)
from skerry_service.domain.webhook_events import ReceiverCheck
from skerry_service.ladders.ladders import Ladders
from skerry_service.matching.matchmaker import Matchmaker
from skerry_service.sessions.actions.analyses import Analyses
from skerry_service.sessions.actions.host_actions import HostActions
from skerry_service.sessions.actions.move_actions import MoveActions
from skerry_service.sessions.actions.move_hints import MoveHints
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.actions.operator_actions import OperatorActions
from skerry_service.sessions.actions.player_actions import PlayerActions
from skerry_service.sessions.actions.rematch import Rematches
from skerry_service.sessions.actions.webhook_settings import WebhookActions
from skerry_service.sessions.archive_layer import ArchiveLayer
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.lists.player_list import PlayerCursor, PlayerList, PlayerPage
from skerry_service.sessions.lists.session_list import Cursor, Page, read_page
from skerry_service.sessions.loader import read_log
from skerry_service.sessions.request_identity import new_request_id
from skerry_service.sessions.resources.webhook_registry import WebhookEndpoints
from skerry_service.sessions.sampling import samples
from skerry_service.sessions.store_port import ArchivePort, Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.timers.timeouts import Timeouts
from skerry_service.tournaments.tournaments import Tournaments
from skerry_service.watching.delayed_tables import DelayedTables
from skerry_service.watching.presence import Presence
from skerry_service.watching.streams import Refuse, StreamReader, Streams
from skerry_service.watching.turns import Turn, turn_at, turns_of

_log = logging.getLogger(__name__)


class Sessions:
    """The sessions of a store, as one replica serves them."""

    def __init__(
        self,
        store: Store,
        *,
        clock_ms: Callable[[], int],
        limits: SessionLimits | None = None,
        levels: Sequence[str] = (RANDOM,),
        webhooks: ReceiverCheck | None = None,
        archive: ArchivePort | None = None,
        new_games: NewGames | None = None,
    ) -> None:
        """``levels``: the levels of bots, from weak to strong. All but ``RANDOM`` need a bot worker.

        ``webhooks``: the receivers that the operator allows; ``None`` disables webhooks. ``archive``: has the finished
        sessions that have left the store. ``new_games``: by default, new games have the newest ruleset of this build.
        """
        live, store = store, ArchiveLayer(store, archive) if archive else store
        self.levels = tuple(levels)
        self.new_games = new_games or NewGames()
        """Chooses the ruleset of new games."""
        self._live = live  # without the archive
        self._store = store
        self._clock_ms, self._limits = clock_ms, limits or SessionLimits()
        self._tables = self.tables = TableCache(store, self._limits.cached_tables, self._limits.cached_table_bytes)
        """Public for metrics only."""
        self.tasks = TaskRunner()
        """Runs long computations of calls."""
        self._delayed = DelayedTables(store, self.tasks)
        self._streams = Streams(store, self._limits, self.tasks)
        self._committer = self.committer = Committer(
            store,
            self._tables,
            self._streams,
            self.tasks,
            self._limits,
            clock_ms,
            live,
            WebhookEndpoints(live, webhooks, clock_ms),
        )
        """Public for taps only."""
        self.presence = Presence(store, self._streams, self._limits)
        """Records the presence of players."""
        self._add_actions(webhooks)
        self._add_pairings()

    def _add_actions(self, webhooks: ReceiverCheck | None) -> None:
        """Add what changes single sessions."""
        store, tables, committer, presence = self._store, self._tables, self._committer, self.presence
        self.moves = MoveActions(store, tables, committer, presence)
        """Moves of players and of bots."""
        self.players = PlayerActions(store, tables, committer, presence)
        """Actions of players."""
        self.hints = MoveHints(tables, presence, lambda: self.epoch)
        """Hints for players."""
        self.analyses = Analyses(
            self.get, lambda session: read_log(store, session, self.tasks), self.tasks, lambda: self.epoch
        )
        """Analyses of finished games."""
        self.host = HostActions(store, tables, committer)
        """Actions of hosts."""
        self.operator = OperatorActions(store, tables, committer, self._streams)
        """Actions of operators."""
        self.webhooks = WebhookActions(committer, presence, webhooks)
        """Sets webhooks."""
        self.timeouts = Timeouts(store, committer, self._limits)
        """Timeouts of seats."""

    def _add_pairings(self) -> None:
        """Add what begins games of given or chosen players."""
        store, tables, committer, new_games = self._store, self._tables, self._committer, self.new_games
        self.rematches = Rematches(
            self._live, tables, committer, self.presence, self.replay, self._limits, new_games, self.levels
        )
        """Rematches and forks."""
        self.matchmaker = Matchmaker(store, tables, committer, self.players, self._limits, new_games, self.levels)
        """Matchmaking."""
        self.ladders = Ladders(store, tables, committer, self.tasks, self._limits, new_games, self._clock_ms)
        """Ladders and their bots."""
        self.tournaments = Tournaments(store, tables, committer, self.ladders.bots, new_games, self._clock_ms)
        """Tournaments."""

    @property
    def epoch(self) -> str:
        """See ``Session.epoch`` in the API."""
        return self._store.epoch

    @property
    def endpoints(self) -> WebhookEndpoints:
        """The webhook endpoints of applications."""
        return self._committer.endpoints

    async def uptime_ms(self) -> int:
        """Return the store uptime in ms, which all clocks use. Raises StoreUnavailable if no value is known yet."""
        return await self._store.uptime_ms()

    async def close(self) -> None:
        """End every stream. The store stays open: its owner closes it."""
        await self._streams.close()
        await self.matchmaker.close()
        await self.ladders.close()
        await self.tournaments.close()
        await self.hints.close()
        await self.analyses.close()
        await self.endpoints.close()

    @property
    def closing(self) -> bool:
        """Whether ``close`` was called. New calls are then rejected."""
        return self._streams.closing

    def on_close(self, listener: Callable[[], None]) -> Callable[[], None]:
        """See ``Streams.on_close``."""
        return self._streams.on_close(listener)

    def watch(self, watcher: Callable[[Table], None]) -> None:
        """Call ``watcher`` with each table that this replica stores. It must return immediately."""
        self._committer.watchers.append(watcher)

    def count(self, counter: Callable[[Table | None, Change], None]) -> None:
        """Call ``counter`` with each change that this replica stores, and the table before it.

        A new session has no table before. The counter must return immediately.
        """
        self._committer.counters.append(counter)

    def refuse_by(self, refuse: Refuse) -> None:
        """Set the function that decides what happens to a stream beyond the limits."""
        self._streams.refuse = refuse

    def require_open(self) -> None:
        """Raise ShuttingDown after ``close``. For the admission of new calls; calls in progress continue."""
        if self._streams.closing:
            raise ShuttingDown

    # ------------------------------------------------------------ reading

    async def get(self, session: str, token: str | None) -> tuple[Table, Caller]:
        """Return the caller's view of a session, and the caller. Raises SessionNotFound, TokenInvalid."""
        table = await self._tables.newest(session)
        caller = recognise(table.record, token)
        self.presence.record_call(table, caller)
        if sees_delayed(table.record, caller):
            table = await self._delayed.table(table)
        return table, caller

    async def live(self, session: str) -> Table:
        """Return the newest table of a session, without a delay. For work of the server. Raises SessionNotFound."""
        return await self._tables.newest(session)

    def forget(self, session: str) -> None:
        """Remove the session from the table cache."""
        self._tables.forget(session)

    async def replay(self, session: str, token: str | None) -> tuple[Table, Caller, list[Applied]]:
        """Return the caller's view of a session, the caller, and the log up to that view.

        Raises as ``get``, and TokenMissing, NotAllowed, SessionDamaged.
        """
        table, caller, changes = await self._log(session, token)
        log = [applied for change in changes for applied in change.applied]
        return table, caller, log[: table.sequence]

    async def past(self, session: str, token: str | None, sequence: int) -> tuple[Table, Caller, Table]:
        """Return the caller's view of a session, the caller, and the table after the entry ``sequence``.

        Raises as ``replay``, and SequenceAhead, NotStarted.
        """
        table, caller, turn = await self.turn(session, token, sequence)
        return table, caller, turn.table

    async def turn(self, session: str, token: str | None, sequence: int) -> tuple[Table, Caller, Turn]:
        """Return what ``past`` does, with the turn that reaches the entry instead of the table after it."""
        table, caller, changes = await self._log(session, token)
        if sequence > table.sequence:
            raise SequenceAhead(sequence, table.sequence)
        turn = await self.tasks.run(turn_at(changes, sequence))
        if turn.table.state is None:
            raise NotStarted(sequence)
        return table, caller, turn

    async def finished_turns(self, session: str, token: str | None, most: int) -> tuple[Caller, list[Turn]]:
        """Return the caller and up to ``most`` turns of a finished game, as ``turns_of`` chooses them.

        Raises as ``replay``, and NotFinished.
        """
        table, caller, changes = await self._log(session, token)
        if table.record.phase is not Phase.FINISHED:
            raise NotFinished
        return caller, await self.tasks.run(turns_of(changes, most))

    async def entries(
        self, session: str, token: str | None, after: int, most: int
    ) -> tuple[Table, Caller, Sequence[Applied]]:
        """Return the caller's view of a session, the caller, and up to ``most`` entries after the entry ``after``.

        Raises as ``replay``, and SequenceAhead.
        """
        table, caller = await self.get(session, token)
        require_view_access(table.record, caller)
        if after == table.sequence:  # clients poll: most often there is nothing new
            return table, caller, ()
        table, caller, log = await self.replay(session, token)
        if after > table.sequence:
            raise SequenceAhead(after, table.sequence)
        return table, caller, log[after : after + most]

    async def sample(self, session: str, token: str | None, count: int) -> tuple[Table, int, tuple[bytes, ...]]:
        """Return a session, the caller's seat, and ``count`` serialized samples of the hidden state for that seat.

        Raises as ``get``, and TokenMissing, NotAllowed, NotStarted, GameOver.
        """
        table, caller = await self.get(session, token)
        seat = require_seat(caller)
        if table.record.over:
            raise GameOver
        if table.record.phase is Phase.LOBBY:
            raise NotStarted
        dealt = samples(table.game, table.state, seat, count, token_bytes(SEED_BYTES))
        return table, seat, await self.tasks.run(dealt)

    async def _log(self, session: str, token: str | None) -> tuple[Table, Caller, list[Change]]:
        """Return the caller's view of a session, the caller, and the replayed log. Raises as ``replay``."""
        table = await self._tables.newest(session)
        caller = recognise(table.record, token)
        self.presence.record_call(table, caller)
        require_view_access(table.record, caller)  # before reading the log, which is expensive
        changes = await read_log(self._store, session, self.tasks)
        table = changes[-1].table
        caller = recognise(table.record, token)
        if sees_delayed(table.record, caller):
            table = await self._delayed.from_log(changes)
        require_view_access(table.record, caller)
        return table, caller, changes

    async def public(
        self,
        before: Cursor | None,
        count: int,
        wanted: Callable[[Record], bool],
        index_keys: Sequence[bytes] | None = None,
    ) -> Page:
        """Return a page of public sessions as spectators see them, the newest first.

        ``index_keys``: index keys that contain all wanted sessions (``index_keys.index_keys_for``).
        """
        return await read_page(self._live, before, count, wanted, index_keys, self._clock_ms())

    async def mine(
        self, player_id: str, cursor: PlayerCursor | None, count: int, wanted: Callable[[Record], bool]
    ) -> PlayerPage:
        """Return a page of the sessions of a vouched player, as the player sees them. See ``PlayerList.page``."""
        return await PlayerList(self._store, self._tables, self._clock_ms).page(player_id, cursor, count, wanted)

    def reading(
        self, session: str, token: str | None, after: int | None, reader: str | None = None
    ) -> AbstractAsyncContextManager[StreamReader]:
        """Return a context with a stream reader of a session. See ``Streams.reading``."""
        return self._streams.reading(session, token, after, reader)

    # ------------------------------------------------------------ changing

    async def create(self, new: NewSession, request_id: bytes | None) -> tuple[Table, str, str]:
        """Create a session. Return its table, the host token and the spectator token.

        A repeat with the same request id returns the same tokens. Raises BadOptions, RequestIdReused.
        """
        new_id, request_id = request_id is None, request_id or new_request_id()
        now = await self._committer.now()
        change = transitions.create(new_record(new, request_id, now.time_ms), now)
        table = await self._committer.begin(change, new_id=new_id)
        if table.record.request != change.table.record.request:
            raise RequestIdReused
        salt = table.record.salt
        return table, new_token(Role.HOST, salt, request_id), new_token(Role.SPECTATOR, salt, request_id)
