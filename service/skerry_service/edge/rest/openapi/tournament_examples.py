"""Examples of calls about tournaments. They are made up, because the real ones need hours of games."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import session_pb2
from skerry.v1 import tournament_pb2 as pb
from skerry_games.api import AnyGame
from skerry_service.wire.payloads import write_options

_SECONDS = 1_767_225_600
"""The beginning of 2026."""
_NAME, _TITLE = "tournaments/onvxg5dfnztg63ts", "Harbour cup"
_REQUEST_ID = "4f1a2b3c-5d6e-4f70-8a9b-0c1d2e3f4a5b"
_ORGANIZER, _ENTRANT = "skerry_host_onvxg5dfnztg63tsonvxg5dfnz", "skerry_seat_mfzwizltmfzwizltmfzwizltmf"


def tournament_calls(game: AnyGame) -> Mapping[str, tuple[Message, Message]]:
    """Return a request and its answer for each RPC about tournaments."""
    seats = game.seats[0]
    clock = session_pb2.Clock(correspondence=session_pb2.Correspondence(days=3))
    creating = pb.CreateTournamentRequest(
        title=_TITLE, game=game.id, seats=seats, clock=clock, games_at_once=8, request_id=_REQUEST_ID
    )
    creating.format = pb.TOURNAMENT_FORMAT_ROUND_ROBIN
    entering = pb.EnterTournamentRequest(name=_NAME, display_name="Ada", request_id=_REQUEST_ID)
    made, running = _tournament(game, seats), _tournament(game, seats)
    running.state = pb.TOURNAMENT_STATE_RUNNING
    running.begin_time.CopyFrom(_time(600))
    cancelled = _tournament(game, seats)
    cancelled.state = pb.TOURNAMENT_STATE_CANCELLED
    cancelled.end_time.CopyFrom(_time(900))
    return {
        "CreateTournament": (
            creating,
            pb.CreateTournamentResponse(tournament=made, organizer_token=_ORGANIZER),
        ),
        "GetTournament": (
            pb.GetTournamentRequest(name=_NAME),
            pb.GetTournamentResponse(tournament=running, standings=_standings(), games_finished=1, games_playing=1),
        ),
        "ListTournaments": (pb.ListTournamentsRequest(), pb.ListTournamentsResponse(tournaments=[running])),
        "EnterTournament": (
            entering,
            pb.EnterTournamentResponse(tournament=made, entrant=1, entrant_token=_ENTRANT),
        ),
        "LeaveTournament": (pb.LeaveTournamentRequest(name=_NAME), pb.LeaveTournamentResponse(tournament=made)),
        "StartTournament": (pb.StartTournamentRequest(name=_NAME), pb.StartTournamentResponse(tournament=running)),
        "CancelTournament": (
            pb.CancelTournamentRequest(name=_NAME),
            pb.CancelTournamentResponse(tournament=cancelled),
        ),
        "ListTournamentGames": (
            pb.ListTournamentGamesRequest(parent=_NAME, entrant=1),
            pb.ListTournamentGamesResponse(games=[_game()], state=pb.TOURNAMENT_STATE_RUNNING),
        ),
    }


def _tournament(game: AnyGame, seats: int) -> pb.Tournament:
    clock = session_pb2.Clock(
        correspondence=session_pb2.Correspondence(days=3), on_expiry=session_pb2.TIMEOUT_ACTION_END
    )
    return pb.Tournament(
        name=_NAME,
        title=_TITLE,
        game=game.id,
        ruleset=game.ruleset,
        seats=seats,
        options=write_options(game, game.options_type()),
        clock=clock,
        format=pb.TOURNAMENT_FORMAT_ROUND_ROBIN,
        meetings=1,
        most_entrants=16,
        games_at_once=8,
        state=pb.TOURNAMENT_STATE_OPEN,
        entrants=[
            pb.TournamentEntrant(number=1, display_name="Ada"),
            pb.TournamentEntrant(number=2, display_name="gull", bot="bots/gull"),
        ],
        create_time=_time(0),
    )


def _standings() -> list[pb.TournamentStanding]:
    return [
        pb.TournamentStanding(entrant=1, display_name="Ada", place=1, games=1, points=1),
        pb.TournamentStanding(entrant=2, display_name="gull", place=1, games=1),
    ]


def _game() -> pb.TournamentGame:
    seats = [
        pb.TournamentGameSeat(entrant=1, display_name="Ada", seat_token=_ENTRANT),
        pb.TournamentGameSeat(entrant=2, display_name="gull"),
    ]
    return pb.TournamentGame(session="sessions/mfzwizltmfzwizlt", number=1, seats=seats, start_time=_time(600))


def _time(later: int) -> Timestamp:
    return Timestamp(seconds=_SECONDS + later)
