"""What lies on the table, and what follows from it: where a tile fits, and which islands there are.

The state holds what lies. What follows is a ``Chart``: bit sets, carried on from table to table with each thing that
is laid, and drawn from scratch when a table comes from elsewhere. The two ways are equal (a property test).
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_service.games.small_islands.cells import (
    BOTTOM_LEFT,
    BOTTOM_RIGHT,
    FACES,
    INSIDE,
    LAND,
    PATTERNS,
    SEA,
    STRIDE,
    TOP_LEFT,
    TOP_RIGHT,
    WAYS,
    Cell,
    Cells,
    Pattern,
    beside,
    landward,
    points,
    turned,
)
from skerry_service.games.small_islands.components import Symbol

GREY: Final = -1
"""The owner of a grey ship."""

_SYMBOLS: Final = tuple(Symbol)
_NONE: Final = (0,) * (max(Symbol) + 1)
_COUNTS: Final = tuple(tuple(Counter((*face.symbols, *(Symbol.PORT,) * face.ports)).items()) for face in FACES)
"""What each face shows, as pairs of symbol and number."""
_COASTAL: Final = frozenset(face for face, pattern in enumerate(PATTERNS) if pattern not in (LAND, SEA))


class Laid(Struct, frozen=True, array_like=True, gc=False):
    """A landscape or starting tile on the table."""

    cell: Cell
    face: int
    turns: int


class Ship(Struct, frozen=True, array_like=True, gc=False):
    """A ship tile on the table."""

    cell: Cell
    owner: int
    """A seat, or GREY."""


class Token(Struct, frozen=True, array_like=True, gc=False):
    """A bonus token on the table."""

    cell: Cell
    seat: int
    shows: Symbol
    place: int
    """The spot that it lies on, a place for ports if it shows a port."""


class Island(Struct, frozen=True, gc=False):
    """An island, and what counts about it."""

    cells: Cells
    tiles: int
    counts: tuple[int, ...]
    """How many of each symbol its tiles show, by the number of the symbol."""


class Chart(Struct, frozen=True, dict=True):
    """What follows from what lies on the table."""

    taken: Cells = 0
    land: int = 0
    """Points that are land; those that are sea are ``sea``. Others are not known yet."""
    sea: int = 0
    islands: tuple[Cells, ...] = ()
    coast: Cells = 0
    """Tiles that have both land and sea."""
    odd: tuple[Cells, ...] = _NONE
    """For each symbol where its number is 1 or 3 ..."""
    many: tuple[Cells, ...] = _NONE
    """... and where it is 2 or 3: the two digits of the number on each tile, tokens counted as they show."""

    def count(self, symbol: Symbol, cells: Cells) -> int:
        """Return how many of that symbol these tiles show."""
        return (self.odd[symbol] & cells).bit_count() + 2 * (self.many[symbol] & cells).bit_count()

    def showing(self, symbol: Symbol) -> Cells:
        """Return the tiles that show the symbol at least once."""
        return self.odd[symbol] | self.many[symbol]

    def island_at(self, cell: Cell) -> Island | None:
        """Return the island that the cell is on, if it is on one (SMALL-ISLAND-2)."""
        here = 1 << cell
        return next((island for island in self.counted if island.cells & here), None)

    @cached_property
    def counted(self) -> tuple[Island, ...]:
        """The islands with what they show. Tokens count as what they show, what lies under them does not.

        SMALL-REWARD-5.
        """
        return tuple([self._counted(cells) for cells in self.islands])

    def _counted(self, cells: Cells) -> Island:
        return Island(cells, cells.bit_count(), (0, *[self.count(symbol, cells) for symbol in _SYMBOLS]))

    def with_tile(self, cell: Cell, face: int, turns: int) -> tuple[Chart, tuple[Cells, ...]]:
        """Return the chart with one more tile, and the islands that the tile has grown or joined."""
        pattern, here = turned(PATTERNS[face], turns), 1 << cell
        odd, many = list(self.odd), list(self.many)
        for symbol, count in _COUNTS[face]:
            if count & 1:
                odd[symbol] |= here
            if count & 2:
                many[symbol] |= here
        islands, met = _joined(self.islands, pattern, here)
        chart = Chart(
            self.taken | here,
            self.land | points(pattern) << cell,
            self.sea | points(LAND ^ pattern) << cell,
            islands,
            self.coast | here if face in _COASTAL else self.coast,
            tuple(odd),
            tuple(many),
        )
        return chart, met

    def with_ship(self, cell: Cell) -> Chart:
        """Return the chart with one more ship: sea at all corners, and no symbols."""
        return replace(self, taken=self.taken | 1 << cell, sea=self.sea | points(LAND) << cell)

    def with_symbol(self, cell: Cell, symbol: Symbol, change: int) -> Chart:
        """Return the chart with one more (1) or one fewer (-1) of a symbol on a tile."""
        here = 1 << cell
        count = self.count(symbol, here) + change
        odd, many = list(self.odd), list(self.many)
        odd[symbol] = odd[symbol] | here if count & 1 else odd[symbol] & ~here
        many[symbol] = many[symbol] | here if count & 2 else many[symbol] & ~here
        return replace(self, odd=tuple(odd), many=tuple(many))


def _joined(islands: tuple[Cells, ...], pattern: Pattern, here: Cells) -> tuple[tuple[Cells, ...], tuple[Cells, ...]]:
    """Return the islands with one more tile, and those of before that it belongs to now (SMALL-ISLAND-1)."""
    if not pattern:
        return islands, ()
    near = landward(pattern, here)
    met = tuple([island for island in islands if island & near])
    for island in met:
        here |= island
    return (*[island for island in islands if not island & near], here), met


class Table(Struct, frozen=True, array_like=True, dict=True):
    """What lies on the table, each kind in the order in which it was laid."""

    size: int
    tiles: tuple[Laid, ...] = ()
    ships: tuple[Ship, ...] = ()
    tokens: tuple[Token, ...] = ()

    @cached_property
    def chart(self) -> Chart:
        """What follows from it, from scratch."""
        chart = Chart()
        for tile in self.tiles:
            chart, _ = chart.with_tile(tile.cell, tile.face, tile.turns)
        for ship in self.ships:
            chart = chart.with_ship(ship.cell)
        for number, token in enumerate(self.tokens):
            if token.shows is not Symbol.PORT:
                covered = replace(self, tokens=self.tokens[:number]).shown_at(token.cell)[token.place]
                chart = chart.with_symbol(token.cell, covered, -1)
            chart = chart.with_symbol(token.cell, token.shows, 1)
        return chart

    @cached_property
    def edge(self) -> Cells:
        """The empty cells that touch something laid by a side (SMALL-TILE-2, SMALL-TABLE-1)."""
        taken = self.chart.taken
        return beside(taken) & INSIDE[self.size] & ~taken

    def face_at(self, cell: Cell) -> int | None:
        """Return the face of the tile on that cell; ``None`` where there is none, or a ship."""
        return next((tile.face for tile in self.tiles if tile.cell == cell), None)

    def shown_at(self, cell: Cell) -> list[Symbol]:
        """Return what the spots of the tile on that cell show, tokens on top."""
        face = self.face_at(cell)
        symbols = list(FACES[face].symbols) if face is not None else []
        for token in self.tokens:
            if token.cell == cell and token.shows is not Symbol.PORT:
                symbols[token.place] = token.shows
        return symbols


def _charted(table: Table, chart: Chart) -> Table:
    """Return the table, whose chart is known already."""
    table.__dict__["chart"] = chart
    return table


def with_tile(table: Table, cell: Cell, face: int, turns: int) -> tuple[Table, tuple[Cells, ...]]:
    """Return the table with one more tile, and the islands that the tile has grown or joined."""
    chart, met = table.chart.with_tile(cell, face, turns)
    laid = (*table.tiles, Laid(cell, face, turns))
    return _charted(Table(table.size, laid, table.ships, table.tokens), chart), met


def with_ship(table: Table, cell: Cell, owner: int) -> Table:
    """Return the table with one more ship."""
    return _charted(replace(table, ships=(*table.ships, Ship(cell, owner))), table.chart.with_ship(cell))


def with_resource(table: Table, cell: Cell, seat: int, shows: Symbol, covers: Symbol) -> tuple[Table, Token]:
    """Return the table with one more resource token, on the first spot of the tile that shows what it covers."""
    token = Token(cell, seat, shows, table.shown_at(cell).index(covers))
    chart = table.chart.with_symbol(cell, covers, -1).with_symbol(cell, shows, 1)
    return _charted(replace(table, tokens=(*table.tokens, token)), chart), token


def with_port(table: Table, cell: Cell, seat: int) -> tuple[Table, Token]:
    """Return the table with one more port token, on the first place for ports that is free."""
    token = Token(cell, seat, Symbol.PORT, table.chart.count(Symbol.PORT, 1 << cell))
    chart = table.chart.with_symbol(cell, Symbol.PORT, 1)
    return _charted(replace(table, tokens=(*table.tokens, token)), chart), token


def fitting(table: Table, pattern: Pattern, cells: Cells) -> Cells:
    """Return those of the cells in which all corners of the pattern agree with what is known (SMALL-TILE-3)."""
    land, sea = table.chart.land, table.chart.sea
    against = sea if pattern & TOP_LEFT else land
    against |= (sea if pattern & TOP_RIGHT else land) >> 1
    against |= (sea if pattern & BOTTOM_RIGHT else land) >> (STRIDE + 1)
    against |= (sea if pattern & BOTTOM_LEFT else land) >> STRIDE
    return cells & ~against


def fits(table: Table, face: int) -> bool:
    """Return whether a tile with that face can be laid anywhere."""
    return any(fitting(table, pattern, table.edge) for _, pattern in WAYS[face])


def ship_cells(table: Table) -> Cells:
    """Return where a ship can be laid (SMALL-LAND-1)."""
    return fitting(table, SEA, table.edge)
