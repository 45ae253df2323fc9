from __future__ import annotations

import re
from typing import Any

import pytest
from google.protobuf.message import Message

from skerry.games.canarias.v1 import canarias_pb2 as pb
from skerry_games.api import BadOptions, MalformedMove, Viewer
from skerry_games.canarias import GAME, moves
from skerry_games.canarias.events import (
    CardDrawn,
    Comparison,
    HousePlaced,
    PalaceBuilt,
    PirateStruck,
    PrivilegeTaken,
    SettlerChose,
)
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.terms import Colour, Feature, Piece, Power
from skerry_games.canarias.state import DeckOption, IslandOption, Options, Phase, State
from skerry_service.wire.games.canarias import (
    board_to_proto,
    event_to_proto,
    move_from_proto,
    move_to_proto,
    options_from_proto,
    options_to_proto,
    view_to_wire,
)
from tests.games.canarias.acting import do
from tests.games.canarias.drawing import card, position, sq, sqs
from tests.games.canarias.random_games import VARIANT, steps

MOST_BYTES = 1500


def sent(state: State, viewer: Viewer = None) -> pb.View:
    return pb.View.FromString(view_to_wire(GAME.view(state, viewer)))


@pytest.mark.parametrize(
    "options", [Options(), Options(start_seat=0), VARIANT, Options(start_seat=4, deck=DeckOption.TRIPLES)]
)
def test_options_come_back_as_they_went(options: Options) -> None:
    assert options_from_proto(options_to_proto(options)) == options


def test_empty_options_are_the_defaults() -> None:
    assert options_from_proto(pb.Options()) == Options("house", None, IslandOption.CHOOSE, DeckOption.DISTINCT)


@pytest.mark.parametrize("field", ["islands", "deck"])
def test_options_that_do_not_exist_are_refused_by_name(field: str) -> None:
    with pytest.raises(BadOptions) as refusal:
        options_from_proto(pb.Options(**{field: 3}))  # type: ignore[arg-type]
    assert refusal.value.field == field
    assert f"Choose one of {field.upper()}_" in refusal.value.sentence


@pytest.mark.parametrize(
    ("engine", "wire", "shift"),
    [
        (Colour, pb.Colour, 1),
        (Feature, pb.Feature, 1),
        (Piece, pb.Piece, 1),
        (Power, pb.Power, 1),
        (Phase, pb.Phase, 0),
        (IslandOption, pb.Islands, 0),
        (DeckOption, pb.Deck, 0),
    ],
    ids=lambda kind: getattr(kind, "__name__", ""),
)
def test_enums_have_the_numbers_of_the_wire(engine: Any, wire: Any, shift: int) -> None:
    kind = wire.DESCRIPTOR.name.upper()
    named = {f"{kind}_{member.name}": member + shift for member in engine}
    assert named | {f"{kind}_UNSPECIFIED": 0} == dict(wire.items())


def test_the_board_message_is_complete() -> None:
    """CANARIAS-SETUP-1, CANARIAS-SETUP-2"""
    board = board_to_proto("house")
    assert board_to_proto("") == board
    assert (board.edition, board.houses, board.palaces, board.towns) == ("house", 8, 6, 2)
    assert list(board.powers) == [1, 2, 3, 4, 5, 6]
    assert [each.id for each in board.cards] == list(CARD_IDS)
    reaper, pirate = board.cards[card("segador-a")], board.cards[-1]
    assert (reaper.occupation, reaper.english, reaper.colour) == ("Segador", "reaper", pb.COLOUR_RED)
    assert list(reaper.priorities) == [
        pb.FEATURE_FARMLAND,
        pb.FEATURE_GREEN,
        pb.FEATURE_BEIGE,
        pb.FEATURE_VILLAGE,
    ]
    assert (pirate.id, pirate.colour, list(pirate.priorities)) == ("pirate-red", pb.COLOUR_RED, [])


def test_an_island_is_sent_with_everything_to_draw_it() -> None:
    island = board_to_proto("house").islands[0]
    assert (island.id, list(island.village), list(island.farmland)) == ("1", ["A3", "A4"], ["C3", "C4"])
    assert len(island.squares) == 12
    assert len(island.neighbours) == 13
    assert pb.Neighbours(one="B5", other="C5") in island.neighbours
    assert pb.Touching(feature=pb.FEATURE_ROAD, squares=["B4", "B5", "C5"]) in island.touching
    assert pb.Border(
        feature=pb.FEATURE_ROAD, points=[pb.Point(x=4, y=1), pb.Point(x=4, y=2), pb.Point(x=4, y=3)]
    ) in list(island.borders)


def test_an_unknown_edition_has_no_board() -> None:
    with pytest.raises(KeyError):
        board_to_proto("attic")


TABLE = """
    turn: 1
    round: 3 | start 1 | last
    ship: hidalgo-c 0:monje-a
    privileges: red 0
    seat 0 on island 1: segador-a pirate-red
      r  r  #  #  GG ~
      .  B  .  .  .  .
    seat 1 on island 2: cantero-b monje-b
"""


