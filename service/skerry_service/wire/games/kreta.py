"""Codec between the engine's values and the messages of ``skerry.games.kreta.v1``.

The engine packs provinces into integers and numbers them. Messages name provinces by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count, starmap
from typing import Final

from skerry.games.kreta.v1 import kreta_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.kreta import moves
from skerry_games.kreta.events import Event
from skerry_games.kreta.kreta_board import BOARD, EDITIONS, FortSpace, Province
from skerry_games.kreta.moves import Move
from skerry_games.kreta.province_sets import FORTS, HILLS, MOUNTAINS
from skerry_games.kreta.state import (
    ABBOTS,
    FORTS_EACH,
    SHIPS,
    TILES,
    VILLAGERS,
    VILLAGES,
    KretaCard,
    Options,
    Phase,
    Tile,
)
from skerry_games.kreta.view import ProvinceView, SeatView, View
from skerry_service.wire import unions
from skerry_service.wire.splice import serialized_item

_IDS: Final = tuple(province.id for province in BOARD.provinces)
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
    """Return the options. An empty edition means the default."""
    start_seat = msg.start_seat if msg.HasField("start_seat") else None
    return Options(edition=msg.edition or EDITIONS[0], start_seat=start_seat)


def options_to_proto(options: Options) -> pb.Options:
    """Return the options. The edition is always set."""
    return pb.Options(edition=options.edition, start_seat=options.start_seat)


def board_to_proto(edition: str) -> pb.Board:
    """Return the map of that edition. An empty edition means the default. Raises KeyError for an unknown edition."""
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


# Engine and wire use the same numbers for enum values. A test compares the names.
def _card(card: KretaCard) -> pb.Card.ValueType:
    return pb.Card.ValueType(card)


def _card_if_any(card: KretaCard | None) -> pb.Card.ValueType | None:
    return None if card is None else _card(card)


def _tile(tile: Tile) -> pb.Tile.ValueType:
    return pb.Tile.ValueType(tile)


def view_to_wire(view: View) -> bytes:
    """Return the view's message, serialized."""
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
        message.SerializeToString(),
        *map(_province_state, count(), view.provinces),
        *starmap(_fort_state, view.forts),
        *map(_seat_state, count(), view.seats),
    ]
    return b"".join(parts)


@serialized_item(pb.View, "forts")
def _fort_state(space: int, seat: int) -> pb.FortState:
    return pb.FortState(space=space, seat=seat)


@serialized_item(pb.View, "provinces")
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


@serialized_item(pb.View, "seats")
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


_PROVINCE: Final = unions.id_codec(_IDS, "province", " on the board")
_FORT: Final = unions.number_codec(range(1, len(FORTS) + 1), "fort space")
_FIELD_CODECS: Final = {
    **dict.fromkeys(("province", "from_province", "to_province", "crossed"), _PROVINCE),
    **dict.fromkeys(("harbour", "from_harbour", "to_harbour"), _PROVINCE),
    **dict.fromkeys(("space", "number"), _FORT),
}


def _check_sail(move: moves.Sail) -> moves.Sail:
    if not 1 <= len(move.ways) <= SHIPS:
        raise MalformedMove(f"Name 1 or {SHIPS} voyages, not {len(move.ways)}.")
    return moves.sailing(move.ways)


def _check_deal(move: moves.DealHills | moves.DealMountains) -> Move:
    count = len(HILLS if isinstance(move, moves.DealHills) else MOUNTAINS)
    if len(move.tiles) != count:
        raise MalformedMove(f"Deal {count} tiles, not {len(move.tiles)}.")
    return move


MOVES: Final[unions.UnionCodec[pb.Move, Move]] = unions.union_codec(
    pb.Move,
    Move,
    _FIELD_CODECS,
    checks={moves.Sail: _check_sail, moves.DealHills: _check_deal, moves.DealMountains: _check_deal},
)
EVENTS: Final[unions.UnionCodec[pb.Event, Event]] = unions.union_codec(pb.Event, Event, _FIELD_CODECS)


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove if the message is not a move of this game."""
    return MOVES.read(msg)


@lru_cache(maxsize=1 << 11)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message. Equal moves share a message, so copy it before you change it."""
    return MOVES.write(move)


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return EVENTS.write(event)
