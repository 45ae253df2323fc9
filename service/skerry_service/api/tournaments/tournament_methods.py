"""A method for each RPC about tournaments."""

from __future__ import annotations

from time import time_ns

from skerry.v1 import tournament_pb2 as pb
from skerry_service.access.caller_shares import current_share
from skerry_service.access.calling_key import current_key
from skerry_service.api.requests.ladder_requests import bot_name_of, number_of_token, page_size_of
from skerry_service.api.requests.tournament_requests import (
    entrant_number_of,
    new_tournament_of,
    person_of,
    require_bot_alone,
    tournament_of,
)
from skerry_service.api.tournaments.tournament_rendering import (
    STATES,
    write_game,
    write_round,
    write_tournament,
    write_tournament_standing,
)
from skerry_service.sessions.service import Sessions
from skerry_service.tournaments.tournaments import is_organizer

_USUAL_PAGE = 20


class TournamentMethods:
    """A method for each RPC about tournaments."""

    _sessions: Sessions

    async def create_tournament(
        self, request: pb.CreateTournamentRequest, token: str | None
    ) -> pb.CreateTournamentResponse:
        """Create a tournament."""
        wanted, request_id = new_tournament_of(request, self._sessions.new_games, time_ns() // 1_000_000)
        create, share, application = self._sessions.tournaments.creation.create, current_share(), current_key()
        name, made, organizer = await create(wanted, request_id, share, application)
        return pb.CreateTournamentResponse(
            tournament=write_tournament(name, made), organizer_token=organizer, join_code=made.join_code
        )

    async def get_tournament(self, request: pb.GetTournamentRequest, token: str | None) -> pb.GetTournamentResponse:
        """Return a tournament with its standings and rounds."""
        name = tournament_of(request.name)
        course = await self._sessions.tournaments.course(name)
        tournament = course.tournament
        organizes = token is not None and is_organizer(tournament, token)
        table = await self._sessions.tournaments.table(name, course)
        return pb.GetTournamentResponse(
            tournament=write_tournament(name, tournament),
            standings=[write_tournament_standing(tournament, row) for row in table.rows],
            rounds=[write_round(tournament, *one) for one in zip(table.rounds, table.advancing, strict=True)],
            current_round=write_round(tournament, table.current) if table.current else None,
            games_finished=len(course.results),
            games_playing=len(course.in_play),
            join_code=tournament.join_code if organizes else None,
        )

    async def list_tournaments(
        self, request: pb.ListTournamentsRequest, token: str | None
    ) -> pb.ListTournamentsResponse:
        """Return a page of the tournaments."""
        size, first = page_size_of(request.page_size, _USUAL_PAGE), number_of_token(request.page_token) or 0
        found, more = await self._sessions.tournaments.all(first, size)
        return pb.ListTournamentsResponse(
            tournaments=[write_tournament(*one) for one in found],
            next_page_token=str(first + size) if more else "",
        )

    async def enter_tournament(
        self, request: pb.EnterTournamentRequest, token: str | None
    ) -> pb.EnterTournamentResponse:
        """Enter a bot or a person."""
        name = tournament_of(request.name)
        if request.bot:
            require_bot_alone(request)
            bot = bot_name_of(request.bot, "bot")
            entry = await self._sessions.tournaments.enter_bot(name, bot, current_key(), request.join_code)
        else:
            entry = await self._sessions.tournaments.enter_person(name, *person_of(request), request.join_code)
        tournament, entrant, entrant_token = entry
        return pb.EnterTournamentResponse(
            tournament=write_tournament(name, tournament), entrant=entrant.number, entrant_token=entrant_token
        )

    async def leave_tournament(
        self, request: pb.LeaveTournamentRequest, token: str | None
    ) -> pb.LeaveTournamentResponse:
        """Take the caller out, or the entrant that the organizer names."""
        name = tournament_of(request.name)
        after = await self._sessions.tournaments.leave(name, token, request.entrant)
        return pb.LeaveTournamentResponse(tournament=write_tournament(name, after))

    async def start_tournament(
        self, request: pb.StartTournamentRequest, token: str | None
    ) -> pb.StartTournamentResponse:
        """Start a tournament."""
        name = tournament_of(request.name)
        after = await self._sessions.tournaments.start(name, token)
        return pb.StartTournamentResponse(tournament=write_tournament(name, after))

    async def cancel_tournament(
        self, request: pb.CancelTournamentRequest, token: str | None
    ) -> pb.CancelTournamentResponse:
        """Cancel a tournament."""
        name = tournament_of(request.name)
        after = await self._sessions.tournaments.cancel(name, token)
        return pb.CancelTournamentResponse(tournament=write_tournament(name, after))

    async def list_tournament_games(
        self, request: pb.ListTournamentGamesRequest, token: str | None
    ) -> pb.ListTournamentGamesResponse:
        """Return a page of the games."""
        name, wanted = tournament_of(request.parent, "parent"), entrant_number_of(request.entrant)
        size, last = page_size_of(request.page_size, _USUAL_PAGE), number_of_token(request.page_token)
        course, caller = await self._sessions.tournaments.playing(name, token)
        if not request.playing:
            course = await self._sessions.tournaments.with_results(name, course)
        tournament = course.tournament
        # Continues after the last game of the page before: games that have ended since change all numbers of places.
        found = [number for number in course.games_of(wanted) if last is None or course.position(number) > last]
        return pb.ListTournamentGamesResponse(
            games=[write_game(course, number, caller) for number in found[:size]],
            next_page_token=str(course.position(found[size - 1])) if len(found) > size else "",
            state=STATES[tournament.state],
        )
