"""Moves of seats and of chance. Frequent moves are built once, so that listing legal moves only selects them.

If a docstring says "Hidden", other viewers see these fields as ``None`` or as an empty tuple. The rules reject such a
copy as a move.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_games.annotations import Hidden, Number
from skerry_games.api import MalformedMove
from skerry_games.small_islands.printed.components import COMPONENTS, RESOURCES, Bonus, CardNumber, Symbol, TileNumber
from skerry_games.small_islands.state import SEATS
from skerry_games.small_islands.tabletop.cells import TURNS, Cell, for_selection

Turns = Annotated[int, Meta(ge=0, lt=len(TURNS)), Number("quarter turn")]


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: draw the start seat."""

    seat: int


class DealTile(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """Chance: deal an unseen landscape tile to a seat's hand. Hidden: ``tile``."""

    seat: int
    tile: Annotated[TileNumber | None, Hidden("tile")]


class TurnUpTile(Struct, frozen=True, array_like=True, gc=False, tag="up"):
    """Chance: turn up an unseen landscape tile for the display."""

    tile: TileNumber


class DealCard(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """Chance: deal a card of a pile to a seat. Hidden: ``card``."""

    seat: int
    card: Annotated[CardNumber | None, Hidden("card")]


class DrawDiscovery(Struct, frozen=True, array_like=True, gc=False, tag="disc"):
    """Chance: draw all discovery tokens for a house. Hidden: ``values``, ascending."""

    seat: int
    values: tuple[int, ...]

    def as_listed(self) -> DrawDiscovery:
        """Return the move with its values in ascending order. Raises MalformedMove if there are none."""
        if not self.values:
            raise MalformedMove("Name the values of the discovery tokens.")
        return DrawDiscovery(self.seat, tuple(sorted(self.values)))


class LayStart(Struct, frozen=True, array_like=True, gc=False, tag="start"):
    """Lay one side of a starting tile in the middle of the table."""

    tile: TileNumber
    at: Cell
    turns: Turns


class ChooseObjective(Struct, frozen=True, array_like=True, gc=False, tag="obj"):
    """Choose a card of each kind, put one aside, and return the third. Hidden: ``chosen``, ``aside``."""

    chosen: tuple[CardNumber, ...]
    aside: tuple[CardNumber, ...]

    def as_listed(self) -> ChooseObjective:
        """Return the move. Raises MalformedMove if it names no cards."""
        if not (self.chosen and self.aside):
            raise MalformedMove("Name the cards that you choose and the cards that you put aside.")
        return self


class TakeTile(Struct, frozen=True, array_like=True, gc=False, tag="take"):
    """Explore: take a tile from the display into the hand."""

    tile: TileNumber


class LandShip(Struct, frozen=True, array_like=True, gc=False, tag="land"):
    """Land: place the seat's own ship or a grey ship."""

    at: Cell
    grey: bool


class PickTile(Struct, frozen=True, array_like=True, gc=False, tag="pick"):
    """Explore: pick the tile of the hand that will be laid."""

    tile: TileNumber


class LayTile(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """Explore: lay the picked tile. The move does not name the tile, which makes listings twice as fast."""

    at: Cell
    turns: Turns


class TakeToken(Struct, frozen=True, array_like=True, gc=False, tag="token"):
    """Explore: choose a bonus token and the symbol that it will show."""

    token: Bonus
    shows: Symbol


class NoToken(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """Explore: place no bonus token."""


class PlaceToken(Struct, frozen=True, array_like=True, gc=False, tag="put"):
    """Explore: place the chosen bonus token on a tile. ``covers`` is ``None`` for a port."""

    token: Bonus
    shows: Symbol
    at: Cell
    covers: Symbol | None


class PlaceHouse(Struct, frozen=True, array_like=True, gc=False, tag="house"):
    """Reward: place a house on the house symbol of a tile."""

    at: Cell


class StopBuilding(Struct, frozen=True, array_like=True, gc=False, tag="stop"):
    """Reward: place no more houses."""


class PickResource(Struct, frozen=True, array_like=True, gc=False, tag="res"):
    """Reward: pick the resource that the house scores."""

    resource: Symbol


class KeepDiscovery(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """Reward: keep one of the drawn discovery tokens. Hidden: ``value``."""

    value: Annotated[int | None, Hidden("value of the discovery token")]


Move = (
    DrawStartSeat
    | DealTile
    | TurnUpTile
    | DealCard
    | DrawDiscovery
    | LayStart
    | ChooseObjective
    | TakeTile
    | LandShip
    | PickTile
    | LayTile
    | TakeToken
    | NoToken
    | PlaceToken
    | PlaceHouse
    | StopBuilding
    | PickResource
    | KeepDiscovery
)

HIDDEN: Final[dict[type, dict[str, object]]] = {
    DealTile: {"tile": None},
    DealCard: {"card": None},
    DrawDiscovery: {"values": ()},
    ChooseObjective: {"chosen": (), "aside": ()},
    KeepDiscovery: {"value": None},
}
"""The hidden fields of each type of move, and the values that other viewers see in them."""


def check_whole(move: Move) -> None:
    """Raise MalformedMove if hidden fields are missing. Called on refusals only, because such a copy is never legal."""
    if any(getattr(move, name) == shown for name, shown in HIDDEN.get(type(move), {}).items()):
        raise MalformedMove("Fields of this move are hidden. Send the complete move.")


_TILES: Final = range(COMPONENTS.landscape)
_SEATS: Final = range(max(SEATS))

DEAL_TILE: Final = tuple(tuple(DealTile(seat, tile) for tile in _TILES) for seat in _SEATS)
TURN_UP_TILE: Final = tuple(map(TurnUpTile, _TILES))
DEAL_CARD: Final = tuple(tuple(DealCard(seat, card) for card in range(len(COMPONENTS.cards))) for seat in _SEATS)
TAKE_TILE: Final = tuple(map(TakeTile, _TILES))
PICK_TILE: Final = tuple(map(PickTile, _TILES))
LAY_TILE: Final = tuple(for_selection(partial(LayTile, turns=turns)) for turns in TURNS)
LAND_SHIP: Final = {grey: for_selection(partial(LandShip, grey=grey)) for grey in (False, True)}
TAKE_TOKEN: Final = {
    (token, shows): TakeToken(token, shows)
    for token in Bonus
    for shows in (*RESOURCES, Symbol.PORT)
    if token is Bonus.ANY or shows in (Symbol.PORT, Symbol(token))
}
"""The uses of each token: its own resource, or any resource for the last one, and a port for each."""
NO_TOKEN: Final = NoToken()
PLACE_TOKEN: Final = {
    (token, shows): tuple(
        for_selection(partial(PlaceToken, token, shows, covers=covers))
        for covers in ((None,) if shows is Symbol.PORT else (None, *RESOURCES))
    )
    for token, shows in TAKE_TOKEN
}
"""The moves of each use of a token, indexed by the number of the covered resource. Ports use index 0."""
PLACE_HOUSE: Final = for_selection(PlaceHouse)
STOP_BUILDING: Final = StopBuilding()
PICK_RESOURCE: Final = tuple(map(PickResource, RESOURCES))
