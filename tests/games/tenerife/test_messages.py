from __future__ import annotations

import re

import pytest

from skerry.games.tenerife.v1 import tenerife_pb2 as pb
from skerry_games.api import MalformedMove
from skerry_games.tenerife import GAME, events
from skerry_games.tenerife.board import TableSize
from skerry_games.tenerife.state import CharacterCard
from skerry_service.wire.payloads import codec_of
from tests.games.tenerife.acting import laying
from tests.games.tenerife.drawing import at

CODEC = codec_of("tenerife")


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (pb.Move(), "The move is empty"),
        (pb.Move(lay=pb.Lay()), "There is no space 0: spaces are numbered 1 to 12"),
        (pb.Move(lay=pb.Lay(space=13)), "There is no space 13"),
        (pb.Move(lay=pb.Lay(space=1)), "Name the character."),
        (pb.Move(lay=pb.Lay(space=1, character=0)), "Name the character."),  # type: ignore[arg-type]
        (pb.Move(lay=pb.Lay(space=1, character=6)), "There is no character 6."),  # type: ignore[arg-type]
        (pb.Move(lay=pb.Lay(space=1, character=1, colour=3)), "There is no colour 3."),  # type: ignore[arg-type]
        (pb.Move(lay=pb.Lay(space=1, character=3, colour=2)), "No card has character 3 and colour 2."),  # type: ignore[arg-type]
        (pb.Move(build_element=pb.BuildElement()), "There is no plot 0: plots are numbered 1 to 10"),
        (pb.Move(build_mansion=pb.BuildMansion()), "Name the town."),
        (
            pb.Move(build_mansion=pb.BuildMansion(town="LAG")),
            "There is no town 'LAG'. There are: GAR, ICO, ",
        ),
        (pb.Move(export=pb.Export(storage=7)), "There is no storage space 7: storage spaces are numbered 1 to 6"),
        (pb.Move(export=pb.Export(storage=1, victim=4)), "There is no seat 4: seats are numbered 0 to 3"),
        (pb.Move(build_mansion=pb.BuildMansion(town="GAR", victim=-1)), "There is no seat -1"),
        (pb.Move(draw_start_seat=pb.DrawStartSeat(seat=4)), "There is no seat 4"),
        (pb.Move(move_merchant=pb.MoveMerchant(place="gar")), "There is no place 'gar'"),
        (pb.Move(turn_up_town=pb.TurnUpTown(town="ATH")), "There is no town 'ATH'"),
    ],
)
def test_a_malformed_move_is_rejected_with_a_sentence(move: pb.Move, sentence: str) -> None:
    with pytest.raises(MalformedMove, match=re.escape(sentence)):
        CODEC.move_from_proto(move)


def test_a_masked_card_is_sent_without_its_character_and_is_no_move() -> None:
    """TENERIFE-ROUND-3"""
    shown = GAME.show_move(laying(4, CharacterCard.SECOND_THIEVES), 0, 1)
    message = CODEC.move_to_proto(shown)
    assert message == pb.Move(lay=pb.Lay(space=4, colour=pb.COLOUR_SECOND))
    with pytest.raises(MalformedMove, match="Name the character"):
        CODEC.move_from_proto(message)


def test_without_a_colour_a_card_has_the_seats_own() -> None:
    move = CODEC.move_from_proto(pb.Move(lay=pb.Lay(space=1, character=pb.CHARACTER_MASON)))
    assert move == laying(1, CharacterCard.MASON)


def test_revealed_cards_and_lines_of_the_hall_are_sent() -> None:
    revealed = events.CharactersRevealed((events.RevealedCard(1, 2, CharacterCard.SECOND_THIEVES),))
    assert list(CODEC.event_to_proto(revealed).characters_revealed.cards) == [
        pb.RevealedCard(space=1, seat=2, card=pb.Card(character=pb.CHARACTER_THIEVES, colour=pb.COLOUR_SECOND))
    ]
    scored = CODEC.event_to_proto(events.HallScored(1, ((4, 5, 6), (7,)), 5)).hall_scored
    assert [list(line.plots) for line in scored.lines] == [[4, 5, 6], [7]]


def test_the_board_has_roads_and_the_values_that_depend_on_the_number_of_seats() -> None:
    """TENERIFE-SETUP-1, TENERIFE-ROUND-2, TENERIFE-TRANSPORT-1, TENERIFE-TWO-1"""
    (board,) = GAME.boards
    roads = "GAR-ICO ICO-PUE ICO-ORO PUE-ORO ORO-TAC TAC-LAG SCR-LAG"
    assert board.roads == tuple((at(road[:3]), at(road[4:])) for road in roads.split())
    assert [place.id for place in board.places if place.town_hall] == ["LAG"]
    assert board.table_sizes == (
        TableSize(seats=2, spaces=8, characters_each=4, transport_spaces=2, removed_town=at("SCR")),
        TableSize(seats=3, spaces=9, characters_each=3, transport_spaces=2, removed_town=at("SCR")),
        TableSize(seats=4, spaces=12, characters_each=3, transport_spaces=3, removed_town=None),
    )
