"""What lies on the table.

The state holds what lies. What follows is its ``Chart``, carried on from table to table with each thing that is laid,
and drawn from scratch when a table comes from elsewhere. The two ways are equal (a property test).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.lazy import lazy_property
from skerry_games.small_islands.components import PORT, Symbol
from skerry_games.small_islands.tabletop.cells import ALONE, FACES, INSIDE, SEA, WAYS, Cell, Cells
from skerry_games.small_islands.tabletop.chart import Chart

T = TypeVar("T")

GREY: Final = -1
"""The owner of a grey ship."""

_PATTERNS: Final = tuple(tuple(pattern for _, pattern in ways) for ways in WAYS)
"""For each face the patterns that it has in its rotations."""


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


class Table(Struct, frozen=True, array_like=True, dict=True):
    """What lies on the table, each kind in the order in which it was laid."""

    size: int
    tiles: tuple[Laid, ...] = ()
    ships: tuple[Ship, ...] = ()
    tokens: tuple[Token, ...] = ()

    @lazy_property
    def chart(self) -> Chart:
        """What follows from it, from scratch."""
        chart = Chart(INSIDE[self.size], INSIDE[self.size])
        for tile in self.tiles:
            chart, _ = chart.with_tile(tile.cell, tile.face, tile.turns)
        for ship in self.ships:
            chart = chart.with_ship(ship.cell)
        for number, token in enumerate(self.tokens):
            covers = None
            if token.shows is not PORT:
                covers = replace(self, tokens=self.tokens[:number]).shown_at(token.cell)[token.place]
            chart = chart.with_token(token.cell, token.shows, covers)
        return chart

    @property
    def edge(self) -> Cells:
        """The empty cells that touch something laid by a side (SMALL-TILE-2, SMALL-TABLE-1)."""
        return self.chart.edge

    def face_at(self, cell: Cell) -> int | None:
        """Return the face of the tile on that cell; ``None`` where there is none, or a ship."""
        for tile in self.tiles:
            if tile.cell == cell:
                return tile.face
        return None

    def shown_at(self, cell: Cell) -> list[Symbol]:
        """Return what the spots of the tile on that cell show, tokens on top."""
        face = self.face_at(cell)
        symbols = list(FACES[face].symbols) if face is not None else []
        for token in self.tokens:
            if token.cell == cell and token.shows is not PORT:
                symbols[token.place] = token.shows
        return symbols

    def has_token(self, cell: Cell, place: int) -> bool:
        """Return whether a resource token lies on that spot."""
        for token in self.tokens:  # noqa: SIM110 - any() of a generator takes twice as long
            if token.cell == cell and token.place == place and token.shows is not PORT:
                return True
        return False


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
    return _with_token(table, Token(cell, seat, shows, table.shown_at(cell).index(covers)), covers)


def with_port(table: Table, cell: Cell, seat: int) -> tuple[Table, Token]:
    """Return the table with one more port token, on the first place for ports that is free."""
    return _with_token(table, Token(cell, seat, PORT, table.chart.count(PORT, ALONE[cell])), None)


def _with_token(table: Table, token: Token, covers: Symbol | None) -> tuple[Table, Token]:
    chart = table.chart.with_token(token.cell, token.shows, covers)
    return _charted(Table(table.size, table.tiles, table.ships, (*table.tokens, token)), chart), token


def everything_laid(table: Table) -> int:
    """Return how many tiles and ships lie on the table."""
    return len(table.tiles) + len(table.ships)


def fits(table: Table, face: int) -> bool:
    """Return whether a tile with that face can be laid anywhere."""
    room = table.chart.rooms
    for pattern in _PATTERNS[face]:  # noqa: SIM110 - any() of a generator takes twice as long
        if room[pattern]:
            return True
    return False


def fitting(table: Table, faces: Iterable[int], items: Sequence[T]) -> tuple[T, ...]:
    """Return the items of those faces that can be laid anywhere."""
    room, found = table.chart.rooms, []
    for face in faces:
        for pattern in _PATTERNS[face]:
            if room[pattern]:
                found.append(items[face])
                break
    return tuple(found)


def ship_cells(table: Table) -> Cells:
    """Return where a ship can be laid (SMALL-LAND-1)."""
    return table.chart.rooms[SEA]
