"""Moves: of players at their seats, and of the server's bots. Each takes one trip to the store."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from skerry_service.domain import transitions
from skerry_service.domain.bot_decisions import DueDecision, decision_request, due_decisions
from skerry_service.domain.clocks import Arrival, Moment
from skerry_service.domain.errors import StaleSequence, TokenInvalid, TokenMissing
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import Caller, recognise, require_own_seat, require_seat
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache
from skerry_service.watching.presence import Presence


class CallerAtTable(Struct, frozen=True):
    """The caller of a move and the table that the call refers to."""

    table: Table
    token: str
    caller: Caller | None
    """``None`` if the token is not valid now. The call may repeat an earlier one, when it was."""
    fresh: bool
    """Whether the table was read from the store for this call. If not, it may be outdated."""

    def seat(self) -> int:
        """Return the caller's seat. Raises TokenInvalid, NotAllowed, SubstitutePlays."""
        if self.caller is None:
            raise TokenInvalid
        return require_own_seat(self.table.record, self.caller)


class MoveActions:
    """The moves of all sessions."""

    def __init__(self, store: Store, tables: TableCache, committer: Committer, presence: Presence) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer
        self._presence = presence

    async def seated(self, session: str, token: str | None) -> CallerAtTable:
        """Return the caller and the cached table, for ``act`` and ``check``. Raises SessionNotFound, TokenMissing."""
        table, fresh = self._tables.known(session), False
        if table is None:
            table, fresh = await self._tables.load(session), True
        if token is None:
            raise TokenMissing
        caller = _recognised(table, token)
        if caller is None and not fresh:
            table, fresh = await self._tables.load(session), True  # another replica may have given the seat since
            caller = _recognised(table, token)
        if caller is not None:
            self._presence.record_call(table, caller)
        return CallerAtTable(table, token, caller, fresh)

    async def act(
        self,
        at_table: CallerAtTable,
        move: Any,
        expected_sequence: int,
        request_id: bytes | None,
        sent_ms: int | None = None,
    ) -> tuple[Change, int]:
        """Make a move. Return the change and the caller's seat after it.

        ``sent_ms``: store uptime at which the client says that it sent the move.

        Raises SessionNotFound, TokenInvalid, NotAllowed, RequestIdReused, and the errors of ``transitions.act``.
        """
        request = identify(request_id, at_table.token, "act", expected_sequence, move) if request_id else None
        arrival = await self._arrival(at_table, sent_ms)

        def decide(table: Table, now: Moment) -> Change:
            record = table.record
            seat = (
                at_table.seat()
                if table is at_table.table
                else require_own_seat(record, recognise(record, at_table.token))
            )
            return transitions.act(table, seat, move, expected_sequence, now, arrival)

        change = await self._committer.change_from(at_table.table, request, decide, fresh=at_table.fresh)
        caller, record = at_table.caller, change.table.record
        if caller is None or record is not at_table.table.record:
            caller = recognise(record, at_table.token)
        return change, require_seat(caller)

    async def check(
        self, at_table: CallerAtTable, move: Any, expected_sequence: int, sent_ms: int | None = None
    ) -> Table:
        """Check a move as ``act`` does, without making it. The returned table reveals no draw of chance."""
        arrival = await self._arrival(at_table, sent_ms)
        table = at_table.table if at_table.fresh else await self._tables.newest(at_table.table.record.id)
        seat = require_own_seat(table.record, recognise(table.record, at_table.token))
        transitions.act(table, seat, move, expected_sequence, await self._committer.now(), arrival)
        return table

    async def _arrival(self, at_table: CallerAtTable, sent_ms: int | None) -> Arrival | None:
        return Arrival(await self._store.uptime_ms(), sent_ms) if at_table.table.record.clock else None

    async def decide(self, due: DueDecision, move: Any) -> Change:
        """Store a thinking bot's move for a due decision. Later moves for it return the change of the first one.

        Raises SessionNotFound, StaleSequence if the decision was made long ago, and the errors of ``transitions.act``.
        """
        table, fresh = await self._tables.any(due.session)

        def decide(table: Table, now: Moment) -> Change:
            if due not in due_decisions(table):
                raise StaleSequence(due.since, table.sequence)
            return transitions.act(table, due.seat, move, due.since, now)

        return await self._committer.change_from(table, decision_request(table.record, due), decide, fresh=fresh)


def _recognised(table: Table, token: str) -> Caller | None:
    try:
        return recognise(table.record, token)
    except TokenInvalid:
        return None
