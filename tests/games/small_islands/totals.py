"""The totals that the conformance suite compares: pieces of a state, and points of an event."""

from __future__ import annotations

from collections.abc import Mapping

from skerry_games.small_islands import events
from skerry_games.small_islands.events import Event
from skerry_games.small_islands.phases.reward_phase import discovery_pool
from skerry_games.small_islands.phases.starting_tiles import START_TILES
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import NOTHING, State, grey_ships_left, houses_left


def count_pieces(state: State) -> dict[str, int]:
    """Return the totals on the table, in hands, piles and supplies, for all seats."""
    seats, table = state.seats, state.table
    landscape = sum(tile.tile < COMPONENTS.landscape for tile in table.tiles)
    in_hands = sum(len(seat.hand) for seat in seats)
    kept = sum(each.kept > 0 for each in state.discoveries)
    return {
        "landscape tiles": landscape + in_hands + len(state.unseen) + len(state.display) + len(state.gone),
        "starting tiles": max(START_TILES, len(table.tiles) - landscape),
        "ships": len(table.ships) + sum(seat.ship == NOTHING for seat in seats) + grey_ships_left(state),
        "houses": sum(len(seat.houses) + seat.at_hand + max(0, houses_left(seat)) for seat in seats),
        "bonus tokens": len(table.tokens) + sum(seat.tokens.bit_count() for seat in seats),
        "discovery tokens": kept + len(discovery_pool(state)),
        **{
            f"cards of kind {number}": len({*deck.pile, *(card for cards in deck.cards for card in cards)})
            for number, deck in enumerate(state.decks)
        },
    }


def points_of(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats."""
    if isinstance(event, events.HousePaid | events.BonusScored):
        return {event.seat: event.points}
    return {}
