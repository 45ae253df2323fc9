"""The live log of one session with its events, kept current for all streams of the session in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any

from skerry_service.domain.delay import BatchEnd, sees_delayed, shown_until, start_sequence
from skerry_service.domain.errors import SequenceAhead, SessionNotFound, StoreUnavailable
from skerry_service.domain.log import Batch, chained_hash_of, unpack_batch
from skerry_service.domain.table import Applied, Change, Table, replay_batches
from skerry_service.domain.tokens import Caller
from skerry_service.sessions.loader import read_log
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.delayed_feed import DelayedFeed
from skerry_service.watching.notifier import Notifier


class Feed(Notifier):
    """The log of a session as far as this process knows it.

    Readers share the log. There is no queue for each stream, so a slow reader costs nothing: it reads the log later.

    Each batch names the chained hash of the batch before it. If a batch does not follow the known log, notifications or
    stored entries were lost, and the feed reads the log again.
    """

    def __init__(self, session: str, store: Store, tasks: TaskRunner) -> None:
        super().__init__()
        self.session = session
        self.readers = 0
        self.losses: list[int] = []
        """For each time that the store lost known entries: how many entries it kept. Readers check their position
        against these numbers."""
        self.memo: dict[Any, Any] = {}
        """Rendered messages, shared by the readers. Cleared with each entry."""
        self.last_update: tuple[Any, Any] = None, None
        """The position of the reader that read last, and the update that it got. Used by ``StreamReader``."""
        self._store = store
        self._tasks = tasks
        self.epoch = store.epoch
        """The store's epoch when the store last confirmed the known log."""
        self._table: Table | None = None
        self._log: list[Applied] = []
        self._hashes = {0: b""}
        """The chained hash of each known batch, by the sequence of its last entry."""
        self._expected: Change | None = None
        """The change that this process is about to commit. When the store announces it, it need not be replayed."""
        self._newest = b""
        """The last known batch, packed. A commit of this process arrives twice: from ``push`` and from the store."""
        self._failure: Exception | None = None
        self._ends: list[BatchEnd] = []
        """The ends of the known batches, if the session has a delay."""
        self._started = 0
        """The entry that started the game, if the session has a delay; 0 before."""
        self._delayed: DelayedFeed | None = None
        self._stale = False
        self._catching_up: asyncio.Task[None] | None = None
        self._opening = asyncio.get_running_loop().create_task(self._open())

    # ------------------------------------------------------------ for readers

    @property
    def table(self) -> Table:
        """The session after the last known entry. Raises ValueError before the feed is open."""
        if self._table is None:
            raise ValueError("open the feed first")
        return self._table

    @property
    def is_open(self) -> bool:
        """Whether the log has been read."""
        return self._table is not None

    @property
    def over(self) -> bool:
        """Whether the session has ended."""
        return self.table.record.over

    async def opened(self) -> None:
        """Wait until the log has been read. Raises SessionNotFound, SessionDamaged, StoreUnavailable."""
        await asyncio.shield(self._opening)

    def after(self, sequence: int, losses: int) -> Sequence[Applied]:
        """Return the entries after ``sequence``, in order.

        ``losses``: how many items of ``self.losses`` the reader has accounted for. Raises SequenceAhead if the log was
        never that long or lost that entry, even if another entry has taken its place. Raises SessionNotFound if the
        session has expired, and any other error that keeps this process from following the session.
        """
        if self._failure is not None:
            raise self._failure
        log = self._log
        kept = len(log) if losses == len(self.losses) else min(self.losses[losses:])
        if sequence > kept:
            raise SequenceAhead(sequence, kept)
        return log[sequence:]

    def require_sound(self) -> None:
        """Raise SessionNotFound, or any other error that keeps this process from following the session."""
        if self._failure is not None:
            raise self._failure

    def between(self, sequence: int, last: int) -> Sequence[Applied]:
        """Return the entries after ``sequence``, up to and including ``last``."""
        return self._log[sequence:last]

    def shown_until(self, now_ms: int) -> tuple[int, int | None]:
        """See ``delay.shown_until``."""
        return shown_until(self.table.record, self._started, self._ends, now_ms)

    async def for_caller(self, caller: Caller) -> Feed | DelayedFeed:
        """Return this feed, or the delayed one if the session is delayed for the caller. Raises StoreUnavailable."""
        if not sees_delayed(self.table.record, caller):
            return self
        if self._delayed is None:
            self._delayed = DelayedFeed(self, self._store, self._tasks)
        try:
            await self._delayed.opened()
        except StoreUnavailable:
            self._delayed = None  # the next reader tries again
            raise
        return self._delayed

    def notify_all(self) -> None:
        """Notify every reader, including those of the delayed feed."""
        self.notify()
        if self._delayed is not None:
            self._delayed.notify()

    async def close(self) -> None:
        """Stop listening to the store."""
        tasks = [task for task in (self._opening, self._catching_up) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        delayed = self._delayed.close() if self._delayed is not None else ()
        await asyncio.gather(*tasks, *delayed, return_exceptions=True)
        await self._store.unlisten(self.session, self._on_batch)

    # ------------------------------------------------------------ keeping current

    def expect(self, change: Change) -> None:
        """Remember a change that this process is about to commit. Readers see it only once the store has it."""
        self._expected = change

    def push(self, change: Change) -> None:
        """Append a change that this process has committed."""
        if change.packed == self._newest:
            return
        if self._follows(change.batch):
            self._append(change)
        elif self._hashes.get(change.batch.last) != change.table.chained_hash:
            self._schedule_catch_up()

    async def verify(self) -> None:
        """Check whether entries were lost or the session has expired, then notify every reader."""
        if self._opening.done():
            await self._guard(self.catch_up())
            self.notify_all()

    async def catch_up(self) -> None:
        """Compare the known log with the store and read the log again if they differ.

        Raises SessionNotFound, SessionDamaged, StoreUnavailable.
        """
        epoch, behind = self._store.epoch, True
        while behind:
            known, losses = len(self._log), len(self.losses)
            tip = await self._store.tip(self.session)
            if tip is None:
                raise SessionNotFound(self.session)
            behind = tip.sequence < known or self._hashes.get(tip.sequence) != tip.chained_hash
            if behind:
                changes = await read_log(self._store, self.session, self._tasks)
                if losses == len(self.losses):  # else another task has merged meanwhile, perhaps a newer log
                    self._merge(known, changes)
                    behind = False
        self.epoch, self._failure = epoch, None

    def _merge(self, known: int, changes: Sequence[Change]) -> None:
        """Append the new entries of a log that was read; start over if it lacks some of the first ``known`` entries.

        The store had the ``known`` entries before the log was read. Entries that arrived since may be missing from
        ``changes`` without being lost.
        """
        hashes = {0: b""} | {change.batch.last: change.table.chained_hash for change in changes}
        if hashes.get(known) != self._hashes[known]:
            self.losses.append(max(end for end, chained in self._hashes.items() if hashes.get(end) == chained))
            self._log, self._hashes, self._newest = [], {0: b""}, b""
            self._ends, self._started = [], 0
        for change in changes:
            if self._follows(change.batch):
                self._append(change)

    def _follows(self, batch: Batch) -> bool:
        end = len(self._log)
        return batch.first == end + 1 and batch.after == self._hashes[end]

    def _append(self, change: Change) -> None:
        """Append a batch that follows the known log. The store has it, so the known log is confirmed."""
        self._table, self.epoch = change.table, self._store.epoch
        self._newest = change.packed
        self._log.extend(change.applied)
        self._hashes[change.batch.last] = change.table.chained_hash
        if change.table.record.delay is not None:
            self._ends.append((change.batch.last, change.batch.uptime_ms))
            self._started = self._started or start_sequence(change.applied)
        self._expected = None
        self.memo.clear()
        self.notify()

    async def _open(self) -> None:
        """Subscribe first, then read the log, so that no batch is missed in between."""
        await self._store.listen(self.session, self._on_batch)
        await self.catch_up()

    def _on_batch(self, packed: bytes | None) -> None:
        if packed is None:
            self._schedule_catch_up()
            return
        if packed == self._newest:
            return
        if self._expected is not None and self._expected.packed == packed:
            self.push(self._expected)
            return
        batch = unpack_batch(packed)
        if self._follows(batch):
            self._append(next(replay_batches(self._table, (packed,))))
        elif self._hashes.get(batch.last) != chained_hash_of(packed):
            self._schedule_catch_up()

    def _schedule_catch_up(self) -> None:
        self._stale = True
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.get_running_loop().create_task(self._catch_up_while_stale())

    async def _catch_up_while_stale(self) -> None:
        while self._stale:
            self._stale = False
            await self._guard(self.catch_up())

    async def _guard(self, reading: Awaitable[None]) -> None:
        """Keep an error for the readers, since no task awaits this one."""
        try:
            await reading
        except StoreUnavailable:
            pass  # readers get heartbeats; the next ``verify`` reads what they miss
        except Exception as error:
            self._failure = error
            self.notify_all()
