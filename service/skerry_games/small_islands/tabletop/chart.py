"""Values that follow from the table: where tiles fit, which islands exist, and which symbols they show."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.lazy import lazy_property
from skerry_games.small_islands.printed.component_checks import MOST_ALIKE, MOST_PORTS
from skerry_games.small_islands.printed.components import HOUSE, PORT, RESOURCES, Symbol
from skerry_games.small_islands.tabletop.cells import (
    BESIDE,
    FACES,
    LAND,
    LANDWARD,
    PATTERNS,
    POINTS,
    SEA,
    SET_OF,
    STRIDE,
    TURNED,
    Cell,
    Cells,
    Pattern,
    fitting_cells,
)

LEAST_TILES: Final = 2
"""Houses need an island with at least this many tiles (SMALL-REWARD-2)."""
_KINDS: Final = max(Symbol) + 1
_NONE: Final = (0,) * _KINDS
assert MOST_ALIKE == 0b11, "a count in two bits is at most 3"
_COUNTS: Final = tuple(Counter((*face.symbols, *(PORT,) * face.ports)) for face in FACES)
_LOW_BITS: Final = tuple(tuple(int(symbol) for symbol, count in counts.items() if count & 1) for counts in _COUNTS)
_HIGH_BITS: Final = tuple(tuple(int(symbol) for symbol, count in counts.items() if count & 2) for counts in _COUNTS)
"""For each face, the symbols whose count has that bit set (see ``Chart.low_bits``), as plain integers for speed."""
assert MOST_ALIKE * len(FACES) <= 0xFF, "the total of a symbol over all tiles fits in a byte"
_ONE: Final = tuple(1 << 8 * symbol for symbol in range(_KINDS))
_SHOWN: Final = tuple(sum(_ONE[symbol] * count for symbol, count in counts.items()) for counts in _COUNTS)
"""The symbols of each face as one number with a byte per symbol, so that sums add counts (see ``Chart.shown``)."""
_COASTAL: Final = frozenset(face for face, pattern in enumerate(PATTERNS) if pattern not in (LAND, SEA))
_PORT_TARGET: Final = 1 << PORT
_TOKEN_TARGETS: Final = tuple(
    sum(1 << symbol for symbol in RESOURCES if symbol in face.symbols)
    | (_PORT_TARGET if number in _COASTAL and face.ports < MOST_PORTS else 0)
    for number, face in enumerate(FACES)
)
"""The bits that each face adds to ``Chart.token_targets``."""


class IslandSummary(Struct, frozen=True, gc=False):
    """An island: its cells, its number of tiles, and its symbols."""

    cells: Cells
    tiles: int
    counts: tuple[int, ...]
    """How many of each symbol its tiles show, indexed by the number of the symbol."""


class Chart(Struct, frozen=True, dict=True):
    """The values that follow from one table, as bit sets."""

    inside: Cells
    """All cells of the table."""
    empty: Cells
    """The cells without a tile or ship."""
    edge: Cells = 0
    """The empty cells that touch a laid tile or ship by a side (SMALL-TILE-2, SMALL-TABLE-1)."""
    land: int = 0
    """Points known as land. Points known as sea are in ``sea``. All other points are still open."""
    sea: int = 0
    fitting_cells: tuple[Cells, ...] = (0,) * (LAND + 1)
    """For each pattern, the cells of the edge where it can be laid (SMALL-TILE-3)."""
    shown: dict[Cells, int] = {}
    """The islands and their symbol counts, packed with a byte per symbol.

    A token counts as the symbol that it shows. The symbol under a token does not count (SMALL-REWARD-5).
    """
    coast: Cells = 0
    """The tiles that have both land and sea."""
    low_bits: tuple[Cells, ...] = _NONE
    """For each symbol, the tiles that show it 1 or 3 times: the low bit of its count, tokens included."""
    high_bits: tuple[Cells, ...] = _NONE
    """For each symbol, the tiles that show it 2 or 3 times: the high bit of its count.

    No tile ever shows a symbol more than MOST_ALIKE times. The loader rejects components that would allow it.
    """
    token_targets: int = 0
    """Bit set of what bonus tokens can go on: each resource that a tile shows, and PORT if a tile has room for one."""

    @property
    def taken(self) -> Cells:
        """The cells with a tile or ship."""
        return self.inside ^ self.empty

    def count(self, symbol: Symbol, cells: Cells) -> int:
        """Return how often the tiles on these cells show the symbol."""
        return (self.low_bits[symbol] & cells).bit_count() + 2 * (self.high_bits[symbol] & cells).bit_count()

    def showing(self, symbol: Symbol) -> Cells:
        """Return the tiles that show the symbol at least once."""
        return self.low_bits[symbol] | self.high_bits[symbol]

    @property
    def islands(self) -> tuple[Cells, ...]:
        """The islands (SMALL-ISLAND-1)."""
        return tuple(self.shown)

    @property
    def houses(self) -> Cells:
        """The tiles with a house symbol. No tile has two."""
        return self.low_bits[HOUSE]

    def island_at(self, cell: Cell) -> IslandSummary | None:
        """Return the island of that cell, or ``None`` if it is on no island (SMALL-ISLAND-2)."""
        here = 1 << cell
        return next((island for island in self.summaries if island.cells & here), None)

    @lazy_property
    def summaries(self) -> tuple[IslandSummary, ...]:
        """The islands with unpacked symbol counts."""
        return tuple([_summary(cells, shown) for cells, shown in self.shown.items()])

    @lazy_property
    def sites(self) -> tuple[IslandSummary, ...]:
        """The islands that can have houses: at least 2 tiles and a house symbol (SMALL-REWARD-2)."""
        houses, found = self.houses, []
        for cells, shown in self.shown.items():
            if cells & houses and cells.bit_count() >= LEAST_TILES:
                found.append(_summary(cells, shown))
        return tuple(found)

    def site_at(self, cell: Cell) -> IslandSummary | None:
        """Return the island of that cell, or ``None`` if it cannot have houses."""
        here = SET_OF[cell]
        for island in self.sites:
            if island.cells & here:
                return island
        return None

    def with_tile(self, cell: Cell, face: int, turns: int) -> tuple[Chart, tuple[Cells, ...]]:
        """Return the chart with one more tile, and the previous islands that the tile extends or joins."""
        pattern, here = TURNED[face][turns], SET_OF[cell]
        empty = self.empty ^ here
        edge = (self.edge | BESIDE[cell]) & empty
        land = self.land | POINTS[pattern] << cell
        sea = self.sea | POINTS[LAND ^ pattern] << cell
        shown, met = _joined(self.shown, cell, pattern, face) if pattern else (self.shown, ())
        chart = Chart(
            self.inside,
            empty,
            edge,
            land,
            sea,
            fitting_cells(edge, land, sea),
            shown,
            self.coast | here if face in _COASTAL else self.coast,
            _with_bits(self.low_bits, _LOW_BITS[face], here) if _LOW_BITS[face] else self.low_bits,
            _with_bits(self.high_bits, _HIGH_BITS[face], here) if _HIGH_BITS[face] else self.high_bits,
            self.token_targets | _TOKEN_TARGETS[face],
        )
        return chart, met

    def with_ship(self, cell: Cell) -> Chart:
        """Return the chart with one more ship, which has sea at all corners and no symbols."""
        empty = self.empty ^ SET_OF[cell]
        edge = (self.edge | BESIDE[cell]) & empty
        sea = self.sea | POINTS[LAND] << cell
        return replace(self, empty=empty, edge=edge, sea=sea, fitting_cells=fitting_cells(edge, self.land, sea))

    def with_token(self, cell: Cell, shows: Symbol, covers: Symbol | None) -> Chart:
        """Return the chart with one more token: one more of ``shows`` on the tile, one fewer of ``covers``."""
        here = SET_OF[cell]
        low_bits, high_bits, more = [*self.low_bits], [*self.high_bits], _ONE[shows]
        if covers is not None:
            more -= _ONE[covers]
            # Subtract 1: flip the low bit. If it was 0, borrow from the high bit.
            if not low_bits[covers] & here:
                high_bits[covers] ^= here
            low_bits[covers] ^= here
        # Add 1: flip the low bit. If it was 1, carry to the high bit.
        if low_bits[shows] & here:
            high_bits[shows] ^= here
        low_bits[shows] ^= here
        shown = self.shown.copy()
        for island in shown:
            if island & here:
                shown[island] += more
                break
        token_targets = self.token_targets
        if covers is not None:
            token_targets |= 1 << shows
            if not low_bits[covers] | high_bits[covers]:
                token_targets &= ~(1 << covers)
        elif self.coast & high_bits[PORT] == self.coast:
            token_targets &= ~_PORT_TARGET
        return replace(
            self, shown=shown, low_bits=tuple(low_bits), high_bits=tuple(high_bits), token_targets=token_targets
        )


def _with_bits(digits: tuple[Cells, ...], symbols: tuple[int, ...], here: Cells) -> tuple[Cells, ...]:
    """Return the bits with the tile added to these symbols."""
    changed = [*digits]
    for symbol in symbols:
        changed[symbol] |= here
    return tuple(changed)


def _joined(
    islands: dict[Cells, int], cell: Cell, pattern: Pattern, face: int
) -> tuple[dict[Cells, int], tuple[Cells, ...]]:
    """Return the islands after a tile with land is laid, and the previous islands that it joins (SMALL-ISLAND-1)."""
    near, joined, shows = LANDWARD[pattern] << cell >> STRIDE, SET_OF[cell], _SHOWN[face]
    after, met = islands.copy(), []
    for island in islands:
        if island & near:
            met.append(island)
            joined |= island
            shows += after.pop(island)
    after[joined] = shows
    return after, tuple(met)


def _summary(cells: Cells, shown: int) -> IslandSummary:
    return IslandSummary(cells, cells.bit_count(), tuple(shown.to_bytes(_KINDS, "little")))
