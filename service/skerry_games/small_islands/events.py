"""What happened: the record that a move leaves, enough to animate it and to tell it.

Where an event says "hidden", others than its seat are shown it with ``None``, or with nothing, in that field.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from skerry_games.small_islands.components import Bonus, Symbol
from skerry_games.small_islands.state import End
from skerry_games.small_islands.tabletop.cells import Cell


class TileSource(IntEnum):
    """Where a tile that was laid came from."""

    START = 1
    DISPLAY = 2
    HAND = 3


class PartKind(IntEnum):
    """What a part of a reward is paid for (SMALL-PAY-1)."""

    FLOWER = 1
    FRUIT = 2
    LEAF = 3
    TEMPLE = 4
    PORT = 5
    SCARCEST = 6
    SIZE = 7
    FIXED = 8


class Part(Struct, frozen=True, array_like=True, gc=False):
    """A part of the sum that a house pays: so many of something give so many points."""

    kind: PartKind
    count: int
    points: int


class StartSeatSet(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """The seat that begins is known."""

    seat: int


class TileDealt(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """A seat drew a tile. Hidden: which."""

    seat: int
    tile: int | None


class TileTurnedUp(Struct, frozen=True, array_like=True, gc=False, tag="up"):
    """The display was refilled, from the navigation stack or else from the reserve."""

    tile: int
    from_stack: bool


class CardDealt(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """A seat drew a card. Hidden: which."""

    seat: int
    card: int | None


class TileLaid(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """A tile was laid."""

    seat: int
    tile: int
    at: Cell
    turns: int
    source: TileSource


class IslandsJoined(Struct, frozen=True, array_like=True, gc=False, tag="join"):
    """The tile that was just laid made one island of several: named by their first cells, ascending."""

    islands: tuple[Cell, ...]
    tiles: int
    """How many tiles the new island has."""


class RoundBegun(Struct, frozen=True, array_like=True, gc=False, tag="round"):
    """Tiles of the reserve became the navigation stack; that seat will explore first."""

    round: int
    first_seat: int
    reserve: int


class ObjectiveChosen(Struct, frozen=True, array_like=True, gc=False, tag="obj"):
    """A seat chose its objective. Hidden: what it chose, put aside, and returned, a card of each kind."""

    seat: int
    chosen: tuple[int, ...]
    aside: tuple[int, ...]
    returned: tuple[int, ...]


class ExplorationBegun(Struct, frozen=True, array_like=True, gc=False, tag="expl"):
    """All have chosen."""

    first_seat: int


class TileTaken(Struct, frozen=True, array_like=True, gc=False, tag="take"):
    """A tile came from the display into a hand. All know that it is there."""

    seat: int
    tile: int


class HandShown(Struct, frozen=True, array_like=True, gc=False, tag="show"):
    """None of the tiles fits anywhere: the hand was shown, and the tile that was taken left the game."""

    seat: int
    hand: tuple[int, ...]
    gone: int


class TilePicked(Struct, frozen=True, array_like=True, gc=False, tag="pick"):
    """A seat showed the tile that it will lay."""

    seat: int
    tile: int


class TokenTaken(Struct, frozen=True, array_like=True, gc=False, tag="token"):
    """A seat decided for a bonus token and for what it will show."""

    seat: int
    token: Bonus
    shows: Symbol


class TokenForgone(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """A seat placed no bonus token in this turn."""

    seat: int


class TokenPlaced(Struct, frozen=True, array_like=True, gc=False, tag="put"):
    """A bonus token was placed; a port covers nothing."""

    seat: int
    token: Bonus
    shows: Symbol
    at: Cell
    place: int
    covered: Symbol | None
    on_token: bool
    """Whether what it covered was a token itself."""


class ShipLanded(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """A seat landed, and the exploration is over."""

    seat: int
    grey: bool
    at: Cell


class LastRewardBegun(Struct, frozen=True, array_like=True, gc=False, tag="stuck"):
    """A seat has no tile to take and no ship to place: the last reward phase begins with it (SMALL-END-2)."""

    seat: int


class ObjectiveRevealed(Struct, frozen=True, array_like=True, gc=False, tag="reveal"):
    """A seat revealed its objective: one card, or a mission and a reward."""

    seat: int
    cards: tuple[int, ...]


class HousePlaced(Struct, frozen=True, array_like=True, gc=False, tag="house"):
    """A house was placed on an island that fulfils the mission; the island is named by its first cell."""

    seat: int
    at: Cell
    island: Cell
    tiles: int


class HousePaid(Struct, frozen=True, array_like=True, gc=False, tag="pay"):
    """The points for a house, and what they are made of."""

    seat: int
    at: Cell
    parts: tuple[Part, ...]
    points: int


class DiscoveryDrawn(Struct, frozen=True, array_like=True, gc=False, tag="disc"):
    """A seat drew so many discovery tokens for its last house. Hidden: their values."""

    seat: int
    count: int
    values: tuple[int, ...]


class DiscoveryKept(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """A seat kept one of them, the others went back. Hidden: its value."""

    seat: int
    value: int | None


class BuildingEnded(Struct, frozen=True, array_like=True, gc=False, tag="stop"):
    """A seat is done with its reward phase; ``automatic`` when it could place no house."""

    seat: int
    automatic: bool
    houses: int
    """How many houses it took from its reserve."""


class CardsShuffled(Struct, frozen=True, array_like=True, gc=False, tag="shuf"):
    """All used and returned cards went back into their piles."""


class SecretsShown(Struct, frozen=True, array_like=True, gc=False, tag="all"):
    """The game is over: a seat shows its hand, and the cards that it has put aside and returned in this round."""

    seat: int
    hand: tuple[int, ...]
    aside: tuple[int, ...]
    """A card of each kind, here and below."""
    returned: tuple[int, ...]
    """Empty if they have been shuffled back."""


class BonusScored(Struct, frozen=True, array_like=True, gc=False, tag="bonus"):
    """The game is over: what a seat gets for the discovery tokens that it shows, and for ports around its ship."""

    seat: int
    discoveries: tuple[int, ...]
    ports: int
    points: int


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over: why, final points and rank of each seat."""

    end: End
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


Event = (
    StartSeatSet
    | TileDealt
    | TileTurnedUp
    | CardDealt
    | TileLaid
    | IslandsJoined
    | RoundBegun
    | ObjectiveChosen
    | ExplorationBegun
    | TileTaken
    | HandShown
    | TilePicked
    | TokenTaken
    | TokenForgone
    | TokenPlaced
    | ShipLanded
    | LastRewardBegun
    | ObjectiveRevealed
    | HousePlaced
    | HousePaid
    | DiscoveryDrawn
    | DiscoveryKept
    | BuildingEnded
    | CardsShuffled
    | SecretsShown
    | BonusScored
    | GameEnded
)
