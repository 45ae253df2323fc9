"""What happened: the record that a move leaves, enough to animate it and to tell it. Only ``CharacterLaid`` is secret.

While characters act, each space of the column is the ``space`` of one event at least.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from skerry_games.tenerife.state import BackColour, Character, CharacterCard


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
    """The seat that begins the first round was drawn."""

    seat: int


class RoundBegun(Struct, frozen=True, array_like=True, gc=False, tag="begin"):
    """A round began at that place; ``hall_round`` is 0 in a town."""

    round: int
    place: int
    start_seat: int
    hall_round: int


class CharacterLaid(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """A card was laid face down; ``character`` is ``None`` for those who must not know it."""

    seat: int
    space: int
    colour: BackColour
    character: Character | None


class RevealedCard(Struct, frozen=True, array_like=True, gc=False):
    """A card that was turned face up."""

    space: int
    seat: int
    card: CharacterCard


class CharactersRevealed(Struct, frozen=True, array_like=True, gc=False, tag="show"):
    """All characters were turned face up."""

    cards: tuple[RevealedCard, ...]


class CharacterRobbed(Struct, frozen=True, array_like=True, gc=False, tag="robbed"):
    """A character does not act, because thieves rob it."""

    space: int
    seat: int
    character: Character
    by_seat: int
    by_space: int


class CharacterFreed(Struct, frozen=True, array_like=True, gc=False, tag="freed"):
    """A character may act, because thieves of its own seat free it."""

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
    """A mansion was built on that plot of a town, from 1; ``victim`` owns the mason that thieves robbed."""

    space: int
    seat: int
    town: int
    plot: int
    points: int
    victim: int | None


class ElementBuilt(Struct, frozen=True, array_like=True, gc=False, tag="elem"):
    """An element of the Town Hall was built; ``victim`` owns the mason that thieves robbed."""

    space: int
    seat: int
    plot: int
    victim: int | None


class WarehouseBuilt(Struct, frozen=True, array_like=True, gc=False, tag="store"):
    """A warehouse was built where the farmhand stood."""

    space: int
    seat: int
    storage: int


class FarmhandMoved(Struct, frozen=True, array_like=True, gc=False, tag="hand"):
    """The farmhand moved to the next storage space with room."""

    from_storage: int
    to_storage: int


class WarehouseExported(Struct, frozen=True, array_like=True, gc=False, tag="sell"):
    """The goods of a warehouse were sold: by its owner's exporter, or by thieves, who rob the ``victim``."""

    space: int
    seat: int
    storage: int
    points: int
    victim: int | None
    transport: int | None


class MerchantMoved(Struct, frozen=True, array_like=True, gc=False, tag="go"):
    """A merchant token came from that place; from ``None`` when it was placed."""

    space: int
    seat: int
    from_place: int | None
    to_place: int
    points: int
    transport: int


class MerchantRobbed(Struct, frozen=True, array_like=True, gc=False, tag="rob"):
    """Thieves robbed a merchant."""

    space: int
    seat: int
    victim: int
    points: int


class RoundEnded(Struct, frozen=True, array_like=True, gc=False, tag="back"):
    """A round ended, and everybody took the characters back."""

    round: int


class HallScored(Struct, frozen=True, array_like=True, gc=False, tag="hall"):
    """The elements of a seat were scored: the best split into lines, as numbers of plots."""

    seat: int
    lines: tuple[tuple[int, ...], ...]
    points: int


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over: final points of each seat, and the seats that share the win."""

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
