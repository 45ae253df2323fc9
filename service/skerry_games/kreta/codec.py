"""Between the engine and the wire: packed integers and province numbers here, named places there.

The only module of the game that imports protobuf. All functions take and return ``skerry.games.kreta.v1`` messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import count, starmap
from typing import Any, Final

from skerry.games.kreta.v1 import kreta_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.kreta import events as told
from skerry_games.kreta import moves
from skerry_games.kreta.board import BOARD, EDITIONS, FortSpace, Province
from skerry_games.kreta.events import Event
from skerry_games.kreta.moves import Move
from skerry_games.kreta.places import FORTS, HILLS, MOUNTAINS
from skerry_games.kreta.state import (
    ABBOTS,
    FORTS_EACH,
    SHIPS,
    TILES,
    VILLAGERS,
    VILLAGES,
    Card,
    Options,
    Phase,
    Tile,
)
from skerry_games.kreta.view import ProvinceView, SeatView, View
from skerry_games.parts import part_of

_IDS: Final = tuple(province.id for province in BOARD.provinces)
_NUMBERS: Final = {name: number for number, name in enumerate(_IDS)}
_PHASES: Final = {
    Phase.DEAL_HILLS: pb.PHASE_DEAL_HILLS,
    Phase.DEAL_MOUNTAINS: pb.PHASE_DEAL_MOUNTAINS,
    Phase.TURN_UP: pb.PHASE_TURN_UP,
    Phase.REPLACEMENT: pb.PHASE_TURN_UP_REPLACEMENT,
    Phase.START_SEAT: pb.PHASE_START_SEAT,
    Phase.PLAY_CARD: pb.PHASE_PLAY_CARD,
    Phase.ACTION: pb.PHASE_ACTION,
    Phase.MARCH: pb.PHASE_MARCH,
    Phase.KEEP_OR_REPLACE: pb.PHASE_KEEP_OR_REPLACE,
    Phase.OVER: pb.PHASE_OVER,
}


def options_from_proto(msg: pb.Options) -> Options:
    """Return the options; an empty edition means the default."""
    start_seat = msg.start_seat if msg.HasField("start_seat") else None
    return Options(edition=msg.edition or EDITIONS[0], start_seat=start_seat)


def options_to_proto(options: Options) -> pb.Options:
    """Return the options with their edition spelt out."""
    return pb.Options(edition=options.edition, start_seat=options.start_seat)


def board_to_proto(edition: str) -> pb.Board:
    """Return the map of that edition, of the default one if empty. Raises KeyError for an unknown edition."""
    if edition not in ("", *EDITIONS):
        raise KeyError(edition)
    return pb.Board(
        edition=BOARD.edition,
        width=BOARD.width,
        height=BOARD.height,
        provinces=map(_province, BOARD.provinces),
        fort_spaces=map(_fort_space, BOARD.forts),
        supply=pb.Supply(ships=SHIPS, forts=FORTS_EACH, villages=VILLAGES, villagers=VILLAGERS, abbots=ABBOTS),
        tiles=[pb.TileCount(tile=_tile(tile), count=count) for tile, count in TILES.items()],
    )


def _province(province: Province) -> pb.Province:
    return pb.Province(
        id=province.id,
        name=province.name,
        terrain=pb.Terrain.Value(f"TERRAIN_{province.terrain.name}"),
        harbour=province.harbour,
        value=province.value,
        adjacent=_ids(province.adjacent),
        fort_spaces=province.forts,
        polygon=[pb.Point(x=x, y=y) for x, y in province.polygon],
    )


def _fort_space(fort: FortSpace) -> pb.FortSpace:
    return pb.FortSpace(
        number=fort.number,
        at=pb.Point(x=fort.x, y=fort.y),
        provinces=_ids(fort.provinces),
        coast=fort.coast,
        total_value=fort.total_value,
    )


def _ids(provinces: Iterable[int]) -> list[str]:
    return [_IDS[province] for province in provinces]


# The enums of the engine have the numbers of the wire; a test compares their names.
def _card(card: Card) -> pb.Card.ValueType:
    return pb.Card.ValueType(card)


def _card_if_any(card: Card | None) -> pb.Card.ValueType | None:
    return None if card is None else _card(card)


def _tile(tile: Tile) -> pb.Tile.ValueType:
    return pb.Tile.ValueType(tile)


def view_to_proto(view: View) -> pb.View:
    """Return the view as a message."""
    message = pb.View(
        phase=_PHASES[view.phase],
        acting_seat=view.acting_seat,
        action=_card_if_any(view.action),
        movement_points=view.movement_points,
        fort_row=view.fort_row,
        face_down=view.face_down,
        pile=view.pile,
        scored_forts=view.scored_forts,
        buried_forts=view.buried_forts,
        scorings_done=view.scorings_done,
    )
    parts = [
        *map(_province_state, count(), view.provinces),
        *starmap(_fort_state, view.forts),
        *map(_seat_state, count(), view.seats),
    ]
    message.MergeFromString(b"".join(parts))
    return message


@part_of(pb.View, "forts")
def _fort_state(space: int, seat: int) -> pb.FortState:
    return pb.FortState(space=space, seat=seat)


@part_of(pb.View, "provinces")
def _province_state(number: int, province: ProvinceView) -> pb.ProvinceState:
    return pb.ProvinceState(
        province=_IDS[number],
        tile=None if province.tile is None else _tile(province.tile),
        villagers=province.villagers,
        villages=province.villages,
        abbots=province.abbots,
        ships=province.ships,
        figures=province.figures,
        influence=province.influence,
    )


@part_of(pb.View, "seats")
def _seat_state(number: int, seat: SeatView) -> pb.SeatState:
    supply = seat.supply
    return pb.SeatState(
        seat=number,
        score=seat.score,
        hand=map(_card, seat.hand),
        table=map(_card, seat.table),
        supply=pb.Supply(
            ships=supply.ships,
            forts=supply.forts,
            villages=supply.villages,
            villagers=supply.villagers,
            abbots=supply.abbots,
        ),
        harvested=[
            pb.TileCount(tile=_tile(tile), count=count)
            for tile, count in zip(Tile, seat.harvested, strict=True)
            if count
        ],
    )


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove for what is no move of this game at all."""
    kind = msg.WhichOneof("kind")
    if kind is None:
        raise MalformedMove("The move is empty: set one of its kinds.")
    return _READERS[kind](getattr(msg, kind))


