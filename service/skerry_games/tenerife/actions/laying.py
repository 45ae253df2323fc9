"""Laying characters face down below the spaces of the column."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
from skerry_games.tenerife.events import CharacterLaid, CharactersRevealed, Event, RevealedCard
from skerry_games.tenerife.moves import LAY, Lay, Move
from skerry_games.tenerife.state import (
    ACTIVATE,
    CHARACTER,
    COLOUR,
    SPACES,
    THIEVES,
    BackColour,
    CharacterCard,
    Hand,
    State,
)

_SPACES: Final = range(1, max(SPACES.values()) + 1)
_LAID: Final = {
    move: (card, tuple(CharacterLaid(seat, move.space, move.colour, move.character) for seat in range(max(SPACES))))
    for card, moves in LAY.items()
    for move in moves
}
"""For each possible move: its card, and its event by seat."""


def laying_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the moves for each kind of card in hand and each vacant space that the card may take.

    There is always a move. A seat holds two thieves at most and at least three cards when it lays its last one, so it
    holds another character too.
    """
    return _lays(state.seats[me].hand, state.vacant, len(state.cards))


# The cache is large because four of five moves are listed here. Games with 4 seats reach 24,000 pairs of a hand and
# vacant spaces, games with any number of seats 34,000 in total, which take 12 MiB. The cache hits half of the listings
# in the first 100 games, and nearly all after 1,000. A miss joins lists of single cards: at most 20,000, 6 MiB, nearly
# all of them cached after those 100 games.
@lru_cache(maxsize=1 << 16)
def _lays(hand: Hand, vacant: int, last: int) -> tuple[Lay, ...]:
    for_thieves = vacant & ~(1 << last)  # TENERIFE-ROUND-3
    lays: tuple[Lay, ...] = ()
    for card in dict.fromkeys(hand):
        lays += _lays_of(card, for_thieves if card in THIEVES else vacant)
    return lays


@lru_cache(maxsize=1 << 15)
def _lays_of(card: CharacterCard, spaces: int) -> tuple[Lay, ...]:
    """Return the moves that lay the card below each of a bit set of spaces."""
    return tuple([LAY[card][space - 1] for space in _SPACES if spaces >> space & 1])


def lay(state: State, me: int, move: Lay) -> Step[State, Event]:
    """Lay a card. When the column is full, reveal all cards.

    Raises IllegalMove (TENERIFE-ROUND-2, TENERIFE-ROUND-3, TENERIFE-TWO-2) or MalformedMove.
    """
    try:
        card, events = _LAID[move]
    except KeyError:
        raise MalformedMove(phrase("tenerife-no-card-or-space", move=repr(move))) from None
    space, vacant, seats, cards = move.space, state.vacant, [*state.seats], [*state.cards]
    seat = seats[me]
    hand = seat.hand
    if card not in hand or not vacant >> space & 1 or (card in THIEVES and space == len(cards)):
        raise _refuse(state, hand, card, space)
    owners = [*state.owners]
    seats[me] = replace(seat, hand=_without(hand, card))
    owners[space - 1], cards[space - 1] = me, card
    laid = replace(
        state,
        turn=(me + 1) % len(seats),
        seats=tuple(seats),
        owners=tuple(owners),
        cards=tuple(cards),
        vacant=vacant ^ 1 << space,
    )
    if laid.vacant:
        return laid, (events[me],)
    return replace(laid, phase=ACTIVATE), (events[me], _reveal(laid))


@lru_cache(maxsize=1 << 10)
def _without(hand: Hand, card: CharacterCard) -> Hand:
    """Return the hand without one card of that kind."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _refuse(state: State, hand: Hand, card: CharacterCard, space: int) -> IllegalMove:
    """Return the reason why the seat cannot lay that card below that space."""
    last = len(state.cards)
    if card not in hand:
        if COLOUR[card] is BackColour.SECOND and not state.turbulent:
            return IllegalMove("TENERIFE-TWO-2", "This game has no second colour: only turbulent games do.")
        return IllegalMove("TENERIFE-ROUND-2", phrase("tenerife-have-no-hand", in_words=_in_words(card, state)))
    if space > last:
        return IllegalMove("TENERIFE-ROUND-2", phrase("tenerife-space-not-use-this", space=space, last=last))
    if not state.vacant >> space & 1:
        return IllegalMove("TENERIFE-ROUND-2", phrase("tenerife-character-already-lies-below", space=space))
    return IllegalMove("TENERIFE-ROUND-3", phrase("tenerife-cannot-lay-thieves-below", last=last))


def _in_words(card: CharacterCard, state: State) -> str:
    """Return ``farmer``, with its colour in a turbulent game."""
    character = CHARACTER[card].name.lower()
    if not state.turbulent:
        return character
    own = COLOUR[card] is BackColour.OWN
    return phrase("tenerife-own-colour" if own else "tenerife-second-colour", character=character)


def _reveal(state: State) -> CharactersRevealed:
    """Return the event that names all cards, by space (TENERIFE-ROUND-4)."""
    spaces = enumerate(zip(state.owners, state.cards, strict=True), start=1)
    return CharactersRevealed(tuple([RevealedCard(space, owner, card) for space, (owner, card) in spaces if card]))
