"""A cache of decoded tables, so that most calls need not read the store before they decide."""

from __future__ import annotations

from collections import OrderedDict

from skerry_service.domain.errors import SessionNotFound
from skerry_service.domain.table import Table
from skerry_service.sessions.loader import read_table
from skerry_service.sessions.store_port import Store, Tip


class TableCache:
    """The tables that this replica last read or changed, up to a maximum. Any of them may be outdated."""

    def __init__(self, store: Store, max_size: int) -> None:
        self._store = store
        self._max_size = max_size
        self._tables: OrderedDict[str, Table] = OrderedDict()

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
        self._tables[session] = table
        self._trim()
        return table

    def keep(self, table: Table) -> None:
        """Cache a stored table, unless the cache has a later one."""
        session = table.record.id
        known = self._tables.get(session)
        if known is None:
            self._tables[session] = table
            self._trim()
        elif known.sequence < table.sequence:
            self._tables[session] = table

    def forget(self, session: str) -> None:
        """Remove a session from the cache."""
        self._tables.pop(session, None)

    def _trim(self) -> None:
        if len(self._tables) > self._max_size:
            self._tables.popitem(last=False)
