"""Events: the record of a move, complete enough to animate it and to describe it.

``CardDrawn`` and ``CardLoaded`` have a secret: only their seat sees the card.
"""

from __future__ import annotations

from msgspec import Struct

from skerry_games.canarias.moves import Card, IslandNumber, Square
from skerry_games.canarias.printed.terms import Colour, Feature, Piece


class StartSeatSet(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """The start seat is known."""

    seat: int


class IslandTaken(Struct, frozen=True, array_like=True, gc=False, tag="isle"):
    """A seat has its island, chosen or ``dealt`` by chance."""

    seat: int
    island: IslandNumber
    dealt: bool


class CardDrawn(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """A seat drew a card from the deck. Other viewers see ``None``."""

    seat: int
    card: Card | None = None


class DeckRenewed(Struct, frozen=True, array_like=True, gc=False, tag="deck"):
    """The discard pile was shuffled and is the new deck. ``cards`` is their number."""

    cards: int


class ShipBegun(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """The first card of the first ship lies face down. No seat has seen it."""


class TurnBegun(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """A seat's turn began."""

    round: int
    seat: int


class DrawingBegun(Struct, frozen=True, array_like=True, gc=False, tag="draw"):
    """A seat draws this number of cards instead of building."""

    seat: int
    cards: int


class ExtraTaken(Struct, frozen=True, array_like=True, gc=False, tag="extra"):
    """A seat takes the extra card of its privilege."""

    seat: int


class SettlerPlayed(Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """A seat builds the house of this settler. The card is on the discard pile."""

    seat: int
    card: Card


class MaterialChosen(Struct, frozen=True, array_like=True, gc=False, tag="mat"):
    """A seat turns the houses on these squares into a palace or a town."""

    seat: int
    piece: Piece
    squares: tuple[Square, ...]


class ColourChosen(Struct, frozen=True, array_like=True, gc=False, tag="col"):
    """The colour of a piece was decided. ``automatic``: no other colour was possible."""

    seat: int
    piece: Piece
    colour: Colour
    automatic: bool


class HousePlaced(Struct, frozen=True, array_like=True, gc=False, tag="house"):
    """A house was placed. ``next_to`` is the binding priority, or ``None`` for a free choice."""

    seat: int
    square: Square
    colour: Colour
    next_to: Feature | None
    automatic: bool


class PalaceBuilt(Struct, frozen=True, array_like=True, gc=False, tag="pal"):
    """A palace was placed, and the houses on ``material`` returned to the supply. ``points``: the gain."""

    seat: int
    square: Square
    colour: Colour
    material: tuple[Square, ...]
    points: int
    automatic: bool


class TownBuilt(Struct, frozen=True, array_like=True, gc=False, tag="town"):
    """A town was placed, and the houses on ``material`` returned to the supply. ``points``: the gain."""

    seat: int
    square: Square
    colour: Colour
    material: tuple[Square, ...]
    points: int
    automatic: bool


class PrivilegeTaken(Struct, frozen=True, array_like=True, gc=False, tag="priv"):
    """A seat took a privilege. ``previous`` is the owner before, or ``None`` if it had no owner."""

    colour: Colour
    seat: int
    previous: int | None = None


class CardLoaded(Struct, frozen=True, array_like=True, gc=False, tag="load"):
    """A seat put a card on the ship. Other viewers see ``None``."""

    seat: int
    card: Card | None = None


class NothingLoaded(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """A seat has no card to put on the ship, because there was no card to draw."""

    seat: int


class ShipArrived(Struct, frozen=True, array_like=True, gc=False, tag="port"):
    """The ship arrived with this number of cards, and they were shuffled. All but one will be turned up."""

    cards: int


class ShipCardTurnedUp(Struct, frozen=True, array_like=True, gc=False, tag="up"):
    """A card of the ship was turned up."""

    card: Card


class Comparison(Struct, frozen=True, array_like=True, gc=False):
    """One step of a settler's choice: the compared seats, with their empty squares next to the feature."""

    feature: Feature
    counts: tuple[tuple[int, int], ...]
    """Pairs of seat and count, by seat."""


class SettlerChose(Struct, frozen=True, array_like=True, gc=False, tag="pick"):
    """A settler from the ship chose an island. ``winner`` is ``None`` if it chose none.

    ``privilege``: a privilege won the tie.
    """

    card: Card
    comparisons: tuple[Comparison, ...]
    winner: int | None
    privilege: bool


class NoHouseLeft(Struct, frozen=True, array_like=True, gc=False, tag="out"):
    """The supply has no house of any colour for a settler that chose this seat."""

    seat: int


class PirateStruck(Struct, frozen=True, array_like=True, gc=False, tag="rob"):
    """A pirate looks for its victims. ``owner`` has the privilege of its colour; ``None`` if it has no owner."""

    colour: Colour
    owner: int | None
    compared: tuple[tuple[int, int], ...]
    """Without an owner: pairs of a seat and its points in the colour, by seat, without a protected seat."""
    victims: tuple[int, ...]
    owner_protected: bool
    """Whether the owner has the pirate privilege, which sends the pirate to another seat."""


class PirateDiverted(Struct, frozen=True, array_like=True, gc=False, tag="div"):
    """The protected owner named the ``victim``, or ``None`` because no other seat has a house."""

    seat: int
    victim: int | None
    automatic: bool


class HouseGivenUp(Struct, frozen=True, array_like=True, gc=False, tag="lose"):
    """A house returned to the supply."""

    seat: int
    square: Square
    colour: Colour
    automatic: bool


class NothingToGiveUp(Struct, frozen=True, array_like=True, gc=False, tag="safe"):
    """A victim of a pirate has no house to give up."""

    seat: int


class RoundEnded(Struct, frozen=True, array_like=True, gc=False, tag="round"):
    """A round is over. ``last_follows``: the next round is the last."""

    round: int
    scores: tuple[int, ...]
    last_follows: bool
    start_seat: int
    next_start_seat: int | None
    """``None`` when the game is over."""


class HandRevealed(Struct, frozen=True, array_like=True, gc=False, tag="hand"):
    """The game is over: the cards left in a seat's hand. Omitted for an empty hand."""

    seat: int
    hand: tuple[Card, ...]


class ShipRevealed(Struct, frozen=True, array_like=True, gc=False, tag="left"):
    """The game is over: the card left on the ship, and its seat, or ``None`` if the seat is unknown."""

    card: Card
    seat: int | None


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over: final points per seat, and the seats that share the win."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    StartSeatSet
    | IslandTaken
    | CardDrawn
    | DeckRenewed
    | ShipBegun
    | TurnBegun
    | DrawingBegun
    | ExtraTaken
    | SettlerPlayed
    | MaterialChosen
    | ColourChosen
    | HousePlaced
    | PalaceBuilt
    | TownBuilt
    | PrivilegeTaken
    | CardLoaded
    | NothingLoaded
    | ShipArrived
    | ShipCardTurnedUp
    | SettlerChose
    | NoHouseLeft
    | PirateStruck
    | PirateDiverted
    | HouseGivenUp
    | NothingToGiveUp
    | RoundEnded
    | HandRevealed
    | ShipRevealed
    | GameEnded
)
