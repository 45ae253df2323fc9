from __future__ import annotations

import re
from typing import Any

import pytest
from google.protobuf.message import Message
from msgspec.structs import replace

from skerry.games.tenerife.v1 import tenerife_pb2 as pb
from skerry_games.api import MalformedMove, Viewer
from skerry_games.tenerife import GAME, events, moves
from skerry_games.tenerife.events import Event, Reason
from skerry_games.tenerife.moves import Lay
from skerry_games.tenerife.state import BackColour, Character, CharacterCard, Options, Phase, State
from skerry_games.tenerife.tenerife_board import BOARD, Good
from skerry_service.wire.games.tenerife import (
    board_to_proto,
    event_to_proto,
    move_from_proto,
    move_to_proto,
    options_from_proto,
    options_to_proto,
    view_to_wire,
)
from tests.games.tenerife.acting import choices, do, laying, reveal
from tests.games.tenerife.drawing import at, position
from tests.games.tenerife.random_games import TABLES, states, steps


def snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def sent(state: State, viewer: Viewer = None) -> pb.View:
    return pb.View.FromString(view_to_wire(GAME.view(state, viewer)))


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(start_seat=0),
        Options(start_seat=3, transport_spaces=3),
        Options(turbulent=True),
        Options(puerto_farmer=True),
    ],
)
def test_options_come_back_as_they_went(options: Options) -> None:
    assert options_from_proto(options_to_proto(options)) == options


def test_an_empty_edition_is_the_default_one() -> None:
    assert options_from_proto(pb.Options()) == Options(edition="house", start_seat=None, transport_spaces=None)


@pytest.mark.parametrize(
    ("engine", "wire"),
    [(Character, pb.Character), (BackColour, pb.Colour), (Good, pb.Good), (Reason, pb.Reason)],
    ids=["character", "colour", "good", "reason"],
)
def test_enums_have_the_numbers_of_the_wire(engine: Any, wire: Any) -> None:
    kind = wire.DESCRIPTOR.name.upper()
    named = {f"{kind}_{member.name}": int(member) for member in engine}
    assert named | {f"{kind}_UNSPECIFIED": 0} == dict(wire.items())


def test_each_phase_in_which_a_move_can_end_is_sent_under_its_name() -> None:
    for phase in set(Phase) - {Phase.ACTIVATE}:
        assert pb.Phase.Name(sent(replace(position(), phase=phase)).phase) == f"PHASE_{phase.name}"
    assert len(pb.Phase.items()) == len(Phase)


def test_the_board_message_is_complete() -> None:
    board = board_to_proto("house")
    assert board_to_proto("") == board
    assert (board.edition, board.width, board.height) == ("house", 1000, 720)
    assert [place.id for place in board.places] == [place.id for place in BOARD.places]
    puerto = board.places[at("PUE")]
    assert (puerto.name, puerto.farmers_symbol, puerto.town_hall) == ("Puerto de la Cruz", False, False)
    assert (list(puerto.neighbours), len(puerto.plots)) == (["ICO", "ORO"], 4)
    assert puerto.at == pb.Point(x=405, y=255)
    assert [place.id for place in board.places if place.town_hall] == ["LAG"]
    assert [(road.from_place, road.to_place) for road in board.roads] == [
        ("GAR", "ICO"),
        ("ICO", "PUE"),
        ("ICO", "ORO"),
        ("PUE", "ORO"),
        ("ORO", "TAC"),
        ("TAC", "LAG"),
        ("SCR", "LAG"),
    ]
    assert board.hall_plots[9] == pb.HallPlot(number=10, row=2, column=3, at=pb.Point(x=825, y=170))
    assert [plot.number for plot in board.hall_plots if plot.closed_with_two_seats] == [1, 2]
    assert board.storage_spaces[3] == pb.StorageSpace(
        number=4, good=pb.GOOD_WINE, value=3, room=3, at=pb.Point(x=740, y=505)
    )
    assert (len(board.column), len(board.transport), list(board.line_points)) == (12, 3, [1, 3, 4, 7])


def test_the_board_has_the_values_that_depend_on_the_number_of_seats() -> None:
    """TENERIFE-SETUP-1, TENERIFE-ROUND-2, TENERIFE-TRANSPORT-1, TENERIFE-TWO-1"""
    board = board_to_proto("house")
    assert board.mansions == 12
    assert list(board.table_sizes) == [
        pb.TableSize(seats=2, spaces=8, characters_each=4, transport_spaces=2, removed_town="SCR"),
        pb.TableSize(seats=3, spaces=9, characters_each=3, transport_spaces=2, removed_town="SCR"),
        pb.TableSize(seats=4, spaces=12, characters_each=3, transport_spaces=3),
    ]
    assert [card.character for card in board.hand] == [1, 1, 2, 3, 4, 5]
    assert [(card.character, card.colour) for card in board.turbulent_hand] == [
        *((character, pb.COLOUR_OWN) for character in (1, 3, 4, 5)),
        *((character, pb.COLOUR_SECOND) for character in (1, 2, 5)),
    ]


