"""A cache of decoded tables, so that most calls need not read the store before they decide."""

from __future__ import annotations

from collections import OrderedDict

from skerry_service.domain.errors import SessionNotFound
from skerry_service.domain.packed import Head
from skerry_service.domain.table import Table
from skerry_service.sessions.loader import read_table
from skerry_service.sessions.store_port import Store, Tip

_BYTES_PER_PACKED = 9
"""Bytes of a decoded table for each byte of its packed head: 6.8 to 8.2 in the four games."""


class TableCache:
    """The tables that this replica last read or changed, up to a maximum. Any of them may be outdated."""

    def __init__(self, store: Store, max_size: int, max_bytes: int) -> None:
        """``max_size``: number of tables; ``max_bytes``: their size in total, as estimated from their packed heads."""
        self._store = store
        self._max_size = max_size
        self._max_bytes = max_bytes
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self.bytes = 0

    @property
    def entries(self) -> int:
        """The number of cached tables."""
        return len(self._tables)

    def known(self, session: str) -> Table | None:
        """Return the cached table, however old; ``None`` if there is none."""
        table = self._tables.get(session)
        if table is not None:
            self._tables.move_to_end(session)
        return table

    async def any(self, session: str) -> tuple[Table, bool]:
        """Return the cached table, or load it. Return also whether it was loaded."""
        table = self.known(session)
        return (await self.load(session), True) if table is None else (table, False)

    async def newest(self, session: str) -> Table:
        """Return the newest table: the cached one if the store has the same tip, otherwise a loaded one."""
        table = self._tables.get(session)
        if table is None or await self._store.tip(session) != Tip(table.sequence, table.chained_hash):
            table = await self.load(session)
        return table

    async def load(self, session: str) -> Table:
        """Load the table from the store into the cache. Raises SessionNotFound, SessionDamaged, StoreUnavailable."""
        head = await self._store.load(session)
        if head is None:
            self.forget(session)
            raise SessionNotFound(session)
        table = read_table(session, head)
        self._put(table, head)
        return table

    def keep(self, table: Table, head: Head) -> None:
        """Cache a stored table, unless the cache has a later one. ``head``: the table as it is stored."""
        known = self._tables.get(table.record.id)
        if known is None or known.sequence < table.sequence:
            self._put(table, head)

    def forget(self, session: str) -> None:
        """Remove a session from the cache."""
        if self._tables.pop(session, None) is not None:
            self.bytes -= self._sizes.pop(session)

    def _put(self, table: Table, head: Head) -> None:
        session, size = table.record.id, _BYTES_PER_PACKED * (len(head.record) + len(head.snapshot))
        self.bytes += size - self._sizes.get(session, 0)
        self._tables[session], self._sizes[session] = table, size
        while self._tables and (len(self._tables) > self._max_size or self.bytes > self._max_bytes):
            self.forget(next(iter(self._tables)))
