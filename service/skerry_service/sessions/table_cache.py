"""The tables that this replica knows, decoded: so most calls need not read the store before they decide."""

from __future__ import annotations

from collections import OrderedDict

from skerry_service.domain.errors import SessionNotFound
from skerry_service.domain.table import Table
from skerry_service.sessions.loader import read_table
from skerry_service.sessions.store_port import Store, Tip


class TableCache:
    """Up to so many tables, each as it stood when it was last read or changed here. Any may be old by now."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = most
        self._tables: OrderedDict[str, Table] = OrderedDict()

    def known(self, session: str) -> Table | None:
        """Return the table known here, however old."""
        table = self._tables.get(session)
        if table is not None:
            self._tables.move_to_end(session)
        return table

    async def any(self, session: str) -> tuple[Table, bool]:
        """Return the table known here; load it if there is none. Return also whether it was loaded."""
        table = self.known(session)
        return (await self.load(session), True) if table is None else (table, False)

    async def newest(self, session: str) -> Table:
        """Return the table as it stands: the one known here, if the store says that nothing has changed."""
        table = self._tables.get(session)
        if table is None or await self._store.tip(session) != Tip(table.sequence, table.chained_hash):
            table = await self.load(session)
        return table

    async def load(self, session: str) -> Table:
        """Read the table from the store, and know it from now on. Raises SessionNotFound, SessionDamaged."""
        head = await self._store.load(session)
        if head is None:
            self.forget(session)
            raise SessionNotFound(session)
        table = read_table(session, head)
        self._tables[session] = table
        self._trim()
        return table

    def keep(self, table: Table) -> None:
        """Know a table that was stored, unless a later one is known."""
        session = table.record.id
        known = self._tables.get(session)
        if known is None:
            self._tables[session] = table
            self._trim()
        elif known.sequence < table.sequence:
            self._tables[session] = table

    def forget(self, session: str) -> None:
        """Know no table of that session."""
        self._tables.pop(session, None)

    def _trim(self) -> None:
        if len(self._tables) > self._most:
            self._tables.popitem(last=False)
