"""What a frontend says and lights at Small Islands, beside the pieces of its look.

These ids name a choice for which nothing lies on the table: ``turn:`` with quarter turns, ``shows:``, ``covers:`` and
``resource:`` with a symbol, ``no-token`` and ``stop``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch
from itertools import permutations, product
from typing import Any, Final

from skerry_games.looks.guidance import Fact, Gain, Guide, Heading
from skerry_games.small_islands import events, moves
from skerry_games.small_islands.events import PartKind
from skerry_games.small_islands.foresight import can_land_now, notes
from skerry_games.small_islands.state import Phase
from skerry_games.small_islands.tabletop.cells import Cell
from skerry_games.small_islands.tabletop.piece_ids import (
    bonus_id,
    card_id,
    cards_id,
    cell_id,
    discoveries_id,
    drawn_id,
    hand_id,
    house_id,
    own_ship_id,
    picked_id,
    ship_id,
    store_id,
    tile_id,
)
from skerry_games.small_islands.teaching.attempts import attempts
from skerry_games.small_islands.view import View
from skerry_games.texts.text_lines import named

Ids = tuple[str, ...]

_TASKS: Final[Mapping[Phase, str]] = {
    Phase.LAY_START: "lay the starting tiles",
    Phase.CHOOSE_OBJECTIVE: "choose an objective for this round, and one to put aside for the next",
    Phase.PICK_TILE: "choose which tile to lay",
    Phase.LAY_TILE: "choose where to lay the tile",
    Phase.CHOOSE_TOKEN: "use a bonus token, or none",
    Phase.PLACE_TOKEN: "choose where to place the bonus token",
    Phase.PLACE_HOUSES: "place houses on islands that meet your objective",
    Phase.PICK_RESOURCE: "choose the resource that the house scores",
    Phase.KEEP_DISCOVERY: "keep one of the discovery tokens",
}


def task(view: View) -> str:
    """Return what the seats that have to decide must do now; empty if no seat has to."""
    if view.phase is not Phase.TURN:
        return _TASKS.get(view.phase, "")
    if not view.display:
        return "land with a ship"
    return "take one of the open tiles, or land" if can_land_now(view) else "take one of the open tiles"


_HEADINGS: Final[Mapping[type, Heading]] = {
    moves.LayStart: Heading("Lay a starting tile"),
    moves.ChooseObjective: Heading("Choose an objective", confirm=True),
    moves.TakeTile: Heading("Explore"),
    moves.LandShip: Heading("Land (this ends exploration for everyone)", confirm=True),
    moves.PickTile: Heading("Choose a tile from your hand"),
    moves.LayTile: Heading("Lay the tile"),
    moves.TakeToken: Heading("Use a bonus token"),
    moves.NoToken: Heading("Or none"),
    moves.PlaceToken: Heading("Place the bonus token"),
    moves.PlaceHouse: Heading("Place a house"),
    moves.StopBuilding: Heading("Or stop", confirm=True),
    moves.PickResource: Heading("Pick a resource"),
    moves.KeepDiscovery: Heading("Keep a discovery token"),
}
_CHANCE: Final = Heading("Draw at random")


def heading(move: moves.Move) -> Heading:
    """Return the heading of a move."""
    return _HEADINGS.get(type(move), _CHANCE)


# ---------------------------------------------------------------- paths


def paths(move: moves.Move, view: View) -> tuple[Ids, ...]:
    """Return the ways to choose a move: cards in any order, a discovery token by any of equal value."""
    way = _PATHS.get(type(move))
    return () if way is None else way(move, view)


def _by_cards(move: moves.ChooseObjective, view: View) -> tuple[Ids, ...]:
    """Return first the cards for this round, then those to put aside; each in any order."""
    chosen, aside = (permutations(map(card_id, cards)) for cards in (move.chosen, move.aside))
    return tuple([(*first, *then) for first, then in product(chosen, aside)])


def _seat(view: View) -> int:
    """Return the acting seat. The legal moves of a view have one, except objectives."""
    assert view.acting_seat is not None
    return view.acting_seat


def _by_ship(move: moves.LandShip, view: View) -> tuple[Ids, ...]:
    ship = "grey-ships" if move.grey else own_ship_id(_seat(view))
    return ((ship, cell_id(move.at)),)


def _by_token(move: moves.TakeToken, view: View) -> tuple[Ids, ...]:
    return ((bonus_id(_seat(view), move.token), f"shows:{named(move.shows)}"),)


def _tile_at(view: View, cell: Cell) -> str:
    """Return the id of the tile on a cell."""
    return next(tile_id(laid.tile) for laid in view.tiles if laid.at == cell)


def _by_spot(move: moves.PlaceToken, view: View) -> tuple[Ids, ...]:
    covers = () if move.covers is None else (f"covers:{named(move.covers)}",)
    return ((_tile_at(view, move.at), *covers),)


def _by_value(move: moves.KeepDiscovery, view: View) -> tuple[Ids, ...]:
    seat = _seat(view)
    drawn = enumerate(view.seats[seat].drawn)
    return tuple([(drawn_id(seat, index),) for index, value in drawn if value == move.value])


_PATHS: Final[Mapping[type, Callable[[Any, View], tuple[Ids, ...]]]] = {
    moves.LayStart: lambda move, view: ((tile_id(move.tile), cell_id(move.at), f"turn:{move.turns}"),),
    moves.ChooseObjective: _by_cards,
    moves.TakeTile: lambda move, view: ((tile_id(move.tile),),),
    moves.LandShip: _by_ship,
    moves.PickTile: lambda move, view: ((tile_id(move.tile),),),
    moves.LayTile: lambda move, view: ((cell_id(move.at), f"turn:{move.turns}"),),
    moves.TakeToken: _by_token,
    moves.NoToken: lambda move, view: (("no-token",),),
    moves.PlaceToken: _by_spot,
    moves.PlaceHouse: lambda move, view: ((_tile_at(view, move.at),),),
    moves.StopBuilding: lambda move, view: (("stop",),),
    moves.PickResource: lambda move, view: ((f"resource:{named(move.resource)}",),),
    moves.KeepDiscovery: _by_value,
}


# ---------------------------------------------------------------- events


def _tile_of(event: events.TileDealt) -> Ids:
    return (hand_id(event.seat), *([] if event.tile is None else [tile_id(event.tile)]))


_TOUCHED: Final[Mapping[type, Callable[[Any], Ids]]] = {
    events.StartSeatSet: lambda event: (store_id(event.seat),),
    events.TileDealt: _tile_of,
    events.TileTurnedUp: lambda event: (tile_id(event.tile),),
    events.CardDealt: lambda event: (cards_id(event.seat),),
    events.TileLaid: lambda event: (tile_id(event.tile), cell_id(event.at)),
    events.IslandsJoined: lambda event: tuple(map(cell_id, event.islands)),
    events.ObjectiveChosen: lambda event: (cards_id(event.seat),),
    events.TileTaken: lambda event: (tile_id(event.tile),),
    events.HandShown: lambda event: tuple(map(tile_id, event.hand)),
    events.TilePicked: lambda event: (picked_id(event.tile), tile_id(event.tile)),
    events.TokenForgone: lambda event: (store_id(event.seat),),
    events.TokenTaken: lambda event: (bonus_id(event.seat, event.token),),
    events.TokenPlaced: lambda event: (bonus_id(event.seat, event.token), cell_id(event.at)),
    events.ShipLanded: lambda event: (ship_id(event.at), cell_id(event.at)),
    events.ObjectiveRevealed: lambda event: (cards_id(event.seat),),
    events.HousePlaced: lambda event: (house_id(event.at), cell_id(event.at)),
    events.HousePaid: lambda event: (house_id(event.at), cell_id(event.at)),
    events.DiscoveryDrawn: lambda event: ("discoveries",) if event.count else (),
    events.DiscoveryKept: lambda event: (discoveries_id(event.seat),),
    events.LastRewardBegun: lambda event: (store_id(event.seat),),
    events.BuildingEnded: lambda event: (store_id(event.seat),),
    events.SecretsShown: lambda event: (hand_id(event.seat), cards_id(event.seat)),
    events.BonusScored: lambda event: (store_id(event.seat),),
}


def touched(event: events.Event) -> Ids:
    """Return the ids of what an event is about; none for events about the whole table."""
    about = _TOUCHED.get(type(event))
    return () if about is None else about(event)


_SOURCES: Final[Mapping[PartKind, str]] = {
    PartKind.FLOWER: "Flowers",
    PartKind.FRUIT: "Fruits",
    PartKind.LEAF: "Leaves",
    PartKind.TEMPLE: "Temples",
    PartKind.PORT: "Ports",
    PartKind.SCARCEST: "Scarcest resource",
    PartKind.SIZE: "Size of islands",
    PartKind.FIXED: "Fixed points",
}


@singledispatch
def gains(event: events.Event) -> tuple[Gain, ...]:
    """Return the points that an event gives."""
    return ()


@gains.register
def _(event: events.HousePaid) -> tuple[Gain, ...]:
    return tuple([Gain(event.seat, part.points, _SOURCES[part.kind]) for part in event.parts if part.points])


@gains.register
def _(event: events.BonusScored) -> tuple[Gain, ...]:
    found = sum(event.discoveries)
    parts = ((found, "Discoveries"), (event.points - found, "Ports at the ship"))
    return tuple([Gain(event.seat, points, source) for points, source in parts if points])


# ---------------------------------------------------------------- what a viewer knows


def facts(view: View, seat: int) -> tuple[Fact, ...]:
    """Return the numbers of houses and tokens of a seat, and what its ship and its discoveries count."""
    one = view.seats[seat]
    found = [
        Fact("houses at hand", f"{one.houses_at_hand}"),
        Fact("in reserve", f"{one.houses_left}"),
        Fact("tokens", f"{len(one.tokens)}"),
    ]
    if one.ship is not None:
        found.append(Fact("ports at the ship", f"{one.ports}"))
    if one.discovery_count:
        found.append(Fact("discoveries", f"{one.discovery_count}"))
    return tuple(found)


GUIDE: Final[Guide[moves.Move, View, events.Event]] = Guide(
    task, heading, paths, touched, gains, facts, notes, attempts
)
