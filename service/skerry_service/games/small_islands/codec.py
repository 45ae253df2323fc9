"""Between the engine and the wire: numbers of tiles, cards and cells here, ids and coordinates there.

The only module of the game that imports protobuf. All functions take and return ``skerry.games.small_islands.v1``
messages. The enums of the engine have the numbers of the wire, where 0 stands for none; a test compares their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, Protocol

from skerry.games.small_islands.v1 import small_islands_pb2 as pb
from skerry_service.games.api import MalformedMove
from skerry_service.games.small_islands import components as printed
from skerry_service.games.small_islands import events as told
from skerry_service.games.small_islands import moves
from skerry_service.games.small_islands.cells import DEFAULT_SIZE, SIZES, TURNS, cell_at, column, row
from skerry_service.games.small_islands.chance import read_layout, read_mode
from skerry_service.games.small_islands.components import COMPONENTS, EDITIONS, Bonus, Face, Symbol
from skerry_service.games.small_islands.events import Event
from skerry_service.games.small_islands.moves import Move
from skerry_service.games.small_islands.state import AT_HAND, HOUSES_EACH, Layout, Mode, Options
from skerry_service.games.small_islands.table import GREY, Laid, Ship, Token
from skerry_service.games.small_islands.view import IslandView, SeatView, View

_TILES: Final = tuple(face.id for face in COMPONENTS.faces)
_TILE_NUMBERS: Final = {name: number for number, name in enumerate(_TILES)}
_CARDS: Final = tuple(card.id for card in COMPONENTS.cards)
_CARD_NUMBERS: Final = {name: number for number, name in enumerate(_CARDS)}


def options_from_proto(msg: pb.Options) -> Options:
    """Return the options; what is empty, unspecified or absent is the default. Raises BadOptions."""
    return Options(
        edition=msg.edition or EDITIONS[0],
        mode=read_mode(msg.mode or Mode.NORMAL),
        start_layout=read_layout(msg.start_layout or Layout.FIXED),
        table_size=msg.table_size if msg.HasField("table_size") else DEFAULT_SIZE,
        start_seat=msg.start_seat if msg.HasField("start_seat") else None,
    )


def options_to_proto(options: Options) -> pb.Options:
    """Return the options, every default filled in."""
    return pb.Options(
        edition=options.edition,
        mode=pb.Mode.ValueType(options.mode),
        start_layout=pb.StartLayout.ValueType(options.start_layout),
        table_size=options.table_size,
        start_seat=options.start_seat,
    )


def board_to_proto(edition: str) -> pb.Board:
    """Return the components of that edition, of the default one if empty. Raises KeyError for an unknown edition."""
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


def _card(card: printed.Card) -> pb.Card:
    message = pb.Card(id=card.id)
    if card.mission is not None:
        kind = pb.MissionKind.ValueType(card.mission.kind)
        message.mission.CopyFrom(pb.Mission(kind=kind, symbols=map(_symbol, card.mission.symbols)))
    if card.reward is not None:
        symbols = map(_symbol, card.reward.symbols)
        reward = pb.Reward(kind=pb.RewardKind.ValueType(card.reward.kind), symbols=symbols, plus=card.reward.plus)
        message.reward.CopyFrom(reward)
    return message


def _symbol(symbol: Symbol | None) -> pb.Symbol.ValueType:
    return pb.Symbol.ValueType(symbol or 0)


def _bonus(token: Bonus | None) -> pb.BonusToken.ValueType:
    return pb.BonusToken.ValueType(token or 0)


def _bonuses(tokens: Iterable[Bonus]) -> list[pb.BonusToken.ValueType]:
    return [_bonus(token) for token in tokens]


@lru_cache(maxsize=1 << 9)
def _cell(cell: int) -> pb.Cell:
    return pb.Cell(x=column(cell), y=row(cell))


def _tiles(tiles: Iterable[int]) -> list[str]:
    return [_TILES[tile] for tile in tiles]


def _cards(cards: Iterable[int]) -> list[str]:
    return [_CARDS[card] for card in cards]


def _tile(tile: int | None) -> str:
    return "" if tile is None else _TILES[tile]


def view_to_proto(view: View) -> pb.View:
    """Return the view as a message."""
    return pb.View(
        mode=pb.Mode.ValueType(view.mode),
        phase=pb.Phase.ValueType(view.phase),
        acting_seat=view.acting_seat,
        round=view.round,
        first_seat=view.first,
        table_size=view.table_size,
        tiles=map(_laid, view.tiles),
        ships=map(_ship, view.ships),
        tokens=map(_placed_token, view.tokens),
        islands=map(_island, view.islands),
        grey_ships=view.grey_ships,
        display=_tiles(view.display),
        navigation_stack=view.stack,
        reserve=view.reserve,
        gone=_tiles(view.gone),
        taken=_tile(view.taken),
        picked=_tile(view.picked),
        token=_bonus(view.token),
        shows=_symbol(view.shows),
        housed=None if view.housed is None else _cell(view.housed),
        discoveries_left=view.discoveries_left,
        end=pb.End.ValueType(view.end or 0),
        seats=[_seat_state(number, seat) for number, seat in enumerate(view.seats)],
    )


@lru_cache(maxsize=1 << 12)
def _laid(tile: Laid) -> pb.LaidTile:
    return pb.LaidTile(at=_cell(tile.cell), tile=_TILES[tile.face], turns=tile.turns)


def _ship(ship: Ship) -> pb.ShipState:
    return pb.ShipState(at=_cell(ship.cell), seat=None if ship.owner == GREY else ship.owner)


@lru_cache(maxsize=1 << 12)
def _placed_token(token: Token) -> pb.TokenState:
    return pb.TokenState(at=_cell(token.cell), seat=token.seat, shows=_symbol(token.shows), place=token.place)


@lru_cache(maxsize=1 << 12)
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


@lru_cache(maxsize=1 << 12)
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


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove for what is no move of this game at all."""
    kind = msg.WhichOneof("kind")
    if kind is None:
        raise MalformedMove("The move is empty: set one of its kinds.")
    return _READERS[kind](getattr(msg, kind))


