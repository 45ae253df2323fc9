"""The commander card: placing villagers and marching."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.kreta.actions.abbot import open_to, refuse_entry
from skerry_games.kreta.events import Event, MarchEnded, VillagerMarched, VillagerRecruited
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import HALT, MARCH, RECRUIT, Halt, March, Move, Recruit
from skerry_games.kreta.province_sets import (
    PROVINCE_OF,
    SET_OF,
    ProvinceCounts,
    ProvinceSet,
    borders,
    crossed,
    members,
    occupied,
    reach,
    selector,
    set_of,
)
from skerry_games.kreta.state import (
    MOVEMENT_POINTS,
    Phase,
    State,
    crowded,
    end_turn,
    villagers_left,
    with_seat,
)
from skerry_games.sentences import counted, phrase

MARCHING = Phase.MARCH

_recruits = selector(RECRUIT)


@lru_cache(maxsize=1 << 14)
def _ways(origin: ProvinceSet, targets: ProvinceSet) -> tuple[March, ...]:
    from_there = MARCH[PROVINCE_OF[origin]]
    return tuple(from_there[target] for target in members(targets))


def marches(villagers: ProvinceSet, goals: ProvinceSet, barred: ProvinceSet, points: int) -> tuple[March, ...]:
    """Return the marches from these provinces to the goals that avoid the barred ones and cost at most the points."""
    found: tuple[March, ...] = ()
    for province in members(villagers):
        origin = SET_OF[province]
        found += _ways(origin, reach(origin, barred, points) & goals)
    return found


def recruit_targets(state: State, me: int) -> ProvinceSet:
    """Return where the seat may add a villager (KRETA-COMMANDER-1, KRETA-COMMANDER-3, KRETA-PEACE-1)."""
    return open_to(state, me) if villagers_left(state.seats[me]) else 0


def march_moves(state: State, me: int, points: int) -> tuple[March, ...]:
    """Return every march of one villager within these points (KRETA-COMMANDER-2 to KRETA-COMMANDER-5)."""
    villagers = state.seats[me].villagers
    listed = marches(occupied(villagers), open_to(state, me), crowded(state), points)
    if state.began and (way_back := _way_back(state.began, villagers)) in listed:
        return tuple(march for march in listed if march is not way_back)
    return listed


def _way_back(began: ProvinceCounts, villagers: ProvinceCounts) -> March | None:
    """Return the march that restores the placement at the start of the action (KRETA-COMMANDER-5), or ``None``."""
    for province in members(occupied(villagers)):
        target = PROVINCE_OF.get(began - villagers + SET_OF[province])
        if target is not None and target != province:
            return MARCH[province][target]
    return None


def can_recruit_or_march(state: State, me: int) -> bool:
    """Return whether the commander card can be played (KRETA-TURN-2)."""
    # The 40 figures of four seats fill at most 5 provinces of at least 9, and 3 abbots close 3 more. So a villager in
    # the supply always has a target.
    return villagers_left(state.seats[me]) > 0 or can_march(state, me, MOVEMENT_POINTS)


def can_march(state: State, me: int, points: int) -> bool:
    """Return whether ``march_moves`` is not empty. In most cases a cheap test of the neighbours decides."""
    near = borders(occupied(state.seats[me].villagers)) & open_to(state, me)
    # KRETA-COMMANDER-5 forbids at most one march, so two open neighbours are enough.
    return near & (near - 1) != 0 or bool(march_moves(state, me, points))


def commander_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal first moves of the commander card."""
    listed: tuple[Move, ...] = _recruits(recruit_targets(state, me))
    return listed + march_moves(state, me, MOVEMENT_POINTS)


def marching_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal moves after a march: another march, or a halt."""
    return (*march_moves(state, me, state.points), HALT)


def recruit(state: State, me: int, move: Recruit) -> Step[State, Event]:
    """Add a villager. Raises IllegalMove (KRETA-COMMANDER-1, KRETA-COMMANDER-3, KRETA-PEACE-1)."""
    place = set_of(move.province)
    if not place & recruit_targets(state, me):
        if not villagers_left(state.seats[me]):
            raise IllegalMove("KRETA-COMMANDER-1", "You have no villager left to add.")
        raise refuse_entry(state, me, move.province, "KRETA-COMMANDER-3")
    seat = state.seats[me]
    seats = with_seat(state, me, replace(seat, villagers=seat.villagers + place))
    done = end_turn(replace(state, seats=seats, figures=state.figures + place))
    return done, (VillagerRecruited(me, move.province),)


def march(state: State, me: int, move: March) -> Step[State, Event]:
    """Move one villager. Raises IllegalMove (KRETA-COMMANDER-1 to KRETA-COMMANDER-5, KRETA-PEACE-1)."""
    origin, target = set_of(move.from_province), set_of(move.to_province)
    points = state.points or MOVEMENT_POINTS
    seat = state.seats[me]
    if not origin & occupied(seat.villagers):
        raise IllegalMove(
            "KRETA-COMMANDER-1", phrase("kreta-have-no-villager", from_province=_name(move.from_province))
        )
    if origin == target:
        raise IllegalMove("KRETA-COMMANDER-5", "A march must end in another province.")
    if not target & open_to(state, me):
        raise refuse_entry(state, me, move.to_province, "KRETA-COMMANDER-3")
    between = crossed(origin, target, crowded(state), points)
    if between is None:
        raise _refuse_way(move, points)
    villagers = seat.villagers + target - origin
    if villagers == state.began:
        raise IllegalMove(
            "KRETA-COMMANDER-5", "This march would return your villagers to where they stood when the action began."
        )
    moved = replace(
        state,
        phase=MARCHING,
        seats=with_seat(state, me, replace(seat, villagers=villagers)),
        figures=state.figures + target - origin,
        points=points - len(between) - 1,
        began=state.began or seat.villagers,
    )
    event = VillagerMarched(me, move.from_province, move.to_province, between, moved.points)
    if moved.points and can_march(moved, me, moved.points):
        return moved, (event,)
    return end_turn(moved), (event, MarchEnded(me, moved.points, True))


def _refuse_way(move: March, points: int) -> IllegalMove:
    """Return the refusal for a target that is too far away or cut off by full provinces."""
    start, end = _name(move.from_province), _name(move.to_province)
    if crossed(SET_OF[move.from_province], SET_OF[move.to_province], 0, points) is None:
        return IllegalMove(
            "KRETA-COMMANDER-2", phrase("kreta-march-from-costs-more", start=start, end=end, points=_points(points))
        )
    sentence = phrase("kreta-every-route-from-within", start=start, end=end, points=_points(points))
    return IllegalMove("KRETA-COMMANDER-4", sentence)


def _name(province: int) -> str:
    return BOARD.provinces[province].name


def _points(points: int) -> str:
    return counted(points, "movement point")


def halt(state: State, me: int, move: Halt) -> Step[State, Event]:
    """End the march with movement points left over (KRETA-COMMANDER-5)."""
    return end_turn(state), (MarchEnded(me, state.points, False),)
