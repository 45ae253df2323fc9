"""How a session changes: decide on its table, commit, notify. After a conflict, load the table and decide again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from skerry_games.api import GameError
from skerry_service.domain.change_set import play_to_end
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    LimitReached,
    RequestIdReused,
    SessionNotFound,
    SkerryError,
    StoreFull,
    StoreUnavailable,
)
from skerry_service.domain.index_keys import NO_CHANGES, index_key_changes, index_keys_of, vouched_players
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import Undone
from skerry_service.domain.packed import Request, head_of
from skerry_service.domain.record import Phase, Record, Visibility
from skerry_service.domain.table import Change, Table
from skerry_service.domain.webhook_events import DELIVERY_WINDOW_MS
from skerry_service.sessions.loader import read_log, read_table, report_damage
from skerry_service.sessions.resources.webhook_registry import WebhookEndpoints
from skerry_service.sessions.store_port import Commit, Conflict, Duplicate, Gone, Store, Stored
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.streams import Streams

Decide = Callable[[Table, Moment], Change]
"""Returns the change that a call makes to a table at a moment. Called again if the table turns out to be outdated."""
_ATTEMPTS = 8
_STORED_BY_MS = 6_000
"""After this time a commit is either stored or will never be: calls to the store time out after five seconds."""


class Committer:
    """Commits changes of sessions for one replica, and notifies this replica's streams and observers."""

    def __init__(  # noqa: PLR0913, PLR0917 - the collaborators of a service
        self,
        store: Store,
        tables: TableCache,
        streams: Streams,
        tasks: TaskRunner,
        limits: SessionLimits,
        clock_ms: Callable[[], int],
        live: Store,
        endpoints: WebhookEndpoints,
    ) -> None:
        """``live``: the store without the archive. ``endpoints``: those of applications."""
        self.watchers: list[Callable[[Table], None]] = []
        """Called with each table that this replica stores."""
        self.counters: list[Callable[[Table | None, Change], None]] = []
        """Called with each change that this replica stores, and the table before it (``None`` for a new session)."""
        self._store = store
        self._live = live
        self._tables = tables
        self._streams = streams
        self.tasks = tasks
        """Runs long computations."""
        self._limits = limits
        self._clock_ms = clock_ms
        self.endpoints = endpoints

    async def now(self) -> Moment:
        """Return the present time. Raises StoreUnavailable."""
        return Moment(self._clock_ms(), await self._store.uptime_ms())

    async def change(self, session: str, request: Request | None, decide: Decide) -> Change:
        """Decide on the session's cached table and commit. See ``change_from``."""
        table, fresh = await self._tables.any(session)
        return await self.change_from(table, request, decide, fresh=fresh)

    async def change_from(self, table: Table, request: Request | None, decide: Decide, *, fresh: bool) -> Change:
        """Decide on a table and commit. If that fails, load the table and try again.

        ``fresh``: the table was read from the store for this call. If not, an error of ``decide`` may come from an
        outdated table. A repeated request returns the change of the first one.

        Raises the errors of ``decide``, and SessionNotFound, SessionDamaged, RequestIdReused, LimitReached, StoreFull,
        StoreUnavailable.
        """
        session = table.record.id
        for _ in range(_ATTEMPTS):
            try:
                change = decide(table, await self.now())
                if change.table.record.has_only_bots:
                    change = await self.played_on(change)
            except (SkerryError, GameError):
                if not fresh:
                    table, fresh = await self._tables.load(session), True
                    continue
                if request and (done := await self._store.find_request(session, request)):
                    return await self._earlier_change(session, done, request)
                raise
            needs_timer = await self._schedule(table, change)
            self._streams.expect(session, change)
            commit = self.commit_of(table, change, request)
            result = await self._store.commit(session, commit)
            if isinstance(result, Stored):
                self._tables.keep(change.table, commit.head)
                self._streams.push(session, change)
                self._show(table, change)
                if needs_timer:
                    await self._schedule_now(session)
                return change
            if isinstance(result, Duplicate):
                return await self._earlier_change(session, result, request)
            if not isinstance(result, Conflict):
                self._tables.forget(session)
                raise (
                    SessionNotFound(session)
                    if isinstance(result, Gone)
                    else report_damage(session, "its log is cut off")
                )
            table, fresh = await self._tables.load(session), True
        raise LimitReached("conflicts", "Too many calls are changing this session at the same time.")

    async def begin(self, change: Change, *, new_id: bool = False) -> Table:
        """Store a new session. Return its table, or the table of an existing session with the same id.

        ``new_id``: the id comes from a random request id of this call, so the archive cannot have it and is not asked.
        """
        if change.table.record.has_only_bots:
            change = await self.played_on(change)
        record = change.table.record
        needs_timer = await self._schedule(None, change)
        listed = record.created_ms if record.visibility is Visibility.PUBLIC else None
        commit = self.commit_of(None, change, None)
        store = self._live if new_id else self._store
        existing = await store.create(record.id, commit, listed, index_keys_of(record))
        table = read_table(record.id, existing) if existing else change.table
        if existing is None:
            self._tables.forget(record.id)  # an expired session with the same id may be cached
            self._show(None, change)
        self._tables.keep(table, existing or commit.head)
        if needs_timer:
            await self._schedule_now(record.id)
        return table

    async def played_on(self, change: Change) -> Change:
        """Return the change extended by the rest of a game of random bots."""
        return await self.tasks.run(play_to_end(change))

    def _show(self, before: Table | None, change: Change) -> None:
        for watcher in self.watchers:
            watcher(change.table)
        for counter in self.counters:
            counter(before, change)

    async def _schedule(self, before: Table | None, change: Change) -> bool:
        """Schedule what follows from a change that is about to be stored, so that a crash after the commit loses none.

        Return whether the table needs a timer. The timers and the deliveries are due only after the commit: an earlier
        check would find no session and remove it from the schedule.
        """
        record, base = change.table.record, before.record if before else None
        needs_timer = _hastens(change) if record is base else becomes_scheduled(before, change.table)
        if record.playing and record.abandonment.absence_ms and not (base and base.playing):
            # A game begins: the absence of players that never come counts from now on.
            await self._store.record_seen([(record.id, seat) for seat in record.players()])
        if needs_timer:
            await self._store.schedule.at("timers", record.id, _STORED_BY_MS)
        await self.schedule_deliveries(record)
        return needs_timer

    async def schedule_deliveries(self, record: Record, after_ms: int = _STORED_BY_MS) -> None:
        """Schedule the webhooks of a session, if a receiver has any."""
        if record.has_webhooks or await self.endpoints.concern(record.applications):
            await self._store.schedule.at("deliveries", record.id, after_ms)

    async def _schedule_now(self, session: str) -> None:
        """Schedule a check of a stored table now: its clocks may expire before the check of ``_schedule``."""
        with suppress(StoreUnavailable, StoreFull):
            await self._store.schedule.at("timers", session, 0)

    async def _earlier_change(self, session: str, done: Duplicate, request: Request | None) -> Change:
        """Return the change of the first request with this id. Raises RequestIdReused, SessionDamaged."""
        if request is None or done.payload != request.payload:
            raise RequestIdReused
        for change in await read_log(self._store, session, self.tasks):
            if change.batch.last == done.last:
                return change
        raise report_damage(session, f"its log has no batch that ends with entry {done.last}")

    def commit_of(self, before: Table | None, change: Change, request: Request | None) -> Commit:
        """Return the commit of a change. It renews the session's lifetime."""
        base = before.sequence if before else 0
        table = change.table
        record_changed = before is None or table.record is not before.record
        enters, leaves = index_key_changes(before.record, table.record) if before and record_changed else NO_CHANGES
        record = table.record
        seated = vouched_players(record) if record_changed else frozenset[str]()
        ended = seated if record.over and before is not None and not before.record.over else frozenset[str]()
        return Commit(
            base=base,
            batch=change.packed,
            head=head_of(table, pack_record=record_changed),
            record_changed=record_changed,
            request=request,
            lifetime_ms=self._lifetime_ms(table.record),
            base_hash=before.chained_hash if before else b"",
            added_keys=enters,
            removed_keys=leaves,
            created_ms=record.created_ms,
            seated=seated - vouched_players(before.record) if before else seated,
            ended=ended,
        )

    def _lifetime_ms(self, record: Record) -> int:
        limits = self._limits
        if record.playing:
            clock = record.clock  # a player may use the whole clock and must still find the game
            timed_ms = limits.game_lifetime_ms + (clock.bank_ms + clock.grace_ms if clock else 0)
            return max(timed_ms, 2 * record.abandonment.open_after_ms)  # the host must find the seat to open it
        if not record.over:
            return limits.lobby_lifetime_ms
        if record.players() and record.phase is not Phase.CANCELLED:
            return limits.finished_lifetime_ms
        delivery_ms = DELIVERY_WINDOW_MS if record.may_notify else 0
        return max(limits.bots_lifetime_ms, delivery_ms) + (record.delay.ms if record.delay else 0)


def becomes_scheduled(before: Table | None, after: Table) -> bool:
    """Return whether a change gives the table a new reason to be on the schedule of timers."""
    needed = _scheduling_reasons(before.record) if before is not None else (False, False)
    return any(new and not old for new, old in zip(_scheduling_reasons(after.record), needed, strict=True))


def _hastens(change: Change) -> bool:
    """Return whether a seat has less time than if its turn began now: its turn goes on after a move taken back."""
    return bool(change.table.clocks) and isinstance(change.batch.entries[0], Undone)


def needs_scheduling(record: Record) -> bool:
    """Return whether the table belongs on the schedule of timers."""
    return any(_scheduling_reasons(record))


def _scheduling_reasons(record: Record) -> tuple[bool, bool]:
    """Return whether players can time out, and whether thinking bots play."""
    playing = record.phase is Phase.PLAYING
    timed = record.abandonment.absence_ms > 0 or record.clock is not None
    return playing and timed, playing and any(seat.thinks for seat in record.seats)
