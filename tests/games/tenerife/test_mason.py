from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.tenerife import GAME
from skerry_games.tenerife.events import ElementBuilt, MansionBuilt, NoEffect, Reason
from skerry_games.tenerife.moves import BuildElement
from skerry_games.tenerife.state import Character
from tests.games.tenerife.acting import acted, below, choices, happens, refused, reveal
from tests.games.tenerife.drawing import at, drawn, position

MASON = Character.MASON


def test_a_mason_builds_in_the_current_town_for_2_points() -> None:
    """TENERIFE-MASON-1"""
    state, events = acted("place: TAC\ncolumn: M1\nTAC: 0")
    assert below(events, 1) == (MansionBuilt(1, 1, at("TAC"), 2, 2, None),)
    assert drawn(state, "TAC") == "0 1"
    assert GAME.scores(state) == (0, 2, 0)
    assert state.seats[1].mansions == 11


def test_without_a_free_plot_a_mason_has_no_effect() -> None:
    """TENERIFE-MASON-1: the first mason takes the last plot."""
    state, events = acted("place: TAC\ncolumn: M1 M0\nTAC: 0 0")
    assert below(events, 2) == (NoEffect(2, 0, MASON, Reason.TOWN_FULL),)
    assert drawn(state, "TAC") == "0 0 1"
    assert state.seats[0].mansions == 12


def test_without_a_mansion_in_the_supply_a_mason_has_no_effect() -> None:
    """TENERIFE-MASON-1, TENERIFE-MASON-2"""
    for place in ("PUE", "LAG"):
        state, events = acted(f"place: {place}\ncolumn: M0\nseat 0: 0 mansions")
        assert below(events, 1) == (NoEffect(1, 0, MASON, Reason.NO_MANSION),)
        assert (drawn(state, "PUE"), drawn(state, "hall")) == ("", ".. / .... / ....")


def test_a_warehouse_sold_earlier_in_the_round_can_be_built_with() -> None:
    """TENERIFE-MASON-1, TENERIFE-EXPORTER-1"""
    state, _ = acted("column: E0 M0\nseat 0: 0 mansions\nstorage: 0 / - / - / - / - / -")
    assert drawn(state, "PUE") == "0"


def test_in_a_hall_round_a_mason_builds_an_element_on_any_free_plot_without_points() -> None:
    """TENERIFE-MASON-2: 10 touches nothing that is built."""
    state, _ = reveal(position("place: LAG\ncolumn: M0\nhall: 0. / .1.. / ...."))
    assert choices(state) == tuple(map(BuildElement, (2, 3, 5, 6, 7, 8, 9, 10)))
    state, events = happens(state, BuildElement(10))
    assert events[0] == ElementBuilt(1, 0, 10, None)
    assert drawn(state, "hall") == "0. / .1.. / ...0"
    assert GAME.scores(state) == (0, 0, 0)
    assert state.seats[0].mansions == 11


def test_a_taken_plot_is_refused() -> None:
    """TENERIFE-MASON-2"""
    state, _ = reveal(position("place: LAG\ncolumn: M0\nhall: 0. / .1.. / ...."))
    assert refused(state, BuildElement(4)) == "TENERIFE-MASON-2"
    for plot in (0, 11):
        with pytest.raises(MalformedMove):
            GAME.apply(state, 0, BuildElement(plot))


def test_when_the_hall_is_complete_a_mason_has_no_effect() -> None:
    """TENERIFE-MASON-2"""
    state, events = acted("place: LAG\ncolumn: M1 M2\nhall: 00 / 0000 / 000.")
    assert below(events, 2) == (NoEffect(2, 2, MASON, Reason.HALL_FULL),)
    assert state.seats[2].mansions == 12
