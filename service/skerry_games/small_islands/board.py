"""The printed tiles, cards and tokens, as programs draw them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from skerry_games.small_islands.printed.components import (
    COMPONENTS,
    Bonus,
    Face,
    ObjectiveCard,
    Point,
    Symbol,
    TileNumber,
)
from skerry_games.small_islands.state import AT_HAND, HOUSES_EACH
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE


class PrintedTile(Struct, frozen=True):
    """A tile, without rotation. Points are in hundredths of its side from the top left corner."""

    id: str
    land_corners: tuple[bool, ...]
    """Whether there is land at each corner, clockwise from the top left."""
    land: tuple[Point, ...]
    symbols: tuple[tuple[Symbol, Point], ...]
    """The symbols except ports, each with its place."""
    ports: int
    port_places: tuple[Point, ...]


class Board(Struct, frozen=True):
    """The components of an edition."""

    edition: str
    table_size: int
    landscape_tiles: tuple[PrintedTile, ...]
    start_tiles: tuple[PrintedTile, ...]
    start_layout: tuple[tuple[TileNumber, int], ...]
    """Tile and quarter turns of each fixed starting tile."""
    ship_tile: PrintedTile
    cards: tuple[ObjectiveCard, ...]
    bonus_tokens: tuple[Bonus, ...]
    discovery_tokens: tuple[int, ...]
    size_points: tuple[tuple[int, int], ...]
    """Pairs of a least number of tiles and the points for it."""
    houses: int
    houses_at_hand: int


def _tile(face: Face) -> PrintedTile:
    shape = face.shape
    return PrintedTile(
        id=face.id,
        land_corners=tuple(corner == "L" for corner in shape.name),
        land=shape.land,
        symbols=tuple(zip(face.symbols, shape.spots, strict=False)),
        ports=face.ports,
        port_places=shape.ports,
    )


BOARDS: Final = (
    Board(
        edition=COMPONENTS.edition,
        table_size=DEFAULT_SIZE,
        landscape_tiles=tuple(map(_tile, COMPONENTS.faces[: COMPONENTS.landscape])),
        start_tiles=tuple(map(_tile, COMPONENTS.faces[COMPONENTS.landscape :])),
        start_layout=COMPONENTS.start_layout,
        ship_tile=PrintedTile("SHIP", (False,) * 4, (), (), 0, ()),
        cards=COMPONENTS.cards,
        bonus_tokens=COMPONENTS.bonus_tokens,
        discovery_tokens=COMPONENTS.discovery_tokens,
        size_points=COMPONENTS.size_points,
        houses=HOUSES_EACH,
        houses_at_hand=AT_HAND,
    ),
)
"""One per edition, the default first."""
