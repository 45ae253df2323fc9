"""How a session is changed: decide on its table, commit, tell; look again where somebody else was first."""

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
from skerry_service.domain.index_keys import NO_CHANGES, index_key_changes, index_keys_of
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.packed import Request, head_of
from skerry_service.domain.record import Phase, Record, Visibility
from skerry_service.domain.table import Change, Table
from skerry_service.domain.webhook_events import DELIVERY_WINDOW_MS
from skerry_service.sessions.loader import read_log, read_table, report_damage
from skerry_service.sessions.store_port import Commit, Conflict, Duplicate, Gone, Store, Stored
from skerry_service.sessions.table_cache import TableCache
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.streams import Streams

Decide = Callable[[Table, Moment], Change]
"""What a call does to a table, now. Called again where that table turns out to be old."""
_ATTEMPTS = 8
_STORED_BY_MS = 6_000
"""After this a commit is stored, or never: the store answers within five seconds, or is not waited for."""


class Committer:
    """Committer the sessions of a store, as one replica does."""

    def __init__(
        self,
        store: Store,
        tables: TableCache,
        streams: Streams,
        tasks: TaskRunner,
        limits: SessionLimits,
        clock_ms: Callable[[], int],
    ) -> None:
        self.watchers: list[Callable[[Table], None]] = []
        """Called with each table that is stored here."""
        self.counters: list[Callable[[Table | None, Change], None]] = []
        """Called with each change that is stored here, and the table before it, if there was one."""
        self._store = store
        self._tables = tables
        self._streams = streams
        self._tasks = tasks
        self._limits = limits
        self._clock_ms = clock_ms

    async def now(self) -> Moment:
        """Return what time it is."""
        return Moment(self._clock_ms(), await self._store.uptime_ms())

    async def change(self, session: str, request: Request | None, decide: Decide) -> Change:
        """Decide on the session's table, as it is known here first. See ``change_from``."""
        table, fresh = await self._tables.any(session)
        return await self.change_from(table, request, decide, fresh=fresh)

    async def change_from(self, table: Table, request: Request | None, decide: Decide, *, fresh: bool) -> Change:
        """Decide on a table and commit. Look again if that fails: the table may be old, or the request a repeat.

        ``fresh``: the table was read from the store for this call.
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
                    return await self._done_before(session, done, request)
                raise
            record = change.table.record
            begins = record is not table.record and becomes_scheduled(table, change.table)
            if begins:
                await self.schedule(change.table)
            if record.has_webhooks:
                await self._store.deliveries.schedule(
                    session, _STORED_BY_MS
                )  # first: so that it is told after any crash
            self._streams.expect(session, change)
            commit = self.commit_of(table, change, request)
            result = await self._store.commit(session, commit)
            if isinstance(result, Stored):
                self._tables.keep(change.table)
                self._streams.push(session, change)
                self._show(table, change)
                if begins:
                    await self._look_soon(session)
                return change
            if isinstance(result, Duplicate):
                return await self._done_before(session, result, request)
            if not isinstance(result, Conflict):
                self._tables.forget(session)
                raise (
                    SessionNotFound(session)
                    if isinstance(result, Gone)
                    else report_damage(session, "its log is cut off")
                )
            table, fresh = await self._tables.load(session), True
        raise LimitReached("conflicts", "Too many calls change this session at once.")

    async def begin(self, change: Change) -> Table:
        """Store a new session. Return its table, or that of the session which has its id already."""
        if change.table.record.has_only_bots:
            change = await self.played_on(change)
        record = change.table.record
        begins = becomes_scheduled(None, change.table)
        if begins:
            await self.schedule(change.table)
        listed = record.created_ms if record.visibility is Visibility.PUBLIC else None
        commit = self.commit_of(None, change, None)
        existing = await self._store.create(record.id, commit, listed, index_keys_of(record))
        table = read_table(record.id, existing) if existing else change.table
        if existing is None:
            self._tables.forget(record.id)  # one of that id may have ended
            self._show(None, change)
        self._tables.keep(table)
        if begins:
            await self._look_soon(record.id)
        return table

    async def played_on(self, change: Change) -> Change:
        """Return the change with the rest of a game that plays itself from there."""
        return await self._tasks.run(play_to_end(change))

    def _show(self, before: Table | None, change: Change) -> None:
        for watcher in self.watchers:
            watcher(change.table)
        for counter in self.counters:
            counter(before, change)

    async def schedule(self, table: Table) -> None:
        """Have a table looked at that is about to be stored, so that no crash leaves a game that waits for nobody.

        Not before that is stored: who looked then would find nothing to look at. Its players have just been seen.
        """
        record = table.record
        if record.abandonment.absence_ms:
            await self._store.record_seen([(record.id, seat) for seat in record.players()])
        await self._store.schedule(record.id, _STORED_BY_MS)

    async def _look_soon(self, session: str) -> None:
        """Have a table looked at now that is stored: a clock may leave less time than was allowed for that."""
        with suppress(StoreUnavailable, StoreFull):
            await self._store.schedule(session)

    async def _done_before(self, session: str, done: Duplicate, request: Request | None) -> Change:
        if request is None or done.payload != request.payload:
            raise RequestIdReused
        for change in await read_log(self._store, session, self._tasks):
            if change.batch.last == done.last:
                return change
        raise report_damage(session, f"its log has no batch that ends with entry {done.last}")

    def commit_of(self, before: Table | None, change: Change, request: Request | None) -> Commit:
        """Pack a change, which begins the session's lifetime anew."""
        base = before.sequence if before else 0
        table = change.table
        record_changed = before is None or table.record is not before.record
        enters, leaves = index_key_changes(before.record, table.record) if before and record_changed else NO_CHANGES
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
        )

    def _lifetime_ms(self, record: Record) -> int:
        limits = self._limits
        if record.playing:
            clock = record.clock  # whoever may think so long finds the game afterwards
            return limits.game_lifetime_ms + (clock.bank_ms + clock.grace_ms if clock else 0)
        if not record.over:
            return limits.lobby_lifetime_ms
        if record.players() and record.phase is not Phase.CANCELLED:
            return limits.finished_lifetime_ms
        told_ms = DELIVERY_WINDOW_MS if record.has_webhooks else 0
        return max(limits.bots_lifetime_ms, told_ms) + (record.delay.ms if record.delay else 0)


def becomes_scheduled(before: Table | None, after: Table) -> bool:
    """Whether from now on something may happen at the table by itself, in time, that could not before."""
    needed = _scheduling_reasons(before.record) if before is not None else (False, False)
    return any(new and not old for new, old in zip(_scheduling_reasons(after.record), needed, strict=True))


def needs_scheduling(record: Record) -> bool:
    """Whether something may happen at the table by itself, in time."""
    return any(_scheduling_reasons(record))


def _scheduling_reasons(record: Record) -> tuple[bool, bool]:
    """Whether time matters to players, and whether bots think."""
    playing = record.phase is Phase.PLAYING
    timed = record.abandonment.absence_ms > 0 or record.clock is not None
    return playing and timed, playing and any(seat.thinks for seat in record.seats)
