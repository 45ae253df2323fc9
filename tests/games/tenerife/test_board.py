from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from skerry_games.tenerife.actions.roads import DISTANCES
from skerry_games.tenerife.printed.tenerife_board import BOARD, Good, TenerifeBoardError, parse_board
from skerry_games.tenerife.state import LA_LAGUNA
from tests.games.tenerife.drawing import at

TEXT = files("skerry_games.tenerife").joinpath("house.json").read_text(encoding="utf-8")
Raw = dict[str, Any]
Fault = Callable[[Raw], object]


def without_symbols(raw: Raw) -> None:
    for town in raw["towns"].values():
        town["farmers_symbol"] = False


def renamed(old: str, new: str) -> Fault:
    def rename(raw: Raw) -> None:
        raw["towns"] = {key.replace(old, new): town for key, town in raw["towns"].items()}

    return rename


def swap_plots(raw: Raw) -> None:
    plots = raw["hall"]["plots"]
    plots[0], plots[1] = plots[1], plots[0]


def move_plot(raw: Raw) -> None:
    raw["hall"]["plots"][0]["row"] = -1


FAULTS: dict[str, tuple[Fault, str]] = {
    "field": (lambda raw: raw["towns"]["GAR"].pop("name"), r"house.json: .*`name`.*towns"),
    "spelling": (lambda raw: raw["hall"].update(colour="red"), r"house.json: .*unknown field `colour`"),
    "plot field": (lambda raw: raw["hall"]["plots"][0].update(closed=True), r"unknown field `closed`"),
    "type": (lambda raw: raw["towns"]["GAR"].update(at=[1, "2"]), r"house.json: Expected `int`.*towns"),
    "towns": (lambda raw: raw["towns"].pop("GAR"), r"there are 5 towns instead of 6"),
    "santa cruz": (renamed("SCR", "SAN"), r"there is no town SCR, whose card"),
    "puerto": (renamed("PUE", "POR"), r"there is no town PUE, which gets a farmer's symbol by an option"),
    "hall id": (lambda raw: raw["hall"].update(id="GAR"), r"the Town Hall has the id of a town: GAR"),
    "few plots": (
        lambda raw: raw["towns"]["ORO"].update(plots=[[1, 1]]),
        r"line 9: town ORO has 1 plots instead of 3 to 5",
    ),
    "many plots": (lambda raw: raw["towns"]["GAR"]["plots"].append([1, 1]), r"line 6: town GAR has 6 plots"),
    "symbol by an option": (
        lambda raw: raw["towns"]["PUE"].update(farmers_symbol=True),
        r"line \d+: town PUE has a farmer's symbol, but only an option may give it one",
    ),
    "symbols": (without_symbols, r"some towns must have a farmer's symbol, and some must not"),
    "road to athens": (lambda raw: raw["roads"].append(["GAR", "ATH"]), r"a road leads to 'ATH', which does not"),
    "loop": (lambda raw: raw["roads"].append(["GAR", "GAR"]), r"a road joins GAR to itself"),
    "road twice": (lambda raw: raw["roads"].append(["ICO", "GAR"]), r"two roads join the same places"),
    "cut off": (lambda raw: raw["roads"].pop(), r"no road leads from GAR to SCR"),
    "hall plots": (lambda raw: raw["hall"]["plots"].pop(), r"the Town Hall has 9 plots instead of 10"),
    "order of plots": (swap_plots, r"must be listed row by row"),
    "row of a plot": (move_plot, r"each once, from 0"),
    "closed": (
        lambda raw: raw["hall"]["plots"][0].update(closed_with_two_seats=False),
        r"1 plots of the Town Hall are closed with 2 seats instead of 2",
    ),
    "line points": (
        lambda raw: raw.update(line_points=[1, 3, 3, 7]),
        r"the points for lines of 1 to 4 elements must increase",
    ),
    "short lines": (lambda raw: raw.update(line_points=[1, 3, 4]), r"lines of 1 to 4 elements"),
    "storage value": (lambda raw: raw["storage"][0].update(value=6), r"the storage must be sugar 5, 4, 3"),
    "storage room": (lambda raw: raw["storage"][3].update(room=2), r"then wine 3, 4, 5 with room for 3"),
    "storage good": (lambda raw: raw["storage"][3].update(good="rum"), r"the storage must be sugar"),
    "farmhand": (lambda raw: raw.update(farmhand_returns_to=1), r"must return to storage space 4"),
    "column": (lambda raw: raw["column"].pop(), r"the column has 11 spaces instead of 12"),
    "transport": (lambda raw: raw["transport"].append([1, 1]), r"the transport has 4 spaces instead of 3"),
    "town outside": (lambda raw: raw["towns"]["TAC"].update(at=[1001, 0]), r"TAC has the point 1001, 0 outside 1000 x"),
    "plot outside": (lambda raw: raw["hall"]["plots"][9].update(at=[5, 721]), r"hall has the point 5, 721 outside"),
    "storage outside": (lambda raw: raw["storage"][1].update(at=[-1, 0]), r"storage has the point -1, 0 outside"),
    "column outside": (lambda raw: raw.update(column=[[0, 999]] * 12), r"column has the point 0, 999 outside"),
    "transport outside": (lambda raw: raw.update(transport=[[0, 999]] * 3), r"transport has the point 0, 999 outside"),
}


def lined(raw: Raw) -> str:
    """Return the board as text, a line for each town as in the file."""
    return json.dumps(raw | {"towns": None}, indent=1).replace(
        '"towns": null',
        '"towns": {\n'
        + ",\n".join(f"  {json.dumps(key)}: {json.dumps(town)}" for key, town in raw["towns"].items())
        + "\n }",
    )


@pytest.mark.parametrize(("fault", "problem"), FAULTS.values(), ids=FAULTS.keys())
def test_a_faulty_board_is_rejected_with_its_error(fault: Fault, problem: str) -> None:
    raw = json.loads(TEXT)
    fault(raw)
    with pytest.raises(TenerifeBoardError, match=problem):
        parse_board(lined(raw))


def test_the_error_names_its_line() -> None:
    wrong = TEXT.replace('"farmhand_returns_to": 4', '"farmhand_returns_to": 5')
    line = 1 + wrong.splitlines().index(' "farmhand_returns_to": 5,')
    with pytest.raises(TenerifeBoardError, match=f"house.json, line {line}: the farmhand must return"):
        parse_board(wrong)


def test_text_that_is_not_json_is_rejected() -> None:
    with pytest.raises(TenerifeBoardError, match=r"house.json: "):
        parse_board(TEXT[:-3])


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
