"""Drawing cards instead of building, the extra card, and turning the discard pile into the deck."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.canarias.events import CardDrawn, DeckRenewed, DrawingBegun, Event, ExtraTaken
from skerry_games.canarias.knowledge import drawn, renewed
from skerry_games.canarias.moves import DEAL_CARD, DealCard, Draw, Move, TakeExtra
from skerry_games.canarias.printed.cards import ALL_CARDS, COLOUR_OF, NO_CARD
from skerry_games.canarias.printed.terms import Power
from skerry_games.canarias.state import (
    BUILD_OR_DRAW,
    DRAWING,
    LOADING,
    STARTING_SHIP,
    TAKEN,
    State,
    holds,
    with_card,
    with_seat,
    without_card,
)
from skerry_games.sentences import phrase, player

HAND: Final = 5
"""Cards in the first hand of a seat (CANARIAS-SETUP-4)."""
DRAWN: Final = 3
DRAWN_WITH_PRIVILEGE: Final = 5
EXTRA: Final = COLOUR_OF[Power.CARD]
"""Comparing the owner of this colour directly saves each listing a call of ``holds``."""


def draw_cards(state: State, me: int, move: Draw) -> Step[State, Event]:
    """Begin to draw 3 cards, or 5 with the privilege, or as many as there are (CANARIAS-TURN-1, CANARIAS-PRIV-DRAW)."""
    owed = _drawable(state, DRAWN_WITH_PRIVILEGE if holds(state, me, Power.DRAW) else DRAWN)
    extra = TAKEN if state.extra != NO_CARD else NO_CARD
    return replace(state, phase=DRAWING, resume=LOADING, owed=owed, extra=extra), (DrawingBegun(me, owed),)


def _drawable(state: State, count: int) -> int:
    """Return ``count``, or the number of available cards if there are fewer (CANARIAS-TURN-4)."""
    return min(count, len(state.deck) + len(state.discard))


def can_take_extra(state: State, me: int) -> bool:
    """Return whether the seat can take its extra card now (CANARIAS-PRIV-CARD)."""
    return state.privileges[EXTRA] == me and state.extra == NO_CARD and _drawable(state, 1) > 0


def take_extra(state: State, me: int, move: TakeExtra) -> Step[State, Event]:
    """Begin to draw the extra card of the turn. Raises IllegalMove (CANARIAS-PRIV-CARD, CANARIAS-TURN-4)."""
    if refusal := _why_no_extra(state, me):
        raise refusal
    return replace(state, phase=DRAWING, resume=state.phase, owed=1, extra=TAKEN), (ExtraTaken(me),)


def _why_no_extra(state: State, me: int) -> IllegalMove | None:
    """Return the reason why the seat cannot take an extra card, or ``None`` if it can."""
    if not holds(state, me, Power.CARD):
        return IllegalMove("CANARIAS-PRIV-CARD", "You do not own the privilege for an extra card.")
    if state.extra != NO_CARD:
        return IllegalMove("CANARIAS-PRIV-CARD", "You have already taken the extra card of this turn.")
    if not _drawable(state, 1):
        return IllegalMove("CANARIAS-TURN-4", "The deck and the discard pile are empty.")
    return None


def deal_moves(state: State) -> tuple[Move, ...]:
    """Return a move per kind of card in the deck."""
    deals = DEAL_CARD[state.turn]
    return tuple([deals[card] for card in dict.fromkeys(state.deck)])


def known_card(card: int | None) -> int:
    """Return the card. Raises MalformedMove if it is masked or does not exist."""
    if card is None:
        raise MalformedMove("The move names no card: name one.")
    if card not in ALL_CARDS:
        raise MalformedMove(phrase("canarias-no-card", card=repr(card)))
    return card


def not_in_hand(card: int | None) -> IllegalMove:
    """Return the refusal of a card that is not in the hand. Raises MalformedMove if the card does not exist."""
    known_card(card)
    return IllegalMove("CANARIAS-TURN-1", "That card is not in your hand.")


def deal_card(state: State, actor: int, move: DealCard) -> Step[State, Event]:
    """Deal a card to the seat whose turn it is. Raises IllegalMove (CANARIAS-TURN-1) or MalformedMove."""
    card, me = move.card, state.turn
    if card is None or (deck := without_card(state.deck, card)) is None:
        known_card(card)
        raise IllegalMove("CANARIAS-TURN-1", "That card is not in the deck.")
    if move.seat != me:
        raise IllegalMove("CANARIAS-TURN-1", phrase("canarias-card-goes", me=player(me)))
    seat = state.seats[me]
    owed, resume = state.owed - 1, state.resume
    # CANARIAS-TURN-2 ignores an extra card that was drawn before building or drawing.
    extra = card if resume is BUILD_OR_DRAW else state.extra
    dealt = replace(
        state,
        # During setup, ``continue_drawing`` first deals the next hand.
        phase=DRAWING if owed or resume is STARTING_SHIP else resume,
        seats=with_seat(state.seats, me, replace(seat, hand=with_card(seat.hand, card))),
        deck=deck,
        owed=owed,
        extra=extra,
        known=drawn(state.known, me),
    )
    return dealt, (CardDrawn(me, card),)


def continue_drawing(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Renew an empty deck, or continue with the next phase after the last card."""
    if not state.owed:
        return _next_hand(state) if state.resume is STARTING_SHIP else replace(state, phase=state.resume), events
    return (state, events) if state.deck else _renew(state, events)


def _next_hand(state: State) -> State:
    """Deal to the next seat, or start the ship after the last hand (CANARIAS-SETUP-4)."""
    turn = (state.turn + 1) % len(state.seats)
    if turn == state.start:
        return replace(state, phase=STARTING_SHIP, turn=turn)
    return replace(state, turn=turn, owed=HAND)


def _renew(state: State, events: tuple[Event, ...]) -> Step[State, Event]:
    """Turn the discard pile into the deck (CANARIAS-TURN-4)."""
    away = [card for seat in state.seats for card in seat.hand] + [card for card, _ in state.ship]
    known = renewed(state.known, state.discard, away, len(state.seats))
    return replace(state, deck=state.discard, discard=(), known=known), (*events, DeckRenewed(len(state.discard)))
