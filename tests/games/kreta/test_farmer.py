from __future__ import annotations

from skerry_games.kreta import GAME
from skerry_games.kreta.events import TileHarvested
from skerry_games.kreta.moves import Harvest, Move
from skerry_games.kreta.state import Tile
from tests.games.kreta.acting import choices, happens, refused
from tests.games.kreta.drawing import at, drawn, position
from tests.games.kreta.totals import points_of


def harvests(*provinces: str) -> set[Move]:
    return {Harvest(at(province)) for province in provinces}


def test_a_harbour_with_ship_and_villager_is_harvested() -> None:
    """KRETA-FARMER-1"""
    state = position("turn: 0 farmer\nKYD: v0 | ship 0")
    assert set(choices(state)) == harvests("KYD")
    state, events = happens(state, Harvest(at("KYD")))
    assert events == (TileHarvested(0, at("KYD"), Tile.WHEAT, 1),)
    assert drawn(state, "KYD") == "v0 | ship 0 | bare"
    assert GAME.view(state, None).seats[0].harvested == (1, 0, 0, 0, 0)


def test_a_chain_of_villagers_leads_back_to_the_ship() -> None:
    """KRETA-FARMER-1: Sfakia is not joined, as Amari is empty."""
    state = position("turn: 0 farmer\nKYD: v0 | ship 0\nLEF: vv0\nKIS: v0\nSFA: v0")
    assert set(choices(state)) == harvests("KYD", "LEF", "KIS")
    assert refused(state, Harvest(at("SFA"))) == "KRETA-FARMER-1"


def test_ship_and_villager_must_be_ones_own() -> None:
    """KRETA-FARMER-1"""
    state = position("turn: 0 farmer\nKYD: v0 | ship 1\nMES: v1 | ship 0\nCAN: v0 | ship 0")
    assert set(choices(state)) == harvests("CAN")
    assert refused(state, Harvest(at("KYD"))) == "KRETA-FARMER-1"
    assert refused(state, Harvest(at("MES"))) == "KRETA-FARMER-1"


def test_provinces_that_meet_at_a_fort_space_do_not_join_a_chain() -> None:
    """KRETA-FARMER-1: Kydonia and Amari share fort space 6, but no border."""
    state = position("turn: 0 farmer\nKYD: v0 | ship 0\nAMA: v0")
    assert refused(state, Harvest(at("AMA"))) == "KRETA-FARMER-1"


def test_both_ships_begin_chains() -> None:
    """KRETA-FARMER-1"""
    state = position("turn: 0 farmer\nKYD: v0 | ship 0\nIER: v0 | ship 0\nVIA: v0")
    assert set(choices(state)) == harvests("KYD", "IER", "VIA")


def test_villages_and_abbots_make_no_chain() -> None:
    """KRETA-FARMER-2"""
    state = position("turn: 0 farmer\nKYD: v0 | ship 0\nLEF: A0 V0\nAMA: v0\nMES: V0 A1 | ship 0")
    assert set(choices(state)) == harvests("KYD")
    assert refused(state, Harvest(at("AMA"))) == "KRETA-FARMER-1"
    assert refused(state, Harvest(at("MES"))) == "KRETA-FARMER-1"


def test_a_harvested_tile_is_not_replaced() -> None:
    """KRETA-FARMER-2: but its province still makes a link."""
    state = position("turn: 0 farmer\nKYD: v0 | ship 0 | bare\nLEF: v0")
    assert set(choices(state)) == harvests("LEF")
    assert refused(state, Harvest(at("KYD"))) == "KRETA-FARMER-2"


def test_peace_does_not_stop_a_harvest() -> None:
    """KRETA-FARMER-2"""
    assert Harvest(at("KYD")) in choices(position("turn: 0 farmer\nKYD: v0 A1 | ship 0"))


def test_the_nth_tile_of_a_kind_scores_n_points_at_once() -> None:
    """KRETA-FARMER-3"""
    for owned, points in (("wine", 1), ("olive wine", 2), ("olive olive", 3), ("olive olive olive", 4)):
        state = position(f"turn: 0 farmer\nRET: v0 | ship 0\nseat 0: tiles {owned} | 10 points")
        state, events = happens(state, Harvest(at("RET")))
        assert events == (TileHarvested(0, at("RET"), Tile.OLIVE, points),)
        assert GAME.scores(state) == (10 + points, 0)
        assert points_of(events[0]) == {0: points}
