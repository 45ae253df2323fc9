from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.kreta import GAME
from skerry_games.kreta.events import MarchEnded, VillagerMarched, VillagerRecruited
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.moves import HALT, March, Recruit
from skerry_games.kreta.state import State
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, drawn, position


def march(origin: str, target: str) -> March:
    return March(at(origin), at(target))


def targets(state: State, origin: str) -> set[str]:
    marches = [move for move in choices(state) if isinstance(move, March) and move.from_province == at(origin)]
    return {BOARD.provinces[move.to_province].id for move in marches}


def test_a_villager_from_the_supply_goes_to_any_province() -> None:
    """KRETA-COMMANDER-1"""
    state = position("turn: 0 commander")
    assert choices(state) == tuple(Recruit(number) for number in range(16))
    state, events = happens(state, Recruit(at("PED")))
    assert events == (VillagerRecruited(0, at("PED")),)
    assert drawn(state, "PED") == "v0"
    assert GAME.to_act(state) == (1,)


def test_without_a_villager_in_the_supply_none_is_added() -> None:
    """KRETA-COMMANDER-1"""
    assert refused(position("turn: 0 commander\nPED: vvvvv0"), Recruit(at("PED"))) == "KRETA-COMMANDER-1"


def test_only_own_villagers_march() -> None:
    """KRETA-COMMANDER-1"""
    state = position("turn: 0 commander\nPED: v1\nKIS: v0")
    assert refused(state, march("PED", "CAN")) == "KRETA-COMMANDER-1"


def test_after_a_march_no_villager_is_added() -> None:
    """KRETA-COMMANDER-1"""
    state = do(position("turn: 0 commander\nPED: v0"), march("PED", "CAN"))
    assert refused(state, Recruit(at("PED"))) == "KRETA-COMMANDER-1"


def test_four_movement_points_are_shared_by_all_villagers() -> None:
    """KRETA-COMMANDER-1: one villager 3 provinces and another 1."""
    state = position("turn: 0 commander\nKIS: v0\nIER: v0")
    assert GAME.view(state, 0).movement_points == 4
    state, events = happens(state, march("KIS", "MES"))
    assert events == (VillagerMarched(0, at("KIS"), at("MES"), (at("SEL"), at("SFA")), 1),)
    assert GAME.view(state, 0).movement_points == 1
    assert targets(state, "IER") == {"SIT", "LAS", "VIA"}
    state, events = happens(state, march("IER", "SIT"))
    assert events == (VillagerMarched(0, at("IER"), at("SIT"), (), 0), MarchEnded(0, 0, automatic=True))
    assert GAME.to_act(state) == (1,)


def test_a_step_crosses_a_border_and_costs_one_point() -> None:
    """KRETA-COMMANDER-2"""
    state = do(position("turn: 0 commander\nKIS: vv0"), march("KIS", "RET"))
    assert GAME.view(state, 0).movement_points == 2
    assert targets(state, "KIS") == {"KYD", "LEF", "SEL", "RET", "AMA", "SFA"}
    assert refused(state, march("KIS", "MYL")) == "KRETA-COMMANDER-2"


def test_provinces_that_meet_at_a_fort_space_are_not_adjacent() -> None:
    """KRETA-COMMANDER-2: Kydonia and Amari meet at fort space 6 only."""
    state = position("turn: 0 commander\nKYD: vv0")
    _, (events,) = happens(state, march("KYD", "AMA"))
    assert events == VillagerMarched(0, at("KYD"), at("AMA"), (at("RET"),), 2)


def test_no_villager_is_added_where_seven_figures_are() -> None:
    """KRETA-COMMANDER-3: abbots, villagers and villages of all seats count, ships and forts do not."""
    state = position("turn: 0 commander\nCAN: A0 vv1 VVV1 V0 | ship 1")
    assert refused(state, Recruit(at("CAN"))) == "KRETA-COMMANDER-3"
    six = position("turn: 0 commander\nCAN: A0 vv1 VVV1 | ship 1\nfort 13: 0")
    assert Recruit(at("CAN")) in choices(six)


def test_no_march_ends_where_seven_figures_are() -> None:
    """KRETA-COMMANDER-3"""
    state = position("turn: 0 commander\nCAN: vvv1 VVVV1\nPED: v0")
    assert refused(state, march("PED", "CAN")) == "KRETA-COMMANDER-3"
    assert "CAN" not in targets(state, "PED")