def test_a_view_is_sent_with_squares_and_cards() -> None:
    view = sent(do(position(TABLE), moves.Build(card("monje-b"))), 0)
    assert (view.phase, view.round, view.last_round, view.start_seat, view.turn) == (pb.PHASE_PLACE, 3, True, 1, 1)
    assert (view.acting_seat, view.card, view.piece, view.colour) == (1, "monje-b", pb.PIECE_HOUSE, pb.COLOUR_ORANGE)
    assert view.seats[0] == pb.SeatState(
        seat=0,
        score=10,
        island="1",
        buildings=[
            pb.Building(square="A1", piece=pb.PIECE_HOUSE, colour=pb.COLOUR_RED),
            pb.Building(square="A2", piece=pb.PIECE_HOUSE, colour=pb.COLOUR_RED),
            pb.Building(square="A5", piece=pb.PIECE_TOWN, colour=pb.COLOUR_GREEN),
            pb.Building(square="B2", piece=pb.PIECE_PALACE, colour=pb.COLOUR_BLUE),
        ],
        points=[0, 0, 5, 3, 0, 2],
        hand=2,
        loaded=True,
    )
    assert list(view.privileges) == [
        *(pb.Privilege(colour=pb.Colour.ValueType(number)) for number in range(1, 6)),
        pb.Privilege(colour=pb.COLOUR_RED, owner=0),
    ]
    assert (list(view.houses_left), list(view.towns_left)) == ([8, 8, 8, 8, 8, 6], [2, 2, 1, 2, 2, 2])
    assert (view.deck, list(view.discard), view.ship) == (54, ["monje-b"], 2)
    assert (list(view.hand), list(view.aboard)) == (
        ["segador-a", "pirate-red"],
        [pb.Passenger(card="monje-a", seat=0)],
    )


def test_a_spectator_is_sent_no_secret() -> None:
    """CANARIAS-SETUP-4, CANARIAS-SHIP-1"""
    view = sent(position(TABLE))
    assert (list(view.hand), list(view.aboard)) == ([], [])
    for secret in (b"segador-a", b"pirate-red", b"cantero-b", b"monje", b"hidalgo"):
        assert secret not in view.SerializeToString()
    assert b"cantero-b" not in sent(position(TABLE), 0).SerializeToString()


def test_unknown_values_are_absent() -> None:
    view = sent(GAME.setup(Options(), 2))
    missing = {"round", "start_seat", "turn", "acting_seat", "card", "piece", "colour"}
    assert not missing & {field.name for field, _ in view.ListFields()}
    assert not any(seat.HasField("island") for seat in view.seats)
    assert not any(privilege.HasField("owner") for privilege in view.privileges)
    assert sent(GAME.setup(Options(start_seat=1), 2)).acting_seat == 1


def meaningless(message: Message) -> list[str]:
    """Return the fields without presence that say nothing: an empty text, an unspecified choice, a negative number."""
    found = []
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            each = list(value)
        else:
            each = [value] if not field.has_presence or message.HasField(field.name) else []
        for one in each:
            if isinstance(one, Message):
                found += meaningless(one)
            elif one == "" or (isinstance(one, int) and one < 0) or (field.enum_type is not None and not one):
                found.append(f"{field.full_name}: {one!r}")
    return found


@pytest.mark.deep
@pytest.mark.timeout(150)
def test_every_field_that_is_sent_means_something() -> None:
    """What is not there, or not to be seen, is absent: no text is empty, no choice unspecified, no number negative."""
    assert not meaningless(board_to_proto(""))
    assert not meaningless(options_to_proto(Options()))
    for seats in GAME.seats:
        for seed in range(4):
            for state, actor, listed, move in steps(seats, seed):
                after, events = GAME.apply(state, actor, move)
                for viewer in (None, 0):
                    assert not meaningless(sent(state, viewer)) + meaningless(sent(after, viewer))
                    for event in events:
                        shown = GAME.show(event, viewer)
                        assert shown is not None
                        assert not meaningless(event_to_proto(shown))
                assert not [fault for one in listed for fault in meaningless(move_to_proto(one))]


def test_the_view_has_the_material_of_a_palace() -> None:
    view = sent(do(position(f"turn: 0{TABLE[12:]}"), moves.BuildPalace((sq("A1"), sq("A2")))))
    assert (view.piece, list(view.material), view.colour) == (pb.PIECE_PALACE, ["A1", "A2"], pb.COLOUR_RED)


def test_every_view_and_every_listed_move_of_a_game_can_be_sent() -> None:
    kinds = set()
    for seats in GAME.seats:
        for seed in range(4):
            for state, _, listed, _ in steps(seats, seed):
                assert len(sent(state, 0).SerializeToString()) <= MOST_BYTES
                for move in listed:
                    message = move_to_proto(move)
                    kinds.add(message.WhichOneof("kind"))
                    assert move_from_proto(pb.Move.FromString(message.SerializeToString())) == move
    assert kinds == {field.name for field in pb.Move.DESCRIPTOR.oneofs_by_name["kind"].fields}


