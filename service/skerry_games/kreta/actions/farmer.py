"""The farmer card: harvesting tiles along chains of villagers."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from skerry_games.api import IllegalMove, Step
from skerry_games.kreta.events import Event, TileHarvested
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import HARVEST, Harvest, Move
from skerry_games.kreta.province_sets import SET_OF, ProvinceSet, borders, count_at, occupied, selector, set_of
from skerry_games.kreta.state import SeatState, State, Tile, end_turn, with_seat, with_tiles
from skerry_games.sentences import phrase

_harvests = selector(HARVEST)


@lru_cache(maxsize=1 << 13)
def chain(harbours: ProvinceSet, villagers: ProvinceSet) -> ProvinceSet:
    """Return the provinces that a chain of villagers joins to one of these harbours (KRETA-FARMER-1)."""
    found = edge = harbours & villagers
    while edge:
        edge = borders(edge) & villagers & ~found
        found |= edge
    return found


def harvest_targets(state: State, me: int) -> ProvinceSet:
    """Return the provinces whose tile the seat may harvest (KRETA-FARMER-1, KRETA-FARMER-2)."""
    seat = state.seats[me]
    # KRETA-FARMER-2: villages and abbots are no links of a chain. Peace (KRETA-PEACE-2) does not matter.
    joined = chain(seat.ships, occupied(seat.villagers))
    return joined and joined & with_tiles(state)


def can_harvest(state: State, me: int) -> bool:
    """Return whether the farmer card can be played (KRETA-TURN-2)."""
    return harvest_targets(state, me) != 0


def harvest_points(seat: SeatState, tile: Tile) -> int:
    """Return what the seat scores for its next tile of that kind: n points for the n-th (KRETA-FARMER-3)."""
    return seat.harvested[tile - 1] + 1


def farmer_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return the legal moves of the farmer card."""
    return _harvests(harvest_targets(state, me))


def harvest(state: State, me: int, move: Harvest) -> Step[State, Event]:
    """Harvest a tile. Raises IllegalMove (KRETA-FARMER-1, KRETA-FARMER-2)."""
    place = set_of(move.province)
    if not place & harvest_targets(state, me):
        raise _refuse_harvest(state, me, move.province)
    seat = state.seats[me]
    tile = Tile(count_at(state.tiles, move.province))
    points = harvest_points(seat, tile)
    harvested = (*seat.harvested[: tile - 1], points, *seat.harvested[tile:])
    seats = with_seat(state, me, replace(seat, harvested=harvested, score=seat.score + points))
    done = end_turn(replace(state, seats=seats, tiles=state.tiles - tile * place))
    return done, (TileHarvested(me, move.province, tile, points),)


def _refuse_harvest(state: State, me: int, province: int) -> IllegalMove:
    name = BOARD.provinces[province].name
    if not SET_OF[province] & with_tiles(state):
        return IllegalMove("KRETA-FARMER-2", phrase("kreta-has-no-tile-was", name=name))
    sentence = phrase("kreta-no-chain-villagers-joins", name=name)
    return IllegalMove("KRETA-FARMER-1", sentence)
