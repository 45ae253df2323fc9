"""Putting a card on the ship, which ends the turn. After the last turn of a round the ship arrives."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.canarias.actions.deck import not_in_hand
from skerry_games.canarias.actions.turn import begin_turn
from skerry_games.canarias.events import CardLoaded, Event, NothingLoaded, ShipArrived
from skerry_games.canarias.knowledge import arrived
from skerry_games.canarias.moves import Load
from skerry_games.canarias.printed.cards import NO_CARD
from skerry_games.canarias.state import UNLOADING, SeatState, Ship, State, with_seat, without_card


def load(state: State, me: int, move: Load) -> Step[State, Event]:
    """Put a card on the ship and end the turn (CANARIAS-SHIP-1).

    Raises IllegalMove (CANARIAS-TURN-1) or MalformedMove.
    """
    seat, card = state.seats[me], move.card
    if card is None or (hand := without_card(seat.hand, card)) is None:
        raise not_in_hand(card)
    seats = with_seat(state.seats, me, replace(seat, hand=hand))
    return _end_turn(state, seats, (*state.ship, (card, me)), (CardLoaded(me, card),))


def load_nothing(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """End the turn of a seat that has no card to load (CANARIAS-TURN-4)."""
    if state.seats[state.turn].hand:
        return state, events
    return _end_turn(state, state.seats, state.ship, (*events, NothingLoaded(state.turn)))


def _end_turn(state: State, seats: tuple[SeatState, ...], ship: Ship, events: tuple[Event, ...]) -> Step[State, Event]:
    """Begin the next turn, or let the ship arrive at the end of the round (CANARIAS-ARRIVE-1).

    ``seats``, ``ship``: their new values. ``events``: the events of the move so far.
    """
    following = (state.turn + 1) % len(seats)
    if following != state.start:
        return begin_turn(state, following, seats, ship, events)
    after = replace(
        state,
        phase=UNLOADING,
        seats=seats,
        ship=tuple(sorted(ship)),
        resume=UNLOADING,
        extra=NO_CARD,
        known=arrived(state.known, ship[1:], [seat.hand for seat in seats]),
    )
    return after, (*events, ShipArrived(len(ship)))