def _read_place(province: str) -> int:
    try:
        return _NUMBERS[province]
    except KeyError:
        raise MalformedMove(f"There is no province {province!r} on the board.") from None


def _read_fort(number: int) -> int:
    if number not in FORTS:
        raise MalformedMove(f"There is no fort space {number}: they are numbered 1 to {len(FORTS)}.")
    return number


def _read_card(card: int) -> Card:
    try:
        return Card(card)
    except ValueError:
        raise MalformedMove(f"There is no character card {card}.") from None


def _read_play(msg: pb.PlayCard) -> Move:
    return moves.PlayCard(_read_card(msg.card), _read_card(msg.copied) if msg.HasField("copied") else None)


def _read_sail(msg: pb.Sail) -> Move:
    if not 1 <= len(msg.ways) <= SHIPS:
        raise MalformedMove(f"Name the ways of 1 or {SHIPS} ships, not of {len(msg.ways)}.")
    return moves.sailing((_read_place(way.from_harbour), _read_place(way.to_harbour)) for way in msg.ways)


def _read_tile(tile: int) -> Tile:
    try:
        return Tile(tile)
    except ValueError:
        raise MalformedMove(f"There is no kind of tile {tile}.") from None


def _read_tiles(tiles: Iterable[int], count: int) -> tuple[Tile, ...]:
    dealt = tuple(map(_read_tile, tiles))
    if len(dealt) != count:
        raise MalformedMove(f"Deal {count} tiles, not {len(dealt)}.")
    return dealt


