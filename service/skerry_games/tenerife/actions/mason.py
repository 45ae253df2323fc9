"""The mason, and the building of mansions and elements, also by thieves."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import listed, phrase, player
from skerry_games.tenerife.actions.character_column import ask, decided, no_effect, owner_at, refuse_victim, victim_of
from skerry_games.tenerife.actions.roads import has_room, nearest_towns
from skerry_games.tenerife.events import ElementBuilt, Event, MansionBuilt, Reason
from skerry_games.tenerife.moves import BUILD_ELEMENT, BUILD_MANSION, BuildElement, BuildMansion, Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CLOSED,
    HALL_PLOTS,
    NO_SEAT,
    TOWNS,
    Phase,
    State,
    at_hall,
    with_item,
    with_seat,
)

MANSION_POINTS = 2


def act_mason(state: State, space: int) -> Step[State, Event]:
    """Build in the current town (TENERIFE-MASON-1) or in the Town Hall (TENERIFE-MASON-2), if possible."""
    if not state.seats[owner_at(state, space)].mansions:
        return no_effect(state, space, Reason.NO_MANSION)
    if at_hall(state):
        return choose_plot(state, space) if NO_SEAT in state.hall else no_effect(state, space, Reason.HALL_FULL)
    if has_room(state, state.place):
        return _build_mansion(state, space, state.place)
    return no_effect(state, space, Reason.TOWN_FULL)


def choose_plot(state: State, space: int) -> Step[State, Event]:
    """Build on the only free plot of the Town Hall, or let the owner choose a plot."""
    if state.hall.count(NO_SEAT) == 1:
        return _build_element(state, space, HALL_PLOTS[state.hall.index(NO_SEAT)])
    return ask(state, Phase.CHOOSE_PLOT, space)


def choose_town(state: State, space: int, towns: tuple[int, ...]) -> Step[State, Event]:
    """Build in the only one of these towns, or let the owner choose a town."""
    if len(towns) == 1:
        return _build_mansion(state, space, towns[0])
    return ask(state, Phase.CHOOSE_TOWN, space)


def plot_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per free plot of the Town Hall."""
    of_plot = BUILD_ELEMENT[victim_of(state, state.active)]
    return tuple([of_plot[plot] for plot, owner in enumerate(state.hall, start=1) if owner == NO_SEAT])


def town_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per town in which the thieves can build."""
    victim = victim_of(state, state.active)
    assert victim is not None
    return tuple([BUILD_MANSION[victim][town] for town in nearest_towns(state)])


def build_element(state: State, me: int, move: BuildElement) -> Step[State, Event]:
    """Build on the chosen plot.

    Raises IllegalMove (TENERIFE-MASON-2, TENERIFE-ROB-MASON-1, TENERIFE-ROB-MASON-2, TENERIFE-TWO-1) or MalformedMove.
    """
    if move.plot not in HALL_PLOTS:
        raise MalformedMove(phrase("tenerife-no-plot", plot=repr(move.plot), last=len(HALL_PLOTS)))
    owner, victim = state.hall[move.plot - 1], victim_of(state, state.active)
    if owner == CLOSED:
        raise IllegalMove("TENERIFE-TWO-1", phrase("tenerife-plot-town-hall-closed", plot=move.plot))
    rule = "TENERIFE-MASON-2" if victim is None else _robbing_rule(state)
    if owner >= 0:
        if owner == me:
            raise IllegalMove(rule, phrase("tenerife-you-already-built", plot=move.plot))
        raise IllegalMove(rule, phrase("tenerife-already-built-plot-town", owner=player(owner), plot=move.plot))
    if move.victim != victim:
        raise refuse_victim(rule, victim)
    return _build_element(decided(state), state.active, move.plot)


def build_mansion(state: State, me: int, move: BuildMansion) -> Step[State, Event]:
    """Build in the chosen town. Raises IllegalMove (TENERIFE-ROB-MASON-1, TENERIFE-ROB-MASON-2) or MalformedMove."""
    if move.town not in TOWNS:
        raise MalformedMove(phrase("tenerife-not-a-town", town=repr(move.town)))
    if move.town not in nearest_towns(state):
        raise _refuse_town(state, move.town)
    victim = victim_of(state, state.active)
    if move.victim != victim:
        raise refuse_victim(_robbing_rule(state), victim)
    return _build_mansion(decided(state), state.active, move.town)


def _refuse_town(state: State, town: int) -> IllegalMove:
    """Return the reason why thieves cannot build in that town."""
    name, rule = BOARD.places[town].name, _robbing_rule(state)
    if town == state.place:
        return IllegalMove(rule, phrase("tenerife-current-town-thieves-must", name=name))
    if not has_room(state, town):
        return IllegalMove(rule, phrase("tenerife-has-no-free-plot", name=name))
    near = listed([BOARD.places[other].name for other in nearest_towns(state)], "or")
    return IllegalMove(rule, phrase("tenerife-too-far-away-thieves", name=name, near=near))


def _robbing_rule(state: State) -> str:
    """Return the rule for thieves that rob a mason in this round."""
    return "TENERIFE-ROB-MASON-2" if at_hall(state) else "TENERIFE-ROB-MASON-1"


def _build_mansion(state: State, space: int, town: int) -> Step[State, Event]:
    """Move a mansion from the supply to the next plot of the town, for 2 points."""
    owner = owner_at(state, space)
    seat = state.seats[owner]
    built = replace(seat, mansions=seat.mansions - 1, score=seat.score + MANSION_POINTS)
    mansions = (*state.towns[town], owner)
    towns = with_item(state.towns, town, mansions)
    event = MansionBuilt(space, owner, town, len(mansions), MANSION_POINTS, victim_of(state, space))
    return replace(state, seats=with_seat(state, owner, built), towns=towns), (event,)


def _build_element(state: State, space: int, plot: int) -> Step[State, Event]:
    """Move a mansion from the supply to a plot of the Town Hall. It scores at the end (TENERIFE-HALL-1)."""
    owner = owner_at(state, space)
    seat = state.seats[owner]
    seats = with_seat(state, owner, replace(seat, mansions=seat.mansions - 1))
    hall = with_item(state.hall, plot - 1, owner)
    return replace(state, seats=seats, hall=hall), (ElementBuilt(space, owner, plot, victim_of(state, space)),)
