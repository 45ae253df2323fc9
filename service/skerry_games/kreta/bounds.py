"""How large what Kreta shows and asks can become."""

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
from skerry_games.shapes import AtMost, Bounds, By, Counts, Exactly, Shapes

_MOST_SHIPS_SAIL: Final = 2


def _shapes(options: Options, seats: int) -> Shapes:
    each, owners, cards = Exactly(seats), Counts(range(seats)), Counts(tuple(KretaCard))
    return {
        "provinces": Exactly(len(PROVINCES)),
        "provinces[].villagers": each,
        "provinces[].villages": each,
        "provinces[].abbots": owners,
        "provinces[].ships": owners,
        "provinces[].influence": each,
        "forts": By(0, FORTS),
        "seats": each,
        "seats[].hand": cards,
        "seats[].table": cards,
        "seats[].harvested": Exactly(len(Tile)),
        "fort_row": AtMost(ROW),
        "scored_forts": Counts(FORTS),
        "buried_forts": Counts(FORTS),
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
)
