"""Actions of a session's host: start early, set labels, remove a player, open a seat, cancel."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.delay import is_unlisted
from skerry_service.domain.errors import LimitReached, SkerryError
from skerry_service.domain.record import RANDOM, Labels
from skerry_service.domain.seating.openings import first_entry_for_opening, unresponsive_since
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import recognise, require_host
from skerry_service.sessions.commits import Committer, Decide
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache

_ATTEMPTS = 8


class _LogHasGrown(SkerryError):
    """The log has entries that the decision did not consider. Used only within this module."""


class HostActions:
    """The actions of hosts on all sessions. Every action raises TokenMissing, TokenInvalid, NotAllowed.

    All raise SessionNotFound and the errors of ``Committer.change_from`` too.
    """

    def __init__(self, store: Store, tables: TableCache, committer: Committer) -> None:
        self._store = store
        self._tables = tables
        self._committer = committer

    async def start(
        self, session: str, token: str | None, fill_with_bots: bool, request_id: bytes | None, *, level: str = RANDOM
    ) -> Table:
        """Start the game before every seat is taken.

        ``level``: of the bots that take open seats.
        Raises also AlreadyStarted, TooFewSeats, SeatOpen, BadOptions, LimitReached.
        """

        def start(table: Table, now: Moment) -> Change:
            return transitions.start(table, fill_with_bots=fill_with_bots, level=level, now=now)

        return await self._change(session, token, request_id, ("start", fill_with_bots, level), start)

    async def remove(self, session: str, token: str | None, seat: int, request_id: bytes | None) -> Table:
        """Remove a player from the lobby. Raises also AlreadyStarted, InvalidField, NoPlayer, LimitReached."""

        def remove(table: Table, now: Moment) -> Change:
            return transitions.remove_player(table, seat, now)

        return await self._change(session, token, request_id, ("remove", seat), remove)

    async def label(self, session: str, token: str | None, labels: Labels, request_id: bytes | None) -> Table:
        """Replace the labels. Raises also GameOver."""

        def label(table: Table, now: Moment) -> Change:
            return transitions.replace_labels(table, labels, now)

        return await self._change(session, token, request_id, ("label", labels), label)

    async def open_seat(self, session: str, token: str | None, seat: int, request_id: bytes | None) -> Table:
        """Open a seat to new players: an abandoned one, or that of a player who has not responded for long enough.

        Raises also NotStarted, GameOver, InvalidField, SeatTaken.
        """
        for _ in range(_ATTEMPTS):
            read = await self._tables.newest(session)
            require_host(recognise(read.record, token))
            change = _opening(read, seat, await self._unresponsive_since(read, seat))
            with suppress(_LogHasGrown):  # the new entries may be signs of the player
                return await self._change(session, token, request_id, ("open", seat), change)
        raise LimitReached("conflicts", "Too many calls are changing this session at the same time.")

    async def _unresponsive_since(self, table: Table, seat: int) -> int | None:
        if (first := first_entry_for_opening(table, seat)) is None:
            return None
        batches = await self._store.batches(table.record.id, first - 1)
        return await self._committer.tasks.run(unresponsive_since(table, seat, batches))

    async def cancel(self, session: str, token: str | None, request_id: bytes | None) -> Table:
        """Cancel the session. Unlist it, unless it is delayed. Raises also InPlay, GameOver, LimitReached."""

        def cancel(table: Table, now: Moment) -> Change:
            return transitions.cancel(table, now)

        table = await self._change(session, token, request_id, ("cancel",), cancel)
        if is_unlisted(table.record):
            await self._store.unlist([session])
        return table

    async def _change(
        self,
        session: str,
        token: str | None,
        request_id: bytes | None,
        content: tuple[Any, ...],
        change: Decide,
    ) -> Table:
        """Commit a change for the host. ``content``: what the request asks for, to recognise a repeat."""

        def decide(table: Table, now: Moment) -> Change:
            require_host(recognise(table.record, token))
            return change(table, now)

        request = identify(request_id, token or "", *content) if request_id else None
        return (await self._committer.change(session, request, decide)).table


def _opening(read: Table, seat: int, since_ms: int | None) -> Decide:
    """Return the decision to open a seat. ``since_ms``: of the player, according to the log of ``read``."""

    def open_seat(table: Table, now: Moment) -> Change:
        if table.chained_hash != read.chained_hash:
            raise _LogHasGrown("The log has new entries.")
        return transitions.open_seat(table, seat, since_ms, now)

    return open_seat
