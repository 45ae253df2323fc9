from __future__ import annotations

import re

import pytest

from skerry.games.small_islands.v1 import small_islands_pb2 as pb
from skerry_games.api import BadOptions, MalformedMove
from skerry_games.small_islands import GAME, moves
from skerry_service.wire.payloads import codec_of
from tests.games.small_islands.drawing import position

CODEC = codec_of("small_islands")
AT = pb.Cell(x=8, y=7)


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (pb.Move(), "The move is empty"),
        (pb.Move(turn_up_tile=pb.TurnUpTile(tile="L99")), "There is no tile 'L99'."),
        (pb.Move(deal_tile=pb.DealTile(seat=1)), "Name the tile."),
        (pb.Move(deal_card=pb.DealCard(seat=1)), "Name the card."),
        (pb.Move(keep_discovery=pb.KeepDiscovery()), "Name the value of the discovery token."),
        (pb.Move(choose_objective=pb.ChooseObjective(chosen=["O1"], aside=["O13"])), "There is no card 'O13'."),
        (pb.Move(lay_tile=pb.LayTile()), "Name the cell."),
        (
            pb.Move(lay_tile=pb.LayTile(at=AT, turns=4)),
            "There is no quarter turn 4:",
        ),
        (pb.Move(land_ship=pb.LandShip(at=pb.Cell(x=20))), "There is no cell (20, 0)."),
        (pb.Move(place_house=pb.PlaceHouse(at=pb.Cell(x=1, y=-1))), "There is no cell (1, -1)."),
        (pb.Move(take_token=pb.TakeToken(shows=pb.SYMBOL_PORT)), "Name the bonus token."),
        (pb.Move(take_token=pb.TakeToken(token=7, shows=1)), "There is no bonus token 7."),  # type: ignore[arg-type]
        (pb.Move(place_token=pb.PlaceToken(token=1, at=AT)), "Name the symbol."),  # type: ignore[arg-type]
        (pb.Move(take_token=pb.TakeToken(token=pb.BONUS_TOKEN_ANY)), "Name the symbol."),
        (pb.Move(pick_resource=pb.PickResource(resource=77)), "There is no symbol 77."),  # type: ignore[arg-type]
    ],
)
def test_a_malformed_move_is_rejected_with_a_sentence(move: pb.Move, sentence: str) -> None:
    with pytest.raises(MalformedMove, match=re.escape(sentence)):
        CODEC.move_from_proto(move)


@pytest.mark.parametrize("field", ["mode", "start_layout"])
def test_unknown_options_are_rejected_by_name(field: str) -> None:
    with pytest.raises(BadOptions) as refusal:
        CODEC.options_from_proto(pb.Options(**{field: 3}))  # type: ignore[arg-type]
    assert refusal.value.field == field
    assert f"Choose one of {field.upper()}_" in refusal.value.sentence


def test_drawn_values_may_be_named_in_any_order() -> None:
    drawn = CODEC.move_from_proto(pb.Move(draw_discovery=pb.DrawDiscovery(seat=1, values=[8, 3])))
    assert drawn == moves.DrawDiscovery(1, (3, 8))


def test_a_grey_ship_has_no_seat_and_a_zero_count_is_left_out() -> None:
    text = "L24/2 . ~0\nL26 . ~grey\nturn: 1"
    view = pb.View.FromString(CODEC.view_to_wire(GAME.view(position(text), None)))
    assert list(view.ships) == [pb.ShipState(at=pb.Cell(x=6, y=4), seat=0), pb.ShipState(at=pb.Cell(x=6, y=5))]
    assert [count.symbol for count in view.islands[0].symbols] == [
        pb.SYMBOL_FLOWER,
        pb.SYMBOL_FRUIT,
        pb.SYMBOL_PORT,
        pb.SYMBOL_HOUSE,
    ]


def test_every_printed_thing_has_its_place_on_the_tile() -> None:
    (board,) = GAME.boards
    for tile in (*board.landscape_tiles, *board.start_tiles):
        assert len(tile.port_places) == (2 if 0 < sum(tile.land_corners) < 4 else 0)
        assert tile.ports <= len(tile.port_places)
        places = {*(at for _, at in tile.symbols), *tile.port_places}
        assert len(places) == len(tile.symbols) + len(tile.port_places)
