"""Codec between the values of the game and ``skerry.games.tenerife.v1`` messages.

Values have numbers of places, messages have their ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import count
from typing import Final

from skerry.games.tenerife.v1 import tenerife_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.tenerife import moves
from skerry_games.tenerife.events import Event
from skerry_games.tenerife.moves import Move
from skerry_games.tenerife.state import (
    CHARACTER,
    CHARACTERS_EACH,
    CLOSED,
    COLOUR,
    FACES,
    HALL_PLOTS,
    HAND,
    LA_LAGUNA,
    MANSIONS,
    PLACES,
    SPACES,
    STORAGE,
    TOWNS,
    TRANSPORT_SPACES,
    TURBULENT_HAND,
    BackColour,
    Character,
    CharacterCard,
    Options,
    Owners,
    town_cards,
)
from skerry_games.tenerife.tenerife_board import BOARD, EDITIONS, BoardPlace
from skerry_games.tenerife.view import SeatView, SpaceView, View
from skerry_service.wire import unions
from skerry_service.wire.splice import serialized_item

_IDS: Final = tuple(place.id for place in BOARD.places)


def options_from_proto(msg: pb.Options) -> Options:
    """Return the options. An empty edition means the default."""
    return Options(
        edition=msg.edition or EDITIONS[0],
        start_seat=msg.start_seat if msg.HasField("start_seat") else None,
        transport_spaces=msg.transport_spaces if msg.HasField("transport_spaces") else None,
        turbulent=msg.turbulent,
        puerto_farmer=msg.puerto_farmer,
    )


def options_to_proto(options: Options) -> pb.Options:
    """Return the options as a message that always names the edition."""
    return pb.Options(
        edition=options.edition,
        start_seat=options.start_seat,
        transport_spaces=options.transport_spaces,
        turbulent=options.turbulent,
        puerto_farmer=options.puerto_farmer,
    )


def board_to_proto(edition: str) -> pb.Board:
    """Return the board of an edition; an empty name means the default. Raises KeyError for an unknown edition."""
    if edition not in ("", *EDITIONS):
        raise KeyError(edition)
    return pb.Board(
        edition=BOARD.edition,
        width=BOARD.width,
        height=BOARD.height,
        places=map(_place, PLACES),
        roads=[
            pb.Road(from_place=_IDS[one], to_place=_IDS[other])
            for one in PLACES
            for other in BOARD.places[one].neighbours
            if one < other
        ],
        hall_plots=map(_hall_plot, HALL_PLOTS),
        storage_spaces=map(_storage_space, STORAGE),
        farmhand_returns_to=BOARD.farmhand_returns_to,
        column=map(_point, BOARD.column),
        transport=map(_point, BOARD.transport),
        line_points=BOARD.line_points,
        mansions=MANSIONS,
        table_sizes=map(_table_size, SPACES),
        hand=map(_card, HAND),
        turbulent_hand=map(_card, TURBULENT_HAND),
    )


def _point(at: tuple[int, int]) -> pb.Point:
    return pb.Point(x=at[0], y=at[1])


def _place(number: int) -> pb.Place:
    place: BoardPlace = BOARD.places[number]
    return pb.Place(
        id=place.id,
        name=place.name,
        at=_point(place.at),
        farmers_symbol=place.farmers_symbol,
        plots=map(_point, place.plots),
        neighbours=_ids(place.neighbours),
        town_hall=number == LA_LAGUNA,
    )


def _hall_plot(number: int) -> pb.HallPlot:
    plot = BOARD.hall_plots[number - 1]
    return pb.HallPlot(
        number=number,
        row=plot.row,
        column=plot.column,
        at=_point(plot.at),
        closed_with_two_seats=plot.closed_with_two_seats,
    )


def _storage_space(number: int) -> pb.StorageSpace:
    space = BOARD.storage[number - 1]
    good = pb.Good.ValueType(space.good)
    return pb.StorageSpace(number=number, good=good, value=space.value, room=space.room, at=_point(space.at))


def _table_size(seats: int) -> pb.TableSize:
    removed = [_IDS[town] for town in TOWNS if not town_cards(seats) >> town & 1]
    return pb.TableSize(
        seats=seats,
        spaces=SPACES[seats],
        characters_each=CHARACTERS_EACH[seats],
        transport_spaces=TRANSPORT_SPACES[seats][0],
        removed_town=removed[0] if removed else None,
    )


def _ids(places: Iterable[int]) -> list[str]:
    return [_IDS[place] for place in places]


def _id(place: int | None) -> str | None:
    return None if place is None else _IDS[place]


# Both sides use the same enum numbers. A test compares the names.
def _character(character: Character) -> pb.Character.ValueType:
    return pb.Character.ValueType(character)


def _colour(colour: BackColour) -> pb.Colour.ValueType:
    return pb.Colour.ValueType(colour)


def _card(card: CharacterCard) -> pb.Card:
    return pb.Card(character=_character(CHARACTER[card]), colour=_colour(COLOUR[card]))


def view_to_wire(view: View) -> bytes:
    """Return the serialized view message. Hidden characters are absent, hidden hands are empty."""
    message = pb.View(
        phase=pb.Phase.ValueType(view.phase),
        acting_seat=view.acting_seat,
        round=view.round,
        hall_round=view.hall_round,
        start_seat=view.start_seat,
        current_place=_id(view.place),
        active_space=view.active_space,
        transport_spaces=view.transport_spaces,
        transport=view.transport,
        farmhand=view.farmhand,
        undrawn_towns=_ids(view.undrawn_towns),
        turbulent=view.turbulent,
    )
    parts = [
        message.SerializeToString(),
        *map(_space_state, count(1), view.column),
        _towns(view.towns, view.farmers_symbols),
        _hall(view.hall),
        _storage(view.storage),
        *map(_seat_state, count(), view.seats),
    ]
    return b"".join(parts)


# These parts change seldom. To build them takes longer than a move, so their bytes are cached.
@lru_cache(maxsize=1 << 11)
def _towns(towns: tuple[Owners, ...], farmers_symbols: tuple[int, ...]) -> bytes:
    return b"".join([_town_state(town, owners, town in farmers_symbols) for town, owners in enumerate(towns)])


@lru_cache(maxsize=1 << 11)
def _hall(hall: Owners) -> bytes:
    return b"".join(map(_plot_state, count(1), hall))


@lru_cache(maxsize=1 << 11)
def _storage(storage: tuple[Owners, ...]) -> bytes:
    return b"".join(map(_storage_state, count(1), storage))


@serialized_item(pb.View, "towns")
def _town_state(town: int, owners: Owners, farmers_symbol: bool) -> pb.TownState:
    return pb.TownState(town=_IDS[town], mansions=owners, farmers_symbol=farmers_symbol)


@serialized_item(pb.View, "storage")
def _storage_state(number: int, owners: Owners) -> pb.StorageState:
    return pb.StorageState(storage=number, warehouses=owners)


@serialized_item(pb.View, "column")
def _space_state(number: int, space: SpaceView) -> pb.SpaceState:
    return pb.SpaceState(
        space=number,
        seat=space.seat,
        colour=None if space.colour is None else _colour(space.colour),
        character=None if space.character is None else _character(space.character),
    )


@serialized_item(pb.View, "hall")
def _plot_state(number: int, owner: int) -> pb.PlotState:
    return pb.PlotState(plot=number, seat=owner if owner >= 0 else None, closed=owner == CLOSED)


@serialized_item(pb.View, "seats")
def _seat_state(number: int, seat: SeatView) -> pb.SeatState:
    return pb.SeatState(
        seat=number,
        score=seat.score,
        mansions=seat.mansions,
        merchant=_id(seat.merchant),
        cards_in_hand=seat.hand_size,
        hand=map(_card, seat.hand),
    )


_PLACE: Final = unions.id_codec(_IDS, "place", " on the board")
_COLOUR: Final = unions.enum_codec(BackColour, pb.Colour.DESCRIPTOR)


def _read_town(town: str) -> int:
    number: int = _PLACE.read(town)
    if number == LA_LAGUNA:
        raise MalformedMove(f"{town!r} is the place of the Town Hall, not a town.")
    return number


_FIELD_CODECS: Final = {
    **dict.fromkeys(("place", "from_place", "to_place"), _PLACE),
    "town": unions.ValueCodec(_PLACE.write, _read_town),
    "space": unions.number_codec(range(1, len(BOARD.column) + 1), "space"),
    "plot": unions.number_codec(HALL_PLOTS, "plot"),
    "storage": unions.number_codec(STORAGE, "storage space"),
    **dict.fromkeys(("seat", "victim"), unions.number_codec(range(max(SPACES)), "seat")),
    "colour": unions.ValueCodec(_COLOUR.write, lambda colour: _COLOUR.read(colour or BackColour.OWN)),
    "card": unions.ValueCodec(_card, lambda card: FACES[Character(card.character), BackColour(card.colour)]),
    "lines": unions.ValueCodec(lambda plots: {"plots": plots}, lambda line: tuple(line.plots)),
}


def _check_lay(move: moves.Lay) -> moves.Lay:
    if (move.character, move.colour) not in FACES:
        sentence = f"No card has character {move.character} and colour {move.colour}."
        raise MalformedMove(sentence)
    return move


MOVES: Final[unions.UnionCodec[pb.Move, Move]] = unions.union_codec(
    pb.Move,
    Move,
    _FIELD_CODECS,
    required={"character": "The move names no character: name one from your hand."},
    checks={moves.Lay: _check_lay},
)
EVENTS: Final[unions.UnionCodec[pb.Event, Event]] = unions.union_codec(pb.Event, Event, _FIELD_CODECS)


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove if the message is no move of this game."""
    return MOVES.read(msg)


@lru_cache(maxsize=1 << 10)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message; a masked card has no character.

    Equal moves share one message: copy it before changing it.
    """
    return MOVES.write(move)


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return EVENTS.write(event)
