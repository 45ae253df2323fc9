"""Upper bounds on the sizes of Small Islands' views and moves."""

from __future__ import annotations

from typing import Final

from skerry_games.shapes import (
    AllowedValues,
    Bounds,
    Derived,
    FixedLength,
    GroupedBy,
    MaxLength,
    Multiset,
    NumberParts,
    Shapes,
)
from skerry_games.small_islands.moves import (
    ChooseObjective,
    KeepDiscovery,
    LandShip,
    LayStart,
    LayTile,
    NoToken,
    PickResource,
    PickTile,
    PlaceHouse,
    PlaceToken,
    StopBuilding,
    TakeTile,
    TakeToken,
)
from skerry_games.small_islands.printed.components import COMPONENTS, Bonus
from skerry_games.small_islands.state import Options
from skerry_games.small_islands.tabletop.cells import SIZES, cell_at, column, row

_CELL: Final = NumberParts((("column", column, range(SIZES[-1])), ("row", row, range(SIZES[-1]))))
_TILE: Final = AllowedValues(range(COMPONENTS.landscape))
_START: Final = AllowedValues(range(COMPONENTS.landscape, len(COMPONENTS.faces)))
_CARD: Final = AllowedValues(range(len(COMPONENTS.cards)))
_VALUES: Final = tuple(sorted(set(COMPONENTS.discovery_tokens)))
_KINDS: Final = 2
"""The most cards that an objective can have: a mission and a reward."""


def _shapes(options: Options, seats: int) -> Shapes:
    size = options.table_size
    cells = [cell_at(x, y) for y in range(size) for x in range(size)]
    tiles, cards, values = Multiset(_TILE.values), Multiset(_CARD.values), Multiset(_VALUES)
    return {
        "tiles": GroupedBy("at", cells),
        "ships": GroupedBy("at", cells),
        "tokens": MaxLength(seats * len(COMPONENTS.bonus_tokens)),
        "islands": Derived(),
        "display": tiles,
        "gone": tiles,
        "seats": FixedLength(seats),
        "seats[].hand": tiles,
        "seats[].open_hand": tiles,
        "seats[].cards": cards,
        "seats[].objective": cards,
        "seats[].aside": cards,
        "seats[].returned": cards,
        "seats[].tokens": Multiset(tuple(Bonus)),
        "seats[].houses": Multiset(cells),
        "seats[].discoveries": values,
        "seats[].drawn": values,
    }


BOUNDS: Final = Bounds(
    decisions=(
        LayStart,
        ChooseObjective,
        TakeTile,
        LandShip,
        PickTile,
        LayTile,
        TakeToken,
        NoToken,
        PlaceToken,
        PlaceHouse,
        StopBuilding,
        PickResource,
        KeepDiscovery,
    ),
    numbers={
        "LayStart.tile": _START,
        "LayStart.at": _CELL,
        "ChooseObjective.chosen": _CARD,
        "ChooseObjective.aside": _CARD,
        "TakeTile.tile": _TILE,
        "LandShip.at": _CELL,
        "PickTile.tile": _TILE,
        "LayTile.at": _CELL,
        "PlaceToken.at": _CELL,
        "PlaceHouse.at": _CELL,
        "KeepDiscovery.value": AllowedValues(_VALUES),
    },
    lengths={"ChooseObjective.chosen": _KINDS, "ChooseObjective.aside": _KINDS},
    shapes=_shapes,
    seat_numbers=frozenset({"acting_seat", "first_seat", "ships[].seat", "tokens[].seat"}),
)
