"""The printed board and the pieces, as programs draw them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Struct

from skerry_games.annotations import Numbered
from skerry_games.tenerife.moves import Place
from skerry_games.tenerife.printed.tenerife_board import BOARD, BoardPlace, HallPlot, Point, StorageSpace
from skerry_games.tenerife.state import (
    CHARACTERS_EACH,
    HAND,
    MANSIONS,
    PLACES,
    SPACES,
    TOWNS,
    TRANSPORT_SPACES,
    TURBULENT_HAND,
    Hand,
    town_cards,
)


class TableSize(Struct, frozen=True):
    """The values that depend on the number of seats."""

    seats: int
    spaces: int
    characters_each: int
    transport_spaces: int
    removed_town: Place | None
    """The town without a card."""


class Board(Struct, frozen=True):
    """The board of an edition, with the pieces and cards of each seat."""

    edition: str
    width: int
    height: int
    places: tuple[BoardPlace, ...]
    roads: tuple[tuple[Place, Place], ...]
    """Pairs of places, the one with the smaller number first."""
    hall_plots: Annotated[tuple[HallPlot, ...], Numbered("number", start=1)]
    storage_spaces: Annotated[tuple[StorageSpace, ...], Numbered("number", start=1)]
    farmhand_returns_to: int
    column: tuple[Point, ...]
    transport: tuple[Point, ...]
    line_points: tuple[int, ...]
    mansions: int
    table_sizes: tuple[TableSize, ...]
    hand: Hand
    turbulent_hand: Hand


def _table_size(seats: int) -> TableSize:
    removed = [town for town in TOWNS if not town_cards(seats) >> town & 1]
    return TableSize(
        seats=seats,
        spaces=SPACES[seats],
        characters_each=CHARACTERS_EACH[seats],
        transport_spaces=TRANSPORT_SPACES[seats][0],
        removed_town=removed[0] if removed else None,
    )


BOARDS: Final = (
    Board(
        edition=BOARD.edition,
        width=BOARD.width,
        height=BOARD.height,
        places=BOARD.places,
        roads=tuple((one, other) for one in PLACES for other in BOARD.places[one].neighbours if one < other),
        hall_plots=BOARD.hall_plots,
        storage_spaces=BOARD.storage,
        farmhand_returns_to=BOARD.farmhand_returns_to,
        column=BOARD.column,
        transport=BOARD.transport,
        line_points=BOARD.line_points,
        mansions=MANSIONS,
        table_sizes=tuple(map(_table_size, SPACES)),
        hand=HAND,
        turbulent_hand=TURBULENT_HAND,
    ),
)
"""One per edition, the default first."""
