"""The admiral card: ships in harbours."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.kreta.events import Event, ShipPlaced, ShipSailed
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import PLACE_SHIP, Move, PlaceShip, Sail, sailing
from skerry_games.kreta.province_sets import HARBOURS, SET_OF, ProvinceSet, members, selector, set_of
from skerry_games.kreta.state import SHIPS, SeatState, State, end_turn, ships_left, with_seat
from skerry_games.sentences import phrase

_places_of_ships = selector(PLACE_SHIP)


def room_for_ships(state: State, me: int) -> ProvinceSet:
    """Return the harbours where other seats' ships leave room for one more (KRETA-ADMIRAL-2)."""
    one = two = 0
    for number, seat in enumerate(state.seats):
        if number != me:
            two |= one & seat.ships
            one |= seat.ships
    return HARBOURS & ~(one if len(state.seats) == 2 else two)


def ship_targets(state: State, me: int) -> ProvinceSet:
    """Return where the seat may add a ship (KRETA-ADMIRAL-1, KRETA-ADMIRAL-2)."""
    seat = state.seats[me]
    return room_for_ships(state, me) & ~seat.ships if ships_left(seat) else 0


@lru_cache(maxsize=1 << 12)
def sailings(ships: ProvinceSet, room: ProvinceSet) -> tuple[Sail, ...]:
    """Return a move to each other placement of these ships in harbours with room (KRETA-ADMIRAL-3)."""
    old = members(ships)
    return tuple(_ways(old, new) for new in combinations(members(room), len(old)) if new != old)


def _ways(old: tuple[int, ...], new: tuple[int, ...]) -> Sail:
    return sailing(zip(old, new, strict=True))


def admiral_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal moves of the admiral card."""
    seat, room = state.seats[me], room_for_ships(state, me)
    listed: tuple[Move, ...] = _places_of_ships(room & ~seat.ships) if ships_left(seat) else ()
    return listed + sailings(seat.ships, room) if seat.ships else listed


def place_ship(state: State, me: int, move: PlaceShip) -> Step[State, Event]:
    """Add a ship. Raises IllegalMove (KRETA-ADMIRAL-1, KRETA-ADMIRAL-2)."""
    place = set_of(move.harbour)
    seat = state.seats[me]
    if not place & ship_targets(state, me):
        if not ships_left(seat):
            raise IllegalMove("KRETA-ADMIRAL-1", "You have no ship left to add.")
        raise _refuse_harbour(seat, move.harbour, place)
    changed = replace(seat, ships=seat.ships | place)
    return end_turn(replace(state, seats=with_seat(state, me, changed))), (ShipPlaced(me, move.harbour),)


def _name(harbour: int) -> str:
    return BOARD.provinces[harbour].name


def _refuse_harbour(seat: SeatState, harbour: int, place: ProvinceSet) -> IllegalMove:
    """Return the refusal for a harbour that cannot take the ship."""
    name = _name(harbour)
    if not place & HARBOURS:
        return IllegalMove("KRETA-ADMIRAL-1", phrase("kreta-has-no-harbour", name=name))
    if place & seat.ships:
        return IllegalMove("KRETA-ADMIRAL-2", phrase("kreta-already-have-ship-harbour", name=name))
    return IllegalMove("KRETA-ADMIRAL-2", phrase("kreta-harbour-full", name=name))


def sail(state: State, me: int, move: Sail) -> Step[State, Event]:
    """Move ships. Raises IllegalMove (KRETA-ADMIRAL-1 to KRETA-ADMIRAL-3) or MalformedMove."""
    seat = state.seats[me]
    room = room_for_ships(state, me)
    if move not in sailings(seat.ships, room):
        raise _refuse_sailing(seat, room, move)
    ships = seat.ships
    for origin, target in move.ways:
        ships += SET_OF[target] - SET_OF[origin]
    events = tuple([ShipSailed(me, origin, target) for origin, target in move.ways])
    return end_turn(replace(state, seats=with_seat(state, me, replace(seat, ships=ships)))), events


def _refuse_sailing(seat: SeatState, room: ProvinceSet, move: Sail) -> IllegalMove:
    """Return the refusal for a sailing. Raises MalformedMove if the move names too many ships or is out of order."""
    if len(move.ways) > SHIPS:
        raise MalformedMove(phrase("kreta-most-voyages", ships=SHIPS))
    staying = seat.ships
    for origin, target in move.ways:
        if not set_of(origin) & staying:
            return IllegalMove("KRETA-ADMIRAL-1", phrase("kreta-have-no-ship-at", origin=_name(origin)))
        if not set_of(target) & (room | seat.ships):
            return _refuse_harbour(seat, target, SET_OF[target])
        staying &= ~SET_OF[origin]
    return _refuse_placing(seat.ships, staying, move)


def _refuse_placing(before: ProvinceSet, staying: ProvinceSet, move: Sail) -> IllegalMove:
    """Return the refusal for a final placement whose harbours all have room."""
    placing = staying
    for _, target in move.ways:
        if SET_OF[target] & placing:
            return IllegalMove("KRETA-ADMIRAL-2", phrase("kreta-two-ships-may-not", target=_name(target)))
        placing |= SET_OF[target]
    if placing == before:
        return IllegalMove(
            "KRETA-ADMIRAL-3", "Your ships would end in the same harbours. At least one must change its harbour."
        )
    raise MalformedMove(
        "Only the final placement counts. Name the harbours left, and the harbours reached, in ascending order."
    )
