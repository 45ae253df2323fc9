"""Sampling of the hidden state: the face-down cards of other seats are dealt anew."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Viewer
from skerry_games.rng import Rng
from skerry_games.tenerife.state import (
    COLOUR,
    THIEVES,
    BackColour,
    CharacterCard,
    Phase,
    State,
    full_hand,
    revealed,
    with_seat,
)


def redeal(state: State, viewer: Viewer, rng: Rng) -> State:
    """Return a state that the viewer cannot tell from the real one, with the hidden cards of other seats dealt anew.

    Each deal that fits the visible facts is equally likely: the owners and backs of the cards in the column
    (TENERIFE-TWO-2), and that no thieves lie below the last space (TENERIFE-ROUND-3). Revealed cards stay, and a
    finished game stays as it is. Town cards that are not turned up are not in the state.
    """
    if revealed(state) or state.phase is Phase.OVER:
        return state
    for seat in range(len(state.seats)):
        if seat != viewer:
            state = _redeal_seat(state, seat, rng)
    return state


def _redeal_seat(state: State, seat: int, rng: Rng) -> State:
    hand, cards = list[CharacterCard](), [*state.cards]
    owned = [card if owner == seat else None for owner, card in zip(state.owners, cards, strict=True)]
    for colour in BackColour:
        spaces = [at for at, card in enumerate(owned) if card and COLOUR[card] is colour]
        dealt = _deal([card for card in full_hand(state.turbulent) if COLOUR[card] is colour], spaces, state, rng)
        for at, card in zip(spaces, dealt, strict=False):
            cards[at] = card
        hand += dealt[len(spaces) :]
    changed = replace(state.seats[seat], hand=tuple(sorted(hand)))
    return replace(state, seats=with_seat(state, seat, changed), cards=tuple(cards))


def _deal(cards: list[CharacterCard], spaces: list[int], state: State, rng: Rng) -> tuple[CharacterCard, ...]:
    """Return the cards in random order: first the cards for the spaces, then those for the hand."""
    last = len(state.cards) - 1
    while True:
        dealt = rng.shuffle(cards)
        if last not in spaces or dealt[spaces.index(last)] not in THIEVES:
            return dealt
