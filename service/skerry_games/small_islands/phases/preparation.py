"""The preparation: all seats choose objectives at the same time, in secret."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product
from typing import Final

from msgspec.structs import replace

from skerry_games.api import GameError, IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
from skerry_games.small_islands.events import Event, ExplorationBegun, ObjectiveChosen
from skerry_games.small_islands.moves import ChooseObjective, Move, check_whole
from skerry_games.small_islands.phases.exploration_turns import begin_turn
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import SEATS, ObjectiveDeck, State, with_cards

_CARDS: Final = range(len(COMPONENTS.cards))
_CHOOSING: Final = {
    seats: tuple(tuple(seat for seat in range(seats) if not chosen >> seat & 1) for chosen in range(1 << seats))
    for seats in SEATS
}
"""The seats that still have to choose, by number of seats and by bit set of the seats that have chosen."""


def seats_choosing(state: State) -> tuple[int, ...]:
    """Return the seats that have not chosen an objective for this round (SMALL-PREP-2)."""
    return _CHOOSING[len(state.seats)][state.chosen]


def objective_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every choice of a card per kind for the round, and another to put aside (SMALL-PREP-2, SMALL-PREP-3)."""
    if len(state.decks) == 1:
        return _choices(state.decks[0].cards[me])
    missions, rewards = state.decks
    pairs = product(permutations(missions.cards[me], 2), permutations(rewards.cards[me], 2))
    return tuple([ChooseObjective((one, two), (aside, beside)) for (one, aside), (two, beside) in pairs])


@lru_cache(maxsize=1 << 11)
def _choices(cards: tuple[int, ...]) -> tuple[Move, ...]:
    """Return every choice in normal mode. Cached, because there are only 12 cards."""
    return tuple(ChooseObjective((chosen,), (aside,)) for chosen, aside in permutations(cards, 2))


def choose_objective(state: State, me: int, move: ChooseObjective) -> Step[State, Event]:
    """Choose an objective. After the last choice, begin the exploration. Raises IllegalMove or MalformedMove.

    Rules: SMALL-PREP-2, SMALL-PREP-3, SMALL-PREP-4.
    """
    if not len(move.chosen) == len(move.aside) == len(state.decks):
        raise _refuse_choice(state, me, move)
    decks, returned = [], []
    for deck, chosen, aside in zip(state.decks, move.chosen, move.aside, strict=True):
        cards = deck.cards[me]
        if chosen not in cards or aside not in cards or chosen == aside:
            raise _refuse_choice(state, me, move)
        # The seat has three cards, so the returned one is the sum minus the other two.
        third = sum(cards) - chosen - aside
        decks.append(ObjectiveDeck(deck.pile, with_cards(deck, me, (chosen, aside, third)), deck.past))
        returned.append(third)
    event = ObjectiveChosen(me, move.chosen, move.aside, tuple(returned))
    after = replace(state, decks=tuple(decks), chosen=state.chosen | 1 << me)
    if seats_choosing(after):
        return after, (event,)
    return begin_turn(after, state.first, (event, ExplorationBegun(state.first)))


def _refuse_choice(state: State, me: int, move: ChooseObjective) -> GameError:
    """Return the refusal of a choice."""
    for card in (*move.chosen, *move.aside):
        if card not in _CARDS:
            return MalformedMove(phrase("small_islands-not-a-card", card=repr(card)))
    kinds = len(state.decks)
    rule = "SMALL-PREP-2" if kinds == 1 else "SMALL-PREP-3"
    if not len(move.chosen) == len(move.aside) == kinds:
        check_whole(move)
        return IllegalMove(rule, "Choose one card of each kind, and put one card of each kind aside.")
    for deck, chosen, aside in zip(state.decks, move.chosen, move.aside, strict=True):
        if chosen not in deck.cards[me] or aside not in deck.cards[me]:
            return IllegalMove(rule, "Choose from your own cards. In advanced mode name the mission before the reward.")
        if chosen == aside:
            break
    return IllegalMove(rule, "The card that you put aside must differ from the card that you choose.")
