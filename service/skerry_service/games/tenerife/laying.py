"""Laying characters face down below the column."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_service.games.api import IllegalMove, MalformedMove
from skerry_service.games.tenerife.column import Result
from skerry_service.games.tenerife.events import CharacterLaid, CharactersRevealed, RevealedCard
from skerry_service.games.tenerife.moves import LAY, Lay, Move
from skerry_service.games.tenerife.state import (
    ACTIVATE,
    CHARACTER,
    COLOUR,
    SPACES,
    THIEVES,
    Card,
    Colour,
    State,
    with_seat,
)

_CARDS: Final = frozenset(Card)
_SPACES: Final = range(1, max(SPACES.values()) + 1)


def laying_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return each kind of card in hand with each vacant space below which it may lie.

    A seat holds two thieves at most and keeps three cards or more at the end, so it can always lay another character.
    """
    vacant, for_thieves, listed = state.vacant, _for_thieves(state), list[Lay]()
    for card in dict.fromkeys(state.seats[me].hand):
        listed += _lays(card, for_thieves if card in THIEVES else vacant)
    return tuple(listed)


def _for_thieves(state: State) -> int:
    """Return the vacant spaces but the last one, below which thieves may not lie (TENERIFE-ROUND-3)."""
    return state.vacant & ~(1 << len(state.cards))


@lru_cache(maxsize=len(_CARDS) << len(_SPACES))
def _lays(card: Card, spaces: int) -> tuple[Lay, ...]:
    return tuple(LAY[card][space - 1] for space in _SPACES if spaces >> space & 1)


def lay(state: State, me: int, move: Lay) -> Result:
    """Lay a card; when the column is full, reveal all of it.

    Raises IllegalMove (TENERIFE-ROUND-2, TENERIFE-ROUND-3, TENERIFE-TWO-2) or MalformedMove.
    """
    space, card, seat = move.space, move.card, state.seats[me]
    bit = 1 << space if space in _SPACES else 0
    if card not in seat.hand or not bit & (_for_thieves(state) if card in THIEVES else state.vacant):
        raise _refuse(state, me, move)
    at = seat.hand.index(card)
    laid = replace(
        state,
        turn=(me + 1) % len(state.seats),
        seats=with_seat(state, me, replace(seat, hand=seat.hand[:at] + seat.hand[at + 1 :])),
        owners=(*state.owners[: space - 1], me, *state.owners[space:]),
        cards=(*state.cards[: space - 1], card, *state.cards[space:]),
        vacant=state.vacant & ~bit,
    )
    told = CharacterLaid(me, space, COLOUR[card], CHARACTER[card])
    if laid.vacant:
        return laid, (told,)
    return replace(laid, phase=ACTIVATE), (told, _reveal(laid))


def _refuse(state: State, me: int, move: Lay) -> IllegalMove:
    """Say why the card may not lie there. Raises MalformedMove for what is no card or no space."""
    if move.card not in _CARDS or move.space not in _SPACES:
        raise MalformedMove(f"{move!r} does not name a card and a space.")
    name, last = CHARACTER[move.card].name.lower(), len(state.cards)
    if COLOUR[move.card] is Colour.SECOND and not state.turbulent:
        return IllegalMove("TENERIFE-TWO-2", "Only in a turbulent game there are cards of a second colour.")
    if move.card not in state.seats[me].hand:
        return IllegalMove("TENERIFE-ROUND-2", f"You have no {name} of that colour in your hand.")
    if move.space > last:
        return IllegalMove("TENERIFE-ROUND-2", f"This table uses only the spaces 1 to {last}.")
    if not state.vacant >> move.space & 1:
        return IllegalMove("TENERIFE-ROUND-2", f"A character lies below space {move.space} already.")
    return IllegalMove("TENERIFE-ROUND-3", f"Thieves may not lie below the last space, {last}.")


def _reveal(state: State) -> CharactersRevealed:
    """Tell what lies below every space (TENERIFE-ROUND-4)."""
    spaces = enumerate(zip(state.owners, state.cards, strict=True), start=1)
    return CharactersRevealed(
        tuple([RevealedCard(space, owner, CHARACTER[card], COLOUR[card]) for space, (owner, card) in spaces if card])
    )
