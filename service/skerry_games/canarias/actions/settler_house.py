"""Building the house of a settler in hand."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.canarias.actions.construction import begin_piece
from skerry_games.canarias.actions.deck import not_in_hand
from skerry_games.canarias.events import Event, SettlerPlayed
from skerry_games.canarias.knowledge import played
from skerry_games.canarias.moves import Build
from skerry_games.canarias.printed.cards import FIRST_PIRATE, HOUSE_COLOUR, NO_CARD
from skerry_games.canarias.printed.terms import HOUSE
from skerry_games.canarias.state import LOADING, PLACING, TAKEN, State, is_pirate, with_card, with_seat, without_card


def can_build(state: State, me: int) -> bool:
    """Return whether the seat can build a house (CANARIAS-TURN-2, CANARIAS-TURN-5, CANARIAS-SUPPLY-1)."""
    return state.seats[me].free != 0 and any(state.houses_left) and not _must_draw(state, me)


def _must_draw(state: State, me: int) -> bool:
    """Return whether the seat began its turn with fewer than two cards or only pirates (CANARIAS-TURN-2)."""
    hand = state.seats[me].hand
    if state.extra >= 0:
        hand = without_card(hand, state.extra) or ()
    return len(hand) < 2 or hand[0] >= FIRST_PIRATE


def build(state: State, me: int, move: Build) -> Step[State, Event]:
    """Begin to build a settler's house.

    Raises IllegalMove (CANARIAS-TURN-1, CANARIAS-TURN-2, CANARIAS-TURN-5, CANARIAS-PIRATE-1, CANARIAS-SUPPLY-1) or
    MalformedMove.
    """
    seat, card = state.seats[me], move.card
    hand = without_card(seat.hand, card)
    if hand is None:
        raise not_in_hand(card)
    if refusal := _why_not(state, me, card):
        raise refusal
    begun = replace(
        state,
        phase=PLACING,
        seats=with_seat(state.seats, me, replace(seat, hand=hand)),
        discard=with_card(state.discard, card),  # CANARIAS-TURN-3
        extra=TAKEN if state.extra != NO_CARD else NO_CARD,
        resume=LOADING,
        card=card,
        piece=HOUSE,
        colour=HOUSE_COLOUR[card],
        known=played(state.known, me, card),
    )
    return begin_piece(begun, state.houses_left, (SettlerPlayed(me, card),))


def _why_not(state: State, me: int, card: int) -> IllegalMove | None:
    """Return the reason why that card in hand cannot build a house now, or ``None`` if it can."""
    if is_pirate(card):
        return IllegalMove("CANARIAS-PIRATE-1", "A pirate builds nothing: you can only put it on the ship.")
    if _must_draw(state, me):
        sentence = "You began your turn with fewer than two cards, or with pirates only: you must draw."
        return IllegalMove("CANARIAS-TURN-2", sentence)
    if not state.seats[me].free:
        sentence = "Your island has no empty square: draw cards, or build a palace or a town first."
        return IllegalMove("CANARIAS-TURN-5", sentence)
    if not any(state.houses_left):
        return IllegalMove("CANARIAS-SUPPLY-1", "No house of any colour is left in the supply.")
    return None
