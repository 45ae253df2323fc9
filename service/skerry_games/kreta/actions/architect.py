"""The architect card: forts and villages, which are never moved or removed."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.kreta.actions.abbot import open_to, refuse_entry
from skerry_games.kreta.events import Event, FortBuilt, VillageBuilt
from skerry_games.kreta.moves import BUILD_FORT, BUILD_VILLAGE, BuildFort, BuildVillage, Move
from skerry_games.kreta.province_sets import ALL_FORTS, ProvinceSet, bit_selector, selector, set_of, total
from skerry_games.kreta.state import (
    SeatState,
    State,
    end_turn,
    forts_built,
    forts_left,
    villages_left,
    with_seat,
)
from skerry_games.sentences import phrase

_villages = selector(BUILD_VILLAGE)
_forts = bit_selector(BUILD_FORT)

_TOO_FEW_TILES = (
    "Your first village needs 1 harvested tile. You have none.",
    "Your second village needs 2 harvested tiles. You have only 1.",
    "Your third village needs 3 harvested tiles. You have only 2.",
    "Your fourth village needs 4 harvested tiles. You have only 3.",
)
"""Refusals of a seat that has harvested too few tiles (KRETA-ARCHITECT-3), by the number of villages built."""


def fort_targets(state: State, me: int) -> int:
    """Return the bit set of fort spaces where the seat may build (KRETA-ARCHITECT-2)."""
    return ALL_FORTS & ~forts_built(state) if forts_left(state.seats[me]) else 0


def village_targets(state: State, me: int) -> ProvinceSet:
    """Return where the seat may build a village (KRETA-ARCHITECT-3, KRETA-ARCHITECT-4)."""
    seat = state.seats[me]
    return open_to(state, me) if villages_left(seat) and _may_build_next(seat) else 0


def _may_build_next(seat: SeatState) -> bool:
    """Return whether the seat has harvested enough tiles for one more village (KRETA-ARCHITECT-3)."""
    return total(seat.villages) < sum(seat.harvested)


def can_build(state: State, me: int) -> bool:
    """Return whether the architect card can be played (KRETA-TURN-2). Fort spaces never run out."""
    return forts_left(state.seats[me]) > 0 or village_targets(state, me) != 0


def architect_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal moves of the architect card."""
    forts: tuple[Move, ...] = _forts(fort_targets(state, me))
    return forts + _villages(village_targets(state, me))


def build_fort(state: State, me: int, move: BuildFort) -> Step[State, Event]:
    """Build a fort. Raises IllegalMove (KRETA-ARCHITECT-1, KRETA-ARCHITECT-2) or MalformedMove."""
    if move.space not in BUILD_FORT:
        raise MalformedMove(phrase("kreta-no-fort-space", space=repr(move.space), last=len(BUILD_FORT)))
    seat = state.seats[me]
    space = 1 << move.space
    if not space & fort_targets(state, me):
        if not forts_left(seat):
            raise IllegalMove("KRETA-ARCHITECT-1", "You have no fort left to build.")
        raise IllegalMove("KRETA-ARCHITECT-2", phrase("kreta-fort-space-already-has", space=move.space))
    seats = with_seat(state, me, replace(seat, forts=seat.forts | space))
    return end_turn(replace(state, seats=seats)), (FortBuilt(me, move.space),)


def build_village(state: State, me: int, move: BuildVillage) -> Step[State, Event]:
    """Build a village. Raises IllegalMove (KRETA-ARCHITECT-1, -3, -4, KRETA-PEACE-1)."""
    place = set_of(move.province)
    if not place & village_targets(state, me):
        raise _refuse_village(state, me, move.province)
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, villages=seat.villages + place))
    done = end_turn(replace(state, seats=seats, figures=state.figures + place))
    return done, (VillageBuilt(me, move.province),)


def _refuse_village(state: State, me: int, province: int) -> IllegalMove:
    seat = state.seats[me]
    if not villages_left(seat):
        return IllegalMove("KRETA-ARCHITECT-1", "You have no village left to build.")
    if not _may_build_next(seat):
        return IllegalMove("KRETA-ARCHITECT-3", _TOO_FEW_TILES[total(seat.villages)])
    return refuse_entry(state, me, province, "KRETA-ARCHITECT-4")
