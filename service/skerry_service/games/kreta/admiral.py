"""The admiral: ships in harbours."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from skerry_service.games.api import IllegalMove, MalformedMove
from skerry_service.games.kreta.board import BOARD
from skerry_service.games.kreta.events import Event, ShipPlaced, ShipSailed
from skerry_service.games.kreta.moves import PLACE_SHIP, Move, PlaceShip, Sail
from skerry_service.games.kreta.places import HARBOURS, PLACE, Places, members, place_of, selector
from skerry_service.games.kreta.state import SHIPS, SeatState, State, end_turn, ships_left, with_seat

_places_of_ships = selector(PLACE_SHIP)


def room_for_ships(state: State, me: int) -> Places:
    """Return the harbours in which the other seats leave room for a ship (KRETA-ADMIRAL-2)."""
    one = two = 0
    for number, seat in enumerate(state.seats):
        if number != me:
            two |= one & seat.ships
            one |= seat.ships
    return HARBOURS & ~(one if len(state.seats) == 2 else two)


def ship_targets(state: State, me: int) -> Places:
    """Return where the seat may add a ship (KRETA-ADMIRAL-1, KRETA-ADMIRAL-2)."""
    seat = state.seats[me]
    return room_for_ships(state, me) & ~seat.ships if ships_left(seat) else 0


@lru_cache(maxsize=1 << 12)
def sailings(ships: Places, room: Places) -> tuple[Sail, ...]:
    """Return the other placings of these ships in harbours with room (KRETA-ADMIRAL-3)."""
    old = members(ships)
    return tuple(Sail(new) for new in combinations(members(room), len(old)) if new != old)


def admiral_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return what the admiral can do."""
    ships = state.seats[me].ships
    listed: tuple[Move, ...] = _places_of_ships(ship_targets(state, me))
    return listed + sailings(ships, room_for_ships(state, me)) if ships else listed


def place_ship(state: State, me: int, move: PlaceShip) -> tuple[State, tuple[Event, ...]]:
    """Add a ship. Raises IllegalMove (KRETA-ADMIRAL-1, KRETA-ADMIRAL-2)."""
    place = place_of(move.harbour)
    seat = state.seats[me]
    if not place & ship_targets(state, me):
        if not ships_left(seat):
            raise IllegalMove("KRETA-ADMIRAL-1", "You have no ship left to add.")
        raise _refuse_harbour(seat, move.harbour, place)
    changed = replace(seat, ships=seat.ships | place)
    return end_turn(replace(state, seats=with_seat(state, me, changed))), (ShipPlaced(me, move.harbour),)


def _refuse_harbour(seat: SeatState, harbour: int, place: Places) -> IllegalMove:
    """Say why no further ship may lie there."""
    name = BOARD.provinces[harbour].name
    if not place & HARBOURS:
        return IllegalMove("KRETA-ADMIRAL-1", f"{name} has no harbour.")
    if place & seat.ships:
        return IllegalMove("KRETA-ADMIRAL-2", f"You already have a ship in the harbour of {name}.")
    return IllegalMove("KRETA-ADMIRAL-2", f"The harbour of {name} is full.")


def sail(state: State, me: int, move: Sail) -> tuple[State, tuple[Event, ...]]:
    """Move ships. Raises IllegalMove (KRETA-ADMIRAL-1 to KRETA-ADMIRAL-3) or MalformedMove."""
    new = _placing(move)
    seat = state.seats[me]
    if not seat.ships or len(move.harbours) != seat.ships.bit_count():
        raise IllegalMove("KRETA-ADMIRAL-1", "Name one harbour for each of your ships on the board.")
    if blocked := new & ~room_for_ships(state, me):
        harbour = members(blocked)[0]
        raise _refuse_harbour(replace(seat, ships=0), harbour, PLACE[harbour])
    if new == seat.ships:
        raise IllegalMove("KRETA-ADMIRAL-3", "Your ships already lie there: at least one must change its harbour.")
    left, reached = members(seat.ships & ~new), members(new & ~seat.ships)
    events = tuple(ShipSailed(me, origin, target) for origin, target in zip(left, reached, strict=True))
    return end_turn(replace(state, seats=with_seat(state, me, replace(seat, ships=new)))), events


def _placing(move: Sail) -> Places:
    """Return the harbours of the move as a set. Raises IllegalMove for one named twice."""
    if not 1 <= len(move.harbours) <= SHIPS:
        raise MalformedMove("Sailing names one or two harbours.")
    placing = 0
    for harbour in move.harbours:
        if place_of(harbour) <= placing:
            if place_of(harbour) == placing:
                raise IllegalMove("KRETA-ADMIRAL-2", "Your two ships may not lie in one harbour.")
            raise MalformedMove("Harbours are named in ascending order.")
        placing |= place_of(harbour)
    return placing
