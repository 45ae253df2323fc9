"""One watched session: its whole log with events, kept current, and one future on which all its streams wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any

from skerry_service.sessions.errors import SequenceAhead, SessionNotFound, StoreUnavailable
from skerry_service.sessions.log import mark_after, unpack_batch
from skerry_service.sessions.port import Store
from skerry_service.sessions.record import Phase
from skerry_service.sessions.table import Change, Table, Told, fold


class Feed:
    """Shared by every stream of a session in this process. Nothing queues: a slow reader reads the log later."""

    def __init__(self, session: str, store: Store) -> None:
        self.session = session
        self.readers = 0
        self.memo: dict[Any, Any] = {}
        """For readers that render what others have rendered already. Emptied with each entry."""
        self.losses: list[int] = []
        """For each time that the store lost entries known here: how many it kept. The readers check their place."""
        self._store = store
        self._epoch = store.epoch
        self._table: Table | None = None
        self._log: list[Told] = []
        self._last = b""
        """The last batch known here, packed."""
        self._doubted = False
        """Whether the store may not have what is known here, so that nothing can be put on top of it."""
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._catching_up: asyncio.Task[None] | None = None
        self._behind = False
        self._reading = asyncio.Lock()
        self._readings = 0
        self._trouble: Exception | None = None
        """How the last reading failed."""
        self._failure: Exception | None = None
        self._opening = asyncio.get_running_loop().create_task(self._open())

    @property
    def table(self) -> Table:
        """The session after the last entry known here."""
        if self._table is None:
            raise ValueError("open the feed first")
        return self._table

    @property
    def epoch(self) -> str:
        """The epoch of the store in which the log known here was read."""
        return self._epoch

    @property
    def over(self) -> bool:
        """Whether the log has come to its end."""
        return self.table.record.phase is Phase.FINISHED

    async def opened(self) -> None:
        """Return once the log has been read. Raises SessionNotFound, StoreUnavailable."""
        await asyncio.shield(self._opening)

    async def _open(self) -> None:
        """Begin to listen, then read what is there already: so nothing can fall between the two."""
        await self._store.listen(self.session, self._heard)
        await self.catch_up()
        if self._table is None:
            raise SessionNotFound(self.session)

    async def refresh(self) -> None:
        """Read what a lost or late notification has not told. Raises StoreUnavailable."""
        await self.catch_up()

    async def heal(self) -> None:
        """Look whether a notification was lost or the session is gone, then wake every reader."""
        if self._opening.done():
            await self._guard(self.refresh())
            self.ring()

    async def close(self) -> None:
        """Stop listening."""
        tasks = [task for task in (self._opening, self._catching_up) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._store.unlisten(self.session, self._heard)

    def after(self, sequence: int, losses: int) -> Sequence[Told]:
        """Return the entries with a greater sequence, in order, for a reader who knows of that many ``losses``.

        Raises SessionNotFound if the session has ended its lifetime, SequenceAhead if the log never came so far or
        the entry was lost, though another may be in its place; and what hinders this process from following the log.
        """
        if self._failure is not None:
            raise self._failure
        kept = min(self.losses[losses:], default=sequence)
        if sequence > kept:
            raise SequenceAhead(sequence, kept)
        if sequence > len(self._log):
            raise SequenceAhead(sequence, len(self._log))
        return self._log[sequence:]

    @property
    def news(self) -> asyncio.Future[None]:
        """Done as soon as there may be more entries, or somebody rings. Shared by all readers: shield it."""
        return self._changed

    def ring(self) -> None:
        """Wake every reader."""
        changed, self._changed = self._changed, asyncio.get_running_loop().create_future()
        changed.set_result(None)

    def push(self, change: Change) -> None:
        """Take over a change that this process made itself."""
        if change.batch.first > len(self._log) + 1 or not self._sound:
            self._read_soon()
        elif change.batch.first == len(self._log) + 1:
            if mark_after(self.table.mark, change.packed) == change.table.mark:
                self._append(change)
            else:
                self._read_soon()

    async def catch_up(self) -> None:
        """Read from the store whatever is missing here; everything, if the store has not kept what is known here.

        Heals notifications that were lost, and entries that were. One reading at a time, shared by all who asked
        before it began. Raises StoreUnavailable.
        """
        before = self._readings
        async with self._reading:
            if self._readings == before:
                self._readings += 1
                self._trouble = await self._try_to_read()
            if self._trouble is not None:
                raise self._trouble

    async def _try_to_read(self) -> Exception | None:
        """Return what went wrong, for all who wait for this reading."""
        try:
            await self._read()
        except Exception as error:
            return error
        except asyncio.CancelledError:
            self._readings -= 1  # whoever waits next has to read
            raise
        return None

    async def _read(self) -> None:
        epoch = self._store.epoch
        if epoch == self._epoch and self._log and await self._read_on():
            self._failure = None
            return
        self._doubted = True
        changes = list(fold(None, await self._store.batches(self.session, 0)))
        self._epoch, self._doubted = epoch, False  # if it has changed meanwhile, all is read once more
        self._replace(changes)

    async def _read_on(self) -> bool:
        """Read on from the last batch known here. Return whether the store still has that one."""
        table, last = self._table, self._last
        batches = await self._store.batches(self.session, len(self._log) - 1)
        if not batches or batches[0] != last:
            return False
        self._doubted = False
        for change in fold(table, batches[1:]):
            if change.batch.first == len(self._log) + 1:
                self._append(change)
        return True

    def _replace(self, changes: Sequence[Change]) -> None:
        """Take over the log as the store has it now."""
        before, self._log = self._log, [told for change in changes for told in change.told]
        if changes:
            self._table, self._last = changes[-1].table, changes[-1].packed
        self._failure = None if changes else SessionNotFound(self.session)
        kept = _common(before, self._log)
        if kept < len(before):
            self.losses.append(kept)
        self.memo.clear()
        self.ring()

    def _append(self, change: Change) -> None:
        self._table, self._last = change.table, change.packed
        self._log.extend(change.told)
        self.memo.clear()
        self.ring()

    @property
    def _sound(self) -> bool:
        """Whether what the store tells of can be put on top of what is known here."""
        return not self._doubted and self._store.epoch == self._epoch

    def _heard(self, packed: bytes | None) -> None:
        first = None if packed is None else unpack_batch(packed).first
        if packed is None or first is None:
            self._doubted = True  # the connection was lost, and perhaps the server with the end of its log
            self._read_soon()
        elif first > len(self._log) + 1 or not self._sound:
            self._read_soon()
        elif first == len(self._log) + 1:
            self._append(next(fold(self._table, (packed,))))

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
            self.ring()


def _common(one: Sequence[Told], other: Sequence[Told]) -> int:
    """Return how many entries the two logs begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    differing = (at for at, (a, b) in pairs if (a.time_ms, a.deed) != (b.time_ms, b.deed))
    return next(differing, min(len(one), len(other)))
