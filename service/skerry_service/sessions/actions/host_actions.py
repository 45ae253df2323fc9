"""Actions of a session's host: start early, set labels, remove a player, open an abandoned seat, cancel."""

from __future__ import annotations

from typing import Any

from skerry_service.domain import transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.delay import is_unlisted
from skerry_service.domain.record import RANDOM, Labels
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import recognise, require_host
from skerry_service.sessions.commits import Committer, Decide
from skerry_service.sessions.request_identity import identify
from skerry_service.sessions.store_port import Store


class HostActions:
    """The actions of hosts on all sessions. Every action raises TokenMissing, TokenInvalid, NotAllowed.

    All raise SessionNotFound and the errors of ``Committer.change_from`` too.
    """

    def __init__(self, store: Store, committer: Committer) -> None:
        self._store = store
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
        """Open an abandoned seat to new players. Raises also NotStarted, GameOver, InvalidField, SeatTaken."""

        def open_seat(table: Table, now: Moment) -> Change:
            return transitions.open_seat(table, seat, now)

        return await self._change(session, token, request_id, ("open", seat), open_seat)

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
