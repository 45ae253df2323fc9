"""ListOpenTables: the open tables of this cell and of its peers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial

from google.protobuf.message import DecodeError

from skerry.v1 import service_pb2 as pb
from skerry.v1 import session_pb2
from skerry_service.api.lists.list_methods import LARGEST_PAGE, ListMethods
from skerry_service.api.requests.request_checks import game_of
from skerry_service.domain.errors import InvalidField
from skerry_service.sessions.lists.cell_directory import CellDirectory
from skerry_service.sessions.resource_ids import cell_of
from skerry_service.wire.json_writer import to_json

_PER_CELL, _MOST_PER_CELL = 10, 50
_LOBBY = session_pb2.SESSION_STATE_LOBBY
_CALL = "/skerry.v1.SkerryService/ListSessions"

Tables = Sequence[session_pb2.Session]
Ask = Callable[[str, bytes], Awaitable[bytes]]
"""Sends the request of a Connect call to a cell, and returns the response. Raises OSError, ValueError."""


def peer_directory(peers: Mapping[str, Ask]) -> CellDirectory[Tables]:
    """Return the directory of these cells."""
    return CellDirectory({cell: partial(_read_peer, cell, ask) for cell, ask in peers.items()})


async def _read_peer(cell: str, ask: Ask) -> Tables:
    request = pb.ListSessionsRequest(state=_LOBBY, page_size=LARGEST_PAGE)
    data = await ask(_CALL, request.SerializeToString())
    try:
        response = pb.ListSessionsResponse.FromString(data)
        to_json(response)  # whatever a peer sends, this server must be able to send on
    except (DecodeError, LookupError, TypeError, ArithmeticError):
        raise ValueError("the response is malformed") from None
    cells = {cell_of(session.name) for session in response.sessions} - {"", cell}
    if cells:
        raise ValueError("the response has sessions of another cell")
    return [session for session in response.sessions if cell_of(session.name) and _is_open(session)]


def _is_open(session: session_pb2.Session) -> bool:
    return session.state == _LOBBY and any(seat.occupant == session_pb2.OCCUPANT_OPEN for seat in session.seats)


class DirectoryMethods(ListMethods):
    """The RPC that lists the open tables of all cells."""

    _directory: CellDirectory[Tables]

    async def list_open_tables(self, request: pb.ListOpenTablesRequest, token: str | None) -> pb.ListOpenTablesResponse:
        """Return open tables of each cell."""
        if request.per_cell < 0:
            raise InvalidField("per_cell", "The number of tables must not be negative.")
        most = min(request.per_cell or _PER_CELL, _MOST_PER_CELL)
        game = game_of(request.game).id if request.game else ""
        own = await self._list_public(pb.ListSessionsRequest(game=game, state=_LOBBY), LARGEST_PAGE)
        response = pb.ListOpenTablesResponse()
        tables = [session for session in own.sessions if _is_open(session)]
        response.cells.add(cell=self._sessions.new_games.cell, reached=True, age_seconds=0, sessions=tables[:most])
        for peer in await self._directory.get():
            group = response.cells.add(cell=peer.cell, reached=peer.reached)
            if peer.tables is not None:
                age, tables = peer.tables[0], [one for one in peer.tables[1] if game in ("", one.game)]
                group.age_seconds = int(age)
                group.sessions.extend(tables[:most])
        return response
