from __future__ import annotations

import re

import pytest

from skerry.games.kreta.v1 import kreta_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.kreta import GAME, moves
from skerry_games.kreta.state import Tile
from skerry_service.wire.payloads import codec_of
from tests.games.kreta.drawing import at, position

CODEC = codec_of("kreta")


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (pb.Move(), "The move is empty"),
        (pb.Move(play_card=pb.PlayCard()), "Name the card."),
        (pb.Move(play_card=pb.PlayCard(card=9)), "There is no card 9."),  # type: ignore[arg-type]
        (pb.Move(play_card=pb.PlayCard(card=pb.CARD_KING, copied=8)), "There is no card 8."),  # type: ignore[arg-type]
        (pb.Move(recruit=pb.Recruit()), "Name the province."),
        (pb.Move(recruit=pb.Recruit(province="ATH")), "There is no province 'ATH'."),
        (pb.Move(march=pb.March(from_province="KIS", to_province="kyd")), "There is no province 'kyd'"),
        (pb.Move(place_ship=pb.PlaceShip(harbour="ATH")), "There is no province 'ATH'."),
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
def test_a_malformed_move_is_rejected_with_a_sentence(move: pb.Move, sentence: str) -> None:
    with pytest.raises(MalformedMove, match=re.escape(sentence)):
        CODEC.move_from_proto(move)


@pytest.mark.parametrize("ways", [("KYD-CAN", "MES-SIT"), ("MES-SIT", "KYD-CAN"), ("MES-CAN", "KYD-SIT")])
def test_ways_to_the_same_placing_are_the_same_move(ways: tuple[str, str]) -> None:
    """KRETA-ADMIRAL-3"""
    voyages = [pb.Voyage(from_harbour=way[:3], to_harbour=way[4:]) for way in ways]
    move = CODEC.move_from_proto(pb.Move(sail=pb.Sail(ways=voyages)))
    assert move == moves.Sail(((at("KYD"), at("CAN")), (at("MES"), at("SIT"))))


def test_ways_that_share_an_end_are_left_to_the_rules() -> None:
    """KRETA-ADMIRAL-2"""
    voyages = [pb.Voyage(from_harbour=origin, to_harbour="CAN") for origin in ("MES", "KYD")]
    move = CODEC.move_from_proto(pb.Move(sail=pb.Sail(ways=voyages)))
    assert move == moves.Sail(((at("KYD"), at("CAN")), (at("MES"), at("CAN"))))


def test_a_view_is_sent_with_places_and_seats() -> None:
    text = """
        turn: 1 commander
        KYD: A1 vv0 V1 | ship 0 2 | bare
        seat 1: table abbot | tiles olive olive wheat | 7 points
    """
    view = pb.View.FromString(CODEC.view_to_wire(GAME.view(position(text, seats=3), None)))
    assert (view.phase, view.acting_seat, view.action) == (pb.PHASE_ACTION, 1, pb.CARD_COMMANDER)
    assert view.provinces[at("KYD")] == pb.ProvinceState(
        province="KYD",
        villagers=[2, 0, 0],
        villages=[0, 1, 0],
        abbots=[1],
        ships=[0, 2],
        figures=4,
        influence=[3, 3, 1],
    )
    assert view.seats[1] == pb.SeatState(
        seat=1,
        score=7,
        hand=[pb.CARD_KING, pb.CARD_ARCHITECT, pb.CARD_ADMIRAL, pb.CARD_CASTELLAN, pb.CARD_FARMER],
        table=[pb.CARD_COMMANDER, pb.CARD_ABBOT],
        supply=pb.Supply(ships=2, forts=3, villages=3, villagers=5, abbots=0),
        harvested=[pb.TileCount(tile=pb.TILE_WHEAT, count=1), pb.TileCount(tile=pb.TILE_OLIVE, count=2)],
    )


def test_the_board_says_how_much_there_is_of_everything() -> None:
    """KRETA-SETUP-2, KRETA-SETUP-4"""
    (board,), view = GAME.boards, GAME.view(position(), None)
    assert board.supply == view.seats[0].supply
    dealt = [province.tile for province in view.provinces]
    assert board.tiles == tuple(dealt.count(tile) for tile in Tile)
