"""Tournaments and their games as messages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from google.protobuf.timestamp_pb2 import Timestamp

from skerry.v1 import tournament_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_games.pairing.match import Match
from skerry_service.api.requests.tournament_requests import FORMATS
from skerry_service.domain.table import unpack_options
from skerry_service.tournaments.tournament_course import EntrantStanding, session_of_game
from skerry_service.tournaments.tournament_games import game_token
from skerry_service.tournaments.tournament_records import BegunGame, StoredTournament, TournamentResult, TournamentState
from skerry_service.tournaments.tournaments import TournamentProgress
from skerry_service.wire.payloads import write_options
from skerry_service.wire.session_messages import write_clock

STATES = {
    TournamentState.OPEN: pb.TOURNAMENT_STATE_OPEN,
    TournamentState.RUNNING: pb.TOURNAMENT_STATE_RUNNING,
    TournamentState.FINISHED: pb.TOURNAMENT_STATE_FINISHED,
    TournamentState.CANCELLED: pb.TOURNAMENT_STATE_CANCELLED,
}
_NUMBERS = {value: number for number, value in FORMATS.items()}


def write_tournament(name: str, tournament: StoredTournament) -> pb.Tournament:
    """Return a tournament as a message, without tokens and ids of players."""
    message = pb.Tournament(
        name=f"tournaments/{name}",
        title=tournament.title,
        game=tournament.game,
        ruleset=tournament.ruleset,
        seats=tournament.seats,
        clock=write_clock(tournament.clock),
        format=_NUMBERS[tournament.format],
        rounds=tournament.rounds or 0,
        meetings=tournament.meetings,
        most_entrants=tournament.most_entrants,
        games_at_once=tournament.at_once,
        state=STATES[tournament.state],
        create_time=_time(tournament.created_ms),
        start_time=_time(tournament.start_ms),
        begin_time=_time(tournament.started_ms),
        end_time=_time(tournament.ended_ms),
        reason=tournament.reason,
        join_code_required=tournament.requires_join_code,
        pairing_seed=tournament.seed if tournament.state is TournamentState.FINISHED else "",
    )
    if (game := all_games().get(tournament.game)) is not None:
        message.options.CopyFrom(write_options(game, unpack_options(tournament.game, tournament.options)))
    for one in tournament.entrants:
        message.entrants.add(number=one.number, display_name=one.name, bot=f"bots/{one.bot}" if one.bot else "")
    return message


def write_tournament_standing(tournament: StoredTournament, row: EntrantStanding) -> pb.TournamentStanding:
    """Return where an entrant stands as a message."""
    entrant = tournament.entrants[row.player]
    return pb.TournamentStanding(
        entrant=entrant.number,
        display_name=entrant.name,
        place=row.place,
        games=row.games,
        points=row.points,
        result=row.result,
        buchholz=row.buchholz,
    )


def write_round(
    tournament: StoredTournament, matches: Sequence[Match], advancing: Sequence[int | None] = ()
) -> pb.TournamentRound:
    """Return a round as a message. ``advancing``: the player that advances from each table."""
    message = pb.TournamentRound(playoff=matches[0].playoff)
    for match, best in zip_longest(matches, advancing):
        message.tables.add(
            entrants=[tournament.entrants[one].number for one in match.table],
            shares=[-1 if share is None else share for share in match.shares],
            advances=0 if best is None else tournament.entrants[best].number,
        )
    return message


def write_game(course: TournamentProgress, number: int, entrant: int) -> pb.TournamentGame:
    """Return a game, in play or over, as a message. ``entrant``: as in ``_write_in_play``."""
    begun = course.in_play.get(number)
    if begun is not None:
        return _write_in_play(course.tournament, number, begun, entrant)
    return _write_result(course.tournament, number, course.results[number])


def _write_in_play(tournament: StoredTournament, number: int, begun: BegunGame, entrant: int) -> pb.TournamentGame:
    """Return a game in play as a message. ``entrant``: the number of the caller, which gets its tokens; 0 for none."""
    message = pb.TournamentGame(
        session=f"sessions/{session_of_game(tournament, number)}",
        number=number,
        start_time=_time(begun.started_ms),
    )
    for seat, player in enumerate(begun.lineup):
        one = tournament.entrants[player]
        own = entrant and one.number == entrant
        token = game_token(tournament, number, seat) if own else ""
        message.seats.add(entrant=one.number, display_name=one.name, seat_token=token)
    return message


def _write_result(tournament: StoredTournament, number: int, result: TournamentResult) -> pb.TournamentGame:
    """Return a game that is over as a message."""
    numbers = {one.name: one.number for one in tournament.entrants}
    message = pb.TournamentGame(
        session=f"sessions/{session_of_game(tournament, number)}",
        number=number,
        start_time=_time(result.started_ms),
        end_time=_time(result.ended_ms),
        reason=result.reason,
        void=not result.counts,
    )
    for seat, name in enumerate(result.lineup):
        message.seats.add(
            entrant=numbers.get(name, 0),  # 0: renamed since the tournament was read
            display_name=name,
            rank=result.ranks[seat],
            score=result.scores[seat],
            failure=result.failures[seat],
        )
    return message


def _time(milliseconds: int) -> Timestamp | None:
    if not milliseconds:
        return None
    time = Timestamp()
    time.FromMilliseconds(milliseconds)
    return time
