"""Requests and responses of FindMatch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any
from uuid import UUID

from skerry.v1 import service_pb2 as pb
from skerry_games.api import AnyGame, BadOptions
from skerry_service.access.caller_shares import current_share
from skerry_service.access.calling_key import current_key
from skerry_service.access.client_addresses import StreamOrigin
from skerry_service.api.rendering import Renderer
from skerry_service.api.requests.calling_players import calling_name_of, calling_player_id
from skerry_service.api.requests.field_rules import most_items
from skerry_service.api.requests.request_checks import clock_of, display_name_of, game_with_options, player_id_of
from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import either, phrase
from skerry_service.domain.log import pack
from skerry_service.domain.seating.display_names import look_alike
from skerry_service.domain.table import unpack_options
from skerry_service.domain.tokens import Caller, Role
from skerry_service.matching.criteria import ClockRange, Criteria, Skill, time_of, with_time
from skerry_service.matching.matchmaker import MatchUpdate
from skerry_service.matching.no_shows import caller_of_address, caller_of_player
from skerry_service.matching.ticket_streams import MatchedPlayer, TicketRequest
from skerry_service.matching.tickets import CONFIRM_MS
from skerry_service.sessions.actions.new_games import NewGames
from skerry_service.sessions.resource_ids import in_cell
from skerry_service.wire.payloads import read_options, write_options
from skerry_service.wire.session_messages import write_clock

MOST_OPTIONS = most_items("FindMatchRequest.options")
MOST_CLOCKS = most_items("FindMatchRequest.clocks")
_MOST_IN_PARTY = most_items("FindMatchRequest.party")
MOST_SETTINGS = 32
"""Table settings of one ticket: numbers of seats, times options, times clocks."""
_NO_CLOCK = ClockRange(None)


def ticket_request_of(request: pb.FindMatchRequest, games: NewGames) -> TicketRequest:
    """Return the ticket request of a call. Raises InvalidField, GameNotFound, BadOptions."""
    game = game_with_options(request.game, request.options, games)
    name, player_id = calling_name_of(request.display_name), calling_player_id(request.player_id)
    _require_at_most("options", len(request.options), MOST_OPTIONS)
    _require_at_most("clocks", len(request.clocks), MOST_CLOCKS)
    options = [read_options(one, game) for one in request.options] or [game.options_type()]
    clocks = tuple([_range_of(one, f"clocks[{at}]") for at, one in enumerate(request.clocks)]) or (_NO_CLOCK,)
    seats = _seats_of(request.seats, game)
    if len(seats) * len(options) * len(clocks) > MOST_SETTINGS:
        raise InvalidField("options", phrase("field-combinations", most=MOST_SETTINGS))
    players = (MatchedPlayer(name, player_id), *_party_of(request.party))
    if any(look_alike(one.name, other.name) for one, other in combinations(players, 2)):
        raise InvalidField("party", "The display names of a party must be distinguishable.")
    if request.rated and not all(one.player_id for one in players):
        raise InvalidField("rated", "Players of a rated table need ids. Send player_id, also for each party member.")
    if len(players) > max(seats):
        raise InvalidField("party", phrase("field-party", seats=max(seats), players=len(players)))
    roomy = [number for number in seats if number >= len(players)]
    criteria = Criteria(tuple(_fitting(game, roomy, options)), clocks, _skill_of(request), request.rated)
    return TicketRequest(game, criteria, players, current_share(), current_key())


def _party_of(members: Sequence[pb.PartyMember]) -> Iterator[MatchedPlayer]:
    _require_at_most("party", len(members), _MOST_IN_PARTY)
    for at, member in enumerate(members):
        name = display_name_of(member.display_name, f"party[{at}].display_name")
        yield MatchedPlayer(name, player_id_of(member.player_id, f"party[{at}].player_id"))


def _skill_of(request: pb.FindMatchRequest) -> Skill | None:
    if not request.HasField("skill"):
        return None
    if request.skill.range < 0:
        raise InvalidField("skill.range", phrase("field-skill-range", range=request.skill.range))
    return Skill(request.skill.value, request.skill.range)


def callers_of(ticket: TicketRequest, origin: StreamOrigin) -> tuple[bytes, ...]:
    """Return hashes of those who answer for a ticket whose proposal is not confirmed.

    Without an API key, that is the address. A key answers for its players, or for itself if they have no player ids.
    """
    callers = [caller_of_address(origin.reader)] if origin.reader else []
    if origin.key:
        callers = [caller_of_player(origin.key, player.player_id) for player in ticket.players]
    return tuple(sorted(set(callers)))


def write_match_update(update: MatchUpdate, game: AnyGame, renderer: Renderer, cell: str) -> pb.FindMatchResponse:
    """Return an update of the matchmaker as a message. ``cell``: that of the ticket."""
    ticket = in_cell(str(UUID(bytes=update.ticket)), cell)
    message = pb.FindMatchResponse(ticket=ticket, heartbeat=update.heartbeat)
    if update.proposal is not None:
        message.proposal.id, message.proposal.within_ms = update.proposal, CONFIRM_MS
    if (setting := update.setting) is not None:
        message.proposal.seats, message.proposal.rated = setting.seats, setting.rated
        message.proposal.options.CopyFrom(write_options(game, unpack_options(game.id, setting.options, game.ruleset)))
        if setting.clock is not None:
            message.proposal.clock.CopyFrom(write_clock(setting.clock))
    if update.others is not None:
        message.waiting.other_players, message.waiting.held_ms = update.others, update.held_ms
    if update.found:
        found = update.found[0]
        message.session.MergeFromString(renderer.session(found.table, Caller(Role.SEAT, found.seat)))
        message.seat, message.seat_token = found.seat, found.token
        message.party.extend([pb.PartySeat(seat=one.seat, seat_token=one.token) for one in update.found[1:]])
    return message


def _require_at_most(field: str, count: int, most: int) -> None:
    if count > most:
        raise InvalidField(field, phrase("field-items", most=most, number=count))


def _seats_of(given: Sequence[int], game: AnyGame) -> tuple[int, ...]:
    for seats in given:
        if seats not in game.seats:
            raise InvalidField("seats", phrase("field-seats", seats=seats, allowed=either(game.seats)))
    return tuple(dict.fromkeys(given)) or tuple(game.seats)


def _range_of(message: pb.ClockRange, path: str) -> ClockRange:
    least = clock_of(message.least) if message.HasField("least") else None
    most = clock_of(message.most) if message.HasField("most") else least
    if with_time(least, 0) != with_time(most, 0):
        raise InvalidField(f"{path}.most", "The clocks `most` and `least` may differ only in their times.")
    if time_of(most) < time_of(least):
        raise InvalidField(f"{path}.most", "The time of `most` is shorter than that of `least`.")
    return ClockRange(least, time_of(most))


def _fitting(game: AnyGame, seats: Sequence[int], options: Sequence[Any]) -> Iterator[tuple[int, bytes]]:
    """Yield each number of seats with each of the options that fit it. Raises BadOptions if no pair fits."""
    refusal, found = None, set()
    for number in seats:
        for one in options:
            try:
                game.setup(one, number)
            except BadOptions as error:
                refusal = error
            else:
                if (table := (number, pack(one))) not in found:
                    found.add(table)
                    yield table
    if refusal is not None and not found:
        raise refusal
