from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from skerry_games.api import CHANCE, CHANCE_ACTS, BadOptions, MalformedMove
from skerry_games.rng import SeededRng
from skerry_games.small_islands import GAME
from skerry_games.small_islands.events import RoundBegun, StartSeatSet, TileLaid, TileSource
from skerry_games.small_islands.moves import DealCard, DealTile, DrawStartSeat, LayStart, TakeTile, TurnUpTile
from skerry_games.small_islands.phases.starting_tiles import ways
from skerry_games.small_islands.printed.components import COMPONENTS, Bonus
from skerry_games.small_islands.state import Layout, Mode, Options, Phase, State
from skerry_games.small_islands.tabletop.cells import members
from tests.games.small_islands.acting import choices, do, drawn_on, happens, refused
from tests.games.small_islands.drawing import card, cell, face
from tests.games.small_islands.totals import count_pieces

FREE = Options(start_layout=Layout.FREE, start_seat=0)


def beginning(seats: int = 2, **options: Any) -> State:
    return GAME.setup(Options(**options), seats)


@pytest.mark.parametrize("seats", [1, 5])
def test_one_or_five_seats_are_refused(seats: int) -> None:
    """SMALL-SETUP-1"""
    with pytest.raises(BadOptions, match="SMALL-SETUP-1") as refusal:
        beginning(seats)
    assert refusal.value.field == "seats"


@pytest.mark.parametrize(
    ("field", "value", "rule"),
    [
        ("mode", 3, "SMALL-SETUP-1"),
        ("start_layout", 3, "SMALL-SETUP-4"),
        ("table_size", 4, "SMALL-TABLE-1"),
        ("table_size", 7, "SMALL-TABLE-1"),
        ("table_size", 22, "SMALL-TABLE-1"),
        ("start_seat", 2, "Seat 2 does not exist"),
        ("start_seat", -1, "Seat -1 does not exist"),
        ("mode", "advanced", r"normal \(1\) or advanced \(2\), not 'advanced' \(SMALL-SETUP-1\)"),
        ("start_layout", "free", r"fixed \(1\) or free \(2\), not 'free' \(SMALL-SETUP-4\)"),
        ("edition", "attic", "Unknown edition 'attic'"),
    ],
)
def test_options_that_are_not_on_offer_are_refused(field: str, value: Any, rule: str) -> None:
    """SMALL-SETUP-1, SMALL-SETUP-4, SMALL-TABLE-1"""
    with pytest.raises(BadOptions, match=rule) as refusal:
        beginning(**{field: value})
    assert refusal.value.field == field


def test_each_mode_has_twelve_cards_of_its_kinds() -> None:
    """SMALL-SETUP-1"""
    (objectives,) = beginning().decks
    missions, rewards = beginning(mode=Mode.ADVANCED).decks
    assert [len(deck.pile) for deck in (objectives, missions, rewards)] == [12, 12, 12]
    assert {COMPONENTS.cards[number].id[0] for number in objectives.pile} == {"O"}
    assert {COMPONENTS.cards[number].id[0] for number in (*missions.pile, *rewards.pile)} == {"M", "W"}


def test_everything_is_there_when_the_game_begins() -> None:
    """SMALL-SETUP-2"""
    view = GAME.view(beginning(4), None)
    assert (view.reserve, view.discoveries_left) == (56, 12)
    for seat in view.seats:
        assert (seat.houses_at_hand, seat.houses_left, seat.tokens, seat.score) == (4, 4, tuple(Bonus), 0)
    assert count_pieces(beginning(4))["landscape tiles"] == 56


