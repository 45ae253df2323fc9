"""The farmer and the exporter: building and selling warehouses, and moving the farmhand."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.sentences import phrase, player
from skerry_games.tenerife.actions.character_column import ask, decided, no_effect, owner_at, refuse_victim, victim_of
from skerry_games.tenerife.actions.roads import farmers_symbols
from skerry_games.tenerife.events import Event, FarmhandMoved, Reason, WarehouseBuilt, WarehouseExported
from skerry_games.tenerife.moves import EXPORT, Export, Move
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import STORAGE, Owners, Phase, SeatState, State, with_item, with_seat

_ROOM: Final = tuple(space.room for space in BOARD.storage)
_VALUE: Final = tuple(space.value for space in BOARD.storage)


def _order_from(storage: int) -> tuple[int, ...]:
    """Return the storage spaces from that one on, in the order in which the farmhand looks for room."""
    last, back = STORAGE[-1], BOARD.farmhand_returns_to
    return (*range(storage, last + 1), *range(back, max(back, storage)))


_FROM: Final = {storage: _order_from(storage) for storage in STORAGE}
_AFTER: Final = {storage: storage + 1 for storage in STORAGE[:-1]} | {STORAGE[-1]: BOARD.farmhand_returns_to}


def transport_left(state: State) -> bool:
    """Return whether a transport space is vacant (TENERIFE-TRANSPORT-1)."""
    return len(state.transport) < state.transport_spaces


def warehouses(state: State, seat: int) -> tuple[int, ...]:
    """Return the storage spaces on which the seat has a warehouse."""
    return tuple([number for number, owners in enumerate(state.storage, start=1) if seat in owners])


def act_farmer(state: State, space: int) -> Step[State, Event]:
    """Build a warehouse on the farmhand's storage space, if possible (TENERIFE-FARMER-2)."""
    seat = owner_at(state, space)
    if state.place not in farmers_symbols(state):  # TENERIFE-FARMER-1
        return no_effect(state, space, Reason.NO_SYMBOL)
    if not state.seats[seat].mansions:
        return no_effect(state, space, Reason.NO_MANSION)
    at = state.farmhand
    if not _has_room(state.storage, at):
        return no_effect(state, space, Reason.STORAGE_FULL)
    storage = with_item(state.storage, at - 1, (*state.storage[at - 1], seat))
    farmhand = _next_with_room(storage, _AFTER[at], at)
    stored = replace(state, seats=_supplied(state, seat, -1), storage=storage, farmhand=farmhand)
    return stored, (WarehouseBuilt(space, seat, at), *_moved(at, farmhand))


def act_exporter(state: State, space: int) -> Step[State, Event]:
    """Sell the goods of the only warehouse, or let the owner choose (TENERIFE-EXPORTER-1), if possible."""
    own = warehouses(state, owner_at(state, space))
    if not own:
        return no_effect(state, space, Reason.NO_WAREHOUSE)
    if not transport_left(state):
        return no_effect(state, space, Reason.NO_TRANSPORT)
    return _export_own(state, space, own[0]) if len(own) == 1 else _ask(state, space)


def rob_exporter(state: State, space: int, victim: int) -> Step[State, Event]:
    """Sell the goods of the victim's warehouse of lowest value (TENERIFE-ROB-EXPORTER-1).

    If several have the lowest value, the owner of the thieves chooses.
    """
    lowest = lowest_warehouses(state, victim)
    if not lowest:
        return no_effect(state, space, Reason.NO_WAREHOUSE)
    return _export_robbed(state, space, lowest[0], victim) if len(lowest) == 1 else _ask(state, space)


def _ask(state: State, space: int) -> Step[State, Event]:
    return ask(state, Phase.CHOOSE_WAREHOUSE, space)


def lowest_warehouses(state: State, seat: int) -> tuple[int, ...]:
    """Return the storage spaces of lowest value that hold a warehouse of the seat. Empty if the seat has none."""
    own = warehouses(state, seat)
    value = min([_VALUE[number - 1] for number in own], default=0)
    return tuple([number for number in own if _VALUE[number - 1] == value])


