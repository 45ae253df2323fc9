"""Choosing objectives: all seats at the same time, in secret."""

from __future__ import annotations

from itertools import permutations, product
from typing import Final

from msgspec.structs import replace

from skerry_service.games.api import IllegalMove, MalformedMove
from skerry_service.games.small_islands.components import COMPONENTS
from skerry_service.games.small_islands.events import Event, ExplorationBegun, ObjectiveChosen
from skerry_service.games.small_islands.moves import ChooseObjective, Move
from skerry_service.games.small_islands.state import Deck, State
from skerry_service.games.small_islands.turns import begin_turn

_CARDS: Final = range(len(COMPONENTS.cards))


def seats_choosing(state: State) -> tuple[int, ...]:
    """Return the seats that have not chosen an objective for this round (SMALL-PREP-2)."""
    return tuple([seat for seat in range(len(state.seats)) if not state.chosen >> seat & 1])


def objective_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every choice: a card of each kind for the round, another to put aside (SMALL-PREP-2, SMALL-PREP-3)."""
    pairs = [permutations(deck.cards[me], 2) for deck in state.decks]
    return tuple([ChooseObjective(*map(tuple, zip(*each, strict=True))) for each in product(*pairs)])


def choose_objective(state: State, me: int, move: ChooseObjective) -> tuple[State, tuple[Event, ...]]:
    """Choose an objective; with the last choice the exploration begins. Raises IllegalMove or MalformedMove.

    SMALL-PREP-2, SMALL-PREP-3, SMALL-PREP-4.
    """
    if not all(card in _CARDS for card in (*move.chosen, *move.aside)):
        raise MalformedMove("That is not a card.")
    _check_choice(state, me, move)
    decks = tuple(
        _sorted_out(deck, me, chosen, aside)
        for deck, chosen, aside in zip(state.decks, move.chosen, move.aside, strict=True)
    )
    returned = tuple(deck.cards[me][2] for deck in decks)
    told = ObjectiveChosen(me, move.chosen, move.aside, returned)
    after = replace(state, decks=decks, chosen=state.chosen | 1 << me)
    if seats_choosing(after):
        return after, (told,)
    return begin_turn(replace(after, turn=state.first), (told, ExplorationBegun(state.first)))


def _check_choice(state: State, me: int, move: ChooseObjective) -> None:
    kinds = len(state.decks)
    rule = "SMALL-PREP-2" if kinds == 1 else "SMALL-PREP-3"
    if not len(move.chosen) == len(move.aside) == kinds:
        raise IllegalMove(rule, "Choose one card of each kind, and put one of each kind aside.")
    for deck, chosen, aside in zip(state.decks, move.chosen, move.aside, strict=True):
        if chosen not in deck.cards[me] or aside not in deck.cards[me]:
            raise IllegalMove(rule, "Choose among your own cards, in the order objective, or mission and reward.")
        if chosen == aside:
            raise IllegalMove(rule, "The card that you put aside must be another one.")


def _sorted_out(deck: Deck, me: int, chosen: int, aside: int) -> Deck:
    """Return the deck with the cards of one seat as a Trio."""
    (returned,) = set(deck.cards[me]) - {chosen, aside}
    return replace(deck, cards=(*deck.cards[:me], (chosen, aside, returned), *deck.cards[me + 1 :]))
