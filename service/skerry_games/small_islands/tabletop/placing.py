"""Why a tile or a ship cannot be laid on a cell, or not be named at all."""

from __future__ import annotations

from skerry_games.api import IllegalMove, MalformedMove
from skerry_games.small_islands.tabletop.cells import FACES, INSIDE, Cell
from skerry_games.small_islands.tabletop.table import Table


def refuse_cell(table: Table, cell: Cell) -> IllegalMove | None:
    """Return why nothing at all can be laid there: SMALL-TABLE-1, SMALL-TILE-2. ``None`` if corners decide."""
    if not INSIDE[table.size] >> cell & 1:
        return IllegalMove(
            "SMALL-TABLE-1", f"That cell is beyond the edge of the table, which has {table.size} rows and columns."
        )
    if table.chart.taken >> cell & 1:
        return IllegalMove("SMALL-TILE-2", "That cell is not empty.")
    if not table.edge >> cell & 1:
        return IllegalMove("SMALL-TILE-2", "No side of that cell touches anything that has been laid.")
    return None


def no_landscape(tile: int) -> MalformedMove:
    """Return what is said of what is no landscape tile: a starting tile, called by its id, or nothing known."""
    name = FACES[tile].id if tile in range(len(FACES)) else repr(tile)
    return MalformedMove(f"{name} is not a landscape tile.")
