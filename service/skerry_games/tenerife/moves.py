"""Moves of seats and of chance. Each move object exists once, so listings only select."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_games.annotations import Hidden, Id, Number
from skerry_games.api import MalformedMove
from skerry_games.sentences import phrase
from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import (
    CHARACTER,
    COLOUR,
    FACES,
    HALL_PLOTS,
    LA_LAGUNA,
    PLACES,
    SPACES,
    STORAGE,
    TOWNS,
    BackColour,
    Character,
    CharacterCard,
)

_IDS: Final = tuple(place.id for place in BOARD.places)

Space = Annotated[int, Meta(ge=1, le=max(SPACES.values())), Number("space")]
Place = Annotated[int, Meta(ge=0, le=LA_LAGUNA), Id(_IDS, "place")]
Town = Annotated[int, Meta(ge=0, lt=LA_LAGUNA), Id(_IDS[:LA_LAGUNA], "town")]
PlotNumber = Annotated[int, Meta(ge=1, le=len(HALL_PLOTS)), Number("plot")]
StorageNumber = Annotated[int, Meta(ge=1, le=len(STORAGE)), Number("storage space")]
Seat = Annotated[int, Meta(ge=0, lt=max(SPACES)), Number("seat")]


class Lay(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """Lay a card face down below a space of the column.

    Until the game is over, other viewers see ``None`` as the character. A move with ``None`` is malformed.
    """

    space: Space
    character: Annotated[Character | None, Hidden("character")]
    colour: BackColour = BackColour.OWN

    def as_listed(self) -> Lay:
        """Return the move. Raises MalformedMove if no card has this character and this colour."""
        if (self.character, self.colour) not in FACES:
            raise MalformedMove(phrase("tenerife-no-such-card", character=f"{self.character}", colour=f"{self.colour}"))
        return self


class BuildElement(Struct, frozen=True, array_like=True, gc=False, tag="elem"):
    """Mason, or thieves that rob the ``victim``'s mason: build an element of the Town Hall."""

    plot: PlotNumber
    victim: Seat | None = None


class BuildMansion(Struct, frozen=True, array_like=True, gc=False, tag="build"):
    """Thieves that rob the ``victim``'s mason: build a mansion in a town."""

    town: Town
    victim: Seat


class Export(Struct, frozen=True, array_like=True, gc=False, tag="sell"):
    """Exporter, or thieves that rob the ``victim``'s exporter: sell the goods of a warehouse."""

    storage: StorageNumber
    victim: Seat | None = None


class MoveMerchant(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """Merchant: move the token to a place."""

    place: Place


class TurnUpTown(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """Chance: turn up the card of a town."""

    town: Town


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: draw the seat that starts the first round."""

    seat: Seat


Move = Lay | BuildElement | BuildMansion | Export | MoveMerchant | TurnUpTown | DrawStartSeat

_SEATS: Final = range(max(SPACES))
_VICTIMS: Final = (None, *_SEATS)

LAY: Final = {
    card: tuple(Lay(space, CHARACTER[card], COLOUR[card]) for space in range(1, max(SPACES.values()) + 1))
    for card in CharacterCard
}
"""For each card, its moves by space, from space 1."""
BUILD_ELEMENT: Final = {victim: {plot: BuildElement(plot, victim) for plot in HALL_PLOTS} for victim in _VICTIMS}
"""For each victim, and for ``None``, the moves by plot."""
BUILD_MANSION: Final = {victim: tuple(BuildMansion(town, victim) for town in TOWNS) for victim in _SEATS}
"""For each victim, the moves by town."""
EXPORT: Final = {victim: {storage: Export(storage, victim) for storage in STORAGE} for victim in _VICTIMS}
"""For each victim, and for ``None``, the moves by storage space."""
MOVE_MERCHANT: Final = tuple(map(MoveMerchant, PLACES))
TURN_UP_TOWN: Final = tuple(map(TurnUpTown, TOWNS))
DRAW_START_SEAT: Final = tuple(map(DrawStartSeat, _SEATS))
