"""Events: the effects of a move, in order, with enough detail to animate and describe them.

If a docstring says "Hidden", other viewers see these fields as ``None`` or as an empty tuple.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from skerry_games.small_islands.printed.components import Bonus, CardNumber, Symbol, TileNumber
from skerry_games.small_islands.state import End
from skerry_games.small_islands.tabletop.cells import Cell


class TileSource(IntEnum):
    """The place that a laid tile came from."""

    START = 1
    DISPLAY = 2
    HAND = 3


class PartKind(IntEnum):
    """The kind of a part of a reward (SMALL-PAY-1)."""

    FLOWER = 1
    FRUIT = 2
    LEAF = 3
    TEMPLE = 4
    PORT = 5
    SCARCEST = 6
    SIZE = 7
    FIXED = 8


class Part(Struct, frozen=True, array_like=True, gc=False):
    """A part of the points for a house: ``count`` items of a kind give ``points``."""

    kind: PartKind
    count: int
    points: int


class StartSeatSet(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """The start seat was set."""

    seat: int


class TileDealt(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """A seat was dealt a tile. Hidden: ``tile``."""

    seat: int
    tile: TileNumber | None


class TileTurnedUp(Struct, frozen=True, array_like=True, gc=False, tag="up"):
    """A tile was turned up for the display. ``from_stack``: it came from the navigation stack, not the reserve."""

    tile: TileNumber
    from_stack: bool


class CardDealt(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """A seat was dealt a card. Hidden: ``card``."""

    seat: int
    card: CardNumber | None


class TileLaid(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """A tile was laid with that many quarter turns clockwise."""

    seat: int
    tile: TileNumber
    at: Cell
    turns: int
    source: TileSource


class IslandsJoined(Struct, frozen=True, array_like=True, gc=False, tag="join"):
    """The tile just laid joined several islands. ``islands`` has their first cells, ascending."""

    islands: tuple[Cell, ...]
    tiles: int
    """The number of tiles of the new island."""


class RoundBegun(Struct, frozen=True, array_like=True, gc=False, tag="round"):
    """A round began. ``first_seat`` explores first. ``reserve``: tiles left after forming the navigation stack."""

    round: int
    first_seat: int
    reserve: int


class ObjectiveChosen(Struct, frozen=True, array_like=True, gc=False, tag="obj"):
    """A seat chose its objective, one card of each kind per field. Hidden: ``chosen``, ``aside``, ``returned``."""

    seat: int
    chosen: tuple[CardNumber, ...]
    aside: tuple[CardNumber, ...]
    returned: tuple[CardNumber, ...]


class ExplorationBegun(Struct, frozen=True, array_like=True, gc=False, tag="expl"):
    """All seats have chosen, and exploration begins with ``first_seat``."""

    first_seat: int


class TileTaken(Struct, frozen=True, array_like=True, gc=False, tag="take"):
    """A seat took a tile from the display into its hand. All viewers know the tile."""

    seat: int
    tile: TileNumber


class HandShown(Struct, frozen=True, array_like=True, gc=False, tag="show"):
    """A seat showed its hand, because no tile of it fits. ``gone``: the tile just taken left the game."""

    seat: int
    hand: tuple[TileNumber, ...]
    gone: TileNumber


class TilePicked(Struct, frozen=True, array_like=True, gc=False, tag="pick"):
    """A seat picked the tile that it will lay, and showed it."""

    seat: int
    tile: TileNumber


class TokenTaken(Struct, frozen=True, array_like=True, gc=False, tag="token"):
    """A seat chose a bonus token and the symbol that it will show."""

    seat: int
    token: Bonus
    shows: Symbol


class TokenForgone(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """A seat placed no bonus token in this turn."""

    seat: int


class TokenPlaced(Struct, frozen=True, array_like=True, gc=False, tag="put"):
    """A bonus token was placed. ``covered`` is ``None`` for a port."""

    seat: int
    token: Bonus
    shows: Symbol
    at: Cell
    place: int
    covered: Symbol | None
    on_token: bool
    """Whether it covered another token."""


class ShipLanded(Struct, frozen=True, array_like=True, gc=False, tag="ship"):
    """A seat landed, which ends the exploration."""

    seat: int
    grey: bool
    at: Cell


class LastRewardBegun(Struct, frozen=True, array_like=True, gc=False, tag="stuck"):
    """A seat could neither explore nor land, so the last reward phase begins with it (SMALL-END-2)."""

    seat: int


class ObjectiveRevealed(Struct, frozen=True, array_like=True, gc=False, tag="reveal"):
    """A seat revealed its objective: one card, or a mission and a reward."""

    seat: int
    cards: tuple[CardNumber, ...]


class HousePlaced(Struct, frozen=True, array_like=True, gc=False, tag="house"):
    """A house was placed. ``island`` is the first cell of its island, ``tiles`` the island's number of tiles."""

    seat: int
    at: Cell
    island: Cell
    tiles: int


class HousePaid(Struct, frozen=True, array_like=True, gc=False, tag="pay"):
    """A house scored ``points``, the sum of its ``parts``."""

    seat: int
    at: Cell
    parts: tuple[Part, ...]
    points: int


class DiscoveryDrawn(Struct, frozen=True, array_like=True, gc=False, tag="disc"):
    """A seat drew discovery tokens for its latest house. Hidden: ``values``."""

    seat: int
    count: int
    values: tuple[int, ...]


class DiscoveryKept(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """A seat kept one of the drawn discovery tokens and returned the others. Hidden: ``value``."""

    seat: int
    value: int | None


class BuildingEnded(Struct, frozen=True, array_like=True, gc=False, tag="stop"):
    """A seat finished its turn of the reward phase. ``automatic``: it had no place for another house."""

    seat: int
    automatic: bool
    houses: int
    """The number of houses that it took from its reserve."""


class CardsShuffled(Struct, frozen=True, array_like=True, gc=False, tag="shuf"):
    """All used and returned cards were shuffled back into their piles."""


class SecretsShown(Struct, frozen=True, array_like=True, gc=False, tag="all"):
    """At the end of the game, a seat shows its hand, and the cards put aside and returned in this round."""

    seat: int
    hand: tuple[TileNumber, ...]
    aside: tuple[CardNumber, ...]
    """One card of each kind, as in ``returned``."""
    returned: tuple[CardNumber, ...]
    """Empty if the cards have been shuffled back."""


class BonusScored(Struct, frozen=True, array_like=True, gc=False, tag="bonus"):
    """At the end of the game, a seat scores its discovery tokens and the ports around its ship."""

    seat: int
    discoveries: tuple[int, ...]
    ports: int
    points: int


class GameEnded(Struct, frozen=True, array_like=True, gc=False, tag="end"):
    """The game is over. ``scores`` and ``ranks`` are per seat."""

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
