"""Actions of the operator on a session. They need no token: the admin port authorizes the operator."""

from __future__ import annotations

from skerry_service.domain import transitions
from skerry_service.domain.delay import is_unlisted
from skerry_service.domain.table import Table
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.watching.streams import Streams


class OperatorActions:
    """The actions of the operator on all sessions."""

    def __init__(self, store: Store, tables: TableCache, committer: Committer, streams: Streams) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._streams = streams

    async def look(self, session: str) -> tuple[Table, int]:
        """Return a session without a delay, and its number of open streams on this replica. Raises SessionNotFound."""
        return await self._tables.newest(session), self._streams.count(session)

    def load(self) -> tuple[int, int]:
        """Return the numbers of open streams and of cached sessions on this replica."""
        return self._streams.total, self._tables.entries

    async def end(self, session: str, request_id: bytes | None) -> Table:
        """Cancel a session, even with players in it. Raises SessionNotFound, GameOver."""
        request = identify(request_id, "EndSession", "end") if request_id else None
        change = await self._committer.change(session, request, transitions.end_by_operator)
        if is_unlisted(change.table.record):
            await self._store.unlist([session])
        return change.table
