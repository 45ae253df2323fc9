"""Codec between the engine's values and the messages of ``skerry.games.small_islands.v1``.

The engine numbers tiles, cards and cells. Messages use ids and coordinates. Engine and wire use the same numbers for
enum values, and a test compares the names. Moves and events have the same names and fields on both sides, so their
codecs are derived. ``None`` is an absent field.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Final

from skerry.games.small_islands.v1 import small_islands_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.small_islands import components as printed
from skerry_games.small_islands import moves
from skerry_games.small_islands.chance import read_layout, read_mode
from skerry_games.small_islands.components import COMPONENTS, EDITIONS, Bonus, Face, Symbol
from skerry_games.small_islands.events import Event
from skerry_games.small_islands.moves import Move
from skerry_games.small_islands.state import AT_HAND, HOUSES_EACH, Layout, Mode, Options
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, SIZES, TURNS, cell_at, column, row
from skerry_games.small_islands.tabletop.table import GREY, Laid, Ship, Token
from skerry_games.small_islands.view import IslandView, SeatView, View
from skerry_service.wire import unions
from skerry_service.wire.splice import serialized_item

_TILES: Final = tuple(face.id for face in COMPONENTS.faces)
_CARDS: Final = tuple(card.id for card in COMPONENTS.cards)


def options_from_proto(msg: pb.Options) -> Options:
    """Return the options. Empty, unspecified and absent fields get their defaults. Raises BadOptions."""
    return Options(
        edition=msg.edition or EDITIONS[0],
        mode=read_mode(msg.mode or Mode.NORMAL),
        start_layout=read_layout(msg.start_layout or Layout.FIXED),
        table_size=msg.table_size if msg.HasField("table_size") else DEFAULT_SIZE,
        start_seat=msg.start_seat if msg.HasField("start_seat") else None,
    )


def options_to_proto(options: Options) -> pb.Options:
    """Return the options with all defaults set."""
    return pb.Options(
        edition=options.edition,
        mode=pb.Mode.ValueType(options.mode),
        start_layout=pb.StartLayout.ValueType(options.start_layout),
        table_size=options.table_size,
        start_seat=options.start_seat,
    )


def board_to_proto(edition: str) -> pb.Board:
    """Return the components of an edition. An empty edition means the default. Raises KeyError if it is unknown."""
    if edition not in ("", *EDITIONS):
        raise KeyError(edition)
    return pb.Board(
        edition=COMPONENTS.edition,
        table_size=DEFAULT_SIZE,
        landscape_tiles=map(_face, COMPONENTS.faces[: COMPONENTS.landscape]),
        start_tiles=map(_face, COMPONENTS.faces[COMPONENTS.landscape :]),
        start_layout=[pb.TurnedTile(tile=_TILES[face], turns=turns) for face, turns in COMPONENTS.start_layout],
        ship_tile=pb.Tile(id="SHIP", land_corners=[False] * 4),
        cards=map(_card, COMPONENTS.cards),
        bonus_tokens=_bonuses(COMPONENTS.bonus_tokens),
        discovery_tokens=COMPONENTS.discovery_tokens,
        size_points=[pb.SizePoints(tiles=tiles, points=points) for tiles, points in COMPONENTS.size_points],
        houses=HOUSES_EACH,
        houses_at_hand=AT_HAND,
    )


def _face(face: Face) -> pb.Tile:
    shape = face.shape
    return pb.Tile(
        id=face.id,
        land_corners=[corner == "L" for corner in shape.name],
        land=map(_point, shape.land),
        symbols=[
            pb.PlacedSymbol(symbol=_symbol(symbol), at=_point(at))
            for symbol, at in zip(face.symbols, shape.spots, strict=False)
        ],
        ports=face.ports,
        port_places=map(_point, shape.ports),
    )


def _point(at: tuple[int, int]) -> pb.Point:
    return pb.Point(x=at[0], y=at[1])


def _card(card: printed.ObjectiveCard) -> pb.Card:
    message = pb.Card(id=card.id)
    if card.mission is not None:
        kind = pb.MissionKind.ValueType(card.mission.kind)
        message.mission.CopyFrom(pb.Mission(kind=kind, symbols=map(_symbol, card.mission.symbols)))
    if card.reward is not None:
        symbols = map(_symbol, card.reward.symbols)
        reward = pb.Reward(kind=pb.RewardKind.ValueType(card.reward.kind), symbols=symbols, plus=card.reward.plus)
        message.reward.CopyFrom(reward)
    return message


def _symbol(symbol: Symbol) -> pb.Symbol.ValueType:
    return pb.Symbol.ValueType(symbol)


def _bonuses(tokens: Iterable[Bonus]) -> list[pb.BonusToken.ValueType]:
    return [pb.BonusToken.ValueType(token) for token in tokens]


@lru_cache(maxsize=1 << 9)
def _cell(cell: int) -> pb.Cell:
    return pb.Cell(x=column(cell), y=row(cell))


def _tiles(tiles: Iterable[int]) -> list[str]:
    return [_TILES[tile] for tile in tiles]


def _cards(cards: Iterable[int]) -> list[str]:
    return [_CARDS[card] for card in cards]


def _tile(tile: int | None) -> str | None:
    return None if tile is None else _TILES[tile]


def view_to_wire(view: View) -> bytes:
    """Return the view's message, serialized. Hidden fields are absent or empty."""
    message = pb.View(
        mode=pb.Mode.ValueType(view.mode),
        phase=pb.Phase.ValueType(view.phase),
        acting_seat=view.acting_seat,
        round=view.round,
        first_seat=view.first,
        table_size=view.table_size,
        grey_ships=view.grey_ships,
        display=_tiles(view.display),
        navigation_stack=view.stack,
        reserve=view.reserve,
        gone=_tiles(view.gone),
        taken=_tile(view.taken),
        picked=_tile(view.picked),
        token=None if view.token is None else pb.BonusToken.ValueType(view.token),
        shows=None if view.shows is None else _symbol(view.shows),
        housed=None if view.housed is None else _cell(view.housed),
        discoveries_left=view.discoveries_left,
        end=None if view.end is None else pb.End.ValueType(view.end),
    )
    parts = [
        message.SerializeToString(),
        *map(_laid, view.tiles),
        *map(_ship, view.ships),
        *map(_placed_token, view.tokens),
        *map(_island, view.islands),
        *map(_seat_state, count(), view.seats),
    ]
    return b"".join(parts)


