"""The table: laid tiles, ships and tokens.

A state stores only these. Derived values are in the table's ``Chart``. Each ``with_*`` function updates the chart
incrementally. A table without a chart, such as a decoded one, computes it from scratch. A property test compares both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from skerry_games.lazy import lazy_property
from skerry_games.small_islands.printed.components import PORT, Symbol, TileNumber
from skerry_games.small_islands.tabletop.cells import FACES, INSIDE, SEA, SET_OF, WAYS, Cell, Cells
from skerry_games.small_islands.tabletop.chart import Chart

T = TypeVar("T")

_PATTERNS: Final = tuple(tuple(pattern for _, pattern in ways) for ways in WAYS)
"""For each face, the patterns of its different rotations."""


class Laid(Struct, frozen=True, array_like=True, gc=False):
    """A landscape or starting tile on the table."""

    at: Cell
    tile: TileNumber
    turns: int


class Ship(Struct, frozen=True, array_like=True, gc=False):
    """A ship tile on the table."""

    at: Cell
    seat: int | None
    """``None`` for a grey ship."""

    def __post_init__(self) -> None:
        """Read a grey ship that an earlier build stored: its seat was -1."""
        if self.seat == -1:
            force_setattr(self, "seat", None)


class Token(Struct, frozen=True, array_like=True, gc=False):
    """A bonus token on the table."""

    at: Cell
    seat: int
    shows: Symbol
    place: int
    """The index of its spot among the tile's symbols. For a port, its index among the tile's port places."""


class Table(Struct, frozen=True, array_like=True, dict=True):
    """The tiles, ships and tokens on the table, each in the order in which they were laid."""

    size: int
    tiles: tuple[Laid, ...] = ()
    ships: tuple[Ship, ...] = ()
    tokens: tuple[Token, ...] = ()

    @lazy_property
    def chart(self) -> Chart:
        """The chart of the table, computed from scratch."""
        chart = Chart(INSIDE[self.size], INSIDE[self.size])
        for tile in self.tiles:
            chart, _ = chart.with_tile(tile.at, tile.tile, tile.turns)
        for ship in self.ships:
            chart = chart.with_ship(ship.at)
        for number, token in enumerate(self.tokens):
            covers = None
            if token.shows is not PORT:
                covers = replace(self, tokens=self.tokens[:number]).shown_at(token.at)[token.place]
            chart = chart.with_token(token.at, token.shows, covers)
        return chart

    @property
    def edge(self) -> Cells:
        """The empty cells that touch a laid tile or ship by a side (SMALL-TILE-2, SMALL-TABLE-1)."""
        return self.chart.edge

    def face_at(self, cell: Cell) -> int | None:
        """Return the face of the tile on that cell, or ``None`` if the cell is empty or has a ship."""
        for tile in self.tiles:
            if tile.at == cell:
                return tile.tile
        return None

    def shown_at(self, cell: Cell) -> list[Symbol]:
        """Return the visible symbol of each spot of the tile on that cell. Tokens hide what they cover."""
        face = self.face_at(cell)
        symbols = list(FACES[face].symbols) if face is not None else []
        for token in self.tokens:
            if token.at == cell and token.shows is not PORT:
                symbols[token.place] = token.shows
        return symbols

    def has_token(self, cell: Cell, place: int) -> bool:
        """Return whether a resource token lies on that spot."""
        for token in self.tokens:  # noqa: SIM110 - any() of a generator takes twice as long
            if token.at == cell and token.place == place and token.shows is not PORT:
                return True
        return False


def _charted(table: Table, chart: Chart) -> Table:
    """Return the table with its chart set."""
    table.__dict__["chart"] = chart
    return table


def with_tile(table: Table, cell: Cell, face: int, turns: int) -> tuple[Table, tuple[Cells, ...]]:
    """Return the table with one more tile, and the previous islands that the tile extends or joins."""
    chart, met = table.chart.with_tile(cell, face, turns)
    laid = (*table.tiles, Laid(cell, face, turns))
    return _charted(Table(table.size, laid, table.ships, table.tokens), chart), met


def with_ship(table: Table, cell: Cell, seat: int | None) -> Table:
    """Return the table with one more ship."""
    return _charted(replace(table, ships=(*table.ships, Ship(cell, seat))), table.chart.with_ship(cell))


def with_resource(table: Table, cell: Cell, seat: int, shows: Symbol, covers: Symbol) -> tuple[Table, Token]:
    """Return the table with one more resource token. It lies on the tile's first spot that shows ``covers``."""
    return _with_token(table, Token(cell, seat, shows, table.shown_at(cell).index(covers)), covers)


def with_port(table: Table, cell: Cell, seat: int) -> tuple[Table, Token]:
    """Return the table with one more port token, on the tile's first free port place."""
    return _with_token(table, Token(cell, seat, PORT, table.chart.count(PORT, SET_OF[cell])), None)


def _with_token(table: Table, token: Token, covers: Symbol | None) -> tuple[Table, Token]:
    chart = table.chart.with_token(token.at, token.shows, covers)
    return _charted(Table(table.size, table.tiles, table.ships, (*table.tokens, token)), chart), token


def everything_laid(table: Table) -> int:
    """Return the number of tiles and ships on the table."""
    return len(table.tiles) + len(table.ships)


def fits(table: Table, face: int) -> bool:
    """Return whether a tile with that face can be laid anywhere on the table."""
    room = table.chart.fitting_cells
    for pattern in _PATTERNS[face]:  # noqa: SIM110 - any() of a generator takes twice as long
        if room[pattern]:
            return True
    return False


def fitting(table: Table, faces: Iterable[int], items: Sequence[T]) -> tuple[T, ...]:
    """Return the items of the faces that can be laid anywhere on the table."""
    room, found = table.chart.fitting_cells, []
    for face in faces:
        for pattern in _PATTERNS[face]:
            if room[pattern]:
                found.append(items[face])
                break
    return tuple(found)


def ship_cells(table: Table) -> Cells:
    """Return where a ship can be laid (SMALL-LAND-1)."""
    return table.chart.fitting_cells[SEA]
