"""The totals that the conformance suite compares: pieces of a state, and points of an event."""

from __future__ import annotations

from collections.abc import Mapping

from skerry_games.kreta import events
from skerry_games.kreta.events import Event
from skerry_games.kreta.province_sets import HILLS, MOUNTAINS, PLAINS, PROVINCES, ProvinceCounts, count_at, members
from skerry_games.kreta.state import (
    ABBOTS,
    FULL_HAND,
    Phase,
    SeatState,
    State,
    face_down,
    forts_left,
    pile,
    scored_forts,
    ships_left,
    villagers_left,
    villages_left,
    with_tiles,
)


def count_pieces(state: State) -> dict[str, int]:
    """Return the totals on the board, in supplies, hands, the row and the pile, for all seats."""
    seats = state.seats
    figures_left = sum(map(_figures_left, seats))
    return {
        "ships": sum(seat.ships.bit_count() + max(0, ships_left(seat)) for seat in seats),
        "forts": sum(seat.forts.bit_count() + max(0, forts_left(seat)) for seat in seats),
        "figures by seat": sum(map(_figures_placed, seats)) + figures_left,
        "figures by province": _sum(state.figures) + figures_left,
        "character cards": sum(seat.hand.bit_count() + (FULL_HAND & ~seat.hand).bit_count() for seat in seats),
        "tiles": _undealt(state) + len(members(with_tiles(state))) + sum(sum(seat.harvested) for seat in seats),
        "fort cards": scored_forts(state).bit_count() + len(state.row) + face_down(state) + pile(state),
    }


def points_of(event: Event) -> Mapping[int, int]:
    """Return the points that the event gives to seats."""
    if isinstance(event, events.TileHarvested):
        return {event.seat: event.points}
    if isinstance(event, events.ProvinceScored):
        return {seat: award for seat, award in enumerate(event.awards) if award}
    return {}


def _sum(counts: ProvinceCounts) -> int:
    return sum(count_at(counts, province) for province in PROVINCES)


def _figures_placed(seat: SeatState) -> int:
    return _sum(seat.villagers) + _sum(seat.villages) + seat.abbot.bit_count()


def _figures_left(seat: SeatState) -> int:
    return max(0, villagers_left(seat)) + max(0, villages_left(seat)) + ABBOTS - seat.abbot.bit_count()


def _undealt(state: State) -> int:
    if state.phase is Phase.DEAL_HILLS:
        return len(PLAINS) + len(HILLS) + len(MOUNTAINS)
    return len(MOUNTAINS) if state.phase is Phase.DEAL_MOUNTAINS else 0
