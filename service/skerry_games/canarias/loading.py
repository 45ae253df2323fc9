"""Putting a card on the ship, which ends the turn; after the last turn of the round the ship arrives."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.canarias.cards import NO_CARD
from skerry_games.canarias.deck import not_in_hand
from skerry_games.canarias.events import CardLoaded, Event, NothingLoaded, ShipArrived
from skerry_games.canarias.knowledge import arrived
from skerry_games.canarias.moves import Load
from skerry_games.canarias.state import UNLOADING, State, with_seat, without_card
from skerry_games.canarias.turn import begin_turn


def load(state: State, me: int, move: Load) -> Step[State, Event]:
    """Put a card on the ship, which ends the turn (CANARIAS-SHIP-1). Raises IllegalMove (CANARIAS-TURN-1)."""
    seat, card = state.seats[me], move.card
    if card is None or (hand := without_card(seat.hand, card)) is None:
        raise not_in_hand(card)
    loaded = replace(
        state,
        seats=with_seat(state.seats, me, replace(seat, hand=hand)),
        ship=(*state.ship, (card, me)),
    )
    return _end_turn(loaded, (CardLoaded(me, card),))


def load_nothing(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """End a turn in which there was no card to draw and none is left to load (CANARIAS-TURN-4)."""
    if state.seats[state.turn].hand:
        return state, events
    return _end_turn(state, (*events, NothingLoaded(state.turn)))


def _end_turn(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Begin the next turn, or let the ship arrive at the end of the round (CANARIAS-ARRIVE-1)."""
    following = (state.turn + 1) % len(state.seats)
    if following != state.start:
        return begin_turn(state, following, events)
    ship = tuple(sorted(state.ship))
    known = arrived(state.known, state.ship[1:], [seat.hand for seat in state.seats])
    after = replace(state, phase=UNLOADING, resume=UNLOADING, ship=ship, extra=NO_CARD, known=known)
    return after, (*events, ShipArrived(len(ship)))
