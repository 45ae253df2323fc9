"""Sessions as callers use them: load, decide, commit, tell. Every change is one trip to the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from secrets import token_bytes
from typing import Any

from msgspec import Struct

from skerry_games.rng import SEED_BYTES
from skerry_service.domain import transitions
from skerry_service.domain.bot_decisions import DueDecision, decision_request, due_decisions
from skerry_service.domain.clocks import Arrival, Moment
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.errors import (
    GameOver,
    NotStarted,
    RequestIdReused,
    SequenceAhead,
    ShuttingDown,
    StaleSequence,
    TokenInvalid,
    TokenMissing,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import RANDOM, Phase, Record
from skerry_service.domain.table import Applied, Change, Table, table_at
from skerry_service.domain.tokens import (
    Caller,
    Role,
    new_token,
    recognise,
    require_own_seat,
    require_seat,
    require_view_access,
)
from skerry_service.domain.webhook_events import ReceiverCheck
from skerry_service.matching.matchmaker import Matchmaker
from skerry_service.sessions.actions.host_actions import HostActions
from skerry_service.sessions.actions.new_session import NewSession, new_record
from skerry_service.sessions.actions.operator_actions import OperatorActions
from skerry_service.sessions.actions.player_actions import PlayerActions
from skerry_service.sessions.actions.rematch import Rematches
from skerry_service.sessions.actions.webhook_settings import WebhookActions
from skerry_service.sessions.archive_layer import ArchiveLayer
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.loader import read_log
from skerry_service.sessions.request_identity import identify, new_request_id
from skerry_service.sessions.sampling import samples
from skerry_service.sessions.session_list import Cursor, Page, read_page
from skerry_service.sessions.store_port import ArchivePort, Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.timers.timeouts import Timeouts
from skerry_service.watching.delayed_tables import DelayedTables
from skerry_service.watching.presence import Presence
from skerry_service.watching.streams import Refuse, StreamReader, Streams

_log = logging.getLogger(__name__)


class CallerAtTable(Struct, frozen=True):
    """Somebody at a table who is about to move."""

    table: Table
    token: str
    caller: Caller | None
    """``None``: the token opens nothing now. It may have, when the call was first made that this one repeats."""
    fresh: bool
    """Whether the table was read from the store for this call; else it may be old."""

    def seat(self) -> int:
        """Return the seat at that table. Raises TokenInvalid, NotAllowed, SubstitutePlays."""
        if self.caller is None:
            raise TokenInvalid
        return require_own_seat(self.table.record, self.caller)


class Sessions:
    """All sessions of a store, as one replica serves them."""

    def __init__(
        self,
        store: Store,
        *,
        clock_ms: Callable[[], int],
        limits: SessionLimits | None = None,
        levels: Sequence[str] = (RANDOM,),
        webhooks: ReceiverCheck | None = None,
        archive: ArchivePort | None = None,
    ) -> None:
        """``levels``: how bots can decide, from weak to strong. For all but ``RANDOM`` somebody has to think.

        ``webhooks``: where they may lead; ``None``: there are none. ``archive``: where finished sessions are read that
        the store does not have any more.
        """
        live, store = store, ArchiveLayer(store, archive) if archive else store
        self.levels = tuple(levels)
        self._live = live
        """The store without the archive: for what is never asked of the archive."""
        self._store = store
        self._clock_ms = clock_ms
        self._limits = limits or SessionLimits()
        self._tables = TableCache(store, self._limits.cached_tables)
        self.tasks = TaskRunner()
        """For long work on behalf of calls."""
        self._delayed = DelayedTables(store, self.tasks)
        self._streams = Streams(store, self._limits, self.tasks)
        parts = (store, self._tables, self._streams, self.tasks, self._limits, clock_ms)
        self._changes = self.changes = Committer(*parts)
        """How this replica changes sessions: for taps alone."""
        self.presence = Presence(store, self._streams, self._limits)
        """Who is there, where sessions watch that."""
        self.players = PlayerActions(store, self._tables, self._changes, self.presence)
        """For those who play."""
        self.host = HostActions(store, self._changes)
        """For those who made a session."""
        self.operator = OperatorActions(store, self._tables, self._changes, self._streams)
        """For those who run the service."""
        self.rematches = Rematches(live, self._tables, self._changes, self.presence, self.tasks, self.replay)
        """For those who want to play once more."""
        self.matchmaker = Matchmaker(store, self._tables, self._changes, self.players, self._limits)
        """For those who look for a table."""
        self.webhooks = WebhookActions(self._changes, self.presence, webhooks)
        """For those who want to be told what happens."""
        self.timeouts = Timeouts(store, self._tables, self._changes, self._limits)
        """What happens at tables by itself, in time."""

    @property
    def epoch(self) -> str:
        """See ``Session.epoch`` in the API."""
        return self._store.epoch

    async def uptime_ms(self) -> int:
        """Return the age of the store in ms: the time of all clocks. Raises StoreUnavailable if it was never known."""
        return await self._store.uptime_ms()

    async def close(self) -> None:
        """End every stream. The store stays open: it is its owner's."""
        await self._streams.close()
        await self.matchmaker.close()

    @property
    def closing(self) -> bool:
        """Whether it is closed: new calls are refused."""
        return self._streams.closing

    def on_close(self, hearer: Callable[[], None]) -> Callable[[], None]:
        """See ``Streams.on_close``."""
        return self._streams.on_close(hearer)

    def watch(self, watcher: Callable[[Table], None]) -> None:
        """Call it from now on with each table that this replica stores. It must return at once."""
        self._changes.watchers.append(watcher)

    def count(self, counter: Callable[[Table | None, Change], None]) -> None:
        """Call it from now on with each change that this replica stores, and the table before. It must return at once.

        Of a new session there is no table before.
        """
        self._changes.counters.append(counter)

    def refuse_by(self, refuse: Refuse) -> None:
        """Ask it from now on what becomes of a stream for which there is no room."""
        self._streams.refuse = refuse

    def require_open(self) -> None:
        """Raise ShuttingDown once closed. Calls under way go on; it is for those who let calls in."""
        if self._streams.closing:
            raise ShuttingDown

    # ------------------------------------------------------------ reading

    async def get(self, session: str, token: str | None) -> tuple[Table, Caller]:
        """Return a session as its caller is shown it now, and who asks. Raises SessionNotFound, TokenInvalid."""
        table = await self._tables.newest(session)
        caller = recognise(table.record, token)
        self.presence.record_call(table, caller)
        if sees_delayed(table.record, caller):
            table = await self._delayed.table(table)
        return table, caller

    async def live(self, session: str) -> Table:
        """Return a session as it stands, for what the service does by itself. Raises SessionNotFound."""
        return await self._tables.newest(session)

    def forget(self, session: str) -> None:
        """Keep no table of that session."""
        self._tables.forget(session)

    async def replay(self, session: str, token: str | None) -> tuple[Table, Caller, list[Applied]]:
        """Return a session, who asks, and its whole log. Raises also TokenMissing, NotAllowed, SessionDamaged."""
        table, caller, changes = await self._log(session, token)
        log = [applied for change in changes for applied in change.applied]
        return table, caller, log[: table.sequence]

    async def past(self, session: str, token: str | None, sequence: int) -> tuple[Table, Caller, Table]:
        """Return a session, who asks, and the session as it stood after an entry since the game began.

        Raises as ``replay`` does, SequenceAhead, NotStarted.
        """
        table, caller, changes = await self._log(session, token)
        if sequence > table.sequence:
            raise SequenceAhead(sequence, table.sequence)
        then = await self.tasks.run(table_at(changes, sequence))
        if then.state is None:
            raise NotStarted(sequence)
        return table, caller, then

    async def sample(self, session: str, token: str | None, count: int) -> tuple[Table, int, tuple[bytes, ...]]:
        """Return a session, whose seat asks, and so many packed states that the seat cannot tell from the true one.

        Raises as ``get`` does, TokenMissing, NotAllowed, NotStarted, GameOver.
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
        """Return a session as its caller is shown it, who asks, and the whole log, if they may see it."""
        table = await self._tables.newest(session)
        caller = recognise(table.record, token)
        self.presence.record_call(table, caller)
        require_view_access(table.record, caller)  # before the log, which takes long
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
        """Return a page of public sessions, the newest first, as those are shown them who have no seat.

        ``index_keys``: under which all of them are found that are wanted (``index_keys.index_keys_for``).
        """
        return await read_page(self._live, before, count, wanted, index_keys, self._clock_ms())

    def reading(
        self, session: str, token: str | None, after: int | None, reader: str | None = None
    ) -> AbstractAsyncContextManager[StreamReader]:
        """Enter a reader of a session. See ``Streams.reading``."""
        return self._streams.reading(session, token, after, reader)

    # ------------------------------------------------------------ changing

    async def create(self, new: NewSession, request_id: bytes | None) -> tuple[Table, str, str]:
        """Store a new session. Return its table, the host token and the spectator token.

        A repeat returns the first time's tokens. Raises BadOptions, RequestIdReused.
        """
        request_id = request_id or new_request_id()
        now = await self._changes.now()
        change = transitions.create(new_record(new, request_id, now.time_ms), now)
        table = await self._changes.begin(change)
        if table.record.request != change.table.record.request:
            raise RequestIdReused
        salt = table.record.salt
        return table, new_token(Role.HOST, salt, request_id), new_token(Role.SPECTATOR, salt, request_id)

    async def seated(self, session: str, token: str | None) -> CallerAtTable:
        """Return whose seat the token plays, and at which table. Raises SessionNotFound, TokenMissing."""
        table, fresh = self._tables.known(session), False
        if table is None:
            table, fresh = await self._tables.load(session), True
        if token is None:
            raise TokenMissing
        caller = _known(table, token)
        if caller is None and not fresh:
            table, fresh = await self._tables.load(session), True  # the seat may have been taken elsewhere since
            caller = _known(table, token)
        if caller is not None:
            self.presence.record_call(table, caller)
        return CallerAtTable(table, token, caller, fresh)

    async def act(
        self,
        one: CallerAtTable,
        move: Any,
        expected_sequence: int,
        request_id: bytes | None,
        sent_ms: int | None = None,
    ) -> tuple[Change, int]:
        """Make one move of the session's game. Return also the seat, as it is numbered after the change.

        ``sent_ms``: the age of the store at which the caller says that the move was sent.

        Raises SessionNotFound, TokenInvalid, NotAllowed, RequestIdReused, what ``transitions.act`` raises.
        """
        request = identify(request_id, one.token, "act", expected_sequence, move) if request_id else None
        arrival = await self._arrival(one, sent_ms)

        def decide(table: Table, now: Moment) -> Change:
            record = table.record
            seat = one.seat() if table is one.table else require_own_seat(record, recognise(record, one.token))
            return transitions.act(table, seat, move, expected_sequence, now, arrival)

        change = await self._changes.change_from(one.table, request, decide, fresh=one.fresh)
        caller, record = one.caller, change.table.record
        if caller is None or record is not one.table.record:
            caller = recognise(record, one.token)
        return change, require_seat(caller)

    async def check(self, one: CallerAtTable, move: Any, expected_sequence: int, sent_ms: int | None = None) -> Table:
        """Check a move as ``act`` would, and do nothing. What chance would bring is not told."""
        arrival = await self._arrival(one, sent_ms)
        table = one.table if one.fresh else await self._tables.newest(one.table.record.id)
        seat = require_own_seat(table.record, recognise(table.record, one.token))
        transitions.act(table, seat, move, expected_sequence, await self._changes.now(), arrival)
        return table

    async def _arrival(self, one: CallerAtTable, sent_ms: int | None) -> Arrival | None:
        return Arrival(await self._store.uptime_ms(), sent_ms) if one.table.record.clock else None

    async def decide(self, one: DueDecision, move: Any) -> Change:
        """Make a bot's decision, once: whoever comes later gets the change of whoever was first.

        Raises SessionNotFound, StaleSequence where it was made long ago, and what ``transitions.act`` raises.
        """
        table, fresh = await self._tables.any(one.session)

        def decide(table: Table, now: Moment) -> Change:
            if one not in due_decisions(table):
                raise StaleSequence(one.since, table.sequence)
            return transitions.act(table, one.seat, move, one.since, now)

        return await self._changes.change_from(table, decision_request(table.record, one), decide, fresh=fresh)


def _known(table: Table, token: str) -> Caller | None:
    try:
        return recognise(table.record, token)
    except TokenInvalid:
        return None