def _read_tile(tile: str) -> int:
    try:
        return _TILE_NUMBERS[tile]
    except KeyError:
        raise MalformedMove(f"There is no tile {tile!r}.") from None


def _read_cards(cards: Iterable[str]) -> tuple[int, ...]:
    try:
        return tuple(_CARD_NUMBERS[card] for card in cards)
    except KeyError as error:
        raise MalformedMove(f"There is no card {error}.") from None


class _Placement(Protocol):
    """A message that names a cell."""

    @property
    def at(self) -> pb.Cell: ...

    def HasField(self, field_name: Any, /) -> bool: ...  # noqa: N802 - the name is protobuf's


def _read_cell(msg: _Placement) -> int:
    if not msg.HasField("at"):
        raise MalformedMove("Name the cell.")
    if not (0 <= msg.at.x < SIZES[-1] and 0 <= msg.at.y < SIZES[-1]):
        raise MalformedMove(f"There is no cell ({msg.at.x}, {msg.at.y}).")
    return cell_at(msg.at.x, msg.at.y)


def _read_turns(turns: int) -> int:
    if turns not in TURNS:
        raise MalformedMove(f"A tile is turned by 0 to {TURNS[-1]} quarters, not {turns}.")
    return turns


def _read_symbol(symbol: int) -> Symbol:
    try:
        return Symbol(symbol)
    except ValueError:
        raise MalformedMove(f"Name a symbol: {symbol} is none.") from None


def _read_bonus(token: int) -> Bonus:
    try:
        return Bonus(token)
    except ValueError:
        raise MalformedMove(f"Name a bonus token: {token} is none.") from None


_READERS: Final[dict[str, Callable[[Any], Move]]] = {
    "draw_start_seat": lambda msg: moves.DrawStartSeat(msg.seat),
    "draw_tile": lambda msg: moves.DrawTile(_read_tile(msg.tile)),
    "draw_card": lambda msg: moves.DrawCard(*_read_cards([msg.card])),
    "draw_discovery": lambda msg: moves.DrawDiscovery(tuple(sorted(msg.values))),
    "lay_start": lambda msg: moves.LayStart(_read_tile(msg.tile), _read_cell(msg), _read_turns(msg.turns)),
    "choose_objective": lambda msg: moves.ChooseObjective(_read_cards(msg.chosen), _read_cards(msg.aside)),
    "take_tile": lambda msg: moves.TakeTile(_read_tile(msg.tile)),
    "land_ship": lambda msg: moves.LandShip(_read_cell(msg), msg.grey),
    "pick_tile": lambda msg: moves.PickTile(_read_tile(msg.tile)),
    "lay_tile": lambda msg: moves.LayTile(_read_cell(msg), _read_turns(msg.turns)),
    "take_token": lambda msg: moves.TakeToken(_read_bonus(msg.token), _read_symbol(msg.shows)),
    "no_token": lambda msg: moves.NO_TOKEN,
    "place_token": lambda msg: moves.PlaceToken(_read_cell(msg), _read_symbol(msg.covers) if msg.covers else None),
    "place_house": lambda msg: moves.PlaceHouse(_read_cell(msg)),
    "stop_building": lambda msg: moves.STOP_BUILDING,
    "pick_resource": lambda msg: moves.PickResource(_read_symbol(msg.resource)),
    "keep_discovery": lambda msg: moves.KeepDiscovery(msg.value),
}


