"""Refusals that tiles and ships share."""

from __future__ import annotations

from skerry_games.api import IllegalMove, MalformedMove
from skerry_games.sentences import phrase
from skerry_games.small_islands.tabletop.cells import FACES, INSIDE, Cell
from skerry_games.small_islands.tabletop.table import Table


def refuse_cell(table: Table, cell: Cell) -> IllegalMove | None:
    """Return the refusal of a cell that cannot take any tile or ship (SMALL-TABLE-1, SMALL-TILE-2), or ``None``."""
    if not INSIDE[table.size] >> cell & 1:
        return IllegalMove("SMALL-TABLE-1", phrase("small_islands-cell-outside-table-which", size=table.size))
    if table.chart.taken >> cell & 1:
        return IllegalMove("SMALL-TILE-2", "That cell is not empty.")
    if not table.edge >> cell & 1:
        return IllegalMove("SMALL-TILE-2", "That cell does not touch a laid tile or ship by a side.")
    return None


def no_landscape(tile: int) -> MalformedMove:
    """Return the error for a number that is not a landscape tile."""
    name = FACES[tile].id if tile in range(len(FACES)) else repr(tile)
    return MalformedMove(phrase("small_islands-not-landscape-tile", name=name))
