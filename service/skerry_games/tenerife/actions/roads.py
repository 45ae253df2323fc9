"""Paths along the roads: the nearest towns, and the destinations of merchants. Sets of places are bit sets."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CLOSED,
    LA_LAGUNA,
    NO_SEAT,
    PLACES,
    PUERTO,
    TOWNS,
    Owners,
    State,
)

NEIGHBOURS: Final = tuple(place.neighbours for place in BOARD.places)
_PLOTS: Final = tuple(len(place.plots) for place in BOARD.places)
_PRINTED_SYMBOLS: Final = tuple(town for town in TOWNS if BOARD.places[town].farmers_symbol)
_SYMBOLS: Final = {False: _PRINTED_SYMBOLS, True: tuple(sorted({*_PRINTED_SYMBOLS, PUERTO}))}


def _distances(origin: int) -> dict[int, int]:
    """Return the number of roads from that place to each other place."""
    found, frontier = {origin: 0}, [origin]
    while frontier:
        frontier = [other for place in frontier for other in NEIGHBOURS[place] if other not in found]
        found |= {place: max(found.values()) + 1 for place in frontier}
    return {place: steps for place, steps in found.items() if place != origin}


DISTANCES: Final = tuple(map(_distances, PLACES))


def has_room(state: State, town: int) -> bool:
    """Return whether the town has a free plot."""
    return len(state.towns[town]) < _PLOTS[town]


def farmers_symbols(state: State) -> tuple[int, ...]:
    """Return the towns with a farmer's symbol, printed or by the option ``puerto_farmer`` (TENERIFE-FARMER-1)."""
    return _SYMBOLS[state.puerto_farmer]


def nearest_towns(state: State) -> tuple[int, ...]:
    """Return the towns with a free plot that are nearest to the current place, without that place.

    Paths can lead through La Laguna, which is no town (TENERIFE-ROB-MASON-1).
    """
    with_room = sum([1 << town for town, owners in enumerate(state.towns) if len(owners) < _PLOTS[town]])
    return _nearest(state.place, with_room)


@lru_cache(maxsize=len(PLACES) << len(TOWNS))
def _nearest(origin: int, with_room: int) -> tuple[int, ...]:
    steps = {town: DISTANCES[origin][town] for town in TOWNS if with_room >> town & 1 and town != origin}
    return tuple(town for town in steps if steps[town] == min(steps.values()))


def foreign_mansions(state: State, seat: int, place: int) -> int:
    """Return the number of mansions of other seats at that place; in La Laguna, of elements (TENERIFE-MERCHANT-2).

    Each mansion counts, not one per colour. Warehouses do not count (TENERIFE-MERCHANT-3).
    """
    if place == LA_LAGUNA:
        return _foreign_elements(state.hall, seat)
    owners = state.towns[place]
    return len(owners) - owners.count(seat)


def _foreign_elements(hall: Owners, seat: int) -> int:
    return len(hall) - hall.count(NO_SEAT) - hall.count(CLOSED) - hall.count(seat)


def destinations(state: State, seat: int) -> tuple[int, ...]:
    """Return the places that a merchant token on the board can move to, ascending (TENERIFE-MERCHANT-2)."""
    foreign = 1 << LA_LAGUNA if _foreign_elements(state.hall, seat) else 0
    for town, owners in enumerate(state.towns):
        if owners and owners.count(seat) < len(owners):
            foreign |= 1 << town
    return _destinations(state.seats[seat].merchant, foreign)


@lru_cache(maxsize=len(PLACES) << len(PLACES))
def _destinations(origin: int, foreign: int) -> tuple[int, ...]:
    """Return the first place with foreign mansions on each path from the origin, or the neighbours of the origin."""
    seen, reached, frontier = {origin}, set[int](), [origin]
    while frontier:
        around = {other for place in frontier for other in NEIGHBOURS[place]} - seen
        seen |= around
        reached |= {place for place in around if foreign >> place & 1}
        frontier = sorted(around - reached)
    return tuple(sorted(reached)) or NEIGHBOURS[origin]
