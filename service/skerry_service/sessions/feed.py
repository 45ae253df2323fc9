"""One watched session: its whole log with events, kept current, and one future on which all its streams wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from skerry_service.sessions.errors import SequenceAhead, SessionNotFound, StoreUnavailable
from skerry_service.sessions.log import unpack_batch
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
        self._store = store
        self._epoch = store.epoch
        self._table: Table | None = None
        self._log: list[Told] = []
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._catching_up: asyncio.Task[None] | None = None
        self._behind = False
        self._gone = False
        self._opening = asyncio.get_running_loop().create_task(self._open())

    @property
    def table(self) -> Table:
        """The session after the last entry known here."""
        if self._table is None:
            raise ValueError("open the feed first")
        return self._table

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

    async def heal(self) -> None:
        """Look whether a notification was lost or the session is gone, then wake every reader."""
        try:
            stored = await self._store.sequence(self.session)
            self._gone = stored is None
            if stored is not None and (stored != len(self._log) or self._store.epoch != self._epoch):
                await self.catch_up()
        except StoreUnavailable:
            pass  # readers are shown that the stream is alive; what they miss is read when the store is back
        self.ring()

    async def close(self) -> None:
        """Stop listening."""
        tasks = [task for task in (self._opening, self._catching_up) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._store.unlisten(self.session, self._heard)

    def after(self, sequence: int) -> Sequence[Told]:
        """Return the entries with a greater sequence, in order.

        Raises SessionNotFound if the session has ended its lifetime, SequenceAhead if the log never came so far.
        """
        if self._gone:
            raise SessionNotFound(self.session)
        if sequence > len(self._log):
            raise SequenceAhead(sequence, len(self._log))
        return self._log[sequence:]

    async def wait(self) -> None:
        """Wait until there may be more entries, or somebody rings."""
        await asyncio.shield(self._changed)

    def ring(self) -> None:
        """Wake every reader."""
        changed, self._changed = self._changed, asyncio.get_running_loop().create_future()
        changed.set_result(None)

    def push(self, change: Change) -> None:
        """Take over a change that this process made itself."""
        if change.batch.first == len(self._log) + 1:
            self._append(change)
        elif change.batch.first > len(self._log):
            self._read_soon()

    async def catch_up(self) -> None:
        """Read from the store whatever is missing here; after an epoch ended, everything.

        Also heals a notification that was lost.
        """
        epoch = self._store.epoch
        again = epoch != self._epoch
        table, known = (None, 0) if again else (self._table, len(self._log))
        changes = list(fold(table, await self._store.batches(self.session, known)))
        if again:
            self._epoch = epoch
            self._log.clear()
        for change in changes:
            if change.batch.first == len(self._log) + 1:
                self._append(change)

    def _append(self, change: Change) -> None:
        self._table = change.table
        self._log.extend(change.told)
        self.memo.clear()
        self.ring()

    def _heard(self, packed: bytes | None) -> None:
        if packed is None or unpack_batch(packed).first > len(self._log) + 1:
            self._read_soon()
        elif unpack_batch(packed).first == len(self._log) + 1:
            self._append(next(fold(self._table, (packed,))))

    def _read_soon(self) -> None:
        self._behind = True
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.get_running_loop().create_task(self._read_while_behind())

    async def _read_while_behind(self) -> None:
        while self._behind:
            self._behind = False
            try:
                await self.catch_up()
            except StoreUnavailable:
                return  # the next heartbeat tries again
