"""Points in a colour, and the privileges that go with them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.canarias.events import Event, PrivilegeTaken
from skerry_games.canarias.printed.squares import Squares
from skerry_games.canarias.printed.terms import COLOURS
from skerry_games.canarias.state import NOBODY, SeatState, State, put

NEEDED: Final = 3
"""Points in a colour that claim its privilege (CANARIAS-PRIV-1)."""


@lru_cache(maxsize=1 << 13)
def points_for(houses: Squares, palaces: Squares, towns: Squares) -> int:
    """Return the points for the buildings of one colour on one island (CANARIAS-SCORE-1)."""
    more_palaces = 2 * palaces.bit_count() + (palaces != 0)
    return houses.bit_count() + more_palaces + 5 * towns.bit_count()


def hand_over(state: State, colours: Iterable[int], events: tuple[Event, ...]) -> Step[State, Event]:
    """Give privileges of these colours to whom they belong after a change (CANARIAS-PRIV-1, CANARIAS-PRIV-2).

    ``events``: what has led here.
    """
    for colour in colours:
        owner = state.privileges[colour]
        to_beat = NEEDED - 1 if owner == NOBODY else state.seats[owner].points[colour]
        for seat in state.seats:
            if seat.points[colour] > to_beat:
                taker = _first_clockwise(state.seats, colour, owner)
                state, events = _take(state, colour, taker, events)
                break
    return state, events


def claim(state: State, me: int, colour: int, events: tuple[Event, ...]) -> Step[State, Event]:
    """Give the privilege of this colour to the seat if it has got enough points for it by a change.

    The same as ``hand_over`` where no other points have changed: nobody else can have more than the owner then.
    """
    owner = state.privileges[colour]
    to_beat = NEEDED - 1 if owner == NOBODY else state.seats[owner].points[colour]
    if state.seats[me].points[colour] > to_beat:
        return _take(state, colour, me, events)
    return state, events


def _take(state: State, colour: int, taker: int, events: tuple[Event, ...]) -> Step[State, Event]:
    owner = state.privileges[colour]
    taken = PrivilegeTaken(COLOURS[colour], taker, None if owner == NOBODY else owner)
    return replace(state, privileges=put(state.privileges, colour, taker)), (*events, taken)


def _first_clockwise(seats: tuple[SeatState, ...], colour: int, owner: int) -> int:
    """Return the seat with the most points in the colour, the next clockwise from the owner if there are several."""
    order = [(owner + 1 + step) % len(seats) for step in range(len(seats))]
    return max(order, key=lambda me: seats[me].points[colour])  # the first of equals
