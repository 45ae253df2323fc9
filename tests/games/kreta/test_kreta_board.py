from __future__ import annotations

from collections import Counter

from skerry_games.kreta.kreta_board import BOARD, Terrain


def test_the_house_edition_is_the_map_that_the_rules_describe() -> None:
    assert BOARD.edition == "house"
    assert (len(BOARD.provinces), len(BOARD.forts)) == (16, 26)
    assert sum(len(province.adjacent) for province in BOARD.provinces) == 2 * 29
    assert sum(province.harbour for province in BOARD.provinces) == 7
    assert sum(province.value for province in BOARD.provinces) == 58
    assert [fort.number for fort in BOARD.forts] == [*range(1, 27)]


def test_the_house_edition_has_the_known_numbers_of_the_printed_map() -> None:
    """KRETA-SCORE-2"""
    provinces = BOARD.provinces
    assert Counter(one.terrain for one in provinces) == {Terrain.MOUNTAIN: 6, Terrain.HILL: 8, Terrain.PLAIN: 2}
    harbours = Counter(one.terrain for one in provinces if one.harbour)
    assert harbours == {Terrain.MOUNTAIN: 2, Terrain.HILL: 3, Terrain.PLAIN: 2}
    assert Counter(len(fort.provinces) for fort in BOARD.forts) == {2: 12, 3: 10, 4: 4}
    assert {fort.total_value for fort in BOARD.forts} <= {*range(6, 16)}
    around = Counter(provinces[one].terrain for one in BOARD.forts[1].provinces)
    assert around == {Terrain.MOUNTAIN: 1, Terrain.HILL: 2}
    reached = edge = {0}
    while edge:
        edge = {other for one in edge for other in provinces[one].adjacent} - reached
        reached = reached | edge
    assert reached == {*range(16)}


def test_provinces_that_meet_only_at_a_fort_space_are_not_adjacent() -> None:
    """KRETA-COMMANDER-2"""
    for fort in BOARD.forts:
        for one in fort.provinces:
            for two in fort.provinces:
                shared = set(BOARD.provinces[one].fort_spaces) & set(BOARD.provinces[two].fort_spaces)
                assert one == two or (two in BOARD.provinces[one].adjacent) == (len(shared) == 2)
