"""ListSessions: public sessions, and those of the vouched player who calls."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.access.identity.identity_errors import IdentityMissing
from skerry_service.access.identity.vouched_players import current_player
from skerry_service.api.requests.list_requests import (
    read_cursor,
    read_player_cursor,
    session_filter_of,
    write_cursor,
    write_player_cursor,
)
from skerry_service.domain.delay import sees_delayed
from skerry_service.domain.errors import (
    GameNotFound,
    InvalidField,
    RulesetUnsupported,
    SessionDamaged,
    SessionNotFound,
)
from skerry_service.domain.record import Record
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import ANONYMOUS, may_view_game
from skerry_service.sessions.lists.player_list import PlayerEntry
from skerry_service.sessions.loader import confined
from skerry_service.sessions.service import Sessions
from skerry_service.wire.session_messages import write_clocks, write_session

PAGE_SIZE = 20
LARGEST_PAGE = 100


class ListMethods:
    """The RPC that lists sessions."""

    _sessions: Sessions

    async def list_sessions(self, request: pb.ListSessionsRequest, token: str | None) -> pb.ListSessionsResponse:
        """Return a page of public sessions, or of the sessions of a vouched player."""
        if request.page_size < 0:
            raise InvalidField("page_size", "The size of a page must not be negative.")
        size = min(request.page_size or PAGE_SIZE, LARGEST_PAGE)
        return await (self._list_mine(request, size) if request.mine else self._list_public(request, size))

    async def _list_public(self, request: pb.ListSessionsRequest, size: int) -> pb.ListSessionsResponse:
        page = await self._sessions.public(read_cursor(request.page_token), size, *session_filter_of(request))
        epoch = self._sessions.epoch
        response = pb.ListSessionsResponse(next_page_token=write_cursor(page.next))
        shown: list[Record] = []
        for record, sequence in page.sessions:
            with suppress(SessionDamaged), confined(record.id):
                listed = write_session(record, sequence, epoch, with_player_ids=record.public_player_ids)
                response.sessions.append(listed)
                shown.append(record)
        if request.include_turns:
            response.turns.extend(await asyncio.gather(*map(self._public_turn, shown)))
        return response

    async def _public_turn(self, record: Record) -> pb.SessionTurn:
        """Return what a spectator may know of whose turn it is."""
        turn = pb.SessionTurn()
        if record.playing:
            with suppress(SessionNotFound, SessionDamaged, GameNotFound, RulesetUnsupported):
                table = await self._sessions.live(record.id)
                if may_view_game(table.record, ANONYMOUS) and not sees_delayed(table.record, ANONYMOUS):
                    await self._write_turn(turn, table)
        return turn

    async def _write_turn(self, turn: pb.SessionTurn, table: Table) -> None:
        turn.to_act.extend(seat for seat in table.to_act if seat >= 0)
        if table.clocks:
            turn.clocks.CopyFrom(write_clocks(table, await self._sessions.uptime_ms()))

    async def _list_mine(self, request: pb.ListSessionsRequest, size: int) -> pb.ListSessionsResponse:
        player, cursor = current_player(), read_player_cursor(request.page_token)
        if player is None:
            raise IdentityMissing
        matches, _ = session_filter_of(request)
        page = await self._sessions.mine(player.player_id, cursor, size, matches)
        response = pb.ListSessionsResponse(next_page_token=write_player_cursor(page.next), waiting=page.waiting)
        for entry in page.entries:
            with suppress(SessionDamaged), confined(entry.record.id):
                response.sessions.append(self._write_entry(entry))
                await self._write_own_turn(response.turns.add(), entry)
        return response

    def _write_entry(self, entry: PlayerEntry) -> session_pb2.Session:
        with_ids = entry.seat is not None or entry.record.public_player_ids
        return write_session(entry.record, entry.sequence, self._sessions.epoch, with_player_ids=with_ids)

    async def _write_own_turn(self, turn: pb.SessionTurn, entry: PlayerEntry) -> None:
        turn.waits = entry.waits
        if entry.seat is not None:
            turn.seat = entry.seat
        if entry.table is not None:
            await self._write_turn(turn, entry.table)
            turn.change_time.FromMilliseconds(entry.table.time_ms)