_MOVES: Final[dict[type, Callable[[Any], pb.Move]]] = {
    moves.DrawStartSeat: lambda move: pb.Move(draw_start_seat=pb.DrawStartSeat(seat=move.seat)),
    moves.DrawTile: lambda move: pb.Move(draw_tile=pb.DrawTile(tile=_TILES[move.tile])),
    moves.DrawCard: lambda move: pb.Move(draw_card=pb.DrawCard(card=_CARDS[move.card])),
    moves.DrawDiscovery: lambda move: pb.Move(draw_discovery=pb.DrawDiscovery(values=move.values)),
    moves.LayStart: lambda move: pb.Move(
        lay_start=pb.LayStart(tile=_TILES[move.face], at=_cell(move.cell), turns=move.turns)
    ),
    moves.ChooseObjective: lambda move: pb.Move(
        choose_objective=pb.ChooseObjective(chosen=_cards(move.chosen), aside=_cards(move.aside))
    ),
    moves.TakeTile: lambda move: pb.Move(take_tile=pb.TakeTile(tile=_TILES[move.tile])),
    moves.LandShip: lambda move: pb.Move(land_ship=pb.LandShip(at=_cell(move.cell), grey=move.grey)),
    moves.PickTile: lambda move: pb.Move(pick_tile=pb.PickTile(tile=_TILES[move.tile])),
    moves.LayTile: lambda move: pb.Move(lay_tile=pb.LayTile(at=_cell(move.cell), turns=move.turns)),
    moves.TakeToken: lambda move: pb.Move(take_token=pb.TakeToken(token=_bonus(move.token), shows=_symbol(move.shows))),
    moves.NoToken: lambda move: pb.Move(no_token=pb.NoToken()),
    moves.PlaceToken: lambda move: pb.Move(place_token=pb.PlaceToken(at=_cell(move.cell), covers=_symbol(move.covers))),
    moves.PlaceHouse: lambda move: pb.Move(place_house=pb.PlaceHouse(at=_cell(move.cell))),
    moves.StopBuilding: lambda move: pb.Move(stop_building=pb.StopBuilding()),
    moves.PickResource: lambda move: pb.Move(pick_resource=pb.PickResource(resource=_symbol(move.resource))),
    moves.KeepDiscovery: lambda move: pb.Move(keep_discovery=pb.KeepDiscovery(value=move.value)),
}


