"""What whoever runs the service does with a session, whose host and players they are not. No token is asked for."""

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
    """All sessions, for operators. Who they are is somebody else's business."""

    def __init__(self, store: Store, tables: TableCache, committer: Committer, streams: Streams) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._streams = streams

    async def look(self, session: str) -> tuple[Table, int]:
        """Return a session as it stands, and how many streams of it are open here. Raises SessionNotFound."""
        return await self._tables.newest(session), self._streams.count(session)

    async def end(self, session: str, request_id: bytes | None) -> Table:
        """Call a session off, whoever sits at it. Raises SessionNotFound, GameOver."""
        request = identify(request_id, "EndSession", "end") if request_id else None
        change = await self._committer.change(session, request, transitions.end_by_operator)
        if is_unlisted(change.table.record):
            await self._store.unlist([session])
        return change.table
