"""Moves of seats and of chance. Each move object exists once, so listings only select.

A move with a face-down card has a masked form with ``None`` as its card, for viewers that must not see the card. A
masked move is malformed.
"""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_games.annotations import Hidden, Id
from skerry_games.api import MalformedMove
from skerry_games.canarias.printed.cards import ALL_CARDS, CARD_IDS, FIRST_PIRATE
from skerry_games.canarias.printed.components_file import SQUARES
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.squares import ALL_SQUARES
from skerry_games.canarias.printed.terms import COLOURS, Colour
from skerry_games.canarias.state import SEATS
from skerry_games.sentences import phrase

Square = Annotated[int, Meta(ge=0, lt=len(SQUARES)), Id(SQUARES, "square")]
Card = Annotated[int, Meta(ge=0, lt=len(ALL_CARDS)), Id(CARD_IDS, "card")]
IslandNumber = Annotated[int, Meta(ge=0, lt=len(ISLANDS)), Id(tuple(island.id for island in ISLANDS), "island")]


class TakeIsland(Struct, frozen=True, array_like=True, gc=False, tag="isle"):
    """Setup: take an island."""

    island: IslandNumber


class Build(Struct, frozen=True, array_like=True, gc=False, tag="build"):
    """Build the house of a settler in hand. Its square follows as a move of its own."""

    card: Card


class Draw(Struct, frozen=True, array_like=True, gc=False, tag="draw"):
    """Draw cards instead of building."""


class TakeExtra(Struct, frozen=True, array_like=True, gc=False, tag="extra"):
    """Privilege: take the extra card of the turn."""


class BuildPalace(Struct, frozen=True, array_like=True, gc=False, tag="pal"):
    """Build a palace from the houses on two squares, ascending. Its square follows as a move of its own."""

    squares: tuple[Square, Square]

    def as_listed(self) -> BuildPalace:
        """Return the move with its squares in ascending order. Raises MalformedMove unless there are two."""
        return BUILD_PALACE[_ascending(self.squares, 2)]


class BuildTown(Struct, frozen=True, array_like=True, gc=False, tag="town"):
    """Build a town from the houses on three squares, ascending. Its square follows as a move of its own."""

    squares: tuple[Square, Square, Square]

    def as_listed(self) -> BuildTown:
        """Return the move with its squares in ascending order. Raises MalformedMove unless there are three."""
        return BUILD_TOWN[_ascending(self.squares, 3)]


class Load(Struct, frozen=True, array_like=True, gc=False, tag="load"):
    """Put a card from the hand on the ship, face down, and end the turn. Masked for other viewers."""

    card: Annotated[Card | None, Hidden("card")] = None


class ChooseColour(Struct, frozen=True, array_like=True, gc=False, tag="col"):
    """Choose the colour of the piece that the seat builds."""

    colour: Colour


class Place(Struct, frozen=True, array_like=True, gc=False, tag="put"):
    """Choose the square of the piece that the seat builds."""

    square: Square


class GiveUp(Struct, frozen=True, array_like=True, gc=False, tag="lose"):
    """Return the house on a square to the supply, because a pirate robs the seat."""

    square: Square


class Divert(Struct, frozen=True, array_like=True, gc=False, tag="div"):
    """Privilege: name the seat that the pirate robs instead."""

    seat: int


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: draw the start seat."""

    seat: int


class DealIsland(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """Chance: deal an island to the next seat."""

    island: IslandNumber


class DealCard(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """Chance: deal a card from the deck to a seat. Masked for other viewers."""

    seat: int
    card: Annotated[Card | None, Hidden("card")] = None


class StartShip(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """Chance: put the first card on the first ship. Masked for all viewers."""

    card: Annotated[Card | None, Hidden("card")] = None


class TurnUp(Struct, frozen=True, array_like=True, gc=False, tag="turn"):
    """Chance: turn up a card of the ship."""

    card: Card


Move = (
    TakeIsland
    | Build
    | Draw
    | TakeExtra
    | BuildPalace
    | BuildTown
    | Load
    | ChooseColour
    | Place
    | GiveUp
    | Divert
    | DrawStartSeat
    | DealIsland
    | DealCard
    | StartShip
    | TurnUp
)


def _ascending(squares: tuple[int, ...], count: int) -> tuple[int, ...]:
    if len({*squares}) != count or len(squares) != count:
        raise MalformedMove(phrase("canarias-name-squares", count=count))
    return tuple(sorted(squares))


TAKE_ISLAND: Final = tuple(TakeIsland(island) for island in range(len(ISLANDS)))
BUILD: Final = tuple(Build(card) for card in range(FIRST_PIRATE))
DRAW: Final = Draw()
TAKE_EXTRA: Final = TakeExtra()
BUILD_PALACE: Final[dict[tuple[int, ...], BuildPalace]] = {
    pair: BuildPalace(pair) for pair in combinations(ALL_SQUARES, 2)
}
BUILD_TOWN: Final[dict[tuple[int, ...], BuildTown]] = {
    three: BuildTown(three) for three in combinations(ALL_SQUARES, 3)
}
LOAD: Final = tuple(Load(card) for card in ALL_CARDS)
CHOOSE_COLOUR: Final = tuple(ChooseColour(colour) for colour in COLOURS)
PLACE: Final = tuple(Place(square) for square in ALL_SQUARES)
GIVE_UP: Final = tuple(GiveUp(square) for square in ALL_SQUARES)
DEAL_ISLAND: Final = tuple(DealIsland(island) for island in range(len(ISLANDS)))
DEAL_CARD: Final = tuple(tuple(DealCard(seat, card) for card in ALL_CARDS) for seat in range(max(SEATS)))
"""By seat and card."""
START_SHIP: Final = tuple(StartShip(card) for card in ALL_CARDS)
TURN_UP: Final = tuple(TurnUp(card) for card in ALL_CARDS)
