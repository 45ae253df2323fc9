"""The totals of Pairs: pieces of a state, and points of an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tests.games.pairs.state import NO_CARD, VALUES, Event, Scored, State


def count_pieces(state: State) -> dict[str, int]:
    """Count the cards of each value in the deck, in hands and on the table."""
    laid = [card for card in state.laid if card != NO_CARD]
    everywhere = Counter([*state.deck, *state.shown, *laid])
    for cards in state.hands + state.buried:
        everywhere.update(cards)
    return {f"card {value}": everywhere[value] for value in VALUES}


def points_of(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives."""
    return {event.seat: event.points} if isinstance(event, Scored) else {}
