"""Cells of the table, and sets of them: bit sets, in which placements are found by shifting.

A cell is ``row * STRIDE + column``; so is a corner point, which is the top left corner of the cell with its number.
The point to its right is one further, the point below it ``STRIDE`` further. Rows are one longer than the longest row
of cells: nothing that is shifted out at one side comes in at the other.

A *pattern* is the land at the four corners of a tile (SMALL-TILE-1): 1 top left, 2 top right, 4 bottom right, 8 bottom
left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

from skerry_games.small_islands.components import COMPONENTS

T = TypeVar("T")

Cell = int
Cells = int
Pattern = int

DEFAULT_SIZE: Final = 16
SIZES: Final = range(6, 21, 2)
"""How many rows and columns a table can have: even numbers, so that there are four middle cells (SMALL-TABLE-1)."""
STRIDE: Final = SIZES[-1] + 1

TURNS: Final = tuple(range(4))
"""Quarter turns clockwise."""

TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT = 1, 2, 4, 8
LAND: Final[Pattern] = 15
SEA: Final[Pattern] = 0

_POINTS: Final = {TOP_LEFT: 0, TOP_RIGHT: 1, BOTTOM_RIGHT: STRIDE + 1, BOTTOM_LEFT: STRIDE}
"""How much further than a cell the points at its corners are."""


def cell_at(x: int, y: int) -> Cell:
    """Return the cell in that column and row, both from 0."""
    return y * STRIDE + x


def column(cell: Cell) -> int:
    """Return the column, from 0 at the left."""
    return cell % STRIDE


def row(cell: Cell) -> int:
    """Return the row, from 0 at the top."""
    return cell // STRIDE


CELLS: Final = frozenset(cell_at(x, y) for y in range(SIZES[-1]) for x in range(SIZES[-1]))
INSIDE: Final[dict[int, Cells]] = {size: sum(((1 << size) - 1) << y * STRIDE for y in range(size)) for size in SIZES}
"""All cells of a table, by its size (SMALL-TABLE-1)."""


def middle(size: int) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells in the middle of a table of that size, clockwise from the top left."""
    low = size // 2 - 1
    return cell_at(low, low), cell_at(low + 1, low), cell_at(low + 1, low + 1), cell_at(low, low + 1)


Selection = tuple[tuple[T, Cells], ...]
"""An item of each cell, and the cell as a set of its own: one look-up finds both."""
ALONE: Final[tuple[Cells, ...]] = tuple(1 << cell for cell in range(max(CELLS) + 1))
"""Each cell as a set of its own."""


def for_selection(item: Callable[[Cell], T]) -> Selection[T]:
    """Return the item of each cell, at the place that a set of cells up to that one has as its bit length.

    There is one between two rows as well, and one at the front: no set selects them.
    """
    items = [(item(cell), alone) for cell, alone in enumerate(ALONE)]
    return (items[0], *items)


_NUMBERS: Final = for_selection(int)


def members(cells: Cells) -> list[Cell]:
    """Return the cells of the set, ascending."""
    return selected(_NUMBERS, cells)


def selected(items: Selection[T], cells: Cells) -> list[T]:
    """Return the items of the cells in the set, by cell ascending: listings select from moves that exist."""
    found = []
    while cells:
        # The highest cell first: it is found with one operation on long integers less than the lowest one.
        item, highest = items[cells.bit_length()]
        found.append(item)
        cells ^= highest
    found.reverse()
    return found


def first(cells: Cells) -> Cell:
    """Return the first cell of a set that is not empty: the leftmost one of its topmost row."""
    return (cells & -cells).bit_length() - 1


def beside(cells: Cells) -> Cells:
    """Return what touches the set by a side, the inside of the set and cells outside the table included."""
    return cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


BESIDE: Final[dict[Cell, Cells]] = {cell: beside(1 << cell) for cell in CELLS}
"""What touches each cell by a side."""