def test_squares_may_be_named_in_any_order() -> None:
    for squares in (["A1", "C5"], ["C5", "A1"]):
        move = move_from_proto(pb.Move(build_palace=pb.BuildPalace(squares=squares)))
        assert move == moves.BuildPalace((sq("A1"), sq("C5")))


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (pb.Move(), "The move is empty"),
        (pb.Move(build=pb.Build()), "Name the card"),
        (pb.Move(load=pb.Load(card="segador-d")), "There is no card 'segador-d'"),
        (pb.Move(place=pb.Place(square="E1")), "There is no square 'E1'"),
        (pb.Move(give_up=pb.GiveUp()), "Name the square"),
        (pb.Move(take_island=pb.TakeIsland()), "Name the island"),
        (pb.Move(take_island=pb.TakeIsland(island="7")), "There is no island '7'"),
        (pb.Move(choose_colour=pb.ChooseColour()), "Name the colour"),
        (pb.Move(choose_colour=pb.ChooseColour(colour=7)), "There is no colour 7"),  # type: ignore[arg-type]
        (pb.Move(build_palace=pb.BuildPalace(squares=["A1"])), "Name 2 different squares"),
        (pb.Move(build_palace=pb.BuildPalace(squares=["A1", "A1"])), "Name 2 different squares"),
        (pb.Move(build_town=pb.BuildTown(squares=["A1", "A2"])), "Name 3 different squares"),
    ],
)
def test_a_malformed_move_is_rejected_with_a_sentence(move: pb.Move, sentence: str) -> None:
    with pytest.raises(MalformedMove, match=re.escape(sentence)):
        move_from_proto(move)


def test_every_event_of_a_game_is_sent_as_its_kind() -> None:
    kinds = set()
    for seats in GAME.seats:
        for seed in range(6):
            for state, actor, _, move in steps(seats, seed):
                for event in GAME.apply(state, actor, move)[1]:
                    message = event_to_proto(event)
                    kind = message.WhichOneof("kind")
                    assert kind == re.sub(r"(?<!^)([A-Z])", r"_\1", type(event).__name__).lower()
                    assert set(event.__struct_fields__) == {
                        field.name for field in getattr(message, kind).DESCRIPTOR.fields
                    }
                    kinds.add(kind)
    rare = {"nothing_loaded", "no_house_left", "nothing_to_give_up"}
    assert kinds | rare == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields}


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (CardDrawn(1), pb.Event(card_drawn=pb.CardDrawn(seat=1))),
        (CardDrawn(1, card("monje-a")), pb.Event(card_drawn=pb.CardDrawn(seat=1, card="monje-a"))),
        (
            HousePlaced(1, sq("B3"), Colour.RED, Feature.COAST, automatic=True),
            pb.Event(
                house_placed=pb.HousePlaced(
                    seat=1, square="B3", colour=pb.COLOUR_RED, next_to=pb.FEATURE_COAST, automatic=True
                )
            ),
        ),
        (
            HousePlaced(1, sq("B3"), Colour.RED, None, automatic=False),
            pb.Event(house_placed=pb.HousePlaced(seat=1, square="B3", colour=pb.COLOUR_RED)),
        ),
        (
            PalaceBuilt(0, sq("A1"), Colour.BLUE, sqs("A1 C5"), points=1, automatic=False),
            pb.Event(
                palace_built=pb.PalaceBuilt(seat=0, square="A1", colour=pb.COLOUR_BLUE, material=["A1", "C5"], points=1)
            ),
        ),
        (
            PrivilegeTaken(Colour.ORANGE, 2),
            pb.Event(privilege_taken=pb.PrivilegeTaken(colour=pb.COLOUR_ORANGE, seat=2)),
        ),
        (
            SettlerChose(card("monje-a"), (Comparison(Feature.BLUE, ((0, 4), (2, 1))),), 0, privilege=False),
            pb.Event(
                settler_chose=pb.SettlerChose(
                    card="monje-a",
                    comparisons=[
                        pb.Comparison(
                            feature=pb.FEATURE_BLUE,
                            counts=[pb.SquareCount(seat=0, count=4), pb.SquareCount(seat=2, count=1)],
                        )
                    ],
                    winner=0,
                )
            ),
        ),
        (
            PirateStruck(Colour.GREEN, None, ((0, 2), (2, 0)), (0,), owner_protected=False),
            pb.Event(
                pirate_struck=pb.PirateStruck(
                    colour=pb.COLOUR_GREEN,
                    compared=[pb.SeatPoints(seat=0, points=2), pb.SeatPoints(seat=2, points=0)],
                    victims=[0],
                )
            ),
        ),
    ],
)
def test_events_are_sent_with_all_that_they_say(event: Any, message: pb.Event) -> None:
    assert event_to_proto(event) == message


def test_islands_are_sent_by_their_ids() -> None:
    for number, island in enumerate(ISLANDS):
        assert move_to_proto(moves.TakeIsland(number)).take_island.island == island.id