def test_each_seat_draws_two_tiles_and_a_card_in_secret_and_three_tiles_lie_open() -> None:
    """SMALL-SETUP-3"""
    dealt = zip((0, 0, 1, 1), ("L01", "L02", "L03", "L04"), strict=True)
    state = do(beginning(2, start_seat=0), *(DealTile(seat, face(tile)) for seat, tile in dealt))
    assert [seat.hand for seat in GAME.view(state, 0).seats] == [(face("L01"), face("L02")), ()]
    assert [seat.tiles_in_hand for seat in GAME.view(state, None).seats] == [2, 2]
    state = do(state, *map(TurnUpTile, (face("L05"), face("L06"), face("L07"))))
    assert GAME.view(state, None).display == (face("L05"), face("L06"), face("L07"))
    assert GAME.view(state, None).reserve == 49
    state = do(state, DealCard(0, card("O3")))
    assert [seat.cards for seat in GAME.view(state, 0).seats] == [(card("O3"),), ()]
    assert [seat.cards for seat in GAME.view(state, 1).seats] == [(), ()]


def test_in_the_advanced_mode_each_seat_draws_a_mission_and_a_reward() -> None:
    """SMALL-SETUP-3"""
    state = beginning(2, start_seat=0, mode=Mode.ADVANCED)
    while state.phase is not Phase.DEAL_CARDS:
        state = do(state, GAME.draw(state, SeededRng(bytes(32), 1)))
    state = do(state, DealCard(0, card("M3")), DealCard(0, card("W3")))
    assert GAME.view(state, 0).seats[0].cards == (card("M3"), card("W3"))


def test_tiles_and_cards_are_drawn_by_chance_alone_and_once() -> None:
    """SMALL-SETUP-3"""
    state = beginning(2, start_seat=0)
    assert refused(state, TakeTile(0), actor=0) == "SMALL-SETUP-3"
    assert refused(do(state, DealTile(0, 3)), DealTile(0, 3)) == "SMALL-SETUP-3"
    assert refused(state, DealTile(1, 3)) == "SMALL-SETUP-3", "seat 0 draws first"
    assert refused(state, TurnUpTile(3)) == "SMALL-SETUP-3"
    assert refused(state, DealCard(0, 0)) == "SMALL-SETUP-3"
    with pytest.raises(MalformedMove):
        GAME.apply(state, CHANCE, DealTile(0, 56))


def test_the_fixed_starting_tiles_lie_in_the_middle() -> None:
    """SMALL-SETUP-4, SMALL-TABLE-1"""
    state = drawn_on(beginning(2, start_seat=1))
    laid = [(tile.at, COMPONENTS.faces[tile.tile].id, tile.turns) for tile in state.table.tiles]
    assert laid == [
        (cell("7,7"), "S1A", 1),
        (cell("8,7"), "S2A", 3),
        (cell("8,8"), "S3A", 3),
        (cell("7,8"), "S4A", 1),
    ]
    assert len(state.table.chart.islands) == 1


@pytest.mark.parametrize(("size", "corner"), [(6, "2,2"), (10, "4,4"), (20, "9,9")])
def test_the_middle_is_that_of_the_table(size: int, corner: str) -> None:
    """SMALL-TABLE-1"""
    state = drawn_on(beginning(2, table_size=size))
    assert state.table.tiles[0].at == cell(corner)
    assert max(members(state.table.edge)) <= cell(f"{size - 1},{size - 1}")


def test_the_start_seat_is_drawn_unless_the_options_name_it() -> None:
    """SMALL-SETUP-4"""
    state = beginning(3)
    assert choices(state) == (DrawStartSeat(0), DrawStartSeat(1), DrawStartSeat(2))
    assert refused(state, DealTile(0, 3)) == "SMALL-SETUP-4"
    state, events = happens(state, DrawStartSeat(2))
    assert events == (StartSeatSet(2),)
    assert GAME.view(state, None).first_seat == 2
    assert beginning(3, start_seat=1).phase is Phase.DEAL_TILES
    with pytest.raises(MalformedMove):
        GAME.apply(beginning(3), CHANCE, DrawStartSeat(3))


def start(name: str, at: str, turns: int = 0) -> LayStart:
    return LayStart(face(name), cell(at), turns)


