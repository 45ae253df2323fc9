"""One watched session: its whole log with events, kept current for all its streams in this process."""

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
    """The log as far as it is known here. Nothing queues for a stream: a slow reader reads the log later.

    Each batch names the chained hash of the one before, so one that does not fit on top of what is known shows that
    notifications, or entries themselves, were lost; then the log is read again.
    """

    def __init__(self, session: str, store: Store, tasks: TaskRunner) -> None:
        super().__init__()
        self.session = session
        self.readers = 0
        self.losses: list[int] = []
        """For each time that the store lost entries known here: how many it kept. The readers check their place."""
        self.memo: dict[Any, Any] = {}
        """For readers that render what others have rendered already. Emptied with each entry."""
        self.looked: tuple[Any, Any] = None, None
        """For readers: where the one stood that looked last, and what it was given."""
        self._store = store
        self._tasks = tasks
        self.epoch = store.epoch
        """The store's epoch when it last confirmed the log known here."""
        self._table: Table | None = None
        self._log: list[Applied] = []
        self._hashes = {0: b""}
        """The chained hash of each batch known here, by the sequence of its last entry."""
        self._expected: Change | None = None
        """What this process is about to commit: if the store tells of it, it need not be carried out again."""
        self._newest = b""
        """The last batch known here, as it is stored: what this process commits is told by itself and by the store."""
        self._failure: Exception | None = None
        self._ends: list[BatchEnd] = []
        """Of the batches known here, where the session is shown late."""
        self._started = 0
        """The entry with which its game began, likewise."""
        self._late: DelayedFeed | None = None
        self._behind = False
        self._catching_up: asyncio.Task[None] | None = None
        self._opening = asyncio.get_running_loop().create_task(self._open())

    # ------------------------------------------------------------ for readers

    @property
    def table(self) -> Table:
        """The session after the last entry known here."""
        if self._table is None:
            raise ValueError("open the feed first")
        return self._table

    @property
    def is_open(self) -> bool:
        """Whether the log has been read."""
        return self._table is not None

    @property
    def over(self) -> bool:
        """Whether the log has come to its end."""
        return self.table.record.over

    async def opened(self) -> None:
        """Return once the log has been read. Raises SessionNotFound, SessionDamaged, StoreUnavailable."""
        await asyncio.shield(self._opening)

    def after(self, sequence: int, losses: int) -> Sequence[Applied]:
        """Return the entries with a greater sequence, in order, for a reader who knows of that many ``losses``.

        Raises SequenceAhead if the log never came so far or the entry was lost, though another may be in its place;
        SessionNotFound if the session has ended its lifetime; and what else hinders this process from following it.
        """
        if self._failure is not None:
            raise self._failure
        log = self._log
        kept = len(log) if losses == len(self.losses) else min(self.losses[losses:])
        if sequence > kept:
            raise SequenceAhead(sequence, kept)
        return log[sequence:]

    def require_sound(self) -> None:
        """Raise SessionNotFound, and what else hinders this process from following the session."""
        if self._failure is not None:
            raise self._failure

    def between(self, sequence: int, last: int) -> Sequence[Applied]:
        """Return the entries behind one, up to another."""
        return self._log[sequence:last]

    def shown_until(self, uptime_ms: int) -> tuple[int, int | None]:
        """See ``late.shown_until``."""
        return shown_until(self.table.record, self._started, self._ends, uptime_ms)

    async def shown_to(self, caller: Caller) -> Feed | DelayedFeed:
        """Return what that caller is shown: this, or the same some time later. Raises StoreUnavailable."""
        if not sees_delayed(self.table.record, caller):
            return self
        if self._late is None:
            self._late = DelayedFeed(self, self._store, self._tasks)
        try:
            await self._late.opened()
        except StoreUnavailable:
            self._late = None  # whoever asks next tries again
            raise
        return self._late

    def wake(self) -> None:
        """Wake every reader, also those to whom nothing new is shown."""
        self.ring()
        if self._late is not None:
            self._late.ring()

    async def close(self) -> None:
        """Stop listening."""
        tasks = [task for task in (self._opening, self._catching_up) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        late = self._late.close() if self._late is not None else ()
        await asyncio.gather(*tasks, *late, return_exceptions=True)
        await self._store.unlisten(self.session, self._heard)

    # ------------------------------------------------------------ keeping current

    def expect(self, change: Change) -> None:
        """Know a change that this process is about to commit. Nobody is told of it before the store has it."""
        self._expected = change

    def push(self, change: Change) -> None:
        """Take over a change that this process made itself."""
        if change.packed == self._newest:
            return
        if self._fits(change.batch):
            self._append(change)
        elif self._hashes.get(change.batch.last) != change.table.chained_hash:
            self._read_soon()

    async def heal(self) -> None:
        """Look whether anything was lost or the session is gone, then wake every reader."""
        if self._opening.done():
            await self._guard(self.catch_up())
            self.wake()

    async def catch_up(self) -> None:
        """Compare with the store, and read the log again if it differs.

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
                if losses == len(self.losses):  # else somebody has begun anew meanwhile, with a log read later perhaps
                    self._take_over(known, changes)
                    behind = False
        self.epoch, self._failure = epoch, None

    def _take_over(self, known: int, changes: Sequence[Change]) -> None:
        """Add what is new in the log as it was read; begin anew if it lacks some of the ``known`` entries.

        Those were in the store before it was read. What has come since may be missing without being lost.
        """
        hashes = {0: b""} | {change.batch.last: change.table.chained_hash for change in changes}
        if hashes.get(known) != self._hashes[known]:
            self.losses.append(max(end for end, chained in self._hashes.items() if hashes.get(end) == chained))
            self._log, self._hashes, self._newest = [], {0: b""}, b""
            self._ends, self._started = [], 0
        for change in changes:
            if self._fits(change.batch):
                self._append(change)

    def _fits(self, batch: Batch) -> bool:
        end = len(self._log)
        return batch.first == end + 1 and batch.after == self._hashes[end]

    def _append(self, change: Change) -> None:
        """Take over a batch that was stored on top of the log known here, which that confirms."""
        self._table, self.epoch = change.table, self._store.epoch
        self._newest = change.packed
        self._log.extend(change.applied)
        self._hashes[change.batch.last] = change.table.chained_hash
        if change.table.record.delay is not None:
            self._ends.append((change.batch.last, change.batch.uptime_ms))
            self._started = self._started or start_sequence(change.applied)
        self._expected = None
        self.memo.clear()
        self.ring()

    async def _open(self) -> None:
        """Begin to listen, then read what is there already: so nothing can fall between the two."""
        await self._store.listen(self.session, self._heard)
        await self.catch_up()

    def _heard(self, packed: bytes | None) -> None:
        if packed is None:
            self._read_soon()
            return
        if packed == self._newest:
            return
        if self._expected is not None and self._expected.packed == packed:
            self.push(self._expected)
            return
        batch = unpack_batch(packed)
        if self._fits(batch):
            self._append(next(replay_batches(self._table, (packed,))))
        elif self._hashes.get(batch.last) != chained_hash_of(packed):
            self._read_soon()

    def _read_soon(self) -> None:
        self._behind = True
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.get_running_loop().create_task(self._read_while_behind())

    async def _read_while_behind(self) -> None:
        while self._behind:
            self._behind = False
            await self._guard(self.catch_up())

    async def _guard(self, reading: Awaitable[None]) -> None:
        """Keep what goes wrong for the readers: nobody else waits for this."""
        try:
            await reading
        except StoreUnavailable:
            pass  # readers are shown that the stream is alive; the next heartbeat reads what they miss
        except Exception as error:
            self._failure = error
            self.wake()
