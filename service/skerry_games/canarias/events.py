"""What happened: the record that a move leaves, enough to animate it and to tell it.

Two of them keep a secret: ``CardDrawn`` and ``CardLoaded`` show their card to their seat alone. Where there is nothing
to name stands ``None``.
"""

from __future__ import annotations

from msgspec import Struct

from skerry_games.canarias.printed.terms import Colour, Feature, Piece


class StartSeatSet(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """The seat that begins is known."""

    seat: int


class IslandTaken(Struct, frozen=True, array_like=True, gc=False, tag="isle"):
    """A seat has its island, ``dealt`` by chance or chosen."""

    seat: int
    island: int
    dealt: bool


class CardDrawn(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """A seat drew a card from the deck. ``None`` to all others."""

    seat: int
    card: int | None = None


class DeckRenewed(Struct, frozen=True, array_like=True, gc=False, tag="deck"):
    """The discard pile was shuffled and is the new deck of so many cards."""

    cards: int


class ShipBegun(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """The first card of the first ship lies face down. Nobody has seen it."""


class TurnBegun(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """A seat's turn began."""

    round: int
    seat: int


class DrawingBegun(Struct, frozen=True, array_like=True, gc=False, tag="draw"):
    """A seat draws so many cards instead of building."""

    seat: int
    cards: int


class ExtraTaken(Struct, frozen=True, array_like=True, gc=False, tag="extra"):
    """A seat takes the extra card of its privilege."""

    seat: int


class SettlerPlayed(Struct, frozen=True, array_like=True, gc=False, tag="play"):
    """A seat builds the house of this settler; the card is on the discard pile."""

    seat: int
    card: int


class MaterialChosen(Struct, frozen=True, array_like=True, gc=False, tag="mat"):
    """A seat builds a palace or town from the houses on these squares."""

    seat: int
    piece: Piece
    squares: tuple[int, ...]


class ColourChosen(Struct, frozen=True, array_like=True, gc=False, tag="col"):
    """The colour of a piece was chosen; ``automatic`` when no other was left."""

    seat: int
    piece: Piece
    colour: Colour
    automatic: bool


class HousePlaced(Struct, frozen=True, array_like=True, gc=False, tag="house"):
    """A house stands. ``next_to`` is the priority that bound it, ``None`` for a free choice."""

    seat: int
    square: int
    colour: Colour
    next_to: Feature | None
    automatic: bool


class PalaceBuilt(Struct, frozen=True, array_like=True, gc=False, tag="pal"):
    """A palace stands; the houses on ``material`` are back in the supply. ``points``: what changed."""

    seat: int
    square: int
    colour: Colour
    material: tuple[int, ...]
    points: int
    automatic: bool


class TownBuilt(Struct, frozen=True, array_like=True, gc=False, tag="town"):
    """A town stands; the houses on ``material`` are back in the supply. ``points``: what changed."""

    seat: int
    square: int
    colour: Colour
    material: tuple[int, ...]
    points: int
    automatic: bool


class PrivilegeTaken(Struct, frozen=True, array_like=True, gc=False, tag="priv"):
    """A privilege went to a seat, from another one or from beside the board (``None``)."""

    colour: Colour
    seat: int
    previous: int | None = None


class CardLoaded(Struct, frozen=True, array_like=True, gc=False, tag="load"):
    """A seat put a card on the ship. ``None`` to all others."""

    seat: int
    card: int | None = None


class NothingLoaded(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """A seat has no card to put on the ship, because there was none to draw."""

    seat: int


class ShipArrived(Struct, frozen=True, array_like=True, gc=False, tag="port"):
    """The cards of the ship were shuffled; all but one will be turned up."""

    cards: int


class ShipCardTurnedUp(Struct, frozen=True, array_like=True, gc=False, tag="up"):
    """A card of the ship was turned up."""

    card: int


class Comparison(Struct, frozen=True, array_like=True, gc=False):
    """One step of a settler's choice: for each seat still compared its empty squares next to the feature."""

    feature: Feature
    counts: tuple[tuple[int, int], ...]
    """Pairs of seat and count, by seat."""


class SettlerChose(Struct, frozen=True, array_like=True, gc=False, tag="pick"):
    """A settler from the ship chose its island, or none (``None``); ``privilege``: a privilege won the tie."""

    card: int
    comparisons: tuple[Comparison, ...]
    winner: int | None
    privilege: bool


class NoHouseLeft(Struct, frozen=True, array_like=True, gc=False, tag="out"):
    """The supply has no house of any colour for the settler that chose this seat."""

    seat: int


class PirateStruck(Struct, frozen=True, array_like=True, gc=False, tag="rob"):
    """A pirate looks for its victims: ``owner`` has the privilege of its colour (``None``: nobody has)."""

    colour: Colour
    owner: int | None
    compared: tuple[tuple[int, int], ...]
    """Without an owner: pairs of seat and its points in the colour, by seat. A protected seat is left out."""
    victims: tuple[int, ...]
    owner_protected: bool
    """Whether the owner's privilege sends the pirate to another seat."""


class PirateDiverted(Struct, frozen=True, array_like=True, gc=False, tag="div"):
    """The protected owner named another seat; ``None`` when no other seat has a house."""

    seat: int
    victim: int | None
    automatic: bool


class HouseGivenUp(Struct, frozen=True, array_like=True, gc=False, tag="lose"):
    """A house went back to the supply."""

    seat: int
    square: int
    colour: Colour
    automatic: bool


class NothingToGiveUp(Struct, frozen=True, array_like=True, gc=False, tag="safe"):
    """A victim of a pirate has no house."""

    seat: int


class RoundEnded(Struct, frozen=True, array_like=True, gc=False, tag="round"):
    """A round is over; ``last_follows``: one more round is played, and no other."""

    round: int
    scores: tuple[int, ...]
    last_follows: bool
    start_seat: int
    next_start_seat: int | None
    """``None`` when the game is over."""


class HandRevealed(Struct, frozen=True, array_like=True, gc=False, tag="hand"):
    """The game is over: the cards that are left in a seat's hand. Not told of an empty hand."""

    seat: int
    hand: tuple[int, ...]


class ShipRevealed(Struct, frozen=True, array_like=True, gc=False, tag="left"):
    """The game is over: the card that is left on the ship, and who put it there (``None``: nobody can tell)."""

    card: int
    seat: int | None


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over: final points of each seat, and the seats that share the win."""

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
