"""The starting tiles, laid as the components file says or by the start seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from skerry_games.api import IllegalMove, MalformedMove, Step
from skerry_games.small_islands.events import Event, TileLaid, TileSource
from skerry_games.small_islands.moves import LayStart, Move
from skerry_games.small_islands.phases.exploring import check_way, joined
from skerry_games.small_islands.phases.game_rounds import begin_round
from skerry_games.small_islands.printed.components import COMPONENTS
from skerry_games.small_islands.state import Layout, Phase, State
from skerry_games.small_islands.tabletop.cells import CELLS, FACES, TURNS, WAYS, Cells, members, middle
from skerry_games.small_islands.tabletop.table import Table, with_tile

START_TILES: Final = 4
START_FACES: Final = range(COMPONENTS.landscape, len(FACES))
"""The faces of starting tiles: sides A and B of the first tile, then of the next."""


def start_tile(face: int) -> int:
    """Return the number of the starting tile with that face, 0 to 3."""
    return (face - COMPONENTS.landscape) // 2


def begin_layout(state: State) -> Step[State, Event]:
    """Lay the fixed starting tiles, or let the start seat lay them (SMALL-SETUP-4)."""
    if state.layout is Layout.FREE:
        return replace(state, phase=Phase.LAY_START, turn=state.first), ()
    table, events = _fixed(state.table.size, state.first)
    begun, more = begin_round(replace(state, table=table), state.first)
    return begun, (*events, *more)


@lru_cache(maxsize=1 << 5)
def _fixed(size: int, first: int) -> tuple[Table, tuple[Event, ...]]:
    """Return the table with the fixed starting tiles, and the events of laying them."""
    table, events = Table(size), list[Event]()
    for cell, (face, turns) in zip(middle(size), COMPONENTS.start_layout, strict=True):
        table, laid_events = _laid(table, first, LayStart(face, cell, turns))
        events += laid_events
    return table, tuple(events)


def _laid(table: Table, first: int, move: LayStart) -> tuple[Table, tuple[Event, ...]]:
    laid, met = with_tile(table, move.at, move.tile, move.turns)
    return laid, joined(TileLaid(first, move.tile, move.at, move.turns, TileSource.START), laid, met)


def _open_cells(table: Table) -> Cells:
    """Return the free middle cells that are connected with the tiles laid so far (SMALL-SETUP-4)."""
    cells = sum(1 << cell for cell in middle(table.size))
    return cells & table.edge if table.tiles else cells


def ways(table: Table) -> Iterator[LayStart]:
    """Yield every way to lay one more starting tile, even if the remaining ones would not fit any more."""
    used = {start_tile(tile.tile) for tile in table.tiles}
    cells = _open_cells(table)
    for face in START_FACES:
        for turns, pattern in WAYS[face] if start_tile(face) not in used else ():
            # On an empty table every tile fits.
            for cell in members(cells & table.chart.fitting_cells[pattern] if table.tiles else cells):
                yield LayStart(face, cell, turns)


def _can_be_finished(table: Table) -> bool:
    """Return whether all remaining starting tiles can still be laid."""
    if len(table.tiles) == START_TILES:
        return True
    return any(_leaves_room(table, way) for way in ways(table))


def _leaves_room(table: Table, way: LayStart) -> bool:
    return _can_be_finished(with_tile(table, way.at, way.tile, way.turns)[0])


def start_moves(state: State, me: int) -> tuple[Move, ...]:
    """Return every way to lay a starting tile after which the remaining ones can be laid."""
    return tuple(way for way in ways(state.table) if _leaves_room(state.table, way))


def lay_start(state: State, me: int, move: LayStart) -> Step[State, Event]:
    """Lay a starting tile. After the last one, begin the first round. Raises IllegalMove or MalformedMove.

    Rules: SMALL-SETUP-4, SMALL-TABLE-1, SMALL-TILE-2, SMALL-TILE-3.
    """
    if move.tile not in START_FACES or move.at not in CELLS or move.turns not in TURNS:
        raise MalformedMove("The move names an unknown starting tile, cell or rotation.")
    table = state.table
    if start_tile(move.tile) in {start_tile(tile.tile) for tile in table.tiles}:
        raise IllegalMove("SMALL-SETUP-4", "That starting tile has already been laid.")
    if move.at not in middle(table.size):
        raise IllegalMove("SMALL-TABLE-1", "Starting tiles must lie on the four middle cells.")
    if move not in set(ways(table)):
        _refuse_way(table, move)
    if not _leaves_room(table, move):
        raise IllegalMove("SMALL-SETUP-4", "If the tile lies like that, the other starting tiles no longer fit.")
    laid, events = _laid(table, me, move)
    after = replace(state, table=laid)
    if len(laid.tiles) < START_TILES:
        return after, events
    begun, more = begin_round(after, me)
    return begun, (*events, *more)


def _refuse_way(table: Table, move: LayStart) -> None:
    """Raise the refusal of a way that ``ways`` does not list."""
    if not table.tiles:
        raise IllegalMove("SMALL-TILE-2", "Fewer turns give the same corners. Lay the tile with the fewest turns.")
    check_way(table, move.tile, move.at, move.turns)
