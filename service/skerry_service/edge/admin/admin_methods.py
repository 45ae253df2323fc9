"""A method for each RPC of ``AdminService``: check, call, translate."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.admin.v1 import admin_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.api.request_checks import choice_of, game_of, request_id_of, session_of
from skerry_service.domain.errors import InvalidField, SessionDamaged
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Table
from skerry_service.sessions.loader import read_record
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Summary
from skerry_service.wire.session_messages import write_clocks, write_session

ADMIN_SERVICE = pb.DESCRIPTOR.services_by_name["AdminService"]
MOST_OF_A_PAGE = 1000
_PAGE = 100
_LAST_PLACE = 2**64 - 1
_LONGEST_PLACE = len(str(_LAST_PLACE))
_log = logging.getLogger(__name__)


class AllSessions(Protocol):
    """The sessions of a store, one and all."""

    async def scan(self, cursor: int, count: int) -> tuple[int, Sequence[str]]:
        """Return about so many ids, and the place at which to go on; 0 is where to begin, and the end."""

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        """Return what is told of each in a list; ``None``: it has ended."""


class AdminMethods:
    """The RPCs of ``AdminService``."""

    def __init__(self, sessions: Sessions, everything: AllSessions, end: Callable[[], None]) -> None:
        """``end``: lets this process end, soon."""
        self._sessions = sessions
        self._everything = everything
        self._end = end

    async def list_all_sessions(self, request: pb.ListAllSessionsRequest, _: str | None) -> pb.ListAllSessionsResponse:
        """Return a page of all sessions."""
        if not 0 <= request.page_size <= MOST_OF_A_PAGE:
            raise InvalidField("page_size", f"A page has 1 to {MOST_OF_A_PAGE} sessions; 0 stands for {_PAGE}.")
        game = game_of(request.game).id if request.game else None
        phase = choice_of(request, "state", tuple(Phase)) if request.state else None
        place, found = await self._everything.scan(_place(request.page_token), request.page_size or _PAGE)
        ids = tuple(dict.fromkeys(found))
        response = pb.ListAllSessionsResponse(next_page_token=str(place) if place else "")
        for session, summary in zip(ids, await self._everything.summaries(ids), strict=True):
            if summary is not None:
                told = _summarised(session, summary)
                if game in (None, told.game) and (phase is None or phase.value == told.state):
                    response.sessions.append(told)
        return response

    async def inspect_session(self, request: pb.InspectSessionRequest, _: str | None) -> pb.InspectSessionResponse:
        """Return what a spectator may know of a session, and how it is served."""
        session = session_of(request.name)
        live, streams = await self._sessions.operator.look(session)
        shown, _caller = await self._sessions.get(session, None)
        playing = live.record.phase is Phase.PLAYING
        response = pb.InspectSessionResponse(
            session=self._write(shown),
            sequence=live.sequence,
            change_time=_time(live.time_ms),
            to_act=[seat for seat in live.to_act if seat >= 0] if playing else (),
            streams=streams,
        )
        if live.clocks:
            response.clocks.CopyFrom(write_clocks(live, await self._sessions.uptime_ms()))
        return response

    async def end_session(self, request: pb.EndSessionRequest, _: str | None) -> pb.EndSessionResponse:
        """Call a session off."""
        session = session_of(request.name)
        table = await self._sessions.operator.end(session, request_id_of(request.request_id))
        _log.warning("an operator called sessions/%s off", session)
        return pb.EndSessionResponse(session=self._write(table))

    async def drain_replica(self, request: pb.DrainReplicaRequest, _: str | None) -> pb.DrainReplicaResponse:
        """Let this process end."""
        _log.warning("an operator lets this process end")
        self._end()
        return pb.DrainReplicaResponse()

    def _write(self, table: Table) -> session_pb2.Session:
        return write_session(table.record, table.sequence, self._sessions.epoch, with_player_ids=False)


def _place(token: str) -> int:
    if not token:
        return 0
    is_number = len(token) <= _LONGEST_PLACE and token.isascii() and token.isdecimal()
    if not is_number or int(token) > _LAST_PLACE:
        raise InvalidField("page_token", "It is not a token that a page came with.")
    return int(token)


def _summarised(session: str, summary: Summary | SessionDamaged) -> pb.SessionSummary:
    name = f"sessions/{session}"
    if isinstance(summary, SessionDamaged):
        return pb.SessionSummary(name=name, damaged=True)
    try:
        record: Record = read_record(session, summary)
    except SessionDamaged:
        return pb.SessionSummary(name=name, damaged=True, sequence=summary.sequence)
    return pb.SessionSummary(
        name=name,
        game=record.game,
        ruleset=record.ruleset,
        state=session_pb2.SessionState.ValueType(record.phase),
        visibility=session_pb2.Visibility.ValueType(record.visibility),
        seats=len(record.seats),
        players=len(record.players()),
        sequence=summary.sequence,
        create_time=_time(record.created_ms),
    )


def _time(milliseconds: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(milliseconds)
    return time