def test_no_villager_passes_seven_figures() -> None:
    """KRETA-COMMANDER-4: from Sitia to Messara it is 3 through Lasithi or Ierapetra, but 5 around them."""
    state = position("turn: 0 commander\nSIT: v0\nLAS: vvv1 VVVV1\nIER: A0 VVVV0 vv2", seats=3)
    assert targets(state, "SIT") == {"MIR", "CAN", "PED", "MYL", "AMA", "RET", "VIA"}
    assert refused(state, march("SIT", "MES")) == "KRETA-COMMANDER-4"


def test_a_villager_goes_the_cheapest_allowed_way() -> None:
    """KRETA-COMMANDER-5: Lasithi is closed, so Pediada is 3 away instead of 2."""
    state = position("turn: 0 commander\nSIT: vv0\nLAS: vvv1 VVVV1")
    _, (events,) = happens(state, march("SIT", "PED"))
    assert events == VillagerMarched(0, at("SIT"), at("PED"), (at("MIR"), at("CAN")), 1)
    _, (events,) = happens(position("turn: 0 commander\nSIT: vv0"), march("SIT", "PED"))
    assert events == VillagerMarched(0, at("SIT"), at("PED"), (at("LAS"),), 2)


def test_a_villager_that_leaves_makes_room_for_the_next() -> None:
    """KRETA-COMMANDER-5"""
    state = position("turn: 0 commander\nCAN: v0 vv1 VVVV1\nPED: v0")
    assert march("PED", "CAN") not in choices(state)
    state = do(state, march("CAN", "MIR"), march("PED", "CAN"))
    assert drawn(state, "CAN") == "v0 vv1 VVVV1"


def test_at_least_one_villager_marches() -> None:
    """KRETA-COMMANDER-5"""
    state = position("turn: 0 commander\nKIS: v0")
    assert HALT not in choices(state)
    assert refused(state, HALT) == "KRETA-COMMANDER-5"


def test_points_may_be_left_over() -> None:
    """KRETA-COMMANDER-5"""
    state = do(position("turn: 0 commander\nKIS: v0"), march("KIS", "KYD"))
    state, events = happens(state, HALT)
    assert events == (MarchEnded(0, 3, automatic=False),)
    assert GAME.to_act(state) == (1,)


def test_a_march_ends_in_another_province() -> None:
    """KRETA-COMMANDER-5"""
    assert refused(position("turn: 0 commander\nKIS: v0"), march("KIS", "KIS")) == "KRETA-COMMANDER-5"


def test_no_march_restores_the_placing_of_the_beginning() -> None:
    """KRETA-COMMANDER-5"""
    state = do(position("turn: 0 commander\nKIS: v0"), march("KIS", "KYD"))
    assert refused(state, march("KYD", "KIS")) == "KRETA-COMMANDER-5"
    assert "KIS" not in targets(state, "KYD")


def test_a_villager_may_come_back_once_another_has_marched() -> None:
    """KRETA-COMMANDER-5: judged by how many villagers stand where, not by which."""
    state = position("turn: 0 commander\nKIS: v0\nSEL: v0")
    state = do(state, march("KIS", "SEL"))
    assert refused(state, march("SEL", "KIS")) == "KRETA-COMMANDER-5"
    away = do(state, march("SEL", "SFA"))
    assert march("SEL", "KIS") in choices(away)
    assert refused(do(away, march("SEL", "KIS")), march("SFA", "SEL")) == "KRETA-COMMANDER-5"


def test_the_next_action_judges_its_own_beginning() -> None:
    """KRETA-COMMANDER-5: a turn may undo the marches of the previous turn."""
    state = do(position("turn: 0 commander\nKIS: v0"), march("KIS", "KYD"), HALT)
    assert state.began == 0
    assert march("KYD", "KIS") in choices(position("turn: 0 commander\nKYD: v0"))


def test_marching_ends_by_itself_when_no_villager_can_march_on() -> None:
    """KRETA-COMMANDER-5: with 7 figures all around, from Ierapetra only the way back is left."""
    state = position("turn: 0 commander\nSIT: v0\nMIR: VVVV1 vvv2\nLAS: vvvvv1 VV2\nVIA: A1 VV2 VVVV3", seats=4)
    state, events = happens(state, march("SIT", "IER"))
    assert events == (VillagerMarched(0, at("SIT"), at("IER"), (), 3), MarchEnded(0, 3, automatic=True))
    assert GAME.to_act(state) == (1,)


@pytest.mark.parametrize("move", [Recruit(16), Recruit(-1), March(0, 16), March(-1, 0)])
def test_a_province_that_does_not_exist_is_no_move(move: Recruit | March) -> None:
    with pytest.raises(MalformedMove):
        GAME.apply(position("turn: 0 commander\nKIS: v0"), 0, move)
