from __future__ import annotations

import re
from typing import Any

import pytest

from skerry.games.small_islands.v1 import small_islands_pb2 as pb
from skerry_games.api import BadOptions, MalformedMove
from skerry_games.small_islands import GAME, events, moves
from skerry_games.small_islands.components import (
    COMPONENTS,
    RESOURCES,
    Bonus,
    MissionKind,
    RewardKind,
    Symbol,
)
from skerry_games.small_islands.events import PartKind, TileSource
from skerry_games.small_islands.state import End, Layout, Mode, Options, Phase
from skerry_service.wire.games.small_islands import (
    board_to_proto,
    event_to_proto,
    move_from_proto,
    move_to_proto,
    options_from_proto,
    options_to_proto,
    view_to_wire,
)
from tests.games.small_islands.acting import do, land, pick, take
from tests.games.small_islands.drawing import card, cell, position
from tests.games.small_islands.random_games import states, steps

KINDS = {
    "mode": Mode,
    "start_layout": Layout,
    "symbol": Symbol,
    "bonus_token": Bonus,
    "mission_kind": MissionKind,
    "reward_kind": RewardKind,
    "phase": Phase,
    "end": End,
    "part_kind": PartKind,
    "tile_source": TileSource,
}
GAMES = [
    (Options(), 4, 1),
    (Options(mode=Mode.ADVANCED, start_layout=Layout.FREE), 3, 2),
    (Options(table_size=6), 2, 3),
    (Options(mode=Mode.ADVANCED), 4, 7),
    (Options(mode=Mode.ADVANCED), 4, 8),
]


@pytest.mark.parametrize(
    "options", [Options(), Options("house", Mode.ADVANCED, Layout.FREE, 20, 0), Options(start_seat=3)]
)
def test_options_come_back_as_they_went(options: Options) -> None:
    assert options_from_proto(options_to_proto(options)) == options


def test_empty_options_are_the_default_ones() -> None:
    assert options_from_proto(pb.Options()) == Options("house", Mode.NORMAL, Layout.FIXED, 16, None)


@pytest.mark.parametrize("field", ["mode", "start_layout"])
@pytest.mark.parametrize("number", [3, 77, -1])
def test_numbers_that_no_choice_has_are_refused_with_the_field(field: str, number: int) -> None:
    """SMALL-SETUP-1, SMALL-SETUP-4"""
    with pytest.raises(BadOptions, match=f", not {number} ") as refusal:
        options_from_proto(pb.Options(**{field: number}))  # type: ignore[arg-type]
    assert refusal.value.field == field


@pytest.mark.parametrize(("name", "engine"), KINDS.items(), ids=KINDS.keys())
def test_enums_have_the_numbers_of_the_wire(name: str, engine: Any) -> None:
    wire = {enum.name: dict(enum.values_by_name.items()) for enum in pb.DESCRIPTOR.enum_types_by_name.values()}[
        "".join(part.capitalize() for part in name.split("_"))
    ]
    numbers = {value: descriptor.number for value, descriptor in wire.items()}
    prefix = name.upper()
    assert numbers == {f"{prefix}_{member.name}": int(member) for member in engine} | {f"{prefix}_UNSPECIFIED": 0}


def test_every_enum_is_compared() -> None:
    assert len(KINDS) == len(pb.DESCRIPTOR.enum_types_by_name)


