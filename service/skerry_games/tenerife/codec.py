"""Between the engine and the wire: numbers of places here, their ids there.

The only module of the game that imports protobuf. All functions take and return ``skerry.games.tenerife.v1`` messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import count
from typing import Any, Final

from skerry.games.tenerife.v1 import tenerife_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.parts import part_of
from skerry_games.tenerife import events as told
from skerry_games.tenerife import moves
from skerry_games.tenerife.board import BOARD, EDITIONS, Place
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
    Card,
    Character,
    Colour,
    Options,
    Owners,
    town_cards,
)
from skerry_games.tenerife.view import SeatView, SpaceView, View

_IDS: Final = tuple(place.id for place in BOARD.places)
_NUMBERS: Final = {name: number for number, name in enumerate(_IDS)}


def options_from_proto(msg: pb.Options) -> Options:
    """Return the options; an empty edition means the default."""
    return Options(
        edition=msg.edition or EDITIONS[0],
        start_seat=msg.start_seat if msg.HasField("start_seat") else None,
        transport_spaces=msg.transport_spaces if msg.HasField("transport_spaces") else None,
        turbulent=msg.turbulent,
        puerto_farmer=msg.puerto_farmer,
    )


def options_to_proto(options: Options) -> pb.Options:
    """Return the options with their edition spelt out."""
    return pb.Options(
        edition=options.edition,
        start_seat=options.start_seat,
        transport_spaces=options.transport_spaces,
        turbulent=options.turbulent,
        puerto_farmer=options.puerto_farmer,
    )


def board_to_proto(edition: str) -> pb.Board:
    """Return the board of that edition, of the default one if empty. Raises KeyError for an unknown edition."""
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
    place: Place = BOARD.places[number]
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


# The enums of the engine have the numbers of the wire; a test compares their names.
def _character(character: Character) -> pb.Character.ValueType:
    return pb.Character.ValueType(character)


def _colour(colour: Colour) -> pb.Colour.ValueType:
    return pb.Colour.ValueType(colour)


def _card(card: Card) -> pb.Card:
    return pb.Card(character=_character(CHARACTER[card]), colour=_colour(COLOUR[card]))


def view_to_proto(view: View) -> pb.View:
    """Return the view as a message. What is hidden is absent; a hand that is hidden is empty."""
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
        *map(_space_state, count(1), view.column),
        *[_town_state(town, owners, town in view.farmers_symbols) for town, owners in enumerate(view.towns)],
        *map(_plot_state, count(1), view.hall),
        *map(_storage_state, count(1), view.storage),
        *map(_seat_state, count(), view.seats),
    ]
    message.MergeFromString(b"".join(parts))
    return message


@part_of(pb.View, "towns")
def _town_state(town: int, owners: Owners, farmers_symbol: bool) -> pb.TownState:
    return pb.TownState(town=_IDS[town], mansions=owners, farmers_symbol=farmers_symbol)


@part_of(pb.View, "storage")
def _storage_state(number: int, owners: Owners) -> pb.StorageState:
    return pb.StorageState(storage=number, warehouses=owners)


@part_of(pb.View, "column")
def _space_state(number: int, space: SpaceView) -> pb.SpaceState:
    return pb.SpaceState(
        space=number,
        seat=space.seat,
        colour=None if space.colour is None else _colour(space.colour),
        character=None if space.character is None else _character(space.character),
    )


@part_of(pb.View, "hall")
def _plot_state(number: int, owner: int) -> pb.PlotState:
    return pb.PlotState(plot=number, seat=owner if owner >= 0 else None, closed=owner == CLOSED)


@part_of(pb.View, "seats")
def _seat_state(number: int, seat: SeatView) -> pb.SeatState:
    return pb.SeatState(
        seat=number,
        score=seat.score,
        mansions=seat.mansions,
        merchant=_id(seat.merchant),
        cards_in_hand=seat.hand_size,
        hand=map(_card, seat.hand),
    )


def move_from_proto(msg: pb.Move) -> Move:
    """Return the move. Raises MalformedMove for what is no move of this game at all."""
    kind = msg.WhichOneof("kind")
    if kind is None:
        raise MalformedMove("The move is empty: set one of its kinds.")
    return _READERS[kind](getattr(msg, kind))


def _read_place(place: str) -> int:
    try:
        return _NUMBERS[place]
    except KeyError:
        raise MalformedMove(f"There is no place {place!r} on the board.") from None


def _read_town(town: str) -> int:
    if _read_place(town) == LA_LAGUNA:
        raise MalformedMove(f"{town!r} is the place of the Town Hall, not a town.")
    return _NUMBERS[town]


def _read_number(number: int, among: range, what: str) -> int:
    if number not in among:
        raise MalformedMove(f"There is no {what} {number}: {what}s are numbered {among[0]} to {among[-1]}.")
    return number


def _read_seat(seat: int) -> int:
    return _read_number(seat, range(max(SPACES)), "seat")


def _read_victim(msg: pb.BuildElement | pb.Export) -> int | None:
    return _read_seat(msg.victim) if msg.HasField("victim") else None


def _read_lay(msg: pb.Lay) -> Move:
    space = _read_number(msg.space, range(1, len(BOARD.column) + 1), "space")
    if not msg.HasField("character"):
        raise MalformedMove("Your move does not say which character to lay.")
    try:
        return moves.LAY[FACES[Character(msg.character), Colour(msg.colour or Colour.OWN)]][space - 1]
    except (KeyError, ValueError):
        sentence = f"There is no card with character {msg.character} and colour {msg.colour or Colour.OWN}."
        raise MalformedMove(sentence) from None


_READERS: Final[dict[str, Callable[[Any], Move]]] = {
    "lay": _read_lay,
    "build_element": lambda msg: moves.BUILD_ELEMENT[_read_victim(msg)][_read_number(msg.plot, HALL_PLOTS, "plot")],
    "build_mansion": lambda msg: moves.BUILD_MANSION[_read_seat(msg.victim)][_read_town(msg.town)],
    "export": lambda msg: moves.EXPORT[_read_victim(msg)][_read_number(msg.storage, STORAGE, "storage space")],
    "move_merchant": lambda msg: moves.MOVE_MERCHANT[_read_place(msg.place)],
    "turn_up_town": lambda msg: moves.TURN_UP_TOWN[_read_town(msg.town)],
    "draw_start_seat": lambda msg: moves.DRAW_START_SEAT[_read_seat(msg.seat)],
}

_MOVES: Final[dict[type, Callable[[Any], pb.Move]]] = {
    moves.Lay: lambda move: pb.Move(
        lay=pb.Lay(space=move.space, character=_character(CHARACTER[move.card]), colour=_colour(COLOUR[move.card]))
    ),
    moves.UnseenLay: lambda move: pb.Move(lay=pb.Lay(space=move.space, colour=_colour(move.colour))),
    moves.BuildElement: lambda move: pb.Move(build_element=pb.BuildElement(plot=move.plot, victim=move.victim)),
    moves.BuildMansion: lambda move: pb.Move(build_mansion=pb.BuildMansion(town=_IDS[move.town], victim=move.victim)),
    moves.Export: lambda move: pb.Move(export=pb.Export(storage=move.storage, victim=move.victim)),
    moves.MoveMerchant: lambda move: pb.Move(move_merchant=pb.MoveMerchant(place=_IDS[move.place])),
    moves.TurnUpTown: lambda move: pb.Move(turn_up_town=pb.TurnUpTown(town=_IDS[move.town])),
    moves.DrawStartSeat: lambda move: pb.Move(draw_start_seat=pb.DrawStartSeat(seat=move.seat)),
}


@lru_cache(maxsize=1 << 10)
def move_to_proto(move: Move) -> pb.Move:
    """Return the move as a message, a card that others do not see without its character.

    Equal moves share one message: copy it before changing it.
    """
    return _MOVES[type(move)](move)


def _revealed(event: told.CharactersRevealed) -> pb.Event:
    cards = [
        pb.RevealedCard(
            space=card.space,
            seat=card.seat,
            card=pb.Card(character=_character(card.character), colour=_colour(card.colour)),
        )
        for card in event.cards
    ]
    return pb.Event(characters_revealed=pb.CharactersRevealed(cards=cards))


def _acting(event: Any) -> dict[str, Any]:
    """Return the fields that tell which character it is about, absent if it is hidden."""
    character = None if event.character is None else _character(event.character)
    return {"space": event.space, "seat": event.seat, "character": character}


_EVENTS: Final[dict[type, Callable[[Any], pb.Event]]] = {
    told.StartSeatDrawn: lambda event: pb.Event(start_seat_drawn=pb.StartSeatDrawn(seat=event.seat)),
    told.RoundBegun: lambda event: pb.Event(
        round_begun=pb.RoundBegun(
            round=event.round,
            place=_IDS[event.place],
            start_seat=event.start_seat,
            hall_round=event.hall_round,
        )
    ),
    told.CharacterLaid: lambda event: pb.Event(
        character_laid=pb.CharacterLaid(**_acting(event), colour=_colour(event.colour))
    ),
    told.CharactersRevealed: _revealed,
    told.CharacterRobbed: lambda event: pb.Event(
        character_robbed=pb.CharacterRobbed(**_acting(event), by_seat=event.by_seat, by_space=event.by_space)
    ),
    told.CharacterFreed: lambda event: pb.Event(
        character_freed=pb.CharacterFreed(**_acting(event), by_space=event.by_space)
    ),
    told.NoEffect: lambda event: pb.Event(
        no_effect=pb.NoEffect(**_acting(event), reason=pb.Reason.ValueType(event.reason))
    ),
    told.MansionBuilt: lambda event: pb.Event(
        mansion_built=pb.MansionBuilt(
            space=event.space,
            seat=event.seat,
            town=_IDS[event.town],
            plot=event.plot,
            points=event.points,
            victim=event.victim,
        )
    ),
    told.ElementBuilt: lambda event: pb.Event(
        element_built=pb.ElementBuilt(space=event.space, seat=event.seat, plot=event.plot, victim=event.victim)
    ),
    told.WarehouseBuilt: lambda event: pb.Event(
        warehouse_built=pb.WarehouseBuilt(space=event.space, seat=event.seat, storage=event.storage)
    ),
    told.FarmhandMoved: lambda event: pb.Event(
        farmhand_moved=pb.FarmhandMoved(from_storage=event.origin, to_storage=event.target)
    ),
    told.WarehouseExported: lambda event: pb.Event(
        warehouse_exported=pb.WarehouseExported(
            space=event.space,
            seat=event.seat,
            storage=event.storage,
            points=event.points,
            victim=event.victim,
            transport=event.transport,
        )
    ),
    told.MerchantMoved: lambda event: pb.Event(
        merchant_moved=pb.MerchantMoved(
            space=event.space,
            seat=event.seat,
            from_place=_id(event.origin),
            to_place=_IDS[event.target],
            points=event.points,
            transport=event.transport,
        )
    ),
    told.MerchantRobbed: lambda event: pb.Event(
        merchant_robbed=pb.MerchantRobbed(space=event.space, seat=event.seat, victim=event.victim, points=event.points)
    ),
    told.RoundEnded: lambda event: pb.Event(round_ended=pb.RoundEnded(round=event.round)),
    told.HallScored: lambda event: pb.Event(
        hall_scored=pb.HallScored(
            seat=event.seat, lines=[pb.HallLine(plots=line) for line in event.lines], points=event.points
        )
    ),
    told.GameEnded: lambda event: pb.Event(game_ended=pb.GameEnded(scores=event.scores, winners=event.winners)),
}


def event_to_proto(event: Event) -> pb.Event:
    """Return the event as a message."""
    return _EVENTS[type(event)](event)
