"""Packed sets and counts say the same as lists of numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skerry_games.api import MalformedMove
from skerry_games.kreta.actions.castellan import influence
from skerry_games.kreta.actions.farmer import chain
from skerry_games.kreta.kreta_board import BOARD
from skerry_games.kreta.province_sets import (
    ALL_FORTS,
    SET_OF,
    borders,
    count_at,
    forts_at,
    members,
    occupied,
    reach,
    selector,
    set_of,
    total,
)
from skerry_games.kreta.state import Phase, SeatState, State, crowded

provinces = st.sampled_from(range(16))
sets = st.frozensets(provinces)
few_figures = st.lists(st.integers(0, 7), min_size=16, max_size=16)


def packed(numbers: frozenset[int]) -> int:
    return sum(SET_OF[number] for number in numbers)


def counts(numbers: list[int]) -> int:
    return sum(number << 4 * province for province, number in enumerate(numbers))


def neighbours(numbers: frozenset[int]) -> frozenset[int]:
    return frozenset(other for number in numbers for other in BOARD.provinces[number].adjacent)


@given(sets)
def test_members_of_a_set(numbers: frozenset[int]) -> None:
    assert members(packed(numbers)) == tuple(sorted(numbers))
    assert selector(tuple("abcdefghijklmnop"))(packed(numbers)) == tuple("abcdefghijklmnop"[n] for n in sorted(numbers))


@given(few_figures)
def test_where_counts_are_not_zero_and_where_they_are_seven(numbers: list[int]) -> None:
    table = State(Phase.PLAY_CARD, 0, (), figures=counts(numbers))
    assert members(occupied(counts(numbers))) == tuple(p for p in range(16) if numbers[p] > 0)
    assert members(crowded(table)) == tuple(p for p in range(16) if numbers[p] == 7)
    assert [count_at(counts(numbers), province) for province in range(16)] == numbers


@given(st.lists(provinces, max_size=14))
def test_the_total_of_counts(placed: list[int]) -> None:
    assert total(sum(SET_OF[province] for province in placed)) == len(placed)


@given(sets)
def test_borders_of_a_set(numbers: frozenset[int]) -> None:
    """KRETA-COMMANDER-2"""
    assert members(borders(packed(numbers))) == tuple(sorted(neighbours(numbers)))


@given(provinces, sets, st.integers(0, 4))
def test_reach_takes_one_step_after_another_around_barred_provinces(
    origin: int, barred: frozenset[int], steps: int
) -> None:
    """KRETA-COMMANDER-4, KRETA-ABBOT-1"""
    found = {origin}
    for _ in range(steps):
        found |= {other for number in found for other in BOARD.provinces[number].adjacent if other not in barred}
    assert members(reach(SET_OF[origin], packed(barred), steps)) == tuple(sorted(found - {origin}))


@given(sets, sets)
def test_a_chain_grows_until_it_stands_still(ships: frozenset[int], villagers: frozenset[int]) -> None:
    """KRETA-FARMER-1"""
    found = ships & villagers
    for _ in range(16):
        found |= neighbours(found) & villagers
    assert members(chain(packed(ships), packed(villagers))) == tuple(sorted(found))


@given(st.frozensets(st.integers(1, 26), max_size=3))
def test_forts_reach_all_provinces_that_their_spaces_touch(spaces: frozenset[int]) -> None:
    """KRETA-SCORE-1"""
    numbers = forts_at(sum(1 << space for space in spaces))
    for province in range(16):
        assert count_at(numbers, province) == len(spaces & set(BOARD.provinces[province].fort_spaces))


@given(
    st.lists(provinces, max_size=5),
    st.lists(provinces, max_size=4),
    st.none() | provinces,
    st.frozensets(provinces, max_size=2),
    st.frozensets(st.integers(1, 26), max_size=3),
)
def test_influence_never_carries_into_the_next_province(
    villagers: list[int], villages: list[int], abbot: int | None, ships: frozenset[int], forts: frozenset[int]
) -> None:
    """KRETA-SCORE-1: all pieces of a seat anywhere, as long as no province holds more than 7 figures."""
    figures = [*villagers, *villages] + ([] if abbot is None else [abbot])
    while crowded := [province for province in set(figures) if figures.count(province) > 7]:
        figures.remove(crowded[0])
        villagers.remove(crowded[0])
    seat = SeatState(
        villagers=sum(SET_OF[province] for province in villagers),
        villages=sum(SET_OF[province] for province in villages),
        abbot=0 if abbot is None else SET_OF[abbot],
        ships=packed(ships),
        forts=sum(1 << fort for fort in forts),
    )
    for province in range(16):
        expected = villagers.count(province) + 2 * villages.count(province) + (abbot == province)
        expected += (province in ships) + len(forts & set(BOARD.provinces[province].fort_spaces))
        assert count_at(influence(seat), province) == expected <= 15


def test_the_most_influence_there_can_be_fits_its_digit() -> None:
    """KRETA-SCORE-1"""
    here = SET_OF[13]
    seat = SeatState(villagers=3 * here, villages=4 * here, ships=here, forts=1 << 6 | 1 << 7 | 1 << 10)
    assert count_at(influence(seat), 13) == 15
    assert count_at(influence(seat), 14) == 0


@pytest.mark.parametrize("number", [-1, 16, "KIS", [0]])
def test_what_is_no_province_is_no_move(number: object) -> None:
    with pytest.raises(MalformedMove):
        set_of(number)  # type: ignore[arg-type]


def test_there_are_26_fort_spaces() -> None:
    assert ALL_FORTS.bit_count() == 26
