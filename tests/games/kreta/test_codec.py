from __future__ import annotations

import re
from typing import Any

import pytest
from google.protobuf.message import Message

from skerry.games.kreta.v1 import kreta_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.kreta import GAME, events, moves
from skerry_games.kreta.events import Event
from skerry_games.kreta.kreta_board import BOARD, Terrain
from skerry_games.kreta.state import KretaCard, Options, Phase, State, Tile
from skerry_service.wire.games.kreta import (
    board_to_proto,
    event_to_proto,
    move_from_proto,
    move_to_proto,
    options_from_proto,
    options_to_proto,
    view_to_wire,
)
from tests.games.kreta.acting import do
from tests.games.kreta.drawing import at, position
from tests.games.kreta.random_games import states, steps

RENAMED = {"PHASE_REPLACEMENT": "PHASE_TURN_UP_REPLACEMENT"}


def snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def sent(state: State) -> pb.View:
    return pb.View.FromString(view_to_wire(GAME.view(state, None)))


@pytest.mark.parametrize("options", [Options(), Options(start_seat=0), Options(start_seat=3)])
def test_options_come_back_as_they_went(options: Options) -> None:
    assert options_from_proto(options_to_proto(options)) == options


def test_an_empty_edition_is_the_default_one() -> None:
    assert options_from_proto(pb.Options()) == Options(edition="house", start_seat=None)


@pytest.mark.parametrize(
    ("engine", "wire"), [(KretaCard, pb.Card), (Tile, pb.Tile), (Terrain, pb.Terrain)], ids=["card", "tile", "terrain"]
)
def test_enums_have_the_numbers_of_the_wire(engine: Any, wire: Any) -> None:
    kind = wire.DESCRIPTOR.name.upper()
    assert {f"{kind}_{member.name}": int(member) for member in engine} | {f"{kind}_UNSPECIFIED": 0} == dict(
        wire.items()
    )


def test_each_phase_is_sent_under_its_name() -> None:
    for phase in Phase:
        name = f"PHASE_{phase.name}"
        state = State(phase, 0, position().seats)
        assert pb.Phase.Name(sent(state).phase) == RENAMED.get(name, name)


def test_the_board_is_sent_whole() -> None:
    board = board_to_proto("house")
    assert board_to_proto("") == board
    assert (board.edition, board.width, board.height) == ("house", 1000, 360)
    assert [province.id for province in board.provinces] == [province.id for province in BOARD.provinces]
    kydonia = board.provinces[at("KYD")]
    assert (kydonia.name, kydonia.terrain, kydonia.harbour, kydonia.value) == ("Kydonia", pb.TERRAIN_PLAIN, True, 6)
    assert list(kydonia.adjacent) == ["KIS", "RET", "LEF"]
    assert list(kydonia.fort_spaces) == [3, 4, 5, 6]
    assert (kydonia.polygon[0].x, kydonia.polygon[0].y, len(kydonia.polygon)) == (150, 130, 6)
    fort = board.fort_spaces[1]
    assert (fort.number, list(fort.provinces), fort.coast, fort.total_value) == (2, ["KIS", "SEL", "LEF"], False, 8)
    assert (fort.at.x, fort.at.y) == (150, 215)


def test_the_board_says_how_much_there_is_of_everything() -> None:
    """KRETA-SETUP-2, KRETA-SETUP-4"""
    board = board_to_proto("house")
    assert board.supply == sent(position()).seats[0].supply
    dealt = [province.tile for province in sent(position()).provinces]
    assert {count.tile: count.count for count in board.tiles} == {tile: dealt.count(tile) for tile in dealt}


def test_an_unknown_edition_has_no_board() -> None:
    with pytest.raises(KeyError):
        board_to_proto("attic")