def test_in_the_free_layout_the_start_seat_lays_them_one_by_one() -> None:
    """SMALL-SETUP-4"""
    state = drawn_on(GAME.setup(replace(FREE, start_seat=1), 2))
    assert GAME.to_act(state) == (1,)
    assert len(choices(state)) <= 128
    state, events = happens(state, start("S4B", "8,7", 2))
    assert events == (TileLaid(1, face("S4B"), cell("8,7"), 2, TileSource.START),)
    assert refused(state, start("S4A", "7,7")) == "SMALL-SETUP-4"
    for _ in range(2):
        state = do(state, choices(state)[-1])
    state, events = happens(state, choices(state)[0])
    assert isinstance(events[-1], RoundBegun)
    assert {tile.at for tile in state.table.tiles} == {cell(at) for at in ("7,7", "8,7", "7,8", "8,8")}
    assert not state.table.chart.land & state.table.chart.sea


def test_while_starting_tiles_are_laid_or_a_tile_is_turned_up_others_are_refused_with_the_rule_for_that() -> None:
    """SMALL-SETUP-4, SMALL-EXPLORE-2"""
    state = drawn_on(GAME.setup(replace(FREE, start_seat=1), 2))
    assert refused(state, start("S4B", "8,7", 2), actor=0) == "SMALL-SETUP-4"
    state = GAME.setup(Options(start_seat=0), 2)
    while state.phase is not Phase.TURN_UP:
        state = do(state, GAME.legal_moves(state, CHANCE)[0])
    assert refused(state, TakeTile(0), actor=0) == "SMALL-EXPLORE-2"


def test_a_starting_tile_is_laid_by_the_rules_of_placement_on_a_middle_cell() -> None:
    """SMALL-SETUP-4"""
    state = drawn_on(GAME.setup(FREE, 2))
    assert refused(state, start("S1A", "6,7")) == "SMALL-TABLE-1"
    state = do(state, start("S1B", "7,7", 2))
    assert refused(state, start("S2A", "8,8")) == "SMALL-TILE-2"
    assert refused(state, start("S2A", "7,7")) == "SMALL-TILE-2"
    assert refused(state, start("S2A", "8,7", 0)) == "SMALL-TILE-3"
    assert refused(state, TakeTile(0)) == "SMALL-SETUP-4"
    with pytest.raises(MalformedMove):
        GAME.apply(state, 0, start("L01", "8,7"))


def test_a_layout_that_could_not_be_finished_is_refused() -> None:
    """SMALL-SETUP-4: with S3B like this the last cell would have sea at three corners, and S4 has not."""
    state = drawn_on(GAME.setup(FREE, 2))
    state = do(state, start("S1A", "7,7"), start("S2A", "8,7"))
    assert start("S3B", "8,8", 2) in set(ways(state.table))
    assert refused(state, start("S3B", "8,8", 2)) == "SMALL-SETUP-4"


def test_no_free_layout_gets_stuck() -> None:
    """SMALL-SETUP-4: every way to the third tile leaves a way for the fourth."""
    state = drawn_on(GAME.setup(FREE, 2))
    for first in choices(state)[::9]:
        second = do(state, first)
        assert choices(second)
        for move in choices(second)[::5]:
            third = do(second, move)
            assert all(choices(do(third, last)) for last in choices(third)[::3])


def test_there_are_four_ships() -> None:
    """SMALL-SETUP-5"""
    assert [GAME.view(beginning(seats), None).grey_ships for seats in (2, 3, 4)] == [2, 1, 0]
    assert {count_pieces(beginning(seats))["ships"] for seats in (2, 3, 4)} == {4}


def test_chance_is_drawn_only_when_it_acts() -> None:
    state = drawn_on(beginning())
    assert GAME.to_act(state) != CHANCE_ACTS
    with pytest.raises(ValueError, match="chance is not to act"):
        GAME.draw(state, SeededRng(bytes(32), 0))


def test_every_value_of_a_discovery_token_is_as_likely_as_there_are_tokens() -> None:
    """SMALL-SETUP-2: house edition."""
    assert Counter(COMPONENTS.discovery_tokens) == dict.fromkeys(range(3, 9), 2)
