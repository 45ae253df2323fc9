"""Requests about ladders and bots."""

from __future__ import annotations

import re
from collections.abc import Callable

from skerry.admin.v1 import admin_pb2
from skerry.v1 import ladder_pb2 as pb
from skerry.v1 import session_pb2, tournament_pb2
from skerry_games.api import AnyGame
from skerry_service.api.requests.field_rules import HASH, LONGEST_COMMIT, LONGEST_CONTACT, RESOURCE_ID
from skerry_service.api.requests.request_checks import choice_of, clock_of, display_name_of, game_with_options
from skerry_service.domain.errors import BotNotFound, InvalidField, LadderNotFound, SkerryError
from skerry_service.domain.languages.phrases import either, phrase, verbatim
from skerry_service.domain.log import pack
from skerry_service.domain.record import Clock, TimeoutAction
from skerry_service.domain.seating.display_names import is_printable
from skerry_service.ladders.ladder_games import DEFAULT_CLOCK
from skerry_service.ladders.ladder_records import RegisteredVersion, StoredLadder
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.resource_ids import CELL_SUFFIX, in_cell
from skerry_service.wire.payloads import read_options

LARGEST_PAGE = 100
_ID, _HASH = re.compile(RESOURCE_ID), re.compile(HASH)
_LADDER_ID = re.compile(RESOURCE_ID + CELL_SUFFIX)
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_SHOWN = 80


def ladder_of(name: str, field: str = "name") -> str:
    """Return the id in ``ladders/{id}``. Raises InvalidField; LadderNotFound for an id that no ladder can have."""
    return own_id_of(name, field, "ladder", _LADDER_ID, LadderNotFound)


def bot_name_of(name: str, field: str = "name") -> str:
    """Return the id in ``bots/{id}``. Raises InvalidField; BotNotFound for an id that no bot can have."""
    return own_id_of(name, field, "bot", _ID, BotNotFound)


def own_id_of(name: str, field: str, kind: str, form: re.Pattern[str], not_found: Callable[[str], SkerryError]) -> str:
    """Return the id in ``{kind}s/{id}``. Raises InvalidField, and ``not_found`` for an id of another form."""
    if not name.startswith(f"{kind}s/"):
        raise InvalidField(field, phrase("field-resource", kind=verbatim(kind)))
    own = name.removeprefix(f"{kind}s/")
    if not form.fullmatch(own):
        raise not_found(own[:_SHOWN])
    return own


def new_id_of(name: str, kind: str) -> str:
    """Return the id in the name of a new resource, ``{kind}/{id}``. Raises InvalidField."""
    found, _, own = name.partition("/")
    if found != kind or not _ID.fullmatch(own):
        raise InvalidField("name", phrase("field-new-id", kind=verbatim(kind)))
    return own


def hash_of(text: str) -> str:
    """Return the hash of a version. Raises InvalidField."""
    if not _HASH.fullmatch(text):
        raise InvalidField("hash", "Send the SHA-256 of the program or its weights: 64 hexadecimal digits, lower case.")
    return text


def registration_of(request: pb.RegisterBotRequest, now_ms: int) -> tuple[str, RegisteredVersion, str]:
    """Return the bot's id, its version and the contact. Raises InvalidField."""
    bot = display_name_of(new_id_of(request.name, "bots"), "name")
    commit = text_of("engine_commit", request.engine_commit, LONGEST_COMMIT)
    contact = text_of("contact", request.contact, LONGEST_CONTACT)
    return bot, RegisteredVersion(hash_of(request.hash), commit, now_ms), contact


def season_of(season: int) -> int:
    """Return the number of a season; 0 for the present one. Raises InvalidField."""
    if season < 0:
        raise InvalidField("season", "Seasons are numbered from 1. Send 0 for the present one.")
    return season


def page_size_of(size: int, default: int) -> int:
    """Return the size of a page. Raises InvalidField."""
    if size < 0:
        raise InvalidField("page_size", phrase("field-number-or-default", most=LARGEST_PAGE, default=default))
    return min(size, LARGEST_PAGE) or default


def number_of_token(token: str) -> int | None:
    """Return the number in a page token; ``None`` for the first page. Raises InvalidField."""
    if not token:
        return None
    if not _NUMBER.fullmatch(token):
        raise InvalidField("page_token", "This is no valid page token. Send the next_page_token of the page before.")
    return int(token)


def new_ladder_of(request: admin_pb2.CreateLadderRequest, games: NewGames) -> tuple[str, StoredLadder]:
    """Return the id and settings of a new ladder, without seasons.

    Raises InvalidField, GameNotFound, BadOptions.
    """
    game, options, clock = form_of(request, games)
    kinds = (pb.LADDER_KIND_BOTS, pb.LADDER_KIND_PEOPLE)
    people = choice_of(request, "kind", kinds) == pb.LADDER_KIND_PEOPLE
    own = new_id_of(request.name.removesuffix(in_cell("", games.cell)), "ladders")
    return in_cell(own, games.cell), StoredLadder(game.id, request.seats, options, clock, people, ())


def form_of(
    request: admin_pb2.CreateLadderRequest | tournament_pb2.CreateTournamentRequest, games: NewGames
) -> tuple[AnyGame, bytes, Clock]:
    """Return the game, the packed options and the clock of all games of a ladder or tournament.

    Raises InvalidField, GameNotFound, BadOptions.
    """
    game = game_with_options(request.game, (request.options,), games)
    if request.seats not in game.seats:
        raise InvalidField(
            "seats",
            phrase("field-seats-of-game", game=verbatim(game.title), allowed=either(game.seats), seats=request.seats),
        )
    options = read_options(request.options, game)
    game.setup(options, request.seats)
    clock = _ending_clock_of(request.clock) if request.HasField("clock") else None
    return game, pack(options), clock or DEFAULT_CLOCK


def _ending_clock_of(message: session_pb2.Clock) -> Clock | None:
    """Return a clock that ends the game when the time of a seat is up. Raises InvalidField."""
    ends = session_pb2.Clock()
    ends.CopyFrom(message)
    if message.on_expiry not in (0, TimeoutAction.END):
        raise InvalidField("clock.on_expiry", "The game ends when the time of a seat is up. Leave this out.")
    ends.on_expiry = session_pb2.TIMEOUT_ACTION_END
    return clock_of(ends)


def text_of(field: str, text: str, longest: int) -> str:
    """Return a text of printable characters. Raises InvalidField."""
    if len(text) > longest or (text and not is_printable(text)):
        raise InvalidField(field, phrase("field-text", most=longest))
    return text
