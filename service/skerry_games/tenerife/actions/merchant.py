"""The merchant: placing its token, moving the token along roads, and scoring mansions of other seats."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
from skerry_games.tenerife.actions.character_column import ask, decided, no_effect, owner_at
from skerry_games.tenerife.actions.roads import destinations, foreign_mansions
from skerry_games.tenerife.actions.storage import transport_left
from skerry_games.tenerife.events import Event, MerchantMoved, Reason
from skerry_games.tenerife.moves import MOVE_MERCHANT, Move, MoveMerchant
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import NO_PLACE, PLACES, Phase, State, with_seat


def act_merchant(state: State, space: int) -> Step[State, Event]:
    """Place the token (TENERIFE-MERCHANT-1), or move it (TENERIFE-MERCHANT-2), if a transport space is vacant."""
    owner = owner_at(state, space)
    if not transport_left(state):
        return no_effect(state, space, Reason.NO_TRANSPORT)
    if state.seats[owner].merchant == NO_PLACE:
        return _move_token(state, space, state.place)
    places = destinations(state, owner)
    return _move_token(state, space, places[0]) if len(places) == 1 else ask(state, Phase.CHOOSE_DESTINATION, space)


def destination_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per place that the token can reach."""
    return tuple([MOVE_MERCHANT[place] for place in destinations(state, me)])


def move_merchant(state: State, me: int, move: MoveMerchant) -> Step[State, Event]:
    """Move the token to the chosen place. Raises IllegalMove (TENERIFE-MERCHANT-2) or MalformedMove."""
    if move.place not in PLACES:
        raise MalformedMove(phrase("tenerife-not-a-place", place=repr(move.place)))
    if move.place not in destinations(state, me):
        raise _refuse_destination(state, me, move.place)
    return _move_token(decided(state), state.active, move.place)


def _refuse_destination(state: State, me: int, place: int) -> IllegalMove:
    """Return the reason why the token cannot stop at that place."""
    name, reachable = BOARD.places[place].name, destinations(state, me)
    if place == state.seats[me].merchant:
        sentence = phrase("tenerife-merchant-already-must-move", name=name)
    elif not foreign_mansions(state, me, reachable[0]):
        sentence = phrase("tenerife-merchant-can-reach-no", name=name)
    elif not foreign_mansions(state, me, place):
        sentence = phrase("tenerife-no-other-player-has", name=name)
    else:
        sentence = phrase("tenerife-merchant-cannot-reach-without", name=name)
    return IllegalMove("TENERIFE-MERCHANT-2", sentence)


def _move_token(state: State, space: int, place: int) -> Step[State, Event]:
    """Take a transport space, put the token at the place, and score the mansions of other seats.

    TENERIFE-MERCHANT-3.
    """
    owner = owner_at(state, space)
    seat = state.seats[owner]
    origin = None if seat.merchant == NO_PLACE else seat.merchant
    points = foreign_mansions(state, owner, place)
    transport = (*state.transport, space)
    seats = with_seat(state, owner, replace(seat, merchant=place, score=seat.score + points))
    event = MerchantMoved(space, owner, origin, place, points, len(transport))
    return replace(state, seats=seats, transport=transport), (event,)
