"""The abbot card, and the peace that an abbot keeps."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.kreta.events import AbbotMoved, AbbotPlaced, Event
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import MOVE_ABBOT, PLACE_ABBOT, Move, MoveAbbot, PlaceAbbot
from skerry_games.kreta.province_sets import (
    EVERYWHERE,
    PROVINCE_OF,
    SET_OF,
    ProvinceSet,
    crossed,
    members,
    reach,
    selector,
    set_of,
)
from skerry_games.kreta.state import State, crowded, end_turn, with_seat
from skerry_games.sentences import phrase

ABBOT_STEPS = 3
_NOTHING_BARRED: ProvinceSet = 0

_placings = selector(PLACE_ABBOT)


@lru_cache(maxsize=1 << 13)
def _walks(origin: ProvinceSet, targets: ProvinceSet) -> tuple[MoveAbbot, ...]:
    from_there = MOVE_ABBOT[PROVINCE_OF[origin]]
    return tuple(from_there[target] for target in members(targets))


def peace(state: State, me: int) -> ProvinceSet:
    """Return the provinces with another seat's abbot but without the seat's own (KRETA-PEACE-1, KRETA-PEACE-3)."""
    abbots = 0
    for seat in state.seats:
        abbots |= seat.abbot
    return abbots & ~state.seats[me].abbot


def open_to(state: State, me: int) -> ProvinceSet:
    """Return where the seat may add villagers and villages, and end marches (KRETA-COMMANDER-3, KRETA-PEACE-1)."""
    return EVERYWHERE & ~crowded(state) & ~peace(state, me)


def refuse_entry(state: State, me: int, province: int, limit_rule: str) -> IllegalMove:
    """Return the refusal for a province that is closed to the seat: ``limit_rule`` if it is full, else peace."""
    name = BOARD.provinces[province].name
    if SET_OF[province] & crowded(state):
        return IllegalMove(limit_rule, phrase("kreta-already-holds-figures", name=name))
    return IllegalMove("KRETA-PEACE-1", phrase("kreta-another-player-s-abbot", name=name))


def abbot_targets(state: State, me: int) -> ProvinceSet:
    """Return where the seat may place or move its abbot (KRETA-ABBOT-1, KRETA-ABBOT-2)."""
    here = state.seats[me].abbot
    near = reach(here, _NOTHING_BARRED, ABBOT_STEPS) if here else EVERYWHERE
    return near & ~crowded(state)


def can_move_abbot(state: State, me: int) -> bool:
    """Return whether the abbot card can be played (KRETA-TURN-2)."""
    here = state.seats[me].abbot
    # The 40 figures of four seats fill at most 5 provinces, so an abbot in the supply always has a target.
    return not here or reach(here, _NOTHING_BARRED, ABBOT_STEPS) & ~crowded(state) != 0


def abbot_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal moves of the abbot card."""
    here, targets = state.seats[me].abbot, abbot_targets(state, me)
    return _walks(here, targets) if here else _placings(targets)


def place_abbot(state: State, me: int, move: PlaceAbbot) -> Step[State, Event]:
    """Place the abbot. Raises IllegalMove (KRETA-ABBOT-1, KRETA-ABBOT-2)."""
    here, target = state.seats[me].abbot, set_of(move.province)
    if here:
        name = BOARD.provinces[PROVINCE_OF[here]].name
        raise IllegalMove("KRETA-ABBOT-1", phrase("kreta-abbot-already-board-move", name=name))
    if not target & abbot_targets(state, me):
        raise _refuse_abbot(state, me, move.province)
    return _put(state, me, target), (AbbotPlaced(me, move.province),)


def move_abbot(state: State, me: int, move: MoveAbbot) -> Step[State, Event]:
    """Move the abbot. Raises IllegalMove (KRETA-ABBOT-1, KRETA-ABBOT-2)."""
    origin, target = set_of(move.from_province), set_of(move.to_province)
    if origin != state.seats[me].abbot:
        raise IllegalMove("KRETA-ABBOT-1", phrase("kreta-abbot-not", province=BOARD.provinces[move.from_province].name))
    if not target & abbot_targets(state, me):
        raise _refuse_abbot(state, me, move.to_province)
    between = crossed(origin, target, _NOTHING_BARRED, ABBOT_STEPS)
    assert between is not None
    return _put(state, me, target), (AbbotMoved(me, move.from_province, move.to_province, between),)


def _put(state: State, me: int, target: ProvinceSet) -> State:
    """Return the state with the seat's abbot at the target and the turn ended."""
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, abbot=target))
    return end_turn(replace(state, seats=seats, figures=state.figures + target - seat.abbot))


def _refuse_abbot(state: State, me: int, province: int) -> IllegalMove:
    name = BOARD.provinces[province].name
    if SET_OF[province] == state.seats[me].abbot:
        return IllegalMove("KRETA-ABBOT-1", phrase("kreta-abbot-already-must-move", name=name))
    if SET_OF[province] & crowded(state):
        return IllegalMove("KRETA-ABBOT-2", phrase("kreta-already-holds-figures-abbot", name=name))
    return IllegalMove("KRETA-ABBOT-1", phrase("kreta-more-than-provinces-away", name=name))
