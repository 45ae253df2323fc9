"""The totals that the conformance suite compares: pieces of a state, and points of an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from skerry_games.canarias import events
from skerry_games.canarias.events import Event
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.squares import BUILDING, NOWHERE
from skerry_games.canarias.printed.terms import Colour
from skerry_games.canarias.state import PerColour, State


def count_pieces(state: State) -> dict[str, int]:
    """Return the totals on islands, in the supply, in hands, in piles and on the ship."""
    seats = state.seats
    counts = {
        f"{colour.name.lower()} {name}": left[colour] + sum(squares[colour].bit_count() for squares in built)
        for name, left, built in (
            ("houses", state.houses_left, [seat.houses for seat in seats]),
            ("palaces", state.palaces_left, [seat.palaces for seat in seats]),
            ("towns", state.towns_left, [seat.towns for seat in seats]),
        )
        for colour in Colour
    }
    return counts | _cards(state) | {"building squares": _squares(state), "privileges": len(state.privileges)}


def points_of(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats, or takes from them."""
    if isinstance(event, events.HousePlaced):
        return {event.seat: 1}
    if isinstance(event, events.PalaceBuilt | events.TownBuilt):
        return {event.seat: event.points}
    if isinstance(event, events.HouseGivenUp):
        return {event.seat: -1}
    return {}


def _cards(state: State) -> dict[str, int]:
    lying = Counter([*state.deck, *state.discard, *(card for card, _ in state.ship)])
    for seat in state.seats:
        lying.update(seat.hand)
    return {CARD_IDS[card]: count for card, count in sorted(lying.items())}


def _squares(state: State) -> int:
    """Return the squares of all islands: built on, empty, or of islands without an owner."""
    taken = [seat.island for seat in state.seats]
    unused = [squares for island, squares in enumerate(BUILDING) if island not in taken]
    settled = [seat for seat in state.seats if seat.island != NOWHERE]
    own = [seat.free.bit_count() + sum(map(_count, (seat.houses, seat.palaces, seat.towns))) for seat in settled]
    return sum(own) + sum(squares.bit_count() for squares in unused)


def _count(squares: PerColour) -> int:
    return sum(each.bit_count() for each in squares)