def test_an_unknown_edition_has_no_board() -> None:
    with pytest.raises(KeyError):
        board_to_proto("attic")


def test_a_view_is_sent_with_places_and_seats() -> None:
    state, _ = reveal(
        position(
            """
            column: C1 M0 T1
            PUE: 0 2
            hall: 0. / .1.. / ....
            storage: 1 / - / - / 1 0 / - / -
            farmhand: 5
            seat 1: 9 mansions | 7 points
            seat 0: in GAR
            """
        )
    )
    view = sent(state)
    assert (view.phase, view.acting_seat, view.active_space) == (pb.PHASE_CHOOSE_TOWN, 1, 3)
    assert (view.round, view.hall_round, view.start_seat, view.current_place) == (1, 0, 0, "PUE")
    assert view.column[1] == pb.SpaceState(space=2, seat=0, colour=pb.COLOUR_OWN, character=pb.CHARACTER_MASON)
    assert (view.transport_spaces, list(view.transport)) == (2, [1])
    assert view.towns[at("PUE")] == pb.TownState(town="PUE", mansions=[0, 2])
    assert view.towns[at("ICO")] == pb.TownState(town="ICO", farmers_symbol=True)
    assert [plot.seat for plot in view.hall if plot.HasField("seat")] == [0, 1]
    assert view.hall[3] == pb.PlotState(plot=4, seat=1)
    assert view.storage[3] == pb.StorageState(storage=4, warehouses=[1, 0])
    assert view.farmhand == 5
    assert view.seats[0] == pb.SeatState(seat=0, mansions=12, merchant="GAR", cards_in_hand=5)
    assert (view.seats[1].score, view.seats[1].mansions, view.seats[1].merchant) == (9, 9, "PUE")
    assert list(view.undrawn_towns) == ["GAR", "ICO", "ORO", "TAC"]


def test_only_the_owner_receives_its_hand_and_its_laid_characters() -> None:
    """TENERIFE-ROUND-3"""
    state = do(GAME.setup(Options(start_seat=0), 3), moves.TurnUpTown(at("ICO")), laying(4, CharacterCard.THIEVES))
    assert sent(state, 0).column[3].character == pb.CHARACTER_THIEVES
    assert [card.character for card in sent(state, 0).seats[0].hand] == [1, 1, 2, 3, 4]
    for viewer in (1, None):
        assert sent(state, viewer).column[3] == pb.SpaceState(space=4, seat=0, colour=pb.COLOUR_OWN)
        assert not sent(state, viewer).column[3].HasField("character")
        assert sent(state, viewer).column[0] == pb.SpaceState(space=1)
        assert list(sent(state, viewer).seats[0].hand) == []


def test_closed_plots_are_sent_as_closed() -> None:
    """TENERIFE-TWO-1"""
    hall = sent(position(seats=2)).hall
    assert [plot.plot for plot in hall if plot.closed] == [1, 2]
    assert not any(plot.HasField("seat") for plot in hall)


def test_before_the_first_round_there_is_neither_place_nor_seat() -> None:
    view = sent(GAME.setup(Options(), 2))
    for field in ("current_place", "acting_seat", "start_seat", "active_space"):
        assert not view.HasField(field)
    assert not view.seats[0].HasField("merchant")
    assert sent(GAME.setup(Options(start_seat=0), 2)).HasField("start_seat")


def test_every_view_of_a_game_can_be_sent() -> None:
    for seats, options in TABLES:
        for viewer in (0, None):
            sizes = [len(sent(state, viewer).SerializeToString()) for state in states(seats, 1, options)]
            assert max(sizes) <= 700


def test_hidden_cards_do_not_change_the_size_of_a_message() -> None:
    """TENERIFE-ROUND-3: a watcher of lengths learns nothing from views and events either."""
    state = do(GAME.setup(Options(start_seat=0), 3), moves.TurnUpTown(at("ICO")))
    lays = [move for move in choices(state) if isinstance(move, Lay) and move.space == 4]
    after = [GAME.apply(state, 0, move) for move in lays]
    assert len({len(sent(each, 1).SerializeToString()) for each, _ in after}) == 1
    shown = [GAME.show(event, 1) for _, (event,) in after]
    assert len({event_to_proto(event).SerializeToString() for event in shown if event}) == 1


def test_every_listed_move_comes_back_as_it_went() -> None:
    kinds = set()
    for seats, options in TABLES:
        for _, _, listed, _ in steps(seats, 2, options):
            for move in listed:
                message = move_to_proto(move)
                kinds.add(message.WhichOneof("kind"))
                assert move_from_proto(pb.Move.FromString(message.SerializeToString())) == move
    assert kinds == {field.name for field in pb.Move.DESCRIPTOR.oneofs_by_name["kind"].fields}


def test_a_card_that_others_do_not_see_is_sent_without_its_character_and_taken_for_no_move() -> None:
    """TENERIFE-ROUND-3"""
    shown = GAME.show_move(laying(4, CharacterCard.SECOND_THIEVES), 0, 1)
    message = move_to_proto(shown)
    assert message == pb.Move(lay=pb.Lay(space=4, colour=pb.COLOUR_SECOND))
    assert not message.lay.HasField("character")
    with pytest.raises(MalformedMove, match="names no character"):
        move_from_proto(message)