def test_the_board_is_sent_whole() -> None:
    board = board_to_proto("house")
    assert board_to_proto("") == board
    assert (board.edition, board.table_size, board.houses, board.houses_at_hand) == ("house", 16, 8, 4)
    assert [tile.id for tile in board.landscape_tiles] == [face.id for face in COMPONENTS.faces[:56]]
    assert [tile.id for tile in board.start_tiles] == ["S1A", "S1B", "S2A", "S2B", "S3A", "S3B", "S4A", "S4B"]
    tile = board.landscape_tiles[10]
    assert (tile.id, list(tile.land_corners), tile.ports) == ("L11", [True, True, False, False], 1)
    assert [symbol.symbol for symbol in tile.symbols] == [pb.SYMBOL_LEAF, pb.SYMBOL_HOUSE]
    assert (tile.symbols[0].at.x, tile.symbols[0].at.y, len(tile.land), len(tile.port_places)) == (18, 20, 6, 2)
    assert board.start_layout[1] == pb.TurnedTile(tile="S2A", turns=3)
    assert (board.ship_tile.id, list(board.ship_tile.land_corners)) == ("SHIP", [False] * 4)
    assert list(board.discovery_tokens) == [3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    assert list(board.bonus_tokens) == [1, 2, 3, 4]
    assert board.size_points[0] == pb.SizePoints(tiles=3, points=4)


def test_every_printed_thing_has_its_place_on_the_tile() -> None:
    board = board_to_proto("house")
    for tile in (*board.landscape_tiles, *board.start_tiles):
        assert len(tile.port_places) == (2 if 0 < sum(tile.land_corners) < 4 else 0)
        assert tile.ports <= len(tile.port_places)
        places = {(at.x, at.y) for at in (*(each.at for each in tile.symbols), *tile.port_places)}
        assert len(places) == len(tile.symbols) + len(tile.port_places)


def test_cards_are_sent_with_their_halves() -> None:
    cards = {each.id: each for each in board_to_proto("house").cards}
    assert len(cards) == 36
    assert (
        cards["O1"].mission
        == cards["M1"].mission
        == pb.Mission(kind=pb.MISSION_KIND_MORE, symbols=[pb.SYMBOL_FLOWER, pb.SYMBOL_FRUIT])
    )
    assert cards["O1"].reward == pb.Reward(kind=pb.REWARD_KIND_EACH, symbols=[pb.SYMBOL_FLOWER], plus=2)
    assert not cards["M1"].HasField("reward") and not cards["W1"].HasField("mission")


def test_an_unknown_edition_has_no_board() -> None:
    with pytest.raises(KeyError):
        board_to_proto("attic")


TEXT = """
    L24/2 . ~0
    L26   . ~grey
    turn: 1
    reserve: 20
    display: L01 L02
    token: 1 leaf 4,5
    port: 0 4,5
    house: 0 4,4
    seat 0: hand L03 L04 | objective O5 | 7 points
    seat 1: objective O7 | hand L05 L19
"""


def test_a_view_is_sent_with_ids_and_coordinates() -> None:
    state = position(TEXT)
    view = pb.View.FromString(view_to_wire(GAME.view(state, 0)))
    assert (view.mode, view.phase, view.acting_seat, view.round) == (pb.MODE_NORMAL, pb.PHASE_TURN, 1, 1)
    assert view.tiles[0] == pb.LaidTile(at=pb.Cell(x=4, y=4), tile="L24", turns=2)
    assert list(view.ships) == [pb.ShipState(at=pb.Cell(x=6, y=4), seat=0), pb.ShipState(at=pb.Cell(x=6, y=5))]
    assert view.tokens[0] == pb.TokenState(at=pb.Cell(x=4, y=5), seat=1, shows=pb.SYMBOL_LEAF, place=0)
    assert view.tokens[1] == pb.TokenState(at=pb.Cell(x=4, y=5), seat=0, shows=pb.SYMBOL_PORT, place=1)
    assert view.islands[0] == pb.Island(
        cells=[pb.Cell(x=4, y=4), pb.Cell(x=4, y=5)],
        symbols=[
            pb.SymbolCount(symbol=pb.SYMBOL_FRUIT, count=3),
            pb.SymbolCount(symbol=pb.SYMBOL_LEAF, count=1),
            pb.SymbolCount(symbol=pb.SYMBOL_PORT, count=2),
            pb.SymbolCount(symbol=pb.SYMBOL_HOUSE, count=1),
        ],
        houses=[1, 0],
    )
    assert (list(view.display), view.navigation_stack, view.reserve, view.grey_ships) == (["L01", "L02"], 0, 20, 1)
    assert not [name for name in ("taken", "picked", "token", "shows", "end", "housed") if view.HasField(name)]
    assert not view.seats[1].HasField("last_laid")
    mine, other = view.seats
    assert (list(mine.hand), mine.tiles_in_hand, list(mine.open_hand)) == (["L03", "L04"], 2, [])
    assert (list(other.hand), other.tiles_in_hand) == ([], 2)
    assert (list(mine.objective), list(other.objective), other.has_chosen) == (["O5"], [], True)
    assert (len(mine.aside), len(mine.returned), len(other.aside)) == (1, 1, 0)
    assert (mine.score, mine.ship, list(mine.houses)) == (7, pb.Cell(x=6, y=4), [pb.Cell(x=4, y=4)])
    assert len(mine.tokens) == 3 and not other.HasField("ship")


def test_a_tile_that_is_being_laid_is_sent() -> None:
    view = pb.View.FromString(view_to_wire(GAME.view(do(position(TEXT), take("L02"), pick("L05")), None)))
    assert (view.phase, view.taken, view.picked) == (pb.PHASE_LAY_TILE, "L02", "L05")
    assert list(view.seats[1].open_hand) == list(view.seats[1].hand) == ["L02", "L05"]


def test_a_revealed_objective_is_sent_to_all() -> None:
    state = do(position(TEXT.replace("turn: 1", "turn: 0").replace("house: 0 4,4", "")), land("4,6", grey=True))
    view = pb.View.FromString(view_to_wire(GAME.view(state, None)))
    assert (view.phase, list(view.seats[0].objective)) == (pb.PHASE_PLACE_HOUSES, ["O5"])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_view_of_a_game_can_be_sent(game: tuple[Options, int, int]) -> None:
    sizes = [len(view_to_wire(GAME.view(state, 0))) for state in states(*game)]
    assert max(sizes) <= 3000


def test_every_listed_move_comes_back_as_it_went() -> None:
    kinds = set()
    for game in GAMES:
        for _, _, listed, _ in steps(*game):
            for move in listed:
                message = move_to_proto(move)
                kinds.add(message.WhichOneof("kind"))
                assert move_from_proto(pb.Move.FromString(message.SerializeToString())) == move
    for rare in (*map(moves.PickResource, RESOURCES), moves.KeepDiscovery(8), moves.DrawDiscovery(1, (3, 8))):
        kinds.add(move_to_proto(rare).WhichOneof("kind"))
        assert move_from_proto(move_to_proto(rare)) == rare
    assert kinds == {field.name for field in pb.Move.DESCRIPTOR.oneofs_by_name["kind"].fields}


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
        (pb.Move(lay_tile=pb.LayTile(at=AT, turns=4)), "A tile is laid with 0 to 3 quarter turns, not 4."),
        (pb.Move(land_ship=pb.LandShip(at=pb.Cell(x=20))), "There is no cell (20, 0)."),
        (pb.Move(place_house=pb.PlaceHouse(at=pb.Cell(x=1, y=-1))), "There is no cell (1, -1)."),
        (pb.Move(take_token=pb.TakeToken(shows=pb.SYMBOL_PORT)), "Name the bonus token."),
        (pb.Move(take_token=pb.TakeToken(token=7, shows=1)), "There is no bonus token 7."),  # type: ignore[arg-type]
        (pb.Move(place_token=pb.PlaceToken(token=1, at=AT)), "Name the symbol."),  # type: ignore[arg-type]
        (pb.Move(take_token=pb.TakeToken(token=pb.BONUS_TOKEN_ANY)), "Name the symbol."),
        (pb.Move(pick_resource=pb.PickResource(resource=77)), "There is no symbol 77."),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_move_is_refused_with_a_sentence(move: pb.Move, sentence: str) -> None:
    with pytest.raises(MalformedMove, match=re.escape(sentence)):
        move_from_proto(move)


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


HERE, THERE = cell("8,7"), cell("4,5")
RARE = (
    events.HandShown(0, (3, 4, 5), 4),
    events.LastRewardBegun(1),
    events.DiscoveryDrawn(0, 2, (3, 8)),
    events.DiscoveryKept(0, 8),
)


def test_every_event_of_a_game_is_sent_under_its_name_with_its_fields() -> None:
    kinds = set()
    for game in GAMES:
        for state, actor, _, move in steps(*game):
            kinds |= {check_event(event) for event in GAME.apply(state, actor, move)[1]}
    kinds |= {check_event(event) for event in RARE}
    assert kinds == {field.name for field in pb.Event.DESCRIPTOR.oneofs_by_name["kind"].fields}


def check_event(event: Any) -> str:
    """Check that the message has the event's name and each of its values; return its kind."""
    message = event_to_proto(event)
    kind = message.WhichOneof("kind")
    assert kind == snake(type(event).__name__)
    sent = getattr(message, kind)
    assert [field.name for field in sent.DESCRIPTOR.fields] == [*event.__struct_fields__]
    for name in event.__struct_fields__:
        if getattr(event, name) is None:
            assert not sent.HasField(name)
        else:
            check_field(getattr(sent, name), getattr(event, name))
    return kind


def check_field(sent: Any, value: Any) -> None:
    if isinstance(sent, pb.Cell):
        assert cell(f"{sent.x},{sent.y}") == value
    elif isinstance(sent, str):
        ids = {*(face.id for face in COMPONENTS.faces), *(each.id for each in COMPONENTS.cards)}
        assert sent in ids
    elif isinstance(value, tuple):
        assert len(sent) == len(value)
        for one, other in zip(sent, value, strict=True):
            check_field(one, other)
    elif isinstance(sent, pb.Part):
        assert (sent.kind, sent.count, sent.points) == (value.kind, value.count, value.points)
    else:
        assert sent == value


def test_hidden_values_are_not_sent() -> None:
    shown = GAME.show(events.ObjectiveChosen(1, (card("O1"),), (card("O2"),), (card("O3"),)), 0)
    assert shown is not None
    assert event_to_proto(shown).objective_chosen == pb.ObjectiveChosen(seat=1)
    drawn = GAME.show(events.TileDealt(1, 3), None)
    assert drawn is not None
    assert event_to_proto(drawn).tile_dealt == pb.TileDealt(seat=1)
