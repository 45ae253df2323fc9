"""Sessions as they are shown late to calls, which ask once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from skerry_service.domain.delay import BatchEnd, is_shown_whole, shown_until, start_sequence
from skerry_service.domain.table import Change, Table, table_at
from skerry_service.sessions.loader import read_log
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.task_runner import TaskRunner

_MOST_KEPT = 256
"""Tables kept in case they are asked for again: only what changed since costs a look at the log."""


class DelayedTables:
    """The tables that those are shown who see sessions late."""

    def __init__(self, store: Store, tasks: TaskRunner) -> None:
        self._store = store
        self._tasks = tasks
        self._known: OrderedDict[str, tuple[bytes, int, Sequence[BatchEnd], Table]] = OrderedDict()
        """By session: the live table's chained hash, the start of its game, the ends of its batches, what was shown."""

    async def table(self, live: Table) -> Table:
        """Return what is shown of a session by now. Raises StoreUnavailable, SessionNotFound, SessionDamaged."""
        delay, uptime_ms = live.record.delay, await self._store.uptime_ms()
        if delay is None or is_shown_whole(live, delay, uptime_ms):
            return live
        known = self._known.get(live.record.id)
        if known is not None:
            chained_hash, started, ends, shown = known
            last, _ = shown_until(live.record, started, ends, uptime_ms)
            if (chained_hash, last) == (live.chained_hash, shown.sequence):
                return shown
        return await self.of_log(await read_log(self._store, live.record.id, self._tasks))

    async def of_log(self, changes: Sequence[Change]) -> Table:
        """Return what is shown by now of a session with that log. Raises StoreUnavailable."""
        live = changes[-1].table
        started = next((start for change in changes if (start := start_sequence(change.applied))), 0)
        ends = [(change.batch.last, change.batch.uptime_ms) for change in changes]
        last, _ = shown_until(live.record, started, ends, await self._store.uptime_ms())
        shown = live if last == live.sequence else await self._tasks.run(table_at(changes, last))
        self._known[live.record.id] = live.chained_hash, started, ends, shown
        self._known.move_to_end(live.record.id)
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)
        return shown
