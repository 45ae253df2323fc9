"""Upper bounds on the sizes of Kreta's views and moves."""

from __future__ import annotations

from typing import Final

from skerry_games.kreta.moves import (
    BuildFort,
    BuildVillage,
    Halt,
    Harvest,
    KeepFort,
    March,
    MoveAbbot,
    PlaceAbbot,
    PlaceShip,
    PlayCard,
    Recruit,
    ReplaceFort,
    Sail,
)
from skerry_games.kreta.province_sets import FORTS, PROVINCES
from skerry_games.kreta.state import ROW, KretaCard, Options, Tile
from skerry_games.shapes import Bounds, FixedLength, GroupedBy, MaxLength, Multiset, Shapes

_MOST_SHIPS_SAIL: Final = 2


def _shapes(options: Options, seats: int) -> Shapes:
    each, owners, cards = FixedLength(seats), Multiset(range(seats)), Multiset(tuple(KretaCard))
    return {
        "provinces": FixedLength(len(PROVINCES)),
        "provinces[].villagers": each,
        "provinces[].villages": each,
        "provinces[].abbots": owners,
        "provinces[].ships": owners,
        "provinces[].influence": each,
        "forts": GroupedBy(0, FORTS),
        "seats": each,
        "seats[].hand": cards,
        "seats[].table": cards,
        "seats[].harvested": FixedLength(len(Tile)),
        "fort_row": MaxLength(ROW),
        "scored_forts": Multiset(FORTS),
        "buried_forts": Multiset(FORTS),
    }


BOUNDS: Final = Bounds(
    decisions=(
        PlayCard,
        PlaceShip,
        Sail,
        Recruit,
        March,
        Halt,
        PlaceAbbot,
        MoveAbbot,
        Harvest,
        BuildFort,
        BuildVillage,
        KeepFort,
        ReplaceFort,
    ),
    numbers={},
    lengths={"Sail.ways": _MOST_SHIPS_SAIL},
    shapes=_shapes,
    seat_numbers=frozenset({"acting_seat", "forts[]"}),
)
