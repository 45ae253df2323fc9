"""Upper bounds for the sizes of views and moves of Tenerife."""

from __future__ import annotations

from typing import Final

from skerry_games.shapes import Bounds, FixedLength, MaxLength, Multiset, Shapes
from skerry_games.tenerife.moves import BuildElement, BuildMansion, Export, Lay, MoveMerchant
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import HALL_PLOTS, SPACES, STORAGE, TOWNS, CharacterCard, Options


def _shapes(options: Options, seats: int) -> Shapes:
    return {
        "column": FixedLength(SPACES[seats]),
        "transport": MaxLength(SPACES[seats]),
        "towns": FixedLength(len(TOWNS)),
        "towns[].mansions": MaxLength(max(len(BOARD.places[town].plots) for town in TOWNS)),
        "hall": FixedLength(len(HALL_PLOTS)),
        "storage": FixedLength(len(STORAGE)),
        "storage[]": MaxLength(max(space.room for space in BOARD.storage)),
        "seats": FixedLength(seats),
        "seats[].hand": Multiset(tuple(CharacterCard)),
        "undrawn_towns": Multiset(TOWNS),
    }


BOUNDS: Final = Bounds(
    decisions=(Lay, BuildElement, BuildMansion, Export, MoveMerchant),
    numbers={},
    lengths={},
    shapes=_shapes,
    seat_numbers=frozenset(
        {"acting_seat", "column[].seat", "hall[].seat", "start_seat", "storage[][]", "towns[].mansions[]"}
    ),
)