@serialized_item(pb.View, "tiles")
def _laid(tile: Laid) -> pb.LaidTile:
    return pb.LaidTile(at=_cell(tile.cell), tile=_TILES[tile.face], turns=tile.turns)


@serialized_item(pb.View, "ships")
def _ship(ship: Ship) -> pb.ShipState:
    return pb.ShipState(at=_cell(ship.cell), seat=None if ship.owner == GREY else ship.owner)


@serialized_item(pb.View, "tokens")
def _placed_token(token: Token) -> pb.TokenState:
    return pb.TokenState(at=_cell(token.cell), seat=token.seat, shows=_symbol(token.shows), place=token.place)


@serialized_item(pb.View, "islands")
def _island(island: IslandView) -> pb.Island:
    return pb.Island(
        cells=map(_cell, island.cells),
        symbols=[
            pb.SymbolCount(symbol=_symbol(symbol), count=count)
            for symbol, count in zip(Symbol, island.counts, strict=True)
            if count
        ],
        houses=island.houses,
    )


@serialized_item(pb.View, "seats")
def _seat_state(number: int, seat: SeatView) -> pb.SeatState:
    return pb.SeatState(
        seat=number,
        score=seat.score,
        hand=_tiles(seat.hand),
        tiles_in_hand=seat.hand_size,
        open_hand=_tiles(seat.open_tiles),
        has_chosen=seat.has_chosen,
        cards=_cards(seat.cards),
        objective=_cards(seat.objective),
        aside=_cards(seat.aside),
        returned=_cards(seat.returned),
        tokens=_bonuses(seat.tokens),
        houses=map(_cell, seat.houses),
        houses_at_hand=seat.houses_at_hand,
        houses_left=seat.houses_left,
        ship=None if seat.ship is None else _cell(seat.ship),
        ports=seat.ports,
        last_laid=seat.laid,
        discoveries=seat.discoveries,
        discovery_count=seat.discovery_count,
        drawn=seat.drawn,
        tokens_drawn=seat.drawn_count,
    )


def _read_cell(msg: pb.Cell) -> int:
    x, y = msg.x, msg.y
    if not (0 <= x < SIZES[-1] and 0 <= y < SIZES[-1]):
        raise MalformedMove(f"There is no cell ({x}, {y}).")
    return cell_at(x, y)


def _read_turns(turns: int) -> int:
    if turns not in TURNS:
        raise MalformedMove(f"A tile is laid with 0 to {TURNS[-1]} quarter turns, not {turns}.")
    return turns


def _check_choice(move: moves.ChooseObjective) -> moves.ChooseObjective:
    if not (move.chosen and move.aside):
        raise MalformedMove("Name the cards that you choose and the cards that you put aside.")
    return move


def _check_draw(move: moves.DrawDiscovery) -> moves.DrawDiscovery:
    if not move.values:
        raise MalformedMove("Name the values of the discovery tokens.")
    return moves.DrawDiscovery(move.seat, tuple(sorted(move.values)))


_SYMBOL: Final = unions.enum_codec(Symbol, pb.Symbol.DESCRIPTOR)
_FIELD_CODECS: Final = {
    **dict.fromkeys(("tile", "gone", "hand"), unions.id_codec(_TILES, "tile")),
    **dict.fromkeys(("card", "cards", "chosen", "aside", "returned"), unions.id_codec(_CARDS, "card")),
    **dict.fromkeys(("at", "island", "islands"), unions.ValueCodec(_cell, _read_cell)),
    "turns": unions.ValueCodec(read=_read_turns),
    # A port covers nothing: the field is absent or unspecified.
    "covers": unions.ValueCodec(_SYMBOL.write, lambda symbol: _SYMBOL.read(symbol) if symbol else None),
}
MOVES: Final[unions.UnionCodec[pb.Move, Move]] = unions.union_codec(
    pb.Move,
    Move,
    _FIELD_CODECS,
    required={
        "at": "Name the cell.",
        "tile": "Name the tile.",
        "card": "Name the card.",
        "value": "Name the value of the discovery token.",
    },
    checks={moves.ChooseObjective: _check_choice, moves.DrawDiscovery: _check_draw},
)
EVENTS: Final[unions.UnionCodec[pb.Event, Event]] = unions.union_codec(pb.Event, Event, _FIELD_CODECS)


@lru_cache(maxsize=1 << 12)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message. Equal moves share a message, so copy it before you change it."""
    return MOVES.write(move)


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return EVENTS.write(event)


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove if the message is not a move of this game."""
    return MOVES.read(msg)
