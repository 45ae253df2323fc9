"""The start and the end of a turn in the exploration."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import Step
from skerry_games.small_islands.events import Event, LastRewardBegun
from skerry_games.small_islands.moves import TAKE_TILE, Move
from skerry_games.small_islands.phases.landing import can_land, landing_moves
from skerry_games.small_islands.phases.reward_phase import begin_reward
from skerry_games.small_islands.state import NOTHING, TURN, TURN_UP, End, SeatState, State, next_seat
from skerry_games.small_islands.tabletop.table import Table, fits, fitting


def begin_turn(state: State, me: int, events: tuple[Event, ...] = ()) -> Step[State, Event]:
    """Begin a seat's turn. If it can neither explore nor land, begin the last reward phase (SMALL-END-2)."""
    if state.display or can_land(state, me):
        return replace(state, phase=TURN, turn=me), events
    last, more = begin_reward(replace(state, end=End.STUCK), me)
    return last, (*events, LastRewardBegun(me), *more)


def turn_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every tile that can be taken, and every legal landing (SMALL-EXPLORE-1, SMALL-END-2)."""
    taking = tuple([TAKE_TILE[tile] for tile in state.display])
    for held in state.seats[me].hand:
        if fits(state.table, held):
            break
    else:
        # SMALL-EXPLORE-3: no tile in hand fits, so the seat must take a tile that fits, if the display has one.
        taking = fitting(state.table, state.display, TAKE_TILE) or taking
    return taking if state.stack else taking + landing_moves(state, me)


def end_turn(
    state: State, table: Table, seats: tuple[SeatState, ...], open_tiles: int, events: tuple[Event, ...]
) -> Step[State, Event]:
    """Refill the display, if a tile is left (SMALL-EXPLORE-2), and pass the turn to the next seat.

    ``table``, ``seats`` and ``open_tiles`` are the values at the end of the turn. One ``replace`` sets all changes,
    because each copy of a state costs time.
    """
    ended = replace(
        state,
        phase=TURN_UP,
        turn=next_seat(state, state.turn),
        seats=seats,
        table=table,
        open_tiles=open_tiles,
        taken=NOTHING,
        picked=NOTHING,
        token=None,
        shows=None,
    )
    return (ended, events) if state.unseen else begin_turn(ended, ended.turn, events)
