"""Drawing cards, and the deck that is made of the discard pile."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove
from skerry_games.canarias.cards import ALL_CARDS
from skerry_games.canarias.events import CardDrawn, DeckRenewed, Event
from skerry_games.canarias.knowledge import drawn, renewed
from skerry_games.canarias.moves import DEAL_CARD, DealCard, Move
from skerry_games.canarias.state import Phase, State, with_card, with_seat, without_card
from skerry_games.sentences import player

HAND: Final = 5
"""Cards that each seat begins with (CANARIAS-SETUP-4)."""
DRAW_CARD: Final = Phase.DRAW_CARD
BUILD_OR_DRAW: Final = Phase.BUILD_OR_DRAW
START_SHIP: Final = Phase.START_SHIP


def drawable(state: State, count: int) -> int:
    """Return how many cards can be drawn when so many should be (CANARIAS-TURN-4)."""
    return min(count, len(state.deck) + len(state.discard))


def deal_moves(state: State) -> tuple[Move, ...]:
    """Return the cards that can come from the deck."""
    deals = DEAL_CARD[state.turn]
    return tuple([deals[card] for card in dict.fromkeys(state.deck)])


def check_card(card: int | None) -> None:
    """Raise MalformedMove for what is no card, or not shown."""
    if card is None:
        raise MalformedMove("Name the card.")
    if card not in ALL_CARDS:
        raise MalformedMove(f"There is no card {card!r}.")


def deal_card(state: State, actor: int, move: DealCard, told: list[Event]) -> State:
    """Draw a card into the hand of the seat whose turn it is. Raises IllegalMove (CANARIAS-TURN-1) or MalformedMove."""
    card, me = move.card, state.turn
    if card is None or card not in state.deck:
        check_card(card)
        raise IllegalMove("CANARIAS-TURN-1", "That card is not in the deck.")
    if move.seat != me:
        raise IllegalMove("CANARIAS-TURN-1", f"The card goes to {player(me)}.")
    seat = state.seats[me]
    told.append(CardDrawn(me, card))
    # Only the extra card is drawn before building or drawing (CANARIAS-TURN-2 looks at the hand without it).
    extra = card if state.resume is BUILD_OR_DRAW else state.extra
    return replace(
        state,
        seats=with_seat(state.seats, me, replace(seat, hand=with_card(seat.hand, card))),
        deck=without_card(state.deck, card),
        owed=state.owed - 1,
        extra=extra,
        known=drawn(state.known, me),
    )


def go_on_drawing(state: State, told: list[Event]) -> State:
    """Make a new deck if there is none, or go on if enough was drawn."""
    if not state.owed:
        return _next_hand(state) if state.resume is START_SHIP else replace(state, phase=state.resume)
    return state if state.deck else _renew(state, told)


def _next_hand(state: State) -> State:
    """Deal to the next seat, or begin the ship when all have their cards (CANARIAS-SETUP-4)."""
    turn = (state.turn + 1) % len(state.seats)
    if turn == state.start:
        return replace(state, phase=START_SHIP, turn=turn)
    return replace(state, turn=turn, owed=HAND)


def _renew(state: State, told: list[Event]) -> State:
    """Shuffle the discard pile into a new deck (CANARIAS-TURN-4)."""
    told.append(DeckRenewed(len(state.discard)))
    away = [card for seat in state.seats for card in seat.hand] + [card for card, _ in state.ship]
    known = renewed(state.known, state.discard, away, len(state.seats))
    return replace(state, deck=state.discard, discard=(), known=known)
