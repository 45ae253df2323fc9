"""What seats and chance can do. Every move exists once, so listings only select."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_games.kreta.province_sets import FORTS, PROVINCES
from skerry_games.kreta.state import KretaCard, Tile

ProvinceNumber = Annotated[int, Meta(ge=0, lt=len(PROVINCES))]
FortNumber = Annotated[int, Meta(ge=1, le=len(FORTS))]


class PlayCard(Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """Play a card from the hand; a king names the card on the table that it acts as."""

    card: KretaCard
    copied: KretaCard | None = None


class PlaceShip(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """Admiral: put a ship from the supply into a harbour."""

    harbour: ProvinceNumber


class Sail(Struct, frozen=True, array_like=True, gc=False, tag="sail"):
    """Admiral: move ships. From where to where each of them goes; of two, the lower harbours go together."""

    ways: tuple[tuple[ProvinceNumber, ProvinceNumber], ...]


class Recruit(Struct, frozen=True, array_like=True, gc=False, tag="add"):
    """Commander: put a villager from the supply into a province."""

    province: ProvinceNumber


class March(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """Commander: move one villager along its cheapest way."""

    from_province: ProvinceNumber
    to_province: ProvinceNumber


class Halt(Struct, frozen=True, array_like=True, gc=False, tag="halt"):
    """Commander: leave the remaining movement points unused."""


class PlaceAbbot(Struct, frozen=True, array_like=True, gc=False, tag="abb"):
    """Abbot: put the abbot from the supply into a province."""

    province: ProvinceNumber


class MoveAbbot(Struct, frozen=True, array_like=True, gc=False, tag="walk"):
    """Abbot: move the abbot from the province where it is to another."""

    from_province: ProvinceNumber
    to_province: ProvinceNumber


class Harvest(Struct, frozen=True, array_like=True, gc=False, tag="reap"):
    """Farmer: harvest the tile of a province."""

    province: ProvinceNumber


class BuildFort(Struct, frozen=True, array_like=True, gc=False, tag="fort"):
    """Architect: build a fort on a fort space."""

    space: FortNumber


class BuildVillage(Struct, frozen=True, array_like=True, gc=False, tag="vill"):
    """Architect: build a village in a province."""

    province: ProvinceNumber


class KeepFort(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """Castellan: leave the fort card that was just turned up."""

    number: FortNumber


class ReplaceFort(Struct, frozen=True, array_like=True, gc=False, tag="repl"):
    """Castellan: put the fort card that was just turned up under the pile."""

    number: FortNumber


class DealHills(Struct, frozen=True, array_like=True, gc=False, tag="hill"):
    """Chance: the tiles of the hills, in the order of the board."""

    tiles: tuple[Tile, ...]


class DealMountains(Struct, frozen=True, array_like=True, gc=False, tag="mtn"):
    """Chance: the tiles of the mountains, in the order of the board."""

    tiles: tuple[Tile, ...]


class TurnUpFort(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """Chance: a fort card that has not been seen."""

    number: FortNumber


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: the seat that takes the first turn."""

    seat: int


def sailing(ways: Iterable[tuple[int, int]]) -> Sail:
    """Return the move that sends ships these ways, in any order; only the placing at the end counts (KRETA-ADMIRAL-3).

    Ways that share a harbour at one end stay as they are: the rules refuse them.
    """
    named = sorted(ways)
    left, reached = {origin for origin, _ in named}, {target for _, target in named}
    if len(left) == len(reached) == len(named):
        named = list(zip(sorted(left - reached), sorted(reached - left), strict=True))
    return Sail(tuple(named))


Move = (
    PlayCard
    | PlaceShip
    | Sail
    | Recruit
    | March
    | Halt
    | PlaceAbbot
    | MoveAbbot
    | Harvest
    | BuildFort
    | BuildVillage
    | KeepFort
    | ReplaceFort
    | DealHills
    | DealMountains
    | TurnUpFort
    | DrawStartSeat
)

PLACE_SHIP: Final = tuple(PlaceShip(province) for province in PROVINCES)
RECRUIT: Final = tuple(Recruit(province) for province in PROVINCES)
MARCH: Final = tuple(tuple(March(origin, target) for target in PROVINCES) for origin in PROVINCES)
HALT: Final = Halt()
PLACE_ABBOT: Final = tuple(PlaceAbbot(province) for province in PROVINCES)
MOVE_ABBOT: Final = tuple(tuple(MoveAbbot(origin, target) for target in PROVINCES) for origin in PROVINCES)
HARVEST: Final = tuple(Harvest(province) for province in PROVINCES)
BUILD_FORT: Final = {number: BuildFort(number) for number in FORTS}
BUILD_VILLAGE: Final = tuple(BuildVillage(province) for province in PROVINCES)
KEEP_OR_REPLACE: Final = {number: (KeepFort(number), ReplaceFort(number)) for number in FORTS}
TURN_UP_FORT: Final = {number: TurnUpFort(number) for number in FORTS}
