"""What seats and chance can do. Moves of which a turn lists many exist once, so listings only select.

Where a move says "hidden", others than its seat are shown it with ``None``, or with nothing, in that field, and such a
copy cannot be made.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final

from msgspec import Meta, Struct

from skerry_games.api import MalformedMove
from skerry_games.small_islands.components import COMPONENTS, RESOURCES, Bonus, Symbol
from skerry_games.small_islands.state import SEATS
from skerry_games.small_islands.tabletop.cells import TURNS, Cell, for_selection

Turns = Annotated[int, Meta(ge=0, lt=len(TURNS))]


class DrawStartSeat(Struct, frozen=True, array_like=True, gc=False, tag="seat"):
    """Chance: the seat that begins."""

    seat: int


class DealTile(Struct, frozen=True, array_like=True, gc=False, tag="deal"):
    """Chance: a landscape tile that nobody has seen, for a seat's hand. Hidden: which."""

    seat: int
    tile: int | None


class TurnUpTile(Struct, frozen=True, array_like=True, gc=False, tag="up"):
    """Chance: a landscape tile that nobody has seen, for the display."""

    tile: int


class DealCard(Struct, frozen=True, array_like=True, gc=False, tag="card"):
    """Chance: a card that lies in its pile, for a seat. Hidden: which."""

    seat: int
    card: int | None


class DrawDiscovery(Struct, frozen=True, array_like=True, gc=False, tag="disc"):
    """Chance: all discovery tokens that a seat draws at once, by value, ascending. Hidden: their values."""

    seat: int
    values: tuple[int, ...]


class LayStart(Struct, frozen=True, array_like=True, gc=False, tag="start"):
    """Lay one side of a starting tile in the middle of the table."""

    tile: int
    at: Cell
    turns: Turns


class ChooseObjective(Struct, frozen=True, array_like=True, gc=False, tag="obj"):
    """Choose a card of each kind for the round, and another to put aside; the third goes back. Hidden: the cards."""

    chosen: tuple[int, ...]
    aside: tuple[int, ...]


class TakeTile(Struct, frozen=True, array_like=True, gc=False, tag="take"):
    """Explore: take a tile from the display into the hand."""

    tile: int


class LandShip(Struct, frozen=True, array_like=True, gc=False, tag="land"):
    """Land: place the own ship, or a grey one."""

    at: Cell
    grey: bool


class PickTile(Struct, frozen=True, array_like=True, gc=False, tag="pick"):
    """Explore: name the tile of the hand that will be laid."""

    tile: int


class LayTile(Struct, frozen=True, array_like=True, gc=False, tag="lay"):
    """Explore: lay the tile that was picked. It is not named again: with so many different moves, listings take twice
    as long."""

    at: Cell
    turns: Turns


class TakeToken(Struct, frozen=True, array_like=True, gc=False, tag="token"):
    """Explore: decide for a bonus token, and for what it will show."""

    token: Bonus
    shows: Symbol


class NoToken(Struct, frozen=True, array_like=True, gc=False, tag="none"):
    """Explore: place no bonus token."""


class PlaceToken(Struct, frozen=True, array_like=True, gc=False, tag="put"):
    """Explore: put the bonus token on a tile, on a symbol that it covers; a port covers nothing."""

    token: Bonus
    shows: Symbol
    at: Cell
    covers: Symbol | None


class PlaceHouse(Struct, frozen=True, array_like=True, gc=False, tag="house"):
    """Reward: place a house on the symbol of that tile."""

    at: Cell


class StopBuilding(Struct, frozen=True, array_like=True, gc=False, tag="stop"):
    """Reward: place no more houses."""


class PickResource(Struct, frozen=True, array_like=True, gc=False, tag="res"):
    """Reward: name the resource that the house pays."""

    resource: Symbol


class KeepDiscovery(Struct, frozen=True, array_like=True, gc=False, tag="keep"):
    """Reward: keep one of the discovery tokens that were drawn. Hidden: its value."""

    value: int | None


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
"""What others than the seat that a move is for, or that makes it, are shown in the place of what they may not know."""


def check_whole(move: Move) -> None:
    """Raise MalformedMove for a copy that others were shown. Asked where a move is refused: it is never a legal one."""
    if any(getattr(move, name) == shown for name, shown in HIDDEN.get(type(move), {}).items()):
        raise MalformedMove("This move hides something: only its seat is shown it whole.")


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
"""The sides and meanings of each token: its own resource, or any for the last one; a port on the back of each."""
NO_TOKEN: Final = NoToken()
PLACE_TOKEN: Final = {
    (token, shows): tuple(
        for_selection(partial(PlaceToken, token, shows, covers=covers))
        for covers in ((None,) if shows is Symbol.PORT else (None, *RESOURCES))
    )
    for token, shows in TAKE_TOKEN
}
"""For each use of a token, by the number of the resource that it covers; a port covers nothing, which is 0."""
PLACE_HOUSE: Final = for_selection(PlaceHouse)
STOP_BUILDING: Final = StopBuilding()
PICK_RESOURCE: Final = tuple(map(PickResource, RESOURCES))
