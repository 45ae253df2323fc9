"""Points in a colour, and the privileges that they decide."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.canarias.events import Event, PrivilegeTaken
from skerry_games.canarias.printed.squares import Squares
from skerry_games.canarias.printed.terms import COLOURS
from skerry_games.canarias.state import NO_SEAT, SeatState, State, with_colour

NEEDED: Final = 3
"""Points in a colour that are needed for its privilege (CANARIAS-PRIV-1)."""


@lru_cache(maxsize=1 << 13)
def points_for(houses: Squares, palaces: Squares, towns: Squares) -> int:
    """Return the points for the buildings of one colour on one island (CANARIAS-SCORE-1)."""
    more_palaces = 2 * palaces.bit_count() + (palaces != 0)
    return houses.bit_count() + more_palaces + 5 * towns.bit_count()


def update_privileges(state: State, colours: Iterable[int], events: tuple[Event, ...]) -> Step[State, Event]:
    """Give the privileges of these colours to their new owners after a change (CANARIAS-PRIV-1, CANARIAS-PRIV-2).

    ``events``: the events of the move so far.
    """
    for colour in colours:
        owner = state.privileges[colour]
        to_beat = NEEDED - 1 if owner == NO_SEAT else state.seats[owner].points[colour]
        for seat in state.seats:
            if seat.points[colour] > to_beat:
                taker = _first_clockwise(state.seats, colour, owner)
                state, events = _take(state, colour, taker, events)
                break
    return state, events


def claim_privilege(state: State, me: int, colour: int, events: tuple[Event, ...]) -> Step[State, Event]:
    """Give the privilege of this colour to the seat if the seat has gained enough points for it.

    A shortcut of ``update_privileges`` for a change that gave points to this seat only: no other seat can have more
    points than the owner.
    """
    owner = state.privileges[colour]
    to_beat = NEEDED - 1 if owner == NO_SEAT else state.seats[owner].points[colour]
    if state.seats[me].points[colour] > to_beat:
        return _take(state, colour, me, events)
    return state, events


def _take(state: State, colour: int, taker: int, events: tuple[Event, ...]) -> Step[State, Event]:
    owner = state.privileges[colour]
    taken = PrivilegeTaken(COLOURS[colour], taker, None if owner == NO_SEAT else owner)
    return replace(state, privileges=with_colour(state.privileges, colour, taker)), (*events, taken)


def _first_clockwise(seats: tuple[SeatState, ...], colour: int, owner: int) -> int:
    """Return the seat with the most points in the colour. Ties go to the next seat clockwise from the owner."""
    order = [(owner + 1 + step) % len(seats) for step in range(len(seats))]
    return max(order, key=lambda me: seats[me].points[colour])  # ``max`` returns the first of equal seats
