"""Requests about tournaments."""

from __future__ import annotations

import re
from uuid import uuid4

from skerry.v1 import tournament_pb2 as pb
from skerry_games.pairing.form import PAIR, Format
from skerry_service.api.requests.calling_players import calling_name_of, calling_player_id
from skerry_service.api.requests.field_rules import LONGEST_TITLE, whole
from skerry_service.api.requests.ladder_requests import form_of, own_id_of, text_of
from skerry_service.api.requests.request_checks import choice_of, request_id_of
from skerry_service.domain.errors import InvalidField, TournamentNotFound
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.resource_ids import SERVICE_ID
from skerry_service.tournaments.tournament_records import StoredTournament

MOST_GAMES = 2_000
_USUAL_ENTRANTS = 16
_YEAR_MS = 366 * 86_400_000
_ID = re.compile(SERVICE_ID)
FORMATS = {
    pb.TOURNAMENT_FORMAT_ROUND_ROBIN: Format.ROUND_ROBIN,
    pb.TOURNAMENT_FORMAT_GAUNTLET: Format.GAUNTLET,
    pb.TOURNAMENT_FORMAT_SWISS: Format.SWISS,
    pb.TOURNAMENT_FORMAT_KNOCKOUT: Format.KNOCKOUT,
}


def tournament_of(name: str, field: str = "name") -> str:
    """Return the id in ``tournaments/{id}``. Raises InvalidField; TournamentNotFound for an id that none can have."""
    return own_id_of(name, field, "tournament", _ID, TournamentNotFound)


def new_tournament_of(
    request: pb.CreateTournamentRequest, games: NewGames, now_ms: int
) -> tuple[StoredTournament, bytes]:
    """Return the settings of a new tournament, and the request id. Raises InvalidField, GameNotFound, BadOptions."""
    game, options, clock = form_of(request, games)
    made = StoredTournament(
        title=text_of("title", request.title, LONGEST_TITLE),
        game=game.id,
        ruleset="",
        seats=request.seats,
        options=options,
        clock=clock,
        format=FORMATS[choice_of(request, "format", tuple(FORMATS))],
        rounds=_within(request, "rounds", 0) or None,
        meetings=_within(request, "meetings", 1),
        most_entrants=_within(request, "most_entrants", _USUAL_ENTRANTS),
        at_once=_within(request, "games_at_once", 1),
        start_ms=_start_of(request, now_ms),
        created_ms=0,
        salt=b"",
        organizer=b"",
        request=b"",
        requires_join_code=request.join_code_required,
    )
    _require_playable(made)
    return made, request_id_of(request.request_id or str(uuid4())) or b""


def _require_playable(made: StoredTournament) -> None:
    if not made.title.strip():
        raise InvalidField("title", phrase("field-title", most=LONGEST_TITLE))
    if made.rounds and made.format is not Format.SWISS:
        raise InvalidField("rounds", "Only a Swiss tournament has a number of rounds. Leave this out.")
    if made.format is Format.GAUNTLET and made.seats != PAIR:
        raise InvalidField("format", "A gauntlet has two seats. Choose another format.")
    if made.most_entrants < made.seats:
        raise InvalidField("most_entrants", phrase("field-entrants", seats=made.seats))
    if (games := made.most_games(made.most_entrants)) > MOST_GAMES:
        numbers = {"entrants": made.most_entrants, "games": grouped(games), "most": grouped(MOST_GAMES)}
        raise InvalidField("most_entrants", phrase("field-tournament-games", **numbers))


def person_of(request: pb.EnterTournamentRequest) -> tuple[str, str, bytes]:
    """Return the name and the id of a person who enters, and the request id. Raises InvalidField."""
    if not request.request_id:
        raise InvalidField("request_id", "Send a random (version 4) UUID, so that a repeat enters nobody twice.")
    request_id = request_id_of(request.request_id) or b""
    return calling_name_of(request.display_name), calling_player_id(request.player_id), request_id


def require_bot_alone(request: pb.EnterTournamentRequest) -> None:
    """Raise InvalidField if the entry of a bot has fields of a person."""
    for field in ("display_name", "player_id", "request_id"):
        if getattr(request, field):
            raise InvalidField(field, "Only people have this. Leave it out for a bot.")


def entrant_number_of(number: int) -> int:
    """Return the number of an entrant; 0 for all. Raises InvalidField."""
    if number < 0:
        raise InvalidField("entrant", "Entrants are numbered from 1. Send 0 for all.")
    return number


def _within(request: pb.CreateTournamentRequest, field: str, usual: int) -> int:
    given, rule = getattr(request, field), whole(f"CreateTournamentRequest.{field}")
    if not rule.allows(given):
        raise InvalidField(field, phrase("field-range-or-default", least=rule.least, most=rule.most, given=given))
    return given or usual


def _start_of(request: pb.CreateTournamentRequest, now_ms: int) -> int:
    """Return the start in ms; 0: the organizer starts the tournament."""
    if not request.HasField("start_time"):
        return 0
    start = request.start_time.seconds * 1000 + request.start_time.nanos // 1_000_000
    if not 0 < start <= now_ms + _YEAR_MS:
        raise InvalidField("start_time", "Send a time within a year from now, or leave this out.")
    return start
