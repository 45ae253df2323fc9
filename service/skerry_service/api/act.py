"""Makes a move for Act and Play: checks the request, reads the move, and makes it or only validates it."""

from __future__ import annotations

from typing import Any

from skerry.v1 import service_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_service.api.requests.request_checks import request_id_of, session_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.actions.move_actions import CallerAtTable
from skerry_service.sessions.service import Sessions
from skerry_service.wire.payloads import read_move


async def make_move(
    sessions: Sessions, request: pb.ActRequest | pb.PlayAct, name: str, token: str | None
) -> tuple[Table, tuple[Change, int] | None]:
    """Make a move. Return the table after it and, unless the move was only validated, the change and its seat.

    ``name``: the name of the session. Raises InvalidField, MalformedMove, and the errors of ``MoveActions.seated``,
    ``act`` and ``check``.
    """
    session, request_id = session_of(name), request_id_of(request.request_id)
    expected = request.expected_sequence
    if expected <= 0:
        raise InvalidField("expected_sequence", "Send the sequence of the position for which you decided.")
    caller = await sessions.moves.seated(session, token)
    move = _read_move(request, caller)
    sent_ms = request.sent_ms if request.HasField("sent_ms") else None
    if request.validate_only:
        return await sessions.moves.check(caller, move, expected, sent_ms), None
    made = await sessions.moves.act(caller, move, expected, request_id, sent_ms)
    return made[0].table, made


def _read_move(request: pb.ActRequest | pb.PlayAct, caller: CallerAtTable) -> Any:
    """Return the move. Raises MalformedMove, but only for callers with a seat."""
    try:
        return read_move(request.move, caller.table.game)
    except MalformedMove:
        caller.seat()  # a caller without a seat gets that error first
        raise