def test_without_a_colour_a_card_has_the_seats_own() -> None:
    assert move_from_proto(pb.Move(lay=pb.Lay(space=1, character=pb.CHARACTER_MASON))) == laying(1, CharacterCard.MASON)


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (pb.Move(), "The move is empty"),
        (pb.Move(lay=pb.Lay()), "There is no space 0: spaces are numbered 1 to 12"),
        (pb.Move(lay=pb.Lay(space=13)), "There is no space 13"),
        (pb.Move(lay=pb.Lay(space=1)), "The move names no character: name one from your hand."),
        (pb.Move(lay=pb.Lay(space=1, character=0)), "Name the character."),  # type: ignore[arg-type]
        (pb.Move(lay=pb.Lay(space=1, character=6)), "There is no character 6."),  # type: ignore[arg-type]
        (pb.Move(lay=pb.Lay(space=1, character=1, colour=3)), "There is no colour 3."),  # type: ignore[arg-type]
        (pb.Move(lay=pb.Lay(space=1, character=3, colour=2)), "No card has character 3 and colour 2."),  # type: ignore[arg-type]
        (pb.Move(build_element=pb.BuildElement()), "There is no plot 0: plots are numbered 1 to 10"),
        (pb.Move(build_mansion=pb.BuildMansion()), "Name the place."),
        (pb.Move(build_mansion=pb.BuildMansion(town="LAG")), "'LAG' is the place of the Town Hall, not a town"),
        (pb.Move(export=pb.Export(storage=7)), "There is no storage space 7: storage spaces are numbered 1 to 6"),
        (pb.Move(export=pb.Export(storage=1, victim=4)), "There is no seat 4: seats are numbered 0 to 3"),
        (pb.Move(build_mansion=pb.BuildMansion(town="GAR", victim=-1)), "There is no seat -1"),
        (pb.Move(draw_start_seat=pb.DrawStartSeat(seat=4)), "There is no seat 4"),
        (pb.Move(move_merchant=pb.MoveMerchant(place="gar")), "There is no place 'gar'"),
        (pb.Move(turn_up_town=pb.TurnUpTown(town="ATH")), "There is no place 'ATH'"),
    ],
)
def test_a_malformed_move_is_rejected_with_a_sentence(move: pb.Move, sentence: str) -> None:
    with pytest.raises(MalformedMove, match=re.escape(sentence)):
        move_from_proto(move)


def fields(message: Message) -> dict[str, Any]:
    return {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}


def check_event(event: Event) -> str:
    """Check that the message has the event's name, seat and numbers; return its kind."""
    message = event_to_proto(event)
    kind = message.WhichOneof("kind")
    assert kind == snake(type(event).__name__)
    sent_fields = fields(getattr(message, kind))
    assert len(sent_fields) == len(event.__struct_fields__)
    for name in {*event.__struct_fields__} - {"cards", "lines"}:
        value, wire = getattr(event, name), sent_fields[name]
        if isinstance(wire, str):
            assert wire == ("" if value is None else BOARD.places[value].id)
        else:
            assert (list(wire) if isinstance(value, tuple) else wire) == (
                list(value) if isinstance(value, tuple) else value or 0
            )
    return kind


def test_every_event_of_a_game_is_sent_with_all_that_it_says() -> None:
    kinds = set()
    for seats, options in TABLES:
        for seed in range(12):
            for state, actor, _, move in steps(seats, seed, options):
                kinds |= {check_event(event) for event in GAME.apply(state, actor, move)[1]}
    assert kinds == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields}


def test_revealed_cards_and_lines_of_the_hall_are_sent() -> None:
    revealed = events.CharactersRevealed((events.RevealedCard(1, 2, CharacterCard.SECOND_THIEVES),))
    assert list(event_to_proto(revealed).characters_revealed.cards) == [
        pb.RevealedCard(space=1, seat=2, card=pb.Card(character=pb.CHARACTER_THIEVES, colour=pb.COLOUR_SECOND))
    ]
    scored = event_to_proto(events.HallScored(1, ((4, 5, 6), (7,)), 5)).hall_scored
    assert [list(line.plots) for line in scored.lines] == [[4, 5, 6], [7]]


def test_a_missing_value_of_an_event_is_absent_in_its_message() -> None:
    laid = event_to_proto(events.CharacterLaid(1, 4, BackColour.OWN, None)).character_laid
    assert not laid.HasField("character")
    placed = event_to_proto(events.MerchantMoved(1, 0, None, at("GAR"), 0, 1)).merchant_moved
    assert not placed.HasField("from_place")
    own = event_to_proto(events.WarehouseExported(1, 0, 1, 5, None, 1)).warehouse_exported
    robbed = event_to_proto(events.WarehouseExported(2, 1, 1, 5, 0, None)).warehouse_exported
    assert (own.HasField("victim"), own.HasField("transport")) == (False, True)
    assert (robbed.HasField("victim"), robbed.HasField("transport")) == (True, False)
