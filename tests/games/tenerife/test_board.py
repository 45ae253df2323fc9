from __future__ import annotations

from skerry_games.tenerife.actions.roads import DISTANCES
from skerry_games.tenerife.printed.tenerife_board import BOARD, Good
from skerry_games.tenerife.state import LA_LAGUNA
from tests.games.tenerife.drawing import at


def test_the_house_edition_is_the_board_that_the_rules_describe() -> None:
    """TENERIFE-MASON-1, TENERIFE-FARMER-1"""
    assert BOARD.edition == "house"
    assert [(place.name, len(place.plots), place.farmers_symbol) for place in BOARD.places] == [
        ("Garachico", 5, True),
        ("Icod", 4, True),
        ("Puerto de la Cruz", 4, False),
        ("La Orotava", 3, True),
        ("Tacoronte", 3, True),
        ("Santa Cruz", 5, False),
        ("La Laguna", 0, False),
    ]


def test_the_storage_is_sugar_5_4_3_and_wine_3_4_5() -> None:
    """TENERIFE-FARMER-3"""
    assert [(space.good, space.value, space.room) for space in BOARD.storage] == [
        (Good.SUGAR, 5, 1),
        (Good.SUGAR, 4, 1),
        (Good.SUGAR, 3, 1),
        (Good.WINE, 3, 3),
        (Good.WINE, 4, 3),
        (Good.WINE, 5, 3),
    ]
    assert BOARD.farmhand_returns_to == 4


def test_lines_score_1_3_4_and_7() -> None:
    """TENERIFE-HALL-1"""
    assert BOARD.line_points == (1, 3, 4, 7)


def test_roads_are_mutual_and_match_the_house_edition() -> None:
    """TENERIFE-MERCHANT-2, TENERIFE-ROB-MASON-1"""
    for number, place in enumerate(BOARD.places):
        assert all(number in BOARD.places[other].neighbours for other in place.neighbours)
    assert BOARD.places[at("ICO")].neighbours == (at("GAR"), at("PUE"), at("ORO"))
    assert BOARD.places[LA_LAGUNA].neighbours == (at("TAC"), at("SCR"))
    assert sum(len(place.neighbours) for place in BOARD.places) == 2 * 7


def test_distances_count_roads() -> None:
    """TENERIFE-ROB-MASON-1"""
    assert DISTANCES[at("GAR")] == {
        at("ICO"): 1,
        at("PUE"): 2,
        at("ORO"): 2,
        at("TAC"): 3,
        LA_LAGUNA: 4,
        at("SCR"): 5,
    }


def test_the_hall_has_rows_of_2_4_and_4_plots_of_which_the_top_row_is_closed_with_two_seats() -> None:
    """TENERIFE-MASON-2, TENERIFE-TWO-1"""
    rows = [[plot.column for plot in BOARD.hall_plots if plot.row == row] for row in range(3)]
    assert rows == [[1, 2], [0, 1, 2, 3], [0, 1, 2, 3]]
    assert [plot.closed_with_two_seats for plot in BOARD.hall_plots] == [True, True, *[False] * 8]