@lru_cache(maxsize=len(CELLS))
def around(cell: Cell) -> Cells:
    """Return the eight cells around one; some of them may be outside the table."""
    here = 1 << cell
    strip = here | here << 1 | here >> 1
    return (strip | strip << STRIDE | strip >> STRIDE) & ~here


def turned(pattern: Pattern, turns: int) -> Pattern:
    """Return the pattern after that many quarter turns clockwise."""
    return (pattern << turns | pattern >> (4 - turns)) & LAND


POINTS: Final[tuple[int, ...]] = tuple(
    sum(1 << offset for corner, offset in _POINTS.items() if pattern & corner) for pattern in range(LAND + 1)
)
"""For each pattern the points of cell 0 that have land; shifted by a cell they are the points of that cell."""


_EVERY_POINT: Final = (1 << STRIDE * STRIDE) - 1


def rooms(edge: Cells, land: int, sea: int) -> tuple[Cells, ...]:
    """Return for each pattern where on the edge it agrees with the points known as land and as sea (SMALL-TILE-3).

    Two points in a row can be land or sea (``L`` or ``S``, left one first) in four ways: at the top of a tile, and a
    row further at its bottom; tops and bottoms make the sixteen patterns. Written out, because it is done for each
    tile, and with what can still be, because to leave out what is known takes Python three operations for one.
    """
    land_left, sea_left = _EVERY_POINT ^ sea, _EVERY_POINT ^ land
    land_right, sea_right = land_left >> 1, sea_left >> 1
    ss, ls, sl, ll = sea_left & sea_right, land_left & sea_right, sea_left & land_right, land_left & land_right
    low_ss, low_ls, low_sl, low_ll = ss >> STRIDE & edge, ls >> STRIDE & edge, sl >> STRIDE & edge, ll >> STRIDE & edge
    return (
        ss & low_ss, ls & low_ss, sl & low_ss, ll & low_ss,
        ss & low_sl, ls & low_sl, sl & low_sl, ll & low_sl,
        ss & low_ls, ls & low_ls, sl & low_ls, ll & low_ls,
        ss & low_ll, ls & low_ll, sl & low_ll, ll & low_ll,
    )  # fmt: skip


def _landward(pattern: Pattern) -> Cells:
    here, found = 1 << STRIDE, 0
    if pattern & (TOP_LEFT | TOP_RIGHT):
        found |= here >> STRIDE
    if pattern & (TOP_RIGHT | BOTTOM_RIGHT):
        found |= here << 1
    if pattern & (BOTTOM_RIGHT | BOTTOM_LEFT):
        found |= here << STRIDE
    if pattern & (BOTTOM_LEFT | TOP_LEFT):
        found |= here >> 1
    return found


LANDWARD: Final = tuple(map(_landward, range(LAND + 1)))
"""For each pattern the neighbours at the sides that have land (SMALL-ISLAND-1), of the first cell of the second row."""


FACES: Final = COMPONENTS.faces
PATTERNS: Final[tuple[Pattern, ...]] = tuple(
    sum(1 << corner for corner, letter in enumerate(face.shape.name) if letter == "L") for face in FACES
)
"""The pattern of each face, not rotated."""
TURNED: Final = tuple(tuple(turned(pattern, turns) for turns in TURNS) for pattern in PATTERNS)
"""The pattern of each face, by the quarter turns that it is laid with."""


def _ways(pattern: Pattern) -> tuple[tuple[int, Pattern], ...]:
    """Return the rotations that differ in their corners, each with its pattern.

    SMALL-TILE-2: what else a rotation changes, where symbols are drawn, means nothing to the rules.
    """
    ways: dict[Pattern, int] = {}
    for turns in TURNS:
        ways.setdefault(turned(pattern, turns), turns)
    return tuple((turns, pattern) for pattern, turns in ways.items())


WAYS: Final = tuple(map(_ways, PATTERNS))
"""For each face the rotations in which it can be laid, as pairs of turns and pattern."""
