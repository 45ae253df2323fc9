"""The printed map and the pieces, as programs draw them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Struct

from skerry_games.annotations import Numbered
from skerry_games.kreta.kreta_board import BOARD, FortSpace, Province
from skerry_games.kreta.state import ABBOTS, FORTS_EACH, SHIPS, TILES, VILLAGERS, VILLAGES, Tile
from skerry_games.kreta.view import SupplyView


class Board(Struct, frozen=True):
    """The map of an edition, with the pieces of each seat and the agriculture tiles."""

    edition: str
    width: int
    height: int
    provinces: tuple[Province, ...]
    fort_spaces: tuple[FortSpace, ...]
    supply: SupplyView
    tiles: Annotated[tuple[int, ...], Numbered("tile", Tile, sparse=True)]
    """Number of tiles of each kind, in the order of ``Tile``."""


BOARDS: Final = (
    Board(
        edition=BOARD.edition,
        width=BOARD.width,
        height=BOARD.height,
        provinces=BOARD.provinces,
        fort_spaces=BOARD.forts,
        supply=SupplyView(SHIPS, FORTS_EACH, VILLAGES, VILLAGERS, ABBOTS),
        tiles=tuple(TILES[tile] for tile in Tile),
    ),
)
"""One per edition, the default first."""
