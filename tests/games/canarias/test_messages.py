from __future__ import annotations

import re

import pytest

from skerry.games.canarias.v1 import canarias_pb2 as pb
from skerry_games.api import BadOptions, MalformedMove
from skerry_games.canarias import GAME, moves
from skerry_service.wire.payloads import codec_of
from tests.games.canarias.drawing import card, position, sq

CODEC = codec_of("canarias")


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
        CODEC.move_from_proto(move)


def test_squares_may_be_named_in_any_order() -> None:
    for squares in (["A1", "C5"], ["C5", "A1"]):
        move = CODEC.move_from_proto(pb.Move(build_palace=pb.BuildPalace(squares=squares)))
        assert move == moves.BuildPalace((sq("A1"), sq("C5")))


@pytest.mark.parametrize("field", ["islands", "deck"])
def test_unknown_options_are_rejected_by_name(field: str) -> None:
    with pytest.raises(BadOptions) as refusal:
        CODEC.options_from_proto(pb.Options(**{field: 3}))  # type: ignore[arg-type]
    assert refusal.value.field == field
    assert f"Choose one of {field.upper()}_" in refusal.value.sentence


def test_a_view_is_sent_with_squares_and_cards() -> None:
    text = """
        turn: 1
        ship: hidalgo-c 0:monje-a
        privileges: red 0
        seat 0 on island 1: segador-a pirate-red
          r  r  #  #  GG ~
          .  B  .  .  .  .
        seat 1 on island 2: cantero-b monje-b
    """
    view = pb.View.FromString(CODEC.view_to_wire(GAME.view(position(text), 0)))
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
    assert [privilege.HasField("owner") for privilege in view.privileges] == [False] * 5 + [True]
    assert (list(view.hand), list(view.aboard)) == (
        ["segador-a", "pirate-red"],
        [pb.Passenger(card="monje-a", seat=0)],
    )


def test_the_board_has_settlers_and_pirates_and_everything_to_draw_an_island() -> None:
    """CANARIAS-SETUP-1, CANARIAS-SETUP-2"""
    (board,) = GAME.boards
    reaper, pirate = board.cards[card("segador-a")], board.cards[-1]
    assert (reaper.occupation, reaper.english, reaper.colour, len(reaper.priorities)) == ("Segador", "reaper", 5, 4)
    assert (pirate.id, pirate.occupation, pirate.colour, pirate.priorities) == ("pirate-red", None, 5, ())
    island = board.islands[0]
    assert (len(island.squares), len(island.neighbours)) == (12, 13)
    assert (sq("B5"), sq("C5")) in island.neighbours
    assert {line.feature.name for line in island.borders} == {"COAST", "RIVER", "MOUNTAIN", "ROAD"}
