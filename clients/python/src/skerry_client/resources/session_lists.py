"""The calls of the asyncio client that list sessions. The client reads the lists page by page."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from typing import Literal, get_args

from skerry.v1 import service_pb2 as api
from skerry.v1 import session_pb2
from skerry_client import arguments, payload
from skerry_client.calls import Calls
from skerry_client.transport import rpcs

State = Literal["lobby", "playing", "finished"]
_LABEL = "a label, as key or key=value,"


class AsyncSessionLists:
    """The public sessions, and those of a player."""

    _calls: Calls

    def sessions(
        self,
        *,
        game: str | None = None,
        state: State | None = None,
        label: str | Collection[str] | None = None,
        reserved_for: str | None = None,
    ) -> AsyncGenerator[session_pb2.Session, None]:
        """Yield the public sessions, the newest first.

        ``label``: only sessions with this ``key`` or ``key=value``, or with all of up to 8; put the rarest one first.
        ``reserved_for``: only sessions in the lobby with an open seat reserved for the bot with this handle.
        """
        request = _request(game, state, label)
        if reserved_for is not None:
            request.reserved_for = arguments.text("reserved_for", reserved_for, "the handle of a bot")
        return self._public(request)

    def my_sessions(
        self, *, game: str | None = None, state: State | None = None, label: str | Collection[str] | None = None
    ) -> AsyncGenerator[tuple[session_pb2.Session, api.SessionTurn], None]:
        """Yield the sessions in which the vouched player has or had a seat, with their turns, the most urgent first.

        Sessions whose turn has ``waits`` wait for the player and come first. A game that moves on meanwhile can come
        twice: use the later one. ``label``: as in ``sessions``.
        Raises IdentityMissing if the client sends no identity token.
        """
        request = _request(game, state, label)
        request.mine = True
        return self._mine(request)

    async def open_tables(self, *, game: str | None = None, per_cell: int = 10) -> Sequence[api.CellTables]:
        """Return open tables of each cell of the service, with their age in seconds, the server's own cell first.

        ``per_cell``: the largest number of tables of each cell, 1 to 50. Where a cell could not be reached,
        ``reached`` is false and the tables are those last known. Raises GameNotFound.
        """
        request = api.ListOpenTablesRequest(per_cell=arguments.whole("per_cell", per_cell, 1, 50))
        if game is not None:
            request.game = payload.game_id(game)
        return (await self._calls.call(rpcs.LIST_OPEN_TABLES, request)).cells

    async def _public(self, request: api.ListSessionsRequest) -> AsyncGenerator[session_pb2.Session, None]:
        async with aclosing(self._pages(request)) as pages:
            async for page in pages:
                for session in page.sessions:
                    yield session

    async def _mine(
        self, request: api.ListSessionsRequest
    ) -> AsyncGenerator[tuple[session_pb2.Session, api.SessionTurn], None]:
        async with aclosing(self._pages(request)) as pages:
            async for page in pages:
                for pair in zip(page.sessions, page.turns, strict=True):
                    yield pair

    async def _pages(self, request: api.ListSessionsRequest) -> AsyncGenerator[api.ListSessionsResponse, None]:
        while True:
            page = await self._calls.call(rpcs.LIST_SESSIONS, request)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token


def _request(game: str | None, state: str | None, label: str | Collection[str] | None) -> api.ListSessionsRequest:
    request = api.ListSessionsRequest(page_size=100)
    if game is not None:
        request.game = payload.game_id(game)
    if state is not None:
        chosen = arguments.choice("state", state, get_args(State))
        request.state = session_pb2.SessionState.Value(f"SESSION_STATE_{chosen.upper()}")
    if label is not None and not isinstance(label, str) and isinstance(label, Collection):
        request.labels.extend(arguments.text("label", one, _LABEL) for one in label)
    elif label is not None:
        request.label = arguments.text("label", label, _LABEL)
    return request
