"""Making a move, as Act and Play ask for it: what is asked is checked, read for the table, and made or only checked."""

from __future__ import annotations

from typing import Any

from skerry.v1 import service_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_service.api.request_checks import request_id_of, session_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.service import CallerAtTable, Sessions
from skerry_service.wire.payloads import read_move


async def make_move(
    sessions: Sessions, request: pb.ActRequest | pb.PlayAct, name: str, token: str | None
) -> tuple[Table, tuple[Change, int] | None]:
    """Make a move. Return the table after it, and the change with the seat; if it was only checked, the table.

    ``name``: of the session. Raises InvalidField, MalformedMove, and what ``seated``, ``act`` and ``check`` do.
    """
    session, request_id = session_of(name), request_id_of(request.request_id)
    expected = request.expected_sequence
    if expected <= 0:
        raise InvalidField("expected_sequence", "Send the sequence of the position that you decided on.")
    one = await sessions.seated(session, token)
    move = _read_move(request, one)
    sent_ms = request.sent_ms if request.HasField("sent_ms") else None
    if request.validate_only:
        return await sessions.check(one, move, expected, sent_ms), None
    made = await sessions.act(one, move, expected, request_id, sent_ms)
    return made[0].table, made


def _read_move(request: pb.ActRequest | pb.PlayAct, one: CallerAtTable) -> Any:
    """Return the move. Raises MalformedMove to nobody whose token is not good for it."""
    try:
        return read_move(request.move, one.table.game)
    except MalformedMove:
        one.seat()  # who may not move at all is told that first
        raise
