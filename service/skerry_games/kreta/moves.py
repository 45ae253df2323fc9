"""Moves of seats and of chance. Most moves are built once, so that listing legal moves only selects them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_games.annotations import Id, Number
from skerry_games.api import MalformedMove
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import FORTS, HILLS, MOUNTAINS, PROVINCES
from skerry_games.kreta.state import SHIPS, KretaCard, Tile
from skerry_games.sentences import phrase

ProvinceNumber = Annotated[
    int, Meta(ge=0, lt=len(PROVINCES)), Id(tuple(province.id for province in BOARD.provinces), "province")
]
FortNumber = Annotated[int, Meta(ge=1, le=len(FORTS)), Number("fort space")]


class PlayCard(Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """Play a card from the hand. A king names the card on the table that it copies."""

    card: KretaCard
    copied: KretaCard | None = None


class PlaceShip(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """Admiral: place a ship from the supply in a harbour."""

    harbour: ProvinceNumber


class Sail(Struct, frozen=True, array_like=True, gc=False, tag="sail"):
    """Admiral: move one or both ships. ``ways``: a pair of harbours per ship, from and to, both in ascending order."""

    ways: tuple[tuple[ProvinceNumber, ProvinceNumber], ...]

    def as_listed(self) -> Sail:
        """Return the move as listed (KRETA-ADMIRAL-3). Raises MalformedMove."""
        if not 1 <= len(self.ways) <= SHIPS:
            raise MalformedMove(phrase("kreta-name-voyages", ships=SHIPS, number=len(self.ways)))
        return sailing(self.ways)


class Recruit(Struct, frozen=True, array_like=True, gc=False, tag="add"):
    """Commander: place a villager from the supply in a province."""

    province: ProvinceNumber


class March(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """Commander: move one villager by the cheapest allowed route."""

    from_province: ProvinceNumber
    to_province: ProvinceNumber


class Halt(Struct, frozen=True, array_like=True, gc=False, tag="halt"):
    """Commander: leave the remaining movement points unused."""


class PlaceAbbot(Struct, frozen=True, array_like=True, gc=False, tag="abb"):
    """Abbot: place the abbot from the supply in a province."""

    province: ProvinceNumber


class MoveAbbot(Struct, frozen=True, array_like=True, gc=False, tag="walk"):
    """Abbot: move the abbot from its province to another one."""

    from_province: ProvinceNumber
    to_province: ProvinceNumber


class Harvest(Struct, frozen=True, array_like=True, gc=False, tag="reap"):
    """Farmer: harvest the tile in a province."""

    province: ProvinceNumber


class BuildFort(Struct, frozen=True, array_like=True, gc=False, tag="fort"):
    """Architect: build a fort on a fort space."""

    space: FortNumber


class BuildVillage(Struct, frozen=True, array_like=True, gc=False, tag="vill"):
    """Architect: build a village in a province."""

    province: ProvinceNumber


class KeepFort(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """Castellan: keep the fort card that was just turned up."""

    number: FortNumber


class ReplaceFort(Struct, frozen=True, array_like=True, gc=False, tag="repl"):
    """Castellan: put the fort card that was just turned up under the pile."""

    number: FortNumber


class DealHills(Struct, frozen=True, array_like=True, gc=False, tag="hill"):
    """Chance: deal tiles to the hills, in the order of the board."""

    tiles: tuple[Tile, ...]

    def as_listed(self) -> DealHills:
        """Return the move. Raises MalformedMove unless it has a tile for each hill."""
        _require_tiles(self.tiles, len(HILLS))
        return self


class DealMountains(Struct, frozen=True, array_like=True, gc=False, tag="mtn"):
    """Chance: deal tiles to the mountains, in the order of the board."""

    tiles: tuple[Tile, ...]

    def as_listed(self) -> DealMountains:
        """Return the move. Raises MalformedMove unless it has a tile for each mountain."""
        _require_tiles(self.tiles, len(MOUNTAINS))
        return self


class TurnUpFort(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """Chance: turn up a fort card that has never been seen."""

    number: FortNumber


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: draw the seat that takes the first turn."""

    seat: int


def _require_tiles(tiles: tuple[Tile, ...], count: int) -> None:
    if len(tiles) != count:
        raise MalformedMove(phrase("kreta-deal-so-many", count=count, number=len(tiles)))


def sailing(ways: Iterable[tuple[int, int]]) -> Sail:
    """Return the listed form of the move that sends ships these ways, given in any order (KRETA-ADMIRAL-3).

    Only the final placement counts, so equal placements give equal moves. Ways that share a harbour at one end stay
    unchanged. The rules refuse them.
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