def _to_choose_from(state: State, me: int, victim: int | None) -> tuple[int, ...]:
    """Return the storage spaces from which the acting exporter or thieves can sell."""
    return warehouses(state, me) if victim is None else lowest_warehouses(state, victim)


def warehouse_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return a move per storage space to choose from."""
    victim = victim_of(state, state.active)
    of_storage = EXPORT[victim]
    return tuple([of_storage[number] for number in _to_choose_from(state, me, victim)])


def export(state: State, me: int, move: Export) -> Step[State, Event]:
    """Sell the goods of the chosen warehouse.

    Raises IllegalMove (TENERIFE-EXPORTER-1, TENERIFE-ROB-EXPORTER-1) or MalformedMove.
    """
    if move.storage not in STORAGE:
        raise MalformedMove(phrase("tenerife-no-storage-space", space=repr(move.storage), last=len(STORAGE)))
    victim = victim_of(state, state.active)
    if move.storage not in _to_choose_from(state, me, victim):
        raise _refuse_warehouse(state, move.storage, victim)
    if move.victim != victim:
        raise refuse_victim("TENERIFE-EXPORTER-1" if victim is None else "TENERIFE-ROB-EXPORTER-1", victim)
    if victim is None:
        return _export_own(decided(state), state.active, move.storage)
    return _export_robbed(decided(state), state.active, move.storage, victim)


def _refuse_warehouse(state: State, number: int, victim: int | None) -> IllegalMove:
    """Return the reason why the goods of that storage space cannot be sold."""
    if victim is None:
        return IllegalMove("TENERIFE-EXPORTER-1", phrase("tenerife-have-no-warehouse-storage", number=number))
    if victim not in state.storage[number - 1]:
        sentence = phrase("tenerife-has-no-warehouse-storage", victim=player(victim), number=number)
    else:
        lowest = " or ".join(map(str, lowest_warehouses(state, victim)))
        sentence = phrase("tenerife-thieves-get-only-goods", lowest=lowest)
    return IllegalMove("TENERIFE-ROB-EXPORTER-1", sentence)


def _export_robbed(state: State, space: int, number: int, victim: int) -> Step[State, Event]:
    event = WarehouseExported(space, owner_at(state, space), number, _VALUE[number - 1], victim, None)
    return _export(state, event, victim)


def _export_own(state: State, space: int, number: int) -> Step[State, Event]:
    seat = owner_at(state, space)
    loaded = replace(state, transport=(*state.transport, space))
    event = WarehouseExported(space, seat, number, _VALUE[number - 1], None, len(loaded.transport))
    return _export(loaded, event, seat)


def _export(state: State, event: WarehouseExported, owner: int) -> Step[State, Event]:
    """Return a warehouse to its owner's supply, and give its value to the seat that sold it."""
    at = event.storage - 1
    stored = state.storage[at]
    place = stored.index(owner)
    storage = with_item(state.storage, at, stored[:place] + stored[place + 1 :])
    supplied = _supplied(state, owner, 1)
    seller = supplied[event.seat]
    seats = with_item(supplied, event.seat, replace(seller, score=seller.score + event.points))
    farmhand = _next_with_room(storage, state.farmhand, state.farmhand)
    sold = replace(state, seats=seats, storage=storage, farmhand=farmhand)
    return sold, (event, *_moved(state.farmhand, farmhand))


def _supplied(state: State, owner: int, mansions: int) -> tuple[SeatState, ...]:
    """Return the seats after adding that number of mansions to the supply of one seat."""
    seat = state.seats[owner]
    return with_seat(state, owner, replace(seat, mansions=seat.mansions + mansions))


def _has_room(storage: tuple[Owners, ...], number: int) -> bool:
    return len(storage[number - 1]) < _ROOM[number - 1]


def _next_with_room(storage: tuple[Owners, ...], first: int, farmhand: int) -> int:
    """Return the next storage space with room, from ``first`` on (TENERIFE-FARMER-3).

    If all wine spaces are full, return ``farmhand``: it waits there until an export makes room.
    """
    for number in _FROM[first]:
        if _has_room(storage, number):
            return number
    return farmhand


def _moved(origin: int, target: int) -> tuple[Event, ...]:
    return (FarmhandMoved(origin, target),) if target != origin else ()