_READERS: Final[dict[str, Callable[[Any], Move]]] = {
    "play_card": _read_play,
    "place_ship": lambda msg: moves.PlaceShip(_read_place(msg.harbour)),
    "sail": _read_sail,
    "recruit": lambda msg: moves.Recruit(_read_place(msg.province)),
    "march": lambda msg: moves.March(_read_place(msg.from_province), _read_place(msg.to_province)),
    "halt": lambda msg: moves.HALT,
    "place_abbot": lambda msg: moves.PlaceAbbot(_read_place(msg.province)),
    "move_abbot": lambda msg: moves.MoveAbbot(_read_place(msg.from_province), _read_place(msg.to_province)),
    "harvest": lambda msg: moves.Harvest(_read_place(msg.province)),
    "build_fort": lambda msg: moves.BuildFort(_read_fort(msg.space)),
    "build_village": lambda msg: moves.BuildVillage(_read_place(msg.province)),
    "keep_fort": lambda msg: moves.KeepFort(_read_fort(msg.number)),
    "replace_fort": lambda msg: moves.ReplaceFort(_read_fort(msg.number)),
    "deal_hills": lambda msg: moves.DealHills(_read_tiles(msg.tiles, len(HILLS))),
    "deal_mountains": lambda msg: moves.DealMountains(_read_tiles(msg.tiles, len(MOUNTAINS))),
    "turn_up_fort": lambda msg: moves.TurnUpFort(_read_fort(msg.number)),
    "draw_start_seat": lambda msg: moves.DrawStartSeat(msg.seat),
}

_MOVES: Final[dict[type, Callable[[Any], pb.Move]]] = {
    moves.PlayCard: lambda move: pb.Move(
        play_card=pb.PlayCard(card=_card(move.card), copied=_card_if_any(move.copied))
    ),
    moves.PlaceShip: lambda move: pb.Move(place_ship=pb.PlaceShip(harbour=_IDS[move.harbour])),
    moves.Sail: lambda move: pb.Move(
        sail=pb.Sail(
            ways=[pb.Voyage(from_harbour=_IDS[origin], to_harbour=_IDS[target]) for origin, target in move.ways]
        )
    ),
    moves.Recruit: lambda move: pb.Move(recruit=pb.Recruit(province=_IDS[move.province])),
    moves.March: lambda move: pb.Move(march=pb.March(from_province=_IDS[move.origin], to_province=_IDS[move.target])),
    moves.Halt: lambda move: pb.Move(halt=pb.Halt()),
    moves.PlaceAbbot: lambda move: pb.Move(place_abbot=pb.PlaceAbbot(province=_IDS[move.province])),
    moves.MoveAbbot: lambda move: pb.Move(
        move_abbot=pb.MoveAbbot(from_province=_IDS[move.origin], to_province=_IDS[move.target])
    ),
    moves.Harvest: lambda move: pb.Move(harvest=pb.Harvest(province=_IDS[move.province])),
    moves.BuildFort: lambda move: pb.Move(build_fort=pb.BuildFort(space=move.space)),
    moves.BuildVillage: lambda move: pb.Move(build_village=pb.BuildVillage(province=_IDS[move.province])),
    moves.KeepFort: lambda move: pb.Move(keep_fort=pb.KeepFort(number=move.number)),
    moves.ReplaceFort: lambda move: pb.Move(replace_fort=pb.ReplaceFort(number=move.number)),
    moves.DealHills: lambda move: pb.Move(deal_hills=pb.DealHills(tiles=map(_tile, move.tiles))),
    moves.DealMountains: lambda move: pb.Move(deal_mountains=pb.DealMountains(tiles=map(_tile, move.tiles))),
    moves.TurnUpFort: lambda move: pb.Move(turn_up_fort=pb.TurnUpFort(number=move.number)),
    moves.DrawStartSeat: lambda move: pb.Move(draw_start_seat=pb.DrawStartSeat(seat=move.seat)),
}


