"""Delayed views of sessions for unary calls, which read a session once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from skerry_service.domain.delay import BatchEnd, is_shown_whole, shown_until, start_sequence
from skerry_service.domain.table import Change, Table, table_at
from skerry_service.sessions.loader import read_log
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.task_runner import TaskRunner

_CACHE_SIZE = 256
"""Delayed tables that are cached. A cached table spares reading the log until the session changes."""


class DelayedTables:
    """The tables shown to callers for whom a session is delayed."""

    def __init__(self, store: Store, tasks: TaskRunner) -> None:
        self._store = store
        self._tasks = tasks
        self._cache: OrderedDict[str, tuple[bytes, int, Sequence[BatchEnd], Table]] = OrderedDict()
        """By session: the live table's chained hash, the entry that started the game, the ends of the batches, and the
        delayed table."""

    async def table(self, live: Table) -> Table:
        """Return the delayed table that belongs to a live one now.

        Raises StoreUnavailable, SessionNotFound, SessionDamaged.
        """
        delay, now_ms = live.record.delay, await self._store.uptime_ms()
        if delay is None or is_shown_whole(live, delay, now_ms):
            return live
        cached = self._cache.get(live.record.id)
        if cached is not None:
            chained_hash, started, ends, shown = cached
            last, _ = shown_until(live.record, started, ends, now_ms)
            if (chained_hash, last) == (live.chained_hash, shown.sequence):
                return shown
        return await self.from_log(await read_log(self._store, live.record.id, self._tasks))

    async def from_log(self, changes: Sequence[Change]) -> Table:
        """Return the delayed table of a session with this log. Raises StoreUnavailable."""
        live = changes[-1].table
        started = next((start for change in changes if (start := start_sequence(change.applied))), 0)
        ends = [(change.batch.last, change.batch.uptime_ms) for change in changes]
        last, _ = shown_until(live.record, started, ends, await self._store.uptime_ms())
        shown = live if last == live.sequence else await self._tasks.run(table_at(changes, last))
        self._cache[live.record.id] = live.chained_hash, started, ends, shown
        self._cache.move_to_end(live.record.id)
        if len(self._cache) > _CACHE_SIZE:
            self._cache.popitem(last=False)
        return shown
