"""The abbot, and the peace that he brings."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_service.games.api import IllegalMove
from skerry_service.games.kreta.board import BOARD
from skerry_service.games.kreta.events import AbbotMoved, AbbotPlaced, Event
from skerry_service.games.kreta.moves import MOVE_ABBOT, Move, MoveAbbot
from skerry_service.games.kreta.places import EVERYWHERE, NUMBER, PLACE, Places, place_of, reach, selector
from skerry_service.games.kreta.state import State, crowded, end_turn, with_seat

ABBOT_STEPS = 3
_NOTHING_BARRED: Places = 0

_walks = selector(MOVE_ABBOT)


def peace(state: State, me: int) -> Places:
    """Return where abbots of others, but not one's own, keep the peace (KRETA-PEACE-1, KRETA-PEACE-3)."""
    abbots = 0
    for seat in state.seats:
        abbots |= seat.abbot
    return abbots & ~state.seats[me].abbot


def open_to(state: State, me: int) -> Places:
    """Return where the seat may add villagers and villages, and end their moves (KRETA-COMMANDER-3, KRETA-PEACE-1)."""
    return EVERYWHERE & ~crowded(state) & ~peace(state, me)


def refuse_entry(state: State, me: int, province: int, limit_rule: str) -> IllegalMove:
    """Say why a province that is not open to the seat is closed: the limit of 7 under that rule, or peace."""
    name = BOARD.provinces[province].name
    if PLACE[province] & crowded(state):
        return IllegalMove(limit_rule, f"{name} already holds 7 figures.")
    return IllegalMove("KRETA-PEACE-1", f"Another seat's abbot keeps the peace in {name}, and yours is not there.")


def abbot_targets(state: State, me: int) -> Places:
    """Return where the seat may put its abbot (KRETA-ABBOT-1, KRETA-ABBOT-2)."""
    here = state.seats[me].abbot
    near = reach(here, _NOTHING_BARRED, ABBOT_STEPS) if here else EVERYWHERE
    return near & ~crowded(state)


def can_move_abbot(state: State, me: int) -> bool:
    """Return whether the abbot can act (KRETA-TURN-2)."""
    here = state.seats[me].abbot
    # All 40 figures of four seats fill at most 5 provinces of 16, so an abbot in the supply finds one.
    return not here or reach(here, _NOTHING_BARRED, ABBOT_STEPS) & ~crowded(state) != 0


def abbot_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the abbot can do."""
    return _walks(abbot_targets(state, me))


def move_abbot(state: State, me: int, move: MoveAbbot) -> tuple[State, tuple[Event, ...]]:
    """Place or move the abbot. Raises IllegalMove (KRETA-ABBOT-1, KRETA-ABBOT-2)."""
    target = place_of(move.province)
    if not target & abbot_targets(state, me):
        raise _refuse_abbot(state, me, move.province)
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, abbot=target))
    done = end_turn(replace(state, seats=seats, figures=state.figures + target - seat.abbot))
    if seat.abbot:
        return done, (AbbotMoved(me, NUMBER[seat.abbot], move.province),)
    return done, (AbbotPlaced(me, move.province),)


def _refuse_abbot(state: State, me: int, province: int) -> IllegalMove:
    name = BOARD.provinces[province].name
    if PLACE[province] == state.seats[me].abbot:
        return IllegalMove("KRETA-ABBOT-1", f"Your abbot is in {name} already: it moves 1 to 3 provinces.")
    if PLACE[province] & crowded(state):
        return IllegalMove("KRETA-ABBOT-2", f"{name} already holds 7 figures: your abbot may cross it, but not stay.")
    return IllegalMove("KRETA-ABBOT-1", f"{name} is more than 3 provinces away from your abbot.")
