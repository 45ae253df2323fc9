"""Laying characters face down below the column."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
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
"""For each move that can be made at some table its card, and by seat what is told of it."""


def laying_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return each kind of card in hand with each vacant space below which it may lie.

    A seat holds two thieves at most, and three cards or more when it lays its last, so it can always lay another
    character.
    """
    return _lays(state.seats[me].hand, state.vacant, len(state.cards))


# Large, because it is asked at four moves of five: 4 seats meet 24,000 pairs of a hand and vacant spaces, all tables
# together 34,000, which take 12 MiB. It answers half of the first 100 games, and nearly everything after 1,000.
# What it cannot answer is joined from lists of one card: 20,000 at most, 6 MiB, nearly all met in those 100 games.
@lru_cache(maxsize=1 << 16)
def _lays(hand: Hand, vacant: int, last: int) -> tuple[Lay, ...]:
    for_thieves = vacant & ~(1 << last)  # TENERIFE-ROUND-3
    lays: tuple[Lay, ...] = ()
    for card in dict.fromkeys(hand):
        lays += _lays_of(card, for_thieves if card in THIEVES else vacant)
    return lays


@lru_cache(maxsize=1 << 15)
def _lays_of(card: CharacterCard, spaces: int) -> tuple[Lay, ...]:
    """Return the moves that lay that card below one of a bit set of spaces."""
    return tuple([LAY[card][space - 1] for space in _SPACES if spaces >> space & 1])


def lay(state: State, me: int, move: Lay) -> Step[State, Event]:
    """Lay a card; when the column is full, reveal all of it.

    Raises IllegalMove (TENERIFE-ROUND-2, TENERIFE-ROUND-3, TENERIFE-TWO-2) or MalformedMove.
    """
    try:
        card, told = _LAID[move]
    except KeyError:
        raise MalformedMove(f"{move!r} does not name a card and a space.") from None
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
        return laid, (told[me],)
    return replace(laid, phase=ACTIVATE), (told[me], _reveal(laid))


@lru_cache(maxsize=1 << 10)
def _without(hand: Hand, card: CharacterCard) -> Hand:
    """Return the hand less one card of that kind."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _refuse(state: State, hand: Hand, card: CharacterCard, space: int) -> IllegalMove:
    """Say why that card of a hand may not lie there."""
    last = len(state.cards)
    if card not in hand:
        if COLOUR[card] is BackColour.SECOND and not state.turbulent:
            return IllegalMove("TENERIFE-TWO-2", "Only turbulent games have cards of a second colour.")
        return IllegalMove("TENERIFE-ROUND-2", f"You have no {_in_words(card, state)} in your hand.")
    if space > last:
        return IllegalMove("TENERIFE-ROUND-2", f"This table uses only spaces 1 to {last}.")
    if not state.vacant >> space & 1:
        return IllegalMove("TENERIFE-ROUND-2", f"A character already lies below space {space}.")
    return IllegalMove("TENERIFE-ROUND-3", f"Thieves may not lie below space {last}, the last one.")


def _in_words(card: CharacterCard, state: State) -> str:
    """Return ``farmer``, and of which colour where there are two."""
    colour = f" of {'your own' if COLOUR[card] is BackColour.OWN else 'the second'} colour" if state.turbulent else ""
    return f"{CHARACTER[card].name.lower()}{colour}"


def _reveal(state: State) -> CharactersRevealed:
    """Tell what lies below every space (TENERIFE-ROUND-4)."""
    spaces = enumerate(zip(state.owners, state.cards, strict=True), start=1)
    return CharactersRevealed(tuple([RevealedCard(space, owner, card) for space, (owner, card) in spaces if card]))
