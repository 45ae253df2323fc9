"""Landing: which ships a seat can take, and where it can place them."""

from __future__ import annotations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase
from skerry_games.small_islands.events import Event, ShipLanded
from skerry_games.small_islands.moves import LAND_SHIP, LandShip, Move
from skerry_games.small_islands.phases.reward_phase import reveal
from skerry_games.small_islands.state import NOTHING, State, grey_ships_left, with_seat
from skerry_games.small_islands.tabletop.cells import CELLS, SET_OF, Cell, selected
from skerry_games.small_islands.tabletop.placing import refuse_cell
from skerry_games.small_islands.tabletop.table import everything_laid, ship_cells, with_ship


def ships_of(state: State, me: int) -> tuple[bool, ...]:
    """Return the ships that the seat can take: ``False`` for its own, ``True`` for a grey one (SMALL-LAND-1)."""
    own = (False,) if state.seats[me].ship == NOTHING else ()
    return (*own, True) if grey_ships_left(state) else own


def can_land(state: State, me: int) -> bool:
    """Return whether the seat can take and place a ship now (SMALL-LAND-2, SMALL-EXPLORE-1)."""
    return not state.stack and bool(ships_of(state, me)) and ship_cells(state.table) != 0


def landing_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every legal landing. The navigation stack must be empty (SMALL-EXPLORE-1)."""
    ships = ships_of(state, me)
    cells = ship_cells(state.table)
    listed: list[Move] = []
    for grey in ships:
        listed += selected(LAND_SHIP[grey], cells)
    return tuple(listed)


def land_ship(state: State, me: int, move: LandShip) -> Step[State, Event]:
    """Place a ship and begin the reward phase: the seat reveals its objective. Raises IllegalMove or MalformedMove.

    Rules: SMALL-EXPLORE-1, SMALL-LAND-1, SMALL-LAND-2, SMALL-TABLE-1, SMALL-TILE-2, SMALL-TILE-3.
    """
    if move.at not in CELLS or not isinstance(move.grey, bool):
        raise MalformedMove(phrase("small_islands-no-cell-or-boolean", cell=repr(move.at), grey=repr(move.grey)))
    if state.stack:
        raise IllegalMove("SMALL-EXPLORE-1", "You cannot land while the navigation stack has tiles.")
    if move.grey not in ships_of(state, me):
        raise _refuse_ship(state, me, move)
    if not ship_cells(state.table) & SET_OF[move.at]:
        raise _refuse_place(state, move.at)
    table = with_ship(state.table, move.at, None if move.grey else me)
    seat = state.seats[me]
    landed = replace(seat, ship=seat.ship if move.grey else move.at, laid=everything_laid(table))
    after, events = reveal(replace(state, table=table, seats=with_seat(state, me, landed)), me, me)
    return after, (ShipLanded(me, move.grey, move.at), *events)


def _refuse_ship(state: State, me: int, move: LandShip) -> IllegalMove:
    if not ships_of(state, me):
        return IllegalMove("SMALL-LAND-2", "You cannot land, because no ship is left for you to take.")
    if not move.grey:
        return IllegalMove("SMALL-LAND-1", "You have already placed your own ship.")
    return IllegalMove("SMALL-LAND-1", "No grey ship is left.")


def _refuse_place(state: State, cell: Cell) -> IllegalMove:
    if not ship_cells(state.table):
        return IllegalMove("SMALL-LAND-2", "You cannot land, because no cell on the table fits a ship.")
    return refuse_cell(state.table, cell) or IllegalMove("SMALL-TILE-3", "A ship needs sea at all four corners.")