@lru_cache(maxsize=1 << 11)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message. Equal moves share one message: copy it before changing it."""
    return _MOVES[type(move)](move)


_EVENTS: Final[dict[type, Callable[[Any], pb.Event]]] = {
    told.TilesDealt: lambda event: pb.Event(
        tiles_dealt=pb.TilesDealt(
            tiles=[pb.TilePlacement(province=_IDS[number], tile=_tile(tile)) for number, tile in event.tiles]
        )
    ),
    told.FortTurnedUp: lambda event: pb.Event(
        fort_turned_up=pb.FortTurnedUp(number=event.number, replacement=event.replacement)
    ),
    told.StartSeatSet: lambda event: pb.Event(start_seat_set=pb.StartSeatSet(seat=event.seat)),
    told.CardPlayed: lambda event: pb.Event(
        card_played=pb.CardPlayed(seat=event.seat, card=_card(event.card), copied=_card_if_any(event.copied))
    ),
    told.ShipPlaced: lambda event: pb.Event(ship_placed=pb.ShipPlaced(seat=event.seat, harbour=_IDS[event.harbour])),
    told.ShipSailed: lambda event: pb.Event(
        ship_sailed=pb.ShipSailed(seat=event.seat, from_harbour=_IDS[event.origin], to_harbour=_IDS[event.target])
    ),
    told.VillagerRecruited: lambda event: pb.Event(
        villager_recruited=pb.VillagerRecruited(seat=event.seat, province=_IDS[event.province])
    ),
    told.VillagerMarched: lambda event: pb.Event(
        villager_marched=pb.VillagerMarched(
            seat=event.seat,
            from_province=_IDS[event.origin],
            to_province=_IDS[event.target],
            crossed=_ids(event.crossed),
            points_left=event.points_left,
        )
    ),
    told.MarchEnded: lambda event: pb.Event(
        march_ended=pb.MarchEnded(seat=event.seat, points_left=event.points_left, automatic=event.automatic)
    ),
    told.AbbotPlaced: lambda event: pb.Event(
        abbot_placed=pb.AbbotPlaced(seat=event.seat, province=_IDS[event.province])
    ),
    told.AbbotMoved: lambda event: pb.Event(
        abbot_moved=pb.AbbotMoved(
            seat=event.seat,
            from_province=_IDS[event.origin],
            to_province=_IDS[event.target],
            crossed=_ids(event.crossed),
        )
    ),
    told.TileHarvested: lambda event: pb.Event(
        tile_harvested=pb.TileHarvested(
            seat=event.seat, province=_IDS[event.province], tile=_tile(event.tile), points=event.points
        )
    ),
    told.FortBuilt: lambda event: pb.Event(fort_built=pb.FortBuilt(seat=event.seat, space=event.space)),
    told.VillageBuilt: lambda event: pb.Event(
        village_built=pb.VillageBuilt(seat=event.seat, province=_IDS[event.province])
    ),
    told.ScoringBegun: lambda event: pb.Event(scoring_begun=pb.ScoringBegun(fort=event.fort, scoring=event.scoring)),
    told.ProvinceScored: lambda event: pb.Event(
        province_scored=pb.ProvinceScored(
            province=_IDS[event.province], value=event.value, influence=event.influence, awards=event.awards
        )
    ),
    told.CardsReturned: lambda event: pb.Event(cards_returned=pb.CardsReturned()),
    told.FortKept: lambda event: pb.Event(fort_kept=pb.FortKept(seat=event.seat, number=event.number)),
    told.FortReplaced: lambda event: pb.Event(fort_replaced=pb.FortReplaced(seat=event.seat, number=event.number)),
    told.GameEnded: lambda event: pb.Event(game_ended=pb.GameEnded(scores=event.scores, winners=event.winners)),
}


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return _EVENTS[type(event)](event)
