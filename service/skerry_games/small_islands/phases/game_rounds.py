"""The start and the end of a round."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.small_islands.events import CardsShuffled, Event, RoundBegun
from skerry_games.small_islands.phases.ending import finish
from skerry_games.small_islands.state import DEAL_CARDS, SHIPS, STACK, End, ObjectiveDeck, State, next_seat, reserve


def begin_round(state: State, first: int) -> Step[State, Event]:
    """Form the navigation stack, or end the game if too few tiles are left (SMALL-PREP-1, SMALL-END-1)."""
    if reserve(state) < STACK:
        # No seat has chosen or revealed an objective for a round that does not begin.
        return finish(replace(state, chosen=0, revealed=0), End.RESERVE)
    begun = replace(
        state, phase=DEAL_CARDS, turn=0, first=first, round=state.round + 1, stack=STACK, chosen=0, revealed=0
    )
    return begun, (RoundBegun(begun.round, first, reserve(begun)),)


def end_round(state: State) -> Step[State, Event]:
    """End the game after a reward phase, or shuffle the cards and begin the next round (SMALL-ROUND-1)."""
    if state.end is not None:
        return finish(state, state.end)
    if len(state.table.ships) == SHIPS:  # SMALL-END-3
        return finish(state, End.SHIPS)
    shuffled = replace(state, decks=tuple(map(_shuffled, state.decks)))
    # ``first`` is the seat that landed, because the reward phase began with it.
    begun, events = begin_round(shuffled, next_seat(state, state.first))
    return begun, (CardsShuffled(), *events)


def _shuffled(deck: ObjectiveDeck) -> ObjectiveDeck:
    """Return the deck with all cards in the pile except those put aside (SMALL-PREP-4)."""
    trios = tuple([(chosen, aside, returned) for chosen, aside, returned in deck.cards])
    pile = list(deck.pile)
    for chosen, _, returned in trios:
        pile += (chosen, returned)
    pile.sort()
    return ObjectiveDeck(
        pile=tuple(pile),
        cards=tuple([(aside,) for _, aside, _ in trios]),
        past=(*deck.past, trios),
    )
