"""What follows from what lies on the table: where a tile fits, which islands there are, and what they show."""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.lazy import lazy_property
from skerry_games.small_islands.component_checks import MOST_ALIKE, MOST_PORTS
from skerry_games.small_islands.components import HOUSE, PORT, RESOURCES, Symbol
from skerry_games.small_islands.tabletop.cells import (
    ALONE,
    BESIDE,
    FACES,
    LAND,
    LANDWARD,
    PATTERNS,
    POINTS,
    SEA,
    STRIDE,
    TURNED,
    Cell,
    Cells,
    Pattern,
    rooms,
)

LEAST_TILES: Final = 2
"""An island of fewer has no houses (SMALL-REWARD-2)."""
_KINDS: Final = max(Symbol) + 1
_NONE: Final = (0,) * _KINDS
assert MOST_ALIKE == 0b11, "what is counted in two binary digits is at most 3"
_COUNTS: Final = tuple(Counter((*face.symbols, *(PORT,) * face.ports)) for face in FACES)
_ODD: Final = tuple(tuple(int(symbol) for symbol, count in counts.items() if count & 1) for counts in _COUNTS)
_MANY: Final = tuple(tuple(int(symbol) for symbol, count in counts.items() if count & 2) for counts in _COUNTS)
"""The symbols whose number on a face has that binary digit (see ``Chart.odd``), as plain numbers: quicker indices."""
assert MOST_ALIKE * len(FACES) <= 0xFF, "all tiles together show so many of a symbol at most"
_ONE: Final = tuple(1 << 8 * symbol for symbol in range(_KINDS))
_SHOWN: Final = tuple(sum(_ONE[symbol] * count for symbol, count in counts.items()) for counts in _COUNTS)
"""What each face shows, as numbers that can be added: of each symbol how many, in a byte (see ``Chart.shown``)."""
_COASTAL: Final = frozenset(face for face, pattern in enumerate(PATTERNS) if pattern not in (LAND, SEA))
_PORT_THERE: Final = 1 << PORT
_THERE: Final = tuple(
    sum(1 << symbol for symbol in RESOURCES if symbol in face.symbols)
    | (_PORT_THERE if number in _COASTAL and face.ports < MOST_PORTS else 0)
    for number, face in enumerate(FACES)
)
"""What each face adds to ``Chart.there``."""


class IslandSummary(Struct, frozen=True, gc=False):
    """An island, and what counts about it."""

    cells: Cells
    tiles: int
    counts: tuple[int, ...]
    """How many of each symbol its tiles show, by the number of the symbol."""