@lru_cache(maxsize=1 << 12)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message. Equal moves share one message: copy it before changing it."""
    return _MOVES[type(move)](move)


_EVENTS: Final[dict[type, Callable[[Any], pb.Event]]] = {
    told.StartSeatSet: lambda event: pb.Event(start_seat_set=pb.StartSeatSet(seat=event.seat)),
    told.TileDealt: lambda event: pb.Event(tile_dealt=pb.TileDealt(seat=event.seat, tile=_tile(event.tile))),
    told.TileTurnedUp: lambda event: pb.Event(
        tile_turned_up=pb.TileTurnedUp(tile=_TILES[event.tile], from_stack=event.from_stack)
    ),
    told.CardDealt: lambda event: pb.Event(
        card_dealt=pb.CardDealt(seat=event.seat, card="" if event.card is None else _CARDS[event.card])
    ),
    told.TileLaid: lambda event: pb.Event(
        tile_laid=pb.TileLaid(
            seat=event.seat,
            tile=_TILES[event.face],
            at=_cell(event.cell),
            turns=event.turns,
            source=pb.TileSource.ValueType(event.source),
        )
    ),
    told.IslandsJoined: lambda event: pb.Event(
        islands_joined=pb.IslandsJoined(islands=map(_cell, event.islands), tiles=event.tiles)
    ),
    told.RoundBegun: lambda event: pb.Event(
        round_begun=pb.RoundBegun(round=event.round, first_seat=event.first, reserve=event.reserve)
    ),
    told.ObjectiveChosen: lambda event: pb.Event(
        objective_chosen=pb.ObjectiveChosen(
            seat=event.seat,
            chosen=_cards(event.chosen),
            aside=_cards(event.aside),
            returned=_cards(event.returned),
        )
    ),
    told.ExplorationBegun: lambda event: pb.Event(exploration_begun=pb.ExplorationBegun(first_seat=event.first)),
    told.TileTaken: lambda event: pb.Event(tile_taken=pb.TileTaken(seat=event.seat, tile=_TILES[event.tile])),
    told.HandShown: lambda event: pb.Event(
        hand_shown=pb.HandShown(seat=event.seat, tiles=_tiles(event.tiles), gone=_TILES[event.gone])
    ),
    told.TilePicked: lambda event: pb.Event(tile_picked=pb.TilePicked(seat=event.seat, tile=_TILES[event.tile])),
    told.TokenTaken: lambda event: pb.Event(
        token_taken=pb.TokenTaken(seat=event.seat, token=_bonus(event.token), shows=_symbol(event.shows))
    ),
    told.TokenForgone: lambda event: pb.Event(token_forgone=pb.TokenForgone(seat=event.seat)),
    told.TokenPlaced: lambda event: pb.Event(
        token_placed=pb.TokenPlaced(
            seat=event.seat,
            token=_bonus(event.token),
            shows=_symbol(event.shows),
            at=_cell(event.cell),
            place=event.place,
            covered=_symbol(event.covered),
            on_token=event.on_token,
        )
    ),
    told.ShipPlaced: lambda event: pb.Event(
        ship_placed=pb.ShipPlaced(seat=event.seat, grey=event.grey, at=_cell(event.cell))
    ),
    told.LastRewardBegun: lambda event: pb.Event(last_reward_begun=pb.LastRewardBegun(seat=event.seat)),
    told.ObjectiveRevealed: lambda event: pb.Event(
        objective_revealed=pb.ObjectiveRevealed(seat=event.seat, cards=_cards(event.cards))
    ),
    told.HousePlaced: lambda event: pb.Event(
        house_placed=pb.HousePlaced(
            seat=event.seat, at=_cell(event.cell), island=_cell(event.island), tiles=event.tiles
        )
    ),
    told.HousePaid: lambda event: pb.Event(
        house_paid=pb.HousePaid(
            seat=event.seat, at=_cell(event.cell), parts=map(_part, event.parts), points=event.points
        )
    ),
    told.DiscoveryDrawn: lambda event: pb.Event(
        discovery_drawn=pb.DiscoveryDrawn(seat=event.seat, count=event.count, values=event.values)
    ),
    told.DiscoveryKept: lambda event: pb.Event(
        discovery_kept=pb.DiscoveryKept(seat=event.seat, value=event.value or 0)
    ),
    told.BuildingEnded: lambda event: pb.Event(
        building_ended=pb.BuildingEnded(seat=event.seat, automatic=event.automatic, houses=event.houses)
    ),
    told.CardsShuffled: lambda event: pb.Event(cards_shuffled=pb.CardsShuffled()),
    told.SecretsShown: lambda event: pb.Event(
        secrets_shown=pb.SecretsShown(
            seat=event.seat, hand=_tiles(event.hand), aside=_cards(event.aside), returned=_cards(event.returned)
        )
    ),
    told.BonusScored: lambda event: pb.Event(
        bonus_scored=pb.BonusScored(
            seat=event.seat, discoveries=event.discoveries, ports=event.ports, points=event.points
        )
    ),
    told.GameEnded: lambda event: pb.Event(
        game_ended=pb.GameEnded(end=pb.End.ValueType(event.end), scores=event.scores, ranks=event.ranks)
    ),
}


def _part(part: told.Part) -> pb.Part:
    return pb.Part(kind=pb.PartKind.ValueType(part.kind), count=part.count, points=part.points)


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return _EVENTS[type(event)](event)
