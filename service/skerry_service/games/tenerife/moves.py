"""What seats and chance can do. Every move exists once, so listings only select."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_service.games.tenerife.state import HALL_PLOTS, LA_LAGUNA, PLACES, SPACES, STORAGE, TOWNS, Card

Space = Annotated[int, Meta(ge=1, le=max(SPACES.values()))]
Place = Annotated[int, Meta(ge=0, le=LA_LAGUNA)]
Town = Annotated[int, Meta(ge=0, lt=LA_LAGUNA)]
PlotNumber = Annotated[int, Meta(ge=1, le=len(HALL_PLOTS))]
StorageNumber = Annotated[int, Meta(ge=1, le=len(STORAGE))]


class Lay(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """Lay a card face down below a space of the column."""

    space: Space
    card: Card


class BuildElement(Struct, frozen=True, array_like=True, gc=False, tag="elem"):
    """Mason or thieves: build an element of the Town Hall."""

    plot: PlotNumber


class BuildMansion(Struct, frozen=True, array_like=True, gc=False, tag="build"):
    """Thieves that rob a mason: build a mansion in a town."""

    town: Town


class Export(Struct, frozen=True, array_like=True, gc=False, tag="sell"):
    """Exporter: sell the goods of a warehouse."""

    storage: StorageNumber


class MoveMerchant(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """Merchant: move the token."""

    place: Place


class TurnUpTown(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """Chance: a town card that has not been turned up."""

    town: Town


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: the seat that begins the first round."""

    seat: int


Move = Lay | BuildElement | BuildMansion | Export | MoveMerchant | TurnUpTown | DrawStartSeat

LAY: Final = {card: tuple(Lay(space, card) for space in range(1, max(SPACES.values()) + 1)) for card in Card}
"""For each card its moves by space; the first is space 1."""
BUILD_ELEMENT: Final = {plot: BuildElement(plot) for plot in HALL_PLOTS}
BUILD_MANSION: Final = tuple(map(BuildMansion, TOWNS))
EXPORT: Final = {storage: Export(storage) for storage in STORAGE}
MOVE_MERCHANT: Final = tuple(map(MoveMerchant, PLACES))
TURN_UP_TOWN: Final = tuple(map(TurnUpTown, TOWNS))
DRAW_START_SEAT: Final = tuple(map(DrawStartSeat, range(max(SPACES))))
