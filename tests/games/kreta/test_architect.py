from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.kreta import GAME
from skerry_games.kreta.events import FortBuilt, VillageBuilt
from skerry_games.kreta.moves import BuildFort, BuildVillage
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, drawn, position


def test_a_fort_or_a_village_is_built_from_the_supply() -> None:
    """KRETA-ARCHITECT-1"""
    state = position("turn: 0 architect\nseat 0: tiles olive")
    forts, villages = [BuildFort(space) for space in range(1, 27)], [BuildVillage(number) for number in range(16)]
    assert choices(state) == (*forts, *villages)
    with_fort, events = happens(state, BuildFort(16))
    assert events == (FortBuilt(0, 16),)
    assert GAME.view(with_fort, None).forts == ((16, 0),)
    assert GAME.view(with_fort, None).seats[0].supply.forts == 2
    with_village, announced_next = happens(state, BuildVillage(at("PED")))
    assert announced_next == (VillageBuilt(0, at("PED")),)
    assert drawn(with_village, "PED") == "V0"
    assert GAME.view(with_village, None).seats[0].supply.villages == 3


def test_what_is_used_up_cannot_be_built() -> None:
    """KRETA-ARCHITECT-1"""
    tiles = "seat 0: tiles olive olive olive olive wine"
    no_fort = position(f"turn: 0 architect\nfort 1: 0\nfort 2: 0\nfort 3: 0\n{tiles}")
    assert refused(no_fort, BuildFort(4)) == "KRETA-ARCHITECT-1"
    assert BuildVillage(at("PED")) in choices(no_fort)
    no_village = position(f"turn: 0 architect\nKIS: VVVV0\n{tiles}")
    assert refused(no_village, BuildVillage(at("PED"))) == "KRETA-ARCHITECT-1"
    assert BuildFort(4) in choices(no_village)


def test_one_fort_to_a_fort_space() -> None:
    """KRETA-ARCHITECT-2"""
    state = position("turn: 0 architect\nfort 7: 1\nfort 8: 0")
    assert refused(state, BuildFort(7)) == "KRETA-ARCHITECT-2"
    assert refused(state, BuildFort(8)) == "KRETA-ARCHITECT-2"
    assert len(choices(state)) == 24


def test_a_fort_is_no_figure_and_peace_does_not_stop_it() -> None:
    """KRETA-ARCHITECT-2: fort space 22 lies between crowded Candia and peaceful Mirabello."""
    state = position("turn: 0 architect\nCAN: vvv1 VVVV1\nMIR: A1")
    built = do(state, BuildFort(22))
    figures = [province.figures for province in GAME.view(built, None).provinces]
    assert (figures[at("CAN")], figures[at("MIR")]) == (7, 1)


@pytest.mark.parametrize(
    ("villages", "tiles", "may_build"),
    [
        ("", "", False),
        ("", "olive", True),
        ("V0", "olive", False),
        ("V0", "olive cheese", True),
        ("VVV0", "olive cheese wine", False),
        ("VVV0", "olive cheese wine wine", True),
    ],
)
def test_the_nth_village_needs_n_harvested_tiles(villages: str, tiles: str, may_build: bool) -> None:
    """KRETA-ARCHITECT-3"""
    state = position(f"turn: 0 architect\nKIS: {villages}\nseat 0: tiles {tiles}")
    move = BuildVillage(at("PED"))
    if may_build:
        built = do(state, move)
        assert built.seats[0].harvested == state.seats[0].harvested, "tiles are not spent"
    else:
        assert refused(state, move) == "KRETA-ARCHITECT-3"


def test_no_village_where_seven_figures_are() -> None:
    """KRETA-ARCHITECT-4"""
    state = position("turn: 0 architect\nCAN: vvv1 VVVV1\nseat 0: tiles olive")
    assert refused(state, BuildVillage(at("CAN"))) == "KRETA-ARCHITECT-4"
    assert BuildVillage(at("CAN")) in choices(position("turn: 0 architect\nCAN: vv1 VVVV1\nseat 0: tiles olive"))


def test_no_village_against_the_peace() -> None:
    """KRETA-ARCHITECT-4: refused under the rule that forbids it, KRETA-PEACE-1."""
    state = position("turn: 0 architect\nCAN: A1\nseat 0: tiles olive")
    assert refused(state, BuildVillage(at("CAN"))) == "KRETA-PEACE-1"


@pytest.mark.parametrize("move", [BuildFort(0), BuildFort(27), BuildVillage(16), BuildVillage(-1)])
def test_a_place_that_does_not_exist_is_no_move(move: BuildFort | BuildVillage) -> None:
    with pytest.raises(MalformedMove):
        GAME.apply(position("turn: 0 architect"), 0, move)