def test_a_view_is_sent_with_places_and_seats() -> None:
    state = position(
        """
        turn: 1 commander
        KYD: A1 vv0 V1 | ship 0 2 | bare
        fort 4: 2
        seat 1: table abbot | tiles olive olive wheat | 7 points
        row: 2 14
        scored: 1 3 | buried 9
        """,
        seats=3,
    )
    view = sent(state)
    assert (view.phase, view.acting_seat, view.action) == (pb.PHASE_ACTION, 1, pb.CARD_COMMANDER)
    assert not view.HasField("movement_points")
    assert view.provinces[at("KYD")] == pb.ProvinceState(
        province="KYD",
        villagers=[2, 0, 0],
        villages=[0, 1, 0],
        abbots=[1],
        ships=[0, 2],
        figures=4,
        influence=[3, 3, 2],
    )
    assert list(view.forts) == [pb.FortState(space=4, seat=2)]
    assert view.seats[1] == pb.SeatState(
        seat=1,
        score=7,
        hand=[pb.CARD_KING, pb.CARD_ARCHITECT, pb.CARD_ADMIRAL, pb.CARD_CASTELLAN, pb.CARD_FARMER],
        table=[pb.CARD_COMMANDER, pb.CARD_ABBOT],
        supply=pb.Supply(ships=2, forts=3, villages=3, villagers=5, abbots=0),
        harvested=[pb.TileCount(tile=pb.TILE_WHEAT, count=1), pb.TileCount(tile=pb.TILE_OLIVE, count=2)],
    )
    assert (list(view.fort_row), view.face_down, view.pile) == ([2, 14], 7, 15)
    assert (list(view.scored_forts), list(view.buried_forts), view.scorings_done) == ([1, 3], [9], 2)


def test_movement_points_are_sent_while_villagers_march() -> None:
    state = do(position("turn: 0 commander\nKIS: v0"), moves.March(at("KIS"), at("KYD")))
    view = sent(state)
    assert (view.phase, view.action, view.movement_points) == (pb.PHASE_MARCH, pb.CARD_COMMANDER, 3)
    assert sent(position("turn: 0 commander\nKIS: v0")).movement_points == 4
    for other in ("turn: 0 commander", "turn: 0 commander\nKIS: v1", "turn: 0 abbot\nKIS: v0", "turn: 0\nKIS: v0"):
        assert not sent(position(other)).HasField("movement_points")


def test_what_is_not_there_is_absent() -> None:
    state = position("turn: 0 abbot\nKYD: | bare")
    view = sent(state)
    assert [province.HasField("tile") for province in view.provinces].count(False) == 1
    assert not view.provinces[at("KYD")].HasField("tile")
    assert view.HasField("action")
    assert not sent(position()).HasField("action")
    assert not move_to_proto(moves.PlayCard(KretaCard.ABBOT)).play_card.HasField("copied")
    assert not event_to_proto(events.CardPlayed(0, KretaCard.ABBOT, None)).card_played.HasField("copied")


def test_before_the_start_seat_is_known_there_is_no_acting_seat() -> None:
    assert not sent(GAME.setup(Options(), 2)).HasField("acting_seat")
    assert sent(GAME.setup(Options(start_seat=0), 2)).HasField("acting_seat")


def test_every_view_of_a_game_can_be_sent() -> None:
    for seats in GAME.seats:
        sizes = [len(sent(state).SerializeToString()) for state in states(seats, seed=1)]
        assert max(sizes) <= 2000


def test_every_listed_move_comes_back_as_it_went() -> None:
    kinds = set()
    for seats in GAME.seats:
        for _, _, listed, _ in steps(seats, seed=2):
            for move in listed:
                message = move_to_proto(move)
                kinds.add(message.WhichOneof("kind"))
                assert move_from_proto(pb.Move.FromString(message.SerializeToString())) == move
    assert kinds == {field.name for field in pb.Move.DESCRIPTOR.oneofs_by_name["kind"].fields}


@pytest.mark.parametrize("ways", [("KYD-CAN", "MES-SIT"), ("MES-SIT", "KYD-CAN"), ("MES-CAN", "KYD-SIT")])
def test_ways_to_the_same_placing_are_the_same_move(ways: tuple[str, str]) -> None:
    """KRETA-ADMIRAL-3"""
    voyages = [pb.Voyage(from_harbour=way[:3], to_harbour=way[4:]) for way in ways]
    move = move_from_proto(pb.Move(sail=pb.Sail(ways=voyages)))
    assert move == moves.Sail(((at("KYD"), at("CAN")), (at("MES"), at("SIT"))))


