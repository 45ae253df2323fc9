from __future__ import annotations

import pytest

from skerry_games.api import MalformedMove
from skerry_games.kreta import GAME
from skerry_games.kreta.events import ShipPlaced, ShipSailed
from skerry_games.kreta.moves import Move, PlaceShip, Sail, sailing
from tests.games.kreta.acting import choices, do, happens, refused
from tests.games.kreta.drawing import at, drawn, position

HARBOURS = {"KYD", "RET", "CAN", "SIT", "IER", "MES", "SFA"}


def sail(*ways: str) -> Sail:
    """Return ships on their ways: ``KYD-MES`` for a ship from Kydonia to Messara."""
    ends = [way.split("-") for way in ways]
    return Sail(tuple((at(origin), at(target)) for origin, target in ends))


def placings(moves: tuple[Move, ...]) -> set[Move]:
    return {move for move in moves if isinstance(move, PlaceShip)}


def test_a_ship_from_the_supply_goes_to_any_harbour() -> None:
    """KRETA-ADMIRAL-1"""
    state = position("turn: 0 admiral")
    assert set(choices(state)) == {PlaceShip(at(harbour)) for harbour in HARBOURS}
    state, events = happens(state, PlaceShip(at("MES")))
    assert events == (ShipPlaced(0, at("MES")),)
    assert drawn(state, "MES") == "ship 0"
    assert GAME.view(state, None).seats[0].supply.ships == 1


def test_a_province_without_a_harbour_takes_no_ship() -> None:
    """KRETA-ADMIRAL-1"""
    assert refused(position("turn: 0 admiral"), PlaceShip(at("KIS"))) == "KRETA-ADMIRAL-1"
    state = position("turn: 0 admiral\nKYD: | ship 0")
    assert refused(state, sail("KYD-KIS")) == "KRETA-ADMIRAL-1"


def test_with_both_ships_on_the_board_none_is_added() -> None:
    """KRETA-ADMIRAL-1"""
    state = position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0")
    assert not placings(choices(state))
    assert refused(state, PlaceShip(at("CAN"))) == "KRETA-ADMIRAL-1"


def test_without_a_ship_on_the_board_none_sails() -> None:
    """KRETA-ADMIRAL-1"""
    assert refused(position("turn: 0 admiral"), sail("KYD-MES")) == "KRETA-ADMIRAL-1"


def test_sailing_moves_the_ships_on_the_board_and_adds_none() -> None:
    """KRETA-ADMIRAL-1"""
    state = position("turn: 0 admiral\nKYD: | ship 0")
    assert refused(state, sail("KYD-MES", "CAN-SIT")) == "KRETA-ADMIRAL-1"
    assert refused(state, sail("KYD-MES", "KYD-SIT")) == "KRETA-ADMIRAL-1"
    assert refused(position("turn: 0 admiral\nKYD: | ship 1"), sail("KYD-MES")) == "KRETA-ADMIRAL-1"


def test_adding_a_ship_ends_the_action() -> None:
    """KRETA-ADMIRAL-1: never both."""
    state = do(position("turn: 0 admiral\nKYD: | ship 0"), PlaceShip(at("MES")))
    assert GAME.to_act(state) == (1,)


def test_one_ship_or_both_sail_at_once() -> None:
    """KRETA-ADMIRAL-1"""
    state = position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0")
    one, events = happens(state, sail("MES-SIT"))
    assert events == (ShipSailed(0, at("MES"), at("SIT")),)
    assert (drawn(one, "KYD"), drawn(one, "MES"), drawn(one, "SIT")) == ("ship 0", "", "ship 0")
    _, both = happens(state, sail("KYD-CAN", "MES-SIT"))
    assert both == (ShipSailed(0, at("KYD"), at("CAN")), ShipSailed(0, at("MES"), at("SIT")))


def test_two_ships_of_one_seat_never_share_a_harbour() -> None:
    """KRETA-ADMIRAL-2"""
    state = position("turn: 0 admiral\nKYD: | ship 0", seats=3)
    assert refused(state, PlaceShip(at("KYD"))) == "KRETA-ADMIRAL-2"
    both = position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0", seats=3)
    assert refused(both, sail("KYD-CAN", "MES-CAN")) == "KRETA-ADMIRAL-2"
    assert refused(both, sail("KYD-MES")) == "KRETA-ADMIRAL-2"


def test_a_harbour_holds_two_ships_with_three_or_four_seats() -> None:
    """KRETA-ADMIRAL-2"""
    one = position("turn: 0 admiral\nKYD: | ship 1", seats=3)
    assert PlaceShip(at("KYD")) in choices(one)
    two = position("turn: 0 admiral\nKYD: | ship 1 2\nMES: | ship 0", seats=3)
    assert refused(two, PlaceShip(at("KYD"))) == "KRETA-ADMIRAL-2"
    assert refused(two, sail("MES-KYD")) == "KRETA-ADMIRAL-2"


def test_a_harbour_holds_one_ship_with_two_seats() -> None:
    """KRETA-ADMIRAL-2"""
    state = position("turn: 0 admiral\nKYD: | ship 1\nMES: | ship 0")
    assert refused(state, PlaceShip(at("KYD"))) == "KRETA-ADMIRAL-2"
    assert refused(state, sail("MES-KYD")) == "KRETA-ADMIRAL-2"


def test_every_harbour_can_be_reached() -> None:
    """KRETA-ADMIRAL-3: from the west to the east in one action."""
    state = position("turn: 0 admiral\nSFA: | ship 0")
    assert {move for move in choices(state) if isinstance(move, Sail)} == {
        sail(f"SFA-{to}") for to in HARBOURS - {"SFA"}
    }


def test_only_the_final_placing_counts() -> None:
    """KRETA-ADMIRAL-3: each placing is listed once, and other ways to it are taken for those listed."""
    state = position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0")
    assert len([move for move in choices(state) if isinstance(move, Sail)]) == 7 * 6 // 2 - 1
    kyd, can, sit, mes = map(at, ("KYD", "CAN", "SIT", "MES"))
    assert sailing([(mes, can), (kyd, sit)]) == sail("KYD-CAN", "MES-SIT") in choices(state)
    assert sailing([(kyd, mes), (mes, can)]) == sail("KYD-CAN") in choices(state)
    assert sailing([(kyd, kyd), (mes, can)]) == sail("MES-CAN") in choices(state)


def test_ships_that_stay_or_swap_do_nothing() -> None:
    """KRETA-ADMIRAL-3"""
    state = position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0")
    for ways in (["KYD-MES", "MES-KYD"], ["KYD-KYD"], []):
        assert refused(state, sail(*ways)) == "KRETA-ADMIRAL-3"
    assert sailing([(at("KYD"), at("MES")), (at("MES"), at("KYD"))]) == sail()


@pytest.mark.parametrize("ways", [("MES-SIT", "KYD-CAN"), ("KYD-SIT", "MES-CAN"), ("KYD-MES", "MES-CAN")])
def test_the_rules_know_each_placing_by_one_pair_of_ways_alone(ways: tuple[str, str]) -> None:
    with pytest.raises(MalformedMove):
        GAME.apply(position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0"), 0, sail(*ways))


@pytest.mark.parametrize("ways", [((1, 99),), ((-1, 2),), ((1, 2), (2, 3), (3, 4))])
def test_what_names_no_ways_is_no_move(ways: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(MalformedMove):
        GAME.apply(position("turn: 0 admiral\nKYD: | ship 0\nMES: | ship 0"), 0, Sail(ways))
