"""Sets and counts of provinces, packed into integers: one hexadecimal digit for each of the 16 provinces.

``Places`` is a set: the lowest bit of a province's digit says whether it is a member.
``Counts`` are numbers from 0 to 15: the digit is the number. A set is a count of ones, so sets can be added to
counts, and the influence in all provinces is one sum. Sets of fort spaces and of cards are plain bit sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from skerry_games.api import MalformedMove
from skerry_games.kreta.kreta_board import BOARD, Terrain

ProvinceSet = int
ProvinceCounts = int

T = TypeVar("T")

PROVINCES: Final = range(len(BOARD.provinces))
SET_OF: Final[dict[int, ProvinceSet]] = {province: 1 << 4 * province for province in PROVINCES}
PROVINCE_OF: Final[dict[ProvinceSet, int]] = {place: province for province, place in SET_OF.items()}
EVERYWHERE: Final[ProvinceSet] = sum(SET_OF.values())
_NINE: Final = 9
_NINE_BITS: Final = (1 << _NINE) - 1


def set_of(province: int) -> ProvinceSet:
    """Return the set of just that province. Raises MalformedMove for what is no province."""
    try:
        return SET_OF[province]
    except (KeyError, TypeError):
        raise MalformedMove(f"There is no province {province!r}.") from None


@lru_cache(maxsize=1 << 14)
def members(places: ProvinceSet) -> tuple[int, ...]:
    """Return the provinces of the set, ascending."""
    return tuple(province for province in PROVINCES if places >> 4 * province & 1)


def occupied(counts: ProvinceCounts) -> ProvinceSet:
    """Return where the count, at most 7, is not 0."""
    return (counts | counts >> 1 | counts >> 2) & EVERYWHERE


def count_at(counts: ProvinceCounts, province: int) -> int:
    """Return the count of that province."""
    return counts >> 4 * province & 15


@lru_cache(maxsize=1 << 13)
def unpacked(counts: ProvinceCounts) -> tuple[int, ...]:
    """Return the counts of all provinces."""
    return tuple(count_at(counts, province) for province in PROVINCES)


def total(counts: ProvinceCounts) -> int:
    """Return the sum of all counts, if it is at most 14 (16 is 1 modulo 15, so a number is its digits' sum)."""
    return counts % 15


def selector(things: tuple[T, ...]) -> Callable[[ProvinceSet], tuple[T, ...]]:
    """Return a memoised selection: from a set of provinces to the things with these numbers."""

    @lru_cache(maxsize=1 << 13)
    def select(places: ProvinceSet) -> tuple[T, ...]:
        return tuple(things[province] for province in members(places))

    return select


def bit_selector(things: Mapping[int, T]) -> Callable[[int], tuple[T, ...]]:
    """Return a selection: from a bit set to the things with these numbers, ascending.

    Few such sets come again, so what is kept is what each nine of their bits select.
    """
    tables = tuple([_nine(things, first) for first in range(0, max(things) + 1, _NINE)])

    def select(numbers: int) -> tuple[T, ...]:
        found: tuple[T, ...] = ()
        for table in tables:
            found += table[numbers & _NINE_BITS]
            numbers >>= _NINE
        return found

    return select


def _nine(things: Mapping[int, T], first: int) -> tuple[tuple[T, ...], ...]:
    """Return what each set of nine numbers selects, ``first`` being the lowest of them."""
    some = [(1 << bit, things[first + bit]) for bit in range(_NINE) if first + bit in things]
    return tuple([tuple([thing for bit, thing in some if numbers & bit]) for numbers in range(1 << _NINE)])


def _places(provinces: tuple[int, ...]) -> ProvinceSet:
    return sum(SET_OF[province] for province in provinces)


BORDERS: Final[dict[ProvinceSet, ProvinceSet]] = {
    SET_OF[number]: _places(province.adjacent) for number, province in enumerate(BOARD.provinces)
}
HARBOURS: Final[ProvinceSet] = _places(tuple(p for p in PROVINCES if BOARD.provinces[p].harbour))
HILLS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.HILL)
MOUNTAINS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.MOUNTAIN)
PLAINS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.PLAIN)

FORTS: Final = tuple(fort.number for fort in BOARD.forts)
FORT_PROVINCES: Final[dict[int, ProvinceSet]] = {fort.number: _places(fort.provinces) for fort in BOARD.forts}
ALL_FORTS: Final = sum(1 << number for number in FORTS)


@lru_cache(maxsize=1 << 13)
def borders(places: ProvinceSet) -> ProvinceSet:
    """Return the provinces that share a border with a member of the set."""
    found = 0
    for province in members(places):
        found |= BORDERS[SET_OF[province]]
    return found


@lru_cache(maxsize=1 << 14)
def reach(origin: ProvinceSet, barred: ProvinceSet, steps: int) -> ProvinceSet:
    """Return the provinces at most so many steps from the origin that avoid the barred ones; never the origin."""
    found = edge = origin
    for _ in range(steps):
        edge = borders(edge) & ~barred & ~found
        found |= edge
    return found & ~origin


@lru_cache(maxsize=1 << 14)
def crossed(origin: ProvinceSet, target: ProvinceSet, barred: ProvinceSet, most: int) -> tuple[int, ...] | None:
    """Return the provinces between the two on a shortest way that avoids the barred ones, in the order of crossing.

    Of several shortest ways it is the one that turns to the lowest province first. ``None`` if every way takes more
    than so many steps.
    """
    steps = next((steps for steps in range(1, most + 1) if target & reach(origin, barred, steps)), 0)
    if not steps:
        return None
    here, between = origin, []
    for left in range(steps - 1, 0, -1):
        nearer = borders(here) & ~barred & reach(target, barred, left)
        here = nearer & -nearer
        between.append(PROVINCE_OF[here])
    return tuple(between)


@lru_cache(maxsize=1 << 13)
def fort_numbers(forts: int) -> tuple[int, ...]:
    """Return the numbers of the fort spaces, or cards, in the bit set, ascending."""
    return tuple(number for number in FORTS if forts >> number & 1)


@lru_cache(maxsize=1 << 13)
def forts_at(forts: int) -> ProvinceCounts:
    """Return how many fort spaces of the bit set touch each province."""
    return sum(FORT_PROVINCES[number] for number in fort_numbers(forts))