def test_ways_that_share_an_end_are_left_to_the_rules() -> None:
    """KRETA-ADMIRAL-2"""
    voyages = [pb.Voyage(from_harbour=origin, to_harbour="CAN") for origin in ("MES", "KYD")]
    move = move_from_proto(pb.Move(sail=pb.Sail(ways=voyages)))
    assert move == moves.Sail(((at("KYD"), at("CAN")), (at("MES"), at("CAN"))))


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (pb.Move(), "The move is empty"),
        (pb.Move(play_card=pb.PlayCard()), "Name the card."),
        (pb.Move(play_card=pb.PlayCard(card=9)), "There is no card 9."),  # type: ignore[arg-type]
        (pb.Move(play_card=pb.PlayCard(card=pb.CARD_KING, copied=8)), "There is no card 8."),  # type: ignore[arg-type]
        (pb.Move(recruit=pb.Recruit()), "Name the province."),
        (pb.Move(recruit=pb.Recruit(province="ATH")), "There is no province 'ATH'"),
        (pb.Move(march=pb.March(from_province="KIS", to_province="kyd")), "There is no province 'kyd'"),
        (pb.Move(place_ship=pb.PlaceShip(harbour="ATH")), "There is no province 'ATH'"),
        (pb.Move(play_card=pb.PlayCard(card=pb.CARD_ABBOT, copied=pb.CARD_UNSPECIFIED)), "Name the card."),
        (pb.Move(sail=pb.Sail()), "Name 1 or 2 voyages, not 0."),
        (
            pb.Move(sail=pb.Sail(ways=[pb.Voyage(from_harbour="KYD", to_harbour="CAN")] * 3)),
            "Name 1 or 2 voyages, not 3.",
        ),
        (pb.Move(sail=pb.Sail(ways=[pb.Voyage(from_harbour="KYD")])), "Name the province."),
        (pb.Move(keep_fort=pb.KeepFort()), "There is no fort space 0: fort spaces are numbered 1 to 26."),
        (pb.Move(build_fort=pb.BuildFort(space=27)), "There is no fort space 27"),
        (pb.Move(turn_up_fort=pb.TurnUpFort()), "There is no fort space 0: fort spaces are numbered 1 to 26."),
        (pb.Move(deal_hills=pb.DealHills(tiles=[pb.TILE_WINE])), "Deal 8 tiles, not 1."),
        (pb.Move(deal_mountains=pb.DealMountains(tiles=[pb.TILE_UNSPECIFIED] * 6)), "Name the tile."),
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(move: pb.Move, sentence: str) -> None:
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
    for name in event.__struct_fields__:
        value, shown = getattr(event, name), sent_fields[name]
        if isinstance(shown, str):
            assert shown == BOARD.provinces[value].id
        elif name == "crossed":
            assert list(shown) == [BOARD.provinces[province].id for province in value]
        elif name != "tiles":
            assert (list(shown) if isinstance(value, tuple) else shown) == (
                list(value) if isinstance(value, tuple) else value or 0
            )
    return kind


def test_every_event_of_a_game_is_sent_with_all_that_it_says() -> None:
    kinds = set()
    for seats in GAME.seats:
        for seed in range(3):
            for state, actor, _, move in steps(seats, seed):
                kinds |= {check_event(event) for event in GAME.apply(state, actor, move)[1]}
    assert kinds == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields}


def test_dealt_tiles_are_sent_with_their_provinces() -> None:
    (event,) = GAME.apply(GAME.setup(Options(), 2), -1, GAME.legal_moves(GAME.setup(Options(), 2), -1)[0])[1]
    tiles = event_to_proto(event).tiles_dealt.tiles
    assert tiles[0] == pb.TilePlacement(province="KIS", tile=pb.TILE_OLIVE)
    assert [tile.province for tile in tiles if tile.tile == pb.TILE_WHEAT] == ["KYD", "MES"]
