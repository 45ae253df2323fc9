from __future__ import annotations

import pytest

from skerry_games.kreta import GAME
from skerry_games.kreta.events import AbbotMoved, AbbotPlaced
from skerry_games.kreta.moves import (
    HALT,
    BuildFort,
    BuildVillage,
    Harvest,
    March,
    Move,
    MoveAbbot,
    PlaceAbbot,
    PlaceShip,
    PlayCard,
    Recruit,
    TurnUpFort,
)
from skerry_games.kreta.state import KretaCard
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, drawn, position

PEACEFUL = "CAN: A1 | ship 0"


def place(province: str) -> PlaceAbbot:
    return PlaceAbbot(at(province))


def walk(origin: str, target: str) -> MoveAbbot:
    return MoveAbbot(at(origin), at(target))


def test_the_abbot_comes_from_the_supply_into_any_province() -> None:
    """KRETA-ABBOT-1"""
    state = position("turn: 0 abbot")
    assert choices(state) == tuple(PlaceAbbot(number) for number in range(16))
    state, events = happens(state, place("LAS"))
    assert events == (AbbotPlaced(0, at("LAS")),)
    assert drawn(state, "LAS") == "A0"
    assert GAME.view(state, None).seats[0].supply.abbots == 0


def test_the_abbot_moves_one_to_three_provinces() -> None:
    """KRETA-ABBOT-1"""
    state = position("turn: 0 abbot\nKIS: A0")
    near = {"KYD", "LEF", "SEL", "RET", "AMA", "SFA", "MYL", "PED", "MES"}
    assert set(choices(state)) == {walk("KIS", province) for province in near}
    state, events = happens(state, walk("KIS", "MES"))
    assert events == (AbbotMoved(0, at("KIS"), at("MES"), (at("SEL"), at("SFA"))),)
    assert (drawn(state, "KIS"), drawn(state, "MES")) == ("", "A0")


def test_the_abbot_neither_stays_nor_moves_farther() -> None:
    """KRETA-ABBOT-1"""
    state = position("turn: 0 abbot\nKIS: A0")
    assert refused(state, walk("KIS", "KIS")) == "KRETA-ABBOT-1"
    assert refused(state, walk("KIS", "CAN")) == "KRETA-ABBOT-1"


def test_the_abbot_moves_from_where_it_is_and_is_placed_from_the_supply() -> None:
    """KRETA-ABBOT-1"""
    state = position("turn: 0 abbot\nKIS: A0")
    assert refused(state, walk("KYD", "RET")) == "KRETA-ABBOT-1"
    assert refused(state, place("RET")) == "KRETA-ABBOT-1"
    assert refused(position("turn: 0 abbot\nKIS: A1"), walk("KIS", "KYD")) == "KRETA-ABBOT-1"


def test_the_abbot_crosses_seven_figures_but_does_not_end_there() -> None:
    """KRETA-ABBOT-2: every way out of Kissamos to Amari leads through crowded provinces."""
    state = position("turn: 0 abbot\nKIS: A0\nLEF: vvv1 VVVV1\nKYD: vvvvv2 VV2\nSEL: vvvvv3 VV3", seats=4)
    assert refused(state, walk("KIS", "LEF")) == "KRETA-ABBOT-2"
    _, events = happens(state, walk("KIS", "AMA"))
    assert events == (AbbotMoved(0, at("KIS"), at("AMA"), (at("LEF"),)),)


def test_the_abbot_from_the_supply_does_not_join_seven_figures() -> None:
    """KRETA-ABBOT-2"""
    assert refused(position("turn: 0 abbot\nLEF: vvv1 VVVV1"), place("LEF")) == "KRETA-ABBOT-2"


@pytest.mark.parametrize(
    ("action", "move"),
    [
        ("commander", Recruit(at("CAN"))),
        ("commander", March(at("PED"), at("CAN"))),
        ("architect", BuildVillage(at("CAN"))),
    ],
)
def test_peace_stops_villagers_and_villages_of_others(action: str, move: Move) -> None:
    """KRETA-PEACE-1"""
    state = position(f"turn: 0 {action}\n{PEACEFUL}\nPED: v0\nseat 0: tiles olive")
    assert refused(state, move) == "KRETA-PEACE-1"
    disturbed = position(f"turn: 0 {action}\nCAN: A0 A1 | ship 0\nPED: v0\nseat 0: tiles olive")
    assert move in choices(disturbed)


def test_peace_does_not_stop_the_owner_of_the_abbot() -> None:
    """KRETA-PEACE-1"""
    assert Recruit(at("CAN")) in choices(position(f"turn: 1 commander\n{PEACEFUL}"))


@pytest.mark.parametrize(
    ("action", "move"),
    [
        ("commander", March(at("CAN"), at("MIR"))),
        ("commander", March(at("MYL"), at("MIR"))),
        ("abbot", place("CAN")),
        ("admiral", PlaceShip(at("CAN"))),
        ("architect", BuildFort(13)),
        ("farmer", Harvest(at("CAN"))),
    ],
)
def test_peace_stops_nothing_else(action: str, move: Move) -> None:
    """KRETA-PEACE-2: leaving, passing through, abbots, ships, forts and harvests are free."""
    ship = "" if action == "admiral" else "| ship 0"
    state = position(f"turn: 0 {action}\nCAN: v0 A1 {ship}\nMYL: v0\nMES: | ship 1")
    assert move in choices(state)


def test_what_is_in_a_province_stays_when_an_abbot_comes_and_counts_in_scorings() -> None:
    """KRETA-PEACE-2"""
    state = do(position("turn: 1 abbot\nCAN: vv0 V0\nrow: 13 2"), place("CAN"))
    assert drawn(state, "CAN") == "vv0 V0 A1"
    scored = do(state, PlayCard(KretaCard.CASTELLAN), TurnUpFort(1))
    assert GAME.scores(scored) == (5, 0)


def test_owners_of_several_abbots_in_a_province_may_all_add() -> None:
    """KRETA-PEACE-3"""
    for seat in (0, 1):
        assert Recruit(at("CAN")) in choices(position(f"turn: {seat} commander\nCAN: A0 A1", seats=3))
    assert refused(position("turn: 2 commander\nCAN: A0 A1", seats=3), Recruit(at("CAN"))) == "KRETA-PEACE-1"


def test_peace_ends_when_the_abbot_leaves() -> None:
    """KRETA-PEACE-1"""
    state = do(position(f"turn: 1 abbot\n{PEACEFUL}"), walk("CAN", "MIR"), PlayCard(KretaCard.COMMANDER))
    assert Recruit(at("CAN")) in choices(state)
    assert refused(state, Recruit(at("MIR"))) == "KRETA-PEACE-1"
    assert HALT not in choices(state)
