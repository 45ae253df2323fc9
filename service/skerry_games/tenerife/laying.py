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
    FACES,
    SPACES,
    THIEVES,
    Card,
    Colour,
    Hand,
    State,
    with_item,
    with_seat,
)

_SPACES: Final = range(1, max(SPACES.values()) + 1)


def laying_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return each kind of card in hand with each vacant space below which it may lie.

    A seat holds two thieves at most, and three cards or more when it lays its last, so it can always lay another
    character.
    """
    return _lays(state.seats[me].hand, state.vacant, len(state.cards))


# Large, because it is asked at four moves of five: 4 seats meet 24,000 pairs of a hand and vacant spaces, all tables
# together 34,000, which take 12 MiB. It answers half of the first 100 games, and nearly everything after 1,000.
@lru_cache(maxsize=1 << 16)
def _lays(hand: Hand, vacant: int, last: int) -> tuple[Lay, ...]:
    spaces = [space for space in _SPACES if vacant >> space & 1]
    return tuple(
        [LAY[card][space - 1] for card in dict.fromkeys(hand) for space in spaces if _may_lie(card, space, last)]
    )


def _may_lie(card: Card, space: int, last: int) -> bool:
    """Return whether that card is allowed there: thieves not below the last space (TENERIFE-ROUND-3)."""
    return space != last or card not in THIEVES


def lay(state: State, me: int, move: Lay) -> Step[State, Event]:
    """Lay a card; when the column is full, reveal all of it.

    Raises IllegalMove (TENERIFE-ROUND-2, TENERIFE-ROUND-3, TENERIFE-TWO-2) or MalformedMove.
    """
    space, card, seat = move.space, FACES.get((move.character, move.colour)), state.seats[me]
    bit = 1 << space if space in _SPACES else 0
    if card is None or card not in seat.hand or not bit & state.vacant or not _may_lie(card, space, len(state.cards)):
        raise _refuse(state, me, move)
    laid = replace(
        state,
        turn=(me + 1) % len(state.seats),
        seats=with_seat(state, me, replace(seat, hand=_without(seat.hand, card))),
        owners=with_item(state.owners, space - 1, me),
        cards=with_item(state.cards, space - 1, card),
        vacant=state.vacant & ~bit,
    )
    told = CharacterLaid(me, space, move.colour, move.character)
    if laid.vacant:
        return laid, (told,)
    return replace(laid, phase=ACTIVATE), (told, _reveal(laid))


@lru_cache(maxsize=1 << 10)
def _without(hand: Hand, card: Card) -> Hand:
    """Return the hand less one card of that kind."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def _refuse(state: State, me: int, move: Lay) -> IllegalMove:
    """Say why the card may not lie there. Raises MalformedMove for what is no card or no space."""
    card = FACES.get((move.character, move.colour))
    if card is None or move.space not in _SPACES:
        raise MalformedMove(f"{move!r} does not name a card and a space.")
    last = len(state.cards)
    if move.colour is Colour.SECOND and not state.turbulent:
        return IllegalMove("TENERIFE-TWO-2", "Only turbulent games have cards of a second colour.")
    if card not in state.seats[me].hand:
        return IllegalMove("TENERIFE-ROUND-2", f"You have no {_in_words(card, state)} in your hand.")
    if move.space > last:
        return IllegalMove("TENERIFE-ROUND-2", f"This table uses only spaces 1 to {last}.")
    if not state.vacant >> move.space & 1:
        return IllegalMove("TENERIFE-ROUND-2", f"A character already lies below space {move.space}.")
    return IllegalMove("TENERIFE-ROUND-3", f"Thieves may not lie below space {last}, the last one.")


def _in_words(card: Card, state: State) -> str:
    """Return ``farmer``, and of which colour where there are two."""
    colour = f" of {'your own' if COLOUR[card] is Colour.OWN else 'the second'} colour" if state.turbulent else ""
    return f"{CHARACTER[card].name.lower()}{colour}"


def _reveal(state: State) -> CharactersRevealed:
    """Tell what lies below every space (TENERIFE-ROUND-4)."""
    spaces = enumerate(zip(state.owners, state.cards, strict=True), start=1)
    return CharactersRevealed(tuple([RevealedCard(space, owner, card) for space, (owner, card) in spaces if card]))
