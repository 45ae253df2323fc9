"""The calls of the asyncio client about tournaments. ``skerry_client.sync`` drives them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from uuid import uuid4

from skerry.v1 import tournament_pb2 as pb
from skerry_client import arguments
from skerry_client.calls import Calls
from skerry_client.handles import AsyncSeat
from skerry_client.transport import rpcs

_POLL_SECONDS = 1.0


class AsyncTournamentCalls:
    """Calls about tournaments, which are given by name: ``tournaments/{id}``."""

    _calls: Calls

    async def create_tournament(self, request: pb.CreateTournamentRequest) -> tuple[pb.Tournament, str]:
        """Create a tournament. Return it with the organizer token. Raises GameNotFound, InvalidRequest."""
        wanted = pb.CreateTournamentRequest()
        wanted.CopyFrom(request)
        wanted.request_id = request.request_id or str(uuid4())
        made = await self._calls.call(rpcs.CREATE_TOURNAMENT, wanted)
        return made.tournament, made.organizer_token

    async def tournament(self, name: str, organizer_token: str | None = None) -> pb.GetTournamentResponse:
        """Read a tournament with standings and rounds, and with its join code for the organizer.

        Raises TournamentNotFound, TokenInvalid.
        """
        return await self._calls.call(rpcs.GET_TOURNAMENT, pb.GetTournamentRequest(name=name), token=organizer_token)

    async def tournaments(self) -> AsyncGenerator[pb.Tournament, None]:
        """Yield the tournaments of the server, those in progress first."""
        request = pb.ListTournamentsRequest(page_size=100)
        while True:
            page = await self._calls.call(rpcs.LIST_TOURNAMENTS, request)
            for one in page.tournaments:
                yield one
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    async def enter_tournament(
        self,
        name: str,
        display_name: str = "",
        *,
        player_id: str = "",
        bot: str = "",
        request_id: str = "",
        join_code: str = "",
    ) -> tuple[int, str]:
        """Enter a person by name, or a bot of this client's API key. Return the entrant's number and its token.

        ``bot``: ``bots/{id}``. ``request_id``: for people, by default a new one. A repeat returns the same token.
        ``join_code``: the code from the organizer, where the tournament requires one.
        Raises TournamentNotFound, TournamentClosed, NameTaken, JoinCodeWrong, ApiKeyMissing, BotNotFound, NotAllowed.
        """
        request = pb.EnterTournamentRequest(name=name, display_name=display_name, player_id=player_id, bot=bot)
        request.join_code = join_code
        request.request_id = "" if bot else request_id or str(uuid4())
        entered = await self._calls.call(rpcs.ENTER_TOURNAMENT, request)
        return entered.entrant, entered.entrant_token

    async def leave_tournament(self, name: str, token: str, *, entrant: int = 0) -> pb.Tournament:
        """Leave a tournament before its start, with the entrant token, or remove an entrant as its organizer.

        ``entrant``: with the organizer token, the number of the entrant. Raises TournamentClosed, TokenInvalid,
        NotAllowed, InvalidField.
        """
        request = pb.LeaveTournamentRequest(name=name, entrant=entrant)
        return (await self._calls.call(rpcs.LEAVE_TOURNAMENT, request, token=token)).tournament

    async def start_tournament(self, name: str, organizer_token: str) -> pb.Tournament:
        """Start a tournament. Raises TournamentClosed, TokenInvalid, NotAllowed."""
        request = pb.StartTournamentRequest(name=name)
        return (await self._calls.call(rpcs.START_TOURNAMENT, request, token=organizer_token)).tournament

    async def cancel_tournament(self, name: str, organizer_token: str) -> pb.Tournament:
        """Cancel a tournament. Raises TournamentClosed, TokenInvalid, NotAllowed."""
        request = pb.CancelTournamentRequest(name=name)
        return (await self._calls.call(rpcs.CANCEL_TOURNAMENT, request, token=organizer_token)).tournament

    async def tournament_games(
        self, name: str, entrant_token: str | None = None, *, entrant: int = 0, playing: bool = False
    ) -> AsyncGenerator[pb.TournamentGame, None]:
        """Yield the games, those in play first. With the entrant token, its own seats have their tokens."""
        request = pb.ListTournamentGamesRequest(parent=name, entrant=entrant, playing=playing, page_size=100)
        while True:
            page = await self._calls.call(rpcs.LIST_TOURNAMENT_GAMES, request, token=entrant_token)
            for game in page.games:
                yield game
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    async def tournament_seats(
        self, name: str, entrant: int, entrant_token: str, *, wait_for: float | None = None
    ) -> list[AsyncSeat]:
        """Wait until an entrant has games in play, and return its seats; none once the tournament is over.

        ``wait_for``: seconds after which the call raises TimeoutError. Default: it waits for ever.
        """
        if wait_for is not None:
            arguments.seconds("wait_for", wait_for)
        request = pb.ListTournamentGamesRequest(parent=name, entrant=entrant, playing=True, page_size=100)
        async with asyncio.timeout(wait_for):
            while True:
                page = await self._calls.call(rpcs.LIST_TOURNAMENT_GAMES, request, token=entrant_token)
                seats = [
                    AsyncSeat(self._calls, game.session, one.seat_token, seat)
                    for game in page.games
                    for seat, one in enumerate(game.seats)
                    if one.seat_token
                ]
                if seats or page.state not in (pb.TOURNAMENT_STATE_OPEN, pb.TOURNAMENT_STATE_RUNNING):
                    return seats
                await asyncio.sleep(_POLL_SECONDS)
