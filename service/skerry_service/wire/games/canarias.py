"""Codec between the values of the game and ``skerry.games.canarias.v1`` messages.

Values have numbers and bit sets, messages have names of squares and ids of cards. Moves and events have the same names
and fields on both sides, so their conversion is derived.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Any, Final

from skerry.games.canarias.v1 import canarias_pb2 as pb
from skerry_games.api import BadOptions, MalformedMove
from skerry_games.canarias import moves
from skerry_games.canarias.events import Event
from skerry_games.canarias.moves import Move
from skerry_games.canarias.printed.cards import CARD_IDS, CARDS, FIRST_PIRATE, SETTLERS
from skerry_games.canarias.printed.islands import EDITIONS, ISLANDS, SQUARES, PrintedIsland
from skerry_games.canarias.printed.terms import COLOURS, Colour
from skerry_games.canarias.state import (
    HOUSES_EACH,
    PALACES_EACH,
    TOWNS_EACH,
    DeckOption,
    IslandOption,
    Options,
)
from skerry_games.canarias.view import Passenger, SeatView, View
from skerry_service.wire import unions
from skerry_service.wire.splice import serialized_item


def options_from_proto(msg: pb.Options) -> Options:
    """Return the options. An empty or unspecified field means its default. Raises BadOptions."""
    return Options(
        edition=msg.edition or EDITIONS[0],
        start_seat=msg.start_seat if msg.HasField("start_seat") else None,
        islands=_read_choice(IslandOption, pb.Islands, "islands", msg.islands or IslandOption.CHOOSE),
        deck=_read_choice(DeckOption, pb.Deck, "deck", msg.deck or DeckOption.DISTINCT),
    )


def _read_choice(kind: Any, wire: Any, field: str, value: int) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise BadOptions(field, f"Choose one of {', '.join(wire.keys()[1:])}, not {value}.") from None


def options_to_proto(options: Options) -> pb.Options:
    """Return the options as a message that names every default."""
    return pb.Options(
        edition=options.edition,
        start_seat=options.start_seat,
        islands=pb.Islands.ValueType(options.islands),
        deck=pb.Deck.ValueType(options.deck),
    )


def board_to_proto(edition: str) -> pb.Board:
    """Return the components of an edition; an empty name means the default. Raises KeyError for an unknown edition."""
    if edition not in ("", *EDITIONS):
        raise KeyError(edition)
    return pb.Board(
        edition=CARDS.edition,
        islands=map(_island, ISLANDS),
        cards=map(_card, range(len(CARD_IDS))),
        powers=[pb.Power.ValueType(CARDS.powers[colour] + 1) for colour in COLOURS],
        houses=HOUSES_EACH,
        palaces=PALACES_EACH,
        towns=TOWNS_EACH,
    )


def _island(island: PrintedIsland) -> pb.Island:
    pairs = [(first, second) for first, others in island.neighbours.items() for second in others if first < second]
    return pb.Island(
        id=island.id,
        squares=_names(island.building),
        village=_names(island.village),
        farmland=_names(island.farmland),
        touching=[
            pb.Touching(feature=_feature(feature), squares=_names(squares))
            for feature, squares in sorted(island.touching.items())
        ],
        neighbours=[pb.Neighbours(one=SQUARES[first], other=SQUARES[second]) for first, second in sorted(pairs)],
        borders=[
            pb.Border(feature=_feature(feature), points=[pb.Point(x=x, y=y) for x, y in line])
            for feature, line in sorted(island.borders.items())
        ],
    )


def _card(number: int) -> pb.Card:
    if number >= FIRST_PIRATE:
        return pb.Card(id=CARD_IDS[number], colour=_colour(number - FIRST_PIRATE))
    settler = SETTLERS[number]
    return pb.Card(
        id=settler.id,
        occupation=settler.occupation,
        english=settler.english,
        colour=_colour(settler.house),
        priorities=map(_feature, settler.priorities),
    )


# Colours, features and pieces start at 0 in values and at 1 in messages. Phases and options have the same numbers on
# both sides. A test compares the names.
def _colour(colour: int) -> pb.Colour.ValueType:
    return pb.Colour.ValueType(colour + 1)


def _feature(feature: int) -> pb.Feature.ValueType:
    return pb.Feature.ValueType(feature + 1)


def _piece(piece: int) -> pb.Piece.ValueType:
    return pb.Piece.ValueType(piece + 1)


def _names(squares: Iterable[int]) -> list[str]:
    return [SQUARES[square] for square in squares]


def _card_ids(cards: Iterable[int]) -> list[str]:
    return [CARD_IDS[card] for card in cards]


def view_to_wire(view: View) -> bytes:
    """Return the serialized view message."""
    message = pb.View(
        phase=pb.Phase.ValueType(view.phase),
        round=view.round,
        last_round=view.last_round,
        start_seat=view.start_seat,
        turn=view.turn,
        acting_seat=view.acting_seat,
        houses_left=view.houses_left,
        palaces_left=view.palaces_left,
        towns_left=view.towns_left,
        deck=view.deck_size,
        discard=_card_ids(view.discard),
        ship=view.ship_size,
        to_draw=view.to_draw,
        extra_taken=view.extra_taken,
        card=None if view.card is None else CARD_IDS[view.card],
        piece=None if view.piece is None else _piece(view.piece),
        material=_names(view.material),
        colour=None if view.colour is None else _colour(view.colour),
        victims=view.victims,
        hand=_card_ids(view.hand),
    )
    parts = [
        message.SerializeToString(),
        *map(_privilege, COLOURS, view.privileges),
        *map(_passenger, view.aboard),
        *map(_seat_state, count(), view.seats),
    ]
    return b"".join(parts)


@serialized_item(pb.View, "privileges")
def _privilege(colour: Colour, owner: int | None) -> pb.Privilege:
    return pb.Privilege(colour=_colour(colour), owner=owner)


@serialized_item(pb.View, "aboard")
def _passenger(passenger: Passenger) -> pb.Passenger:
    return pb.Passenger(card=CARD_IDS[passenger.card], seat=passenger.seat)


@serialized_item(pb.View, "seats")
def _seat_state(number: int, seat: SeatView) -> pb.SeatState:
    return pb.SeatState(
        seat=number,
        score=seat.score,
        island=None if seat.island is None else ISLANDS[seat.island].id,
        buildings=[
            pb.Building(square=SQUARES[each.square], piece=_piece(each.piece), colour=_colour(each.colour))
            for each in seat.buildings
        ],
        points=seat.points,
        hand=seat.hand_size,
        loaded=seat.loaded,
        cards=_card_ids(seat.cards),
    )


_SQUARE: Final = unions.id_codec(SQUARES, "square")
_CARD: Final = unions.id_codec(CARD_IDS, "card")
_FIELD_CODECS: Final = {
    **dict.fromkeys(("square", "squares", "material"), _SQUARE),
    **dict.fromkeys(("card", "hand"), _CARD),
    "island": unions.id_codec([island.id for island in ISLANDS], "island"),
}


def _check_material(move: moves.BuildPalace | moves.BuildTown) -> Move:
    count = 2 if isinstance(move, moves.BuildPalace) else 3
    if len(set(move.squares)) != count or len(move.squares) != count:
        raise MalformedMove(f"Name {count} different squares.")
    return type(move)(tuple(sorted(move.squares)))  # type: ignore[arg-type]  # the count is checked


MOVES: Final[unions.UnionCodec[pb.Move, Move]] = unions.union_codec(
    pb.Move,
    Move,
    _FIELD_CODECS,
    required={"card": "The move names no card: name one."},
    checks={moves.BuildPalace: _check_material, moves.BuildTown: _check_material},
)
EVENTS: Final[unions.UnionCodec[pb.Event, Event]] = unions.union_codec(pb.Event, Event, _FIELD_CODECS)


@lru_cache(maxsize=1 << 12)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message. Equal moves share one message: copy it before changing it."""
    return MOVES.write(move)


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return EVENTS.write(event)


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove if the message is no move of this game, or lacks its card."""
    return MOVES.read(msg)
