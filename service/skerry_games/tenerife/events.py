"""Events: the record of a move, complete enough to animate it and to describe it.

Only ``CharacterLaid`` has a secret, its character. While characters act, each space of the column is the ``space`` of
at least one event.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from skerry_games.tenerife.moves import Place, Town
from skerry_games.tenerife.state import BackColour, Card, Character


class Reason(IntEnum):
    """Why a character had no effect."""

    TOWN_FULL = 1
    HALL_FULL = 2
    NO_MANSION = 3
    NO_SYMBOL = 4
    STORAGE_FULL = 5
    NO_WAREHOUSE = 6
    NO_TRANSPORT = 7
    NOBODY_AHEAD = 8
    FARMER_AHEAD = 9
    THIEVES_BEHIND = 10
    OWN_AHEAD = 11
    FREED = 12
    NO_PLOT = 13


class StartSeatDrawn(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance drew the seat that starts the first round."""

    seat: int


class RoundBegun(Struct, frozen=True, array_like=True, gc=False, tag="begin"):
    """A round began at that place. ``hall_round`` counts the rounds of the Town Hall and is 0 in a town."""

    round: int
    place: Place
    start_seat: int
    hall_round: int


class CharacterLaid(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """A seat laid a card face down. ``character`` is ``None`` for viewers that must not see it."""

    seat: int
    space: int
    colour: BackColour
    character: Character | None


class RevealedCard(Struct, frozen=True, array_like=True, gc=False):
    """A card that was turned face up."""

    space: int
    seat: int
    card: Card


class CharactersRevealed(Struct, frozen=True, array_like=True, gc=False, tag="show"):
    """All characters were turned face up."""

    cards: tuple[RevealedCard, ...]


class CharacterRobbed(Struct, frozen=True, array_like=True, gc=False, tag="robbed"):
    """Thieves rob a character, so it does not act."""

    space: int
    seat: int
    character: Character
    by_seat: int
    by_space: int


class CharacterFreed(Struct, frozen=True, array_like=True, gc=False, tag="freed"):
    """Thieves of its own seat free a character, so it may act."""

    space: int
    seat: int
    character: Character
    by_space: int


class NoEffect(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """A character had no effect."""

    space: int
    seat: int
    character: Character
    reason: Reason


class MansionBuilt(Struct, frozen=True, array_like=True, gc=False, tag="build"):
    """A seat built a mansion on a plot of a town, from 1. ``victim`` is the owner of a robbed mason."""

    space: int
    seat: int
    town: Town
    plot: int
    points: int
    victim: int | None


class ElementBuilt(Struct, frozen=True, array_like=True, gc=False, tag="elem"):
    """A seat built an element of the Town Hall. ``victim`` is the owner of a robbed mason."""

    space: int
    seat: int
    plot: int
    victim: int | None


class WarehouseBuilt(Struct, frozen=True, array_like=True, gc=False, tag="store"):
    """A seat built a warehouse on the farmhand's storage space."""

    space: int
    seat: int
    storage: int


class FarmhandMoved(Struct, frozen=True, array_like=True, gc=False, tag="hand"):
    """The farmhand moved to the next storage space with room."""

    from_storage: int
    to_storage: int


class WarehouseExported(Struct, frozen=True, array_like=True, gc=False, tag="sell"):
    """The exporter of a warehouse's owner sold its goods, or thieves that robbed the ``victim`` did."""

    space: int
    seat: int
    storage: int
    points: int
    victim: int | None
    transport: int | None


class MerchantMoved(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """A merchant token was placed or moved. ``from_place`` is ``None`` if it was placed."""

    space: int
    seat: int
    from_place: Place | None
    to_place: Place
    points: int
    transport: int


class MerchantRobbed(Struct, frozen=True, array_like=True, gc=False, tag="rob"):
    """Thieves robbed a merchant."""

    space: int
    seat: int
    victim: int
    points: int


class RoundEnded(Struct, frozen=True, array_like=True, gc=False, tag="back"):
    """A round ended, and all seats took back their characters."""

    round: int


class HallScored(Struct, frozen=True, array_like=True, gc=False, tag="hall"):
    """The elements of a seat were scored: the best split into lines, each as numbers of plots."""

    seat: int
    lines: tuple[tuple[int, ...], ...]
    points: int


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over: final points per seat, and the seats that share the win."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = (
    StartSeatDrawn
    | RoundBegun
    | CharacterLaid
    | CharactersRevealed
    | CharacterRobbed
    | CharacterFreed
    | NoEffect
    | MansionBuilt
    | ElementBuilt
    | WarehouseBuilt
    | FarmhandMoved
    | WarehouseExported
    | MerchantMoved
    | MerchantRobbed
    | RoundEnded
    | HallScored
    | GameEnded
)
