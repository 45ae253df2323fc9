"""Cells of the table, and sets of cells as integers. Shifting a set moves all its cells.

A cell is the number ``row * STRIDE + column``. A corner point has the number of the cell whose top left corner it is.
The next point to the right is 1 higher, the next point below is ``STRIDE`` higher. ``STRIDE`` exceeds the longest row
by 1, so bits that a shift moves out of a row do not enter the next one.

A *pattern* is a bit set of the tile's land corners (SMALL-TILE-1): 1 top left, 2 top right, 4 bottom right, 8 bottom
left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Final, TypeVar

from msgspec import Struct

from skerry_games.annotations import As
from skerry_games.api import MalformedMove
from skerry_games.sentences import phrase
from skerry_games.small_islands.printed.components import COMPONENTS

T = TypeVar("T")


class Square(Struct, frozen=True):
    """A cell by its column and row, both from 0."""

    x: int
    y: int


def _square(cell: int) -> Square:
    return Square(column(cell), row(cell))


def _cell(square: Square) -> int:
    if not (0 <= square.x < SIZES[-1] and 0 <= square.y < SIZES[-1]):
        raise MalformedMove(phrase("small_islands-no-cell", x=square.x, y=square.y))
    return cell_at(square.x, square.y)


Cell = Annotated[int, As(Square, _square, _cell, "cell")]
Cells = int
Pattern = int

DEFAULT_SIZE: Final = 16
SIZES: Final = range(6, 21, 2)
"""Possible numbers of rows and columns (SMALL-TABLE-1). They are even, so that a table has four middle cells."""
STRIDE: Final = SIZES[-1] + 1

TURNS: Final = tuple(range(4))
"""Quarter turns clockwise."""

TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT = 1, 2, 4, 8
LAND: Final[Pattern] = 15
SEA: Final[Pattern] = 0

_POINTS: Final = {TOP_LEFT: 0, TOP_RIGHT: 1, BOTTOM_RIGHT: STRIDE + 1, BOTTOM_LEFT: STRIDE}
"""The offset from a cell's number to the number of the point at each of its corners."""


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
"""Pairs of an item per cell and the set of that cell alone, so that one look-up finds both."""
SET_OF: Final[tuple[Cells, ...]] = tuple(1 << cell for cell in range(max(CELLS) + 1))
"""The set of each cell alone, indexed by cell."""


def for_selection(item: Callable[[Cell], T]) -> Selection[T]:
    """Return a table of items for ``selected``: the item of a cell is at index cell + 1.

    That index is the bit length of every set whose highest cell it is. Entries at index 0 and between rows are unused.
    """
    items = [(item(cell), alone) for cell, alone in enumerate(SET_OF)]
    return (items[0], *items)


_NUMBERS: Final = for_selection(int)


def members(cells: Cells) -> list[Cell]:
    """Return the cells of the set, ascending."""
    return selected(_NUMBERS, cells)


def selected(items: Selection[T], cells: Cells) -> list[T]:
    """Return the items of the cells in the set, in ascending order of the cells."""
    found = []
    while cells:
        # Finding the highest cell takes one long-integer operation less than finding the lowest one.
        item, highest = items[cells.bit_length()]
        found.append(item)
        cells ^= highest
    found.reverse()
    return found


def first(cells: Cells) -> Cell:
    """Return the first cell of a set: the leftmost cell of its topmost row. The set must not be empty."""
    return (cells & -cells).bit_length() - 1


def beside(cells: Cells) -> Cells:
    """Return all cells that touch a cell of the set by a side. They can be in the set, or outside the table."""
    return cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


BESIDE: Final[dict[Cell, Cells]] = {cell: beside(1 << cell) for cell in CELLS}
"""The cells that touch each cell by a side."""


@lru_cache(maxsize=len(CELLS))
def around(cell: Cell) -> Cells:
    """Return the eight cells around a cell. Some can be outside the table."""
    here = 1 << cell
    strip = here | here << 1 | here >> 1
    return (strip | strip << STRIDE | strip >> STRIDE) & ~here


def turned(pattern: Pattern, turns: int) -> Pattern:
    """Return the pattern after that many quarter turns clockwise."""
    return (pattern << turns | pattern >> (4 - turns)) & LAND


POINTS: Final[tuple[int, ...]] = tuple(
    sum(1 << offset for corner, offset in _POINTS.items() if pattern & corner) for pattern in range(LAND + 1)
)
"""For each pattern, the points of cell 0 that have land. Shift left by a cell to get the points of that cell."""


_EVERY_POINT: Final = (1 << STRIDE * STRIDE) - 1


def fitting_cells(edge: Cells, land: int, sea: int) -> tuple[Cells, ...]:
    """Return for each pattern the cells of the edge where all its corners agree with known points (SMALL-TILE-3).

    ``land`` and ``sea`` are the known points. The function first finds where two adjacent points of a row can be land
    or sea (``ls``: left land, right sea). Then it combines the top and the bottom row of a cell to sixteen patterns.
    The code is unrolled, and works with points that can still be land or sea, because it runs for each laid tile.
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
"""For each pattern, the neighbours of cell ``STRIDE`` at the sides that have land (SMALL-ISLAND-1)."""


FACES: Final = COMPONENTS.faces
PATTERNS: Final[tuple[Pattern, ...]] = tuple(
    sum(1 << corner for corner, letter in enumerate(face.shape.name) if letter == "L") for face in FACES
)
"""The pattern of each face without rotation."""
TURNED: Final = tuple(tuple(turned(pattern, turns) for turns in TURNS) for pattern in PATTERNS)
"""The pattern of each face, by number of quarter turns."""


def _ways(pattern: Pattern) -> tuple[tuple[int, Pattern], ...]:
    """Return the rotations with different corners, each with its pattern (SMALL-TILE-2).

    Where a rotation draws the symbols has no meaning in the rules.
    """
    ways: dict[Pattern, int] = {}
    for turns in TURNS:
        ways.setdefault(turned(pattern, turns), turns)
    return tuple((turns, pattern) for pattern, turns in ways.items())


WAYS: Final = tuple(map(_ways, PATTERNS))
"""For each face, its different rotations as pairs of turns and pattern."""