class Chart(Struct, frozen=True, dict=True):
    """What follows from what lies on one table, as bit sets."""

    inside: Cells
    """All cells of the table."""
    empty: Cells
    """Those on which nothing lies."""
    edge: Cells = 0
    """The empty cells that touch something laid by a side (SMALL-TILE-2, SMALL-TABLE-1)."""
    land: int = 0
    """Points that are land; those that are sea are ``sea``. Others are not known yet."""
    sea: int = 0
    rooms: tuple[Cells, ...] = (0,) * (LAND + 1)
    """For each pattern the cells of the edge in which it can be laid (SMALL-TILE-3)."""
    shown: dict[Cells, int] = {}
    """The islands, each with what it shows: of each symbol how many, in the byte with its number.

    Tokens count as what they show, what lies under them does not (SMALL-REWARD-5).
    """
    coast: Cells = 0
    """Tiles that have both land and sea."""
    odd: tuple[Cells, ...] = _NONE
    """For each symbol where its number is 1 or 3 ..."""
    many: tuple[Cells, ...] = _NONE
    """... and where it is 2 or 3: the two digits of the number on each tile, tokens counted as they show.

    No tile shows more than MOST_ALIKE of a symbol: components with which one could are refused.
    """
    there: int = 0
    """What bonus tokens find places by, as bit set: the resources that tiles show, and PORT if one has room for it."""

    @property
    def taken(self) -> Cells:
        """The cells on which something lies."""
        return self.inside ^ self.empty

    def count(self, symbol: Symbol, cells: Cells) -> int:
        """Return how many of that symbol these tiles show."""
        return (self.odd[symbol] & cells).bit_count() + 2 * (self.many[symbol] & cells).bit_count()

    def showing(self, symbol: Symbol) -> Cells:
        """Return the tiles that show the symbol at least once."""
        return self.odd[symbol] | self.many[symbol]

    @property
    def islands(self) -> tuple[Cells, ...]:
        """The islands (SMALL-ISLAND-1)."""
        return tuple(self.shown)

    @property
    def houses(self) -> Cells:
        """The tiles with a symbol for houses; none has two."""
        return self.odd[HOUSE]

    def island_at(self, cell: Cell) -> IslandSummary | None:
        """Return the island that the cell is on, if it is on one (SMALL-ISLAND-2)."""
        here = 1 << cell
        return next((island for island in self.counted if island.cells & here), None)

    @lazy_property
    def counted(self) -> tuple[IslandSummary, ...]:
        """The islands with what they show, counted out."""
        return tuple([_counted(cells, shown) for cells, shown in self.shown.items()])

    @lazy_property
    def sites(self) -> tuple[IslandSummary, ...]:
        """Of these, the islands on which houses can stand: 2 tiles, and a symbol for a house (SMALL-REWARD-2)."""
        houses, found = self.houses, []
        for cells, shown in self.shown.items():
            if cells & houses and cells.bit_count() >= LEAST_TILES:
                found.append(_counted(cells, shown))
        return tuple(found)

    def site_at(self, cell: Cell) -> IslandSummary | None:
        """Return the island that the cell is on, if houses can stand on it."""
        here = ALONE[cell]
        for island in self.sites:
            if island.cells & here:
                return island
        return None

    def with_tile(self, cell: Cell, face: int, turns: int) -> tuple[Chart, tuple[Cells, ...]]:
        """Return the chart with one more tile, and the islands that the tile has grown or joined."""
        pattern, here = TURNED[face][turns], ALONE[cell]
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
            rooms(edge, land, sea),
            shown,
            self.coast | here if face in _COASTAL else self.coast,
            _also(self.odd, _ODD[face], here) if _ODD[face] else self.odd,
            _also(self.many, _MANY[face], here) if _MANY[face] else self.many,
            self.there | _THERE[face],
        )
        return chart, met

    def with_ship(self, cell: Cell) -> Chart:
        """Return the chart with one more ship: sea at all corners, and no symbols."""
        empty = self.empty ^ ALONE[cell]
        edge = (self.edge | BESIDE[cell]) & empty
        sea = self.sea | POINTS[LAND] << cell
        return replace(self, empty=empty, edge=edge, sea=sea, rooms=rooms(edge, self.land, sea))

    def with_token(self, cell: Cell, shows: Symbol, covers: Symbol | None) -> Chart:
        """Return the chart with one more of a symbol on a tile, and one fewer of what a token covers."""
        here = ALONE[cell]
        odd, many, more = [*self.odd], [*self.many], _ONE[shows]
        if covers is not None:
            more -= _ONE[covers]
            # One fewer: the lower digit changes, and the higher one with it if it was 0 ...
            if not odd[covers] & here:
                many[covers] ^= here
            odd[covers] ^= here
        # ... and with one more if it was 1.
        if odd[shows] & here:
            many[shows] ^= here
        odd[shows] ^= here
        shown = self.shown.copy()
        for island in shown:
            if island & here:
                shown[island] += more
                break
        there = self.there
        if covers is not None:
            there |= 1 << shows
            if not odd[covers] | many[covers]:
                there &= ~(1 << covers)
        elif self.coast & many[PORT] == self.coast:
            there &= ~_PORT_THERE
        return replace(self, shown=shown, odd=tuple(odd), many=tuple(many), there=there)


def _also(digits: tuple[Cells, ...], symbols: tuple[int, ...], here: Cells) -> tuple[Cells, ...]:
    """Return the digits with a tile added to those of some symbols."""
    changed = [*digits]
    for symbol in symbols:
        changed[symbol] |= here
    return tuple(changed)


def _joined(
    islands: dict[Cells, int], cell: Cell, pattern: Pattern, face: int
) -> tuple[dict[Cells, int], tuple[Cells, ...]]:
    """Return the islands with one more tile of land, and those of before that it belongs to now (SMALL-ISLAND-1)."""
    near, joined, shows = LANDWARD[pattern] << cell >> STRIDE, ALONE[cell], _SHOWN[face]
    after, met = islands.copy(), []
    for island in islands:
        if island & near:
            met.append(island)
            joined |= island
            shows += after.pop(island)
    after[joined] = shows
    return after, tuple(met)


def _counted(cells: Cells, shown: int) -> IslandSummary:
    return IslandSummary(cells, cells.bit_count(), tuple(shown.to_bytes(_KINDS, "little")))
