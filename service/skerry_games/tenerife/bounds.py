"""How large what Tenerife shows and asks can become."""

from __future__ import annotations

from typing import Final

from skerry_games.shapes import AtMost, Bounds, Counts, Exactly, Shapes
from skerry_games.tenerife.moves import BuildElement, BuildMansion, Export, Lay, MoveMerchant
from skerry_games.tenerife.printed_board import BOARD
from skerry_games.tenerife.state import HALL_PLOTS, SPACES, STORAGE, TOWNS, CharacterCard, Options


def _shapes(options: Options, seats: int) -> Shapes:
    return {
        "column": Exactly(SPACES[seats]),
        "transport": AtMost(SPACES[seats]),
        "towns": Exactly(len(TOWNS)),
        "towns[]": AtMost(max(len(BOARD.places[town].plots) for town in TOWNS)),
        "farmers_symbols": Counts(TOWNS),
        "hall": Exactly(len(HALL_PLOTS)),
        "storage": Exactly(len(STORAGE)),
        "storage[]": AtMost(max(space.room for space in BOARD.storage)),
        "seats": Exactly(seats),
        "seats[].hand": Counts(tuple(CharacterCard)),
        "undrawn_towns": Counts(TOWNS),
    }


BOUNDS: Final = Bounds(
    decisions=(Lay, BuildElement, BuildMansion, Export, MoveMerchant),
    numbers={},
    lengths={},
    shapes=_shapes,
)
