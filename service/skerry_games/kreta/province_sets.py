"""Sets and counts of provinces, packed into integers with one hexadecimal digit per province.

``ProvinceSet``: the lowest bit of a digit says whether the province is a member.
``ProvinceCounts``: each digit is a number from 0 to 15. A set is a count of ones, so a set can be added to counts,
and one sum gives the influence in all provinces. Sets of fort spaces and of cards are plain bit sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from skerry_games.api import MalformedMove
from skerry_games.kreta.kreta_board import BOARD, Terrain
from skerry_games.sentences import phrase

ProvinceSet = int
ProvinceCounts = int

T = TypeVar("T")

PROVINCES: Final = range(len(BOARD.provinces))
SET_OF: Final[dict[int, ProvinceSet]] = {province: 1 << 4 * province for province in PROVINCES}
PROVINCE_OF: Final[dict[ProvinceSet, int]] = {place: province for province, place in SET_OF.items()}
EVERYWHERE: Final[ProvinceSet] = sum(SET_OF.values())
_DIGITS: Final = tuple((byte & 15, byte >> 4) for byte in range(256))
"""The two digits in a byte, the lower one first."""
_BYTES: Final = (len(PROVINCES) + 1) // 2
_NINE: Final = 9
_NINE_BITS: Final = (1 << _NINE) - 1


def set_of(province: int) -> ProvinceSet:
    """Return the set of that province alone. Raises MalformedMove for an unknown province."""
    try:
        return SET_OF[province]
    except (KeyError, TypeError):
        raise MalformedMove(phrase("kreta-no-province", province=repr(province))) from None


@lru_cache(maxsize=1 << 14)
def members(provinces: ProvinceSet) -> tuple[int, ...]:
    """Return the provinces of the set, ascending."""
    return tuple(province for province in PROVINCES if provinces >> 4 * province & 1)


def occupied(counts: ProvinceCounts) -> ProvinceSet:
    """Return the provinces with a count of 1 to 7. Counts must not exceed 7."""
    return (counts | counts >> 1 | counts >> 2) & EVERYWHERE


def count_at(counts: ProvinceCounts, province: int) -> int:
    """Return the count of that province."""
    return counts >> 4 * province & 15


@lru_cache(maxsize=1 << 13)
def unpacked(counts: ProvinceCounts) -> tuple[int, ...]:
    """Return the count of each province, in the order of the board."""
    digits = [count for pair in counts.to_bytes(_BYTES, "little") for count in _DIGITS[pair]]
    return tuple(digits[: len(PROVINCES)])


def total(counts: ProvinceCounts) -> int:
    """Return the sum of all counts, which must not exceed 14. Modulo 15, a number equals the sum of its digits."""
    return counts % 15


def selector(items: tuple[T, ...]) -> Callable[[ProvinceSet], tuple[T, ...]]:
    """Return a cached function that selects the items of a set of provinces."""

    @lru_cache(maxsize=1 << 13)
    def select(provinces: ProvinceSet) -> tuple[T, ...]:
        return tuple(items[province] for province in members(provinces))

    return select


def bit_selector(items: Mapping[int, T]) -> Callable[[int], tuple[T, ...]]:
    """Return a function that selects the items of a bit set, in ascending order of their numbers.

    Whole bit sets rarely recur. So the function looks up tables that have an entry for each set of nine bits.
    """
    tables = tuple([_nine(items, first) for first in range(0, max(items) + 1, _NINE)])

    def select(numbers: int) -> tuple[T, ...]:
        found: tuple[T, ...] = ()
        for table in tables:
            found += table[numbers & _NINE_BITS]
            numbers >>= _NINE
        return found

    return select


def _nine(items: Mapping[int, T], first: int) -> tuple[tuple[T, ...], ...]:
    """Return the selection for each set of the nine numbers that start at ``first``."""
    some = [(1 << bit, items[first + bit]) for bit in range(_NINE) if first + bit in items]
    return tuple([tuple([item for bit, item in some if numbers & bit]) for numbers in range(1 << _NINE)])


def _union(provinces: tuple[int, ...]) -> ProvinceSet:
    return sum(SET_OF[province] for province in provinces)


BORDERS: Final[dict[ProvinceSet, ProvinceSet]] = {
    SET_OF[number]: _union(province.adjacent) for number, province in enumerate(BOARD.provinces)
}
HARBOURS: Final[ProvinceSet] = _union(tuple(p for p in PROVINCES if BOARD.provinces[p].harbour))
HILLS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.HILL)
MOUNTAINS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.MOUNTAIN)
PLAINS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.PLAIN)

FORTS: Final = tuple(fort.number for fort in BOARD.forts)
FORT_PROVINCES: Final[dict[int, ProvinceSet]] = {fort.number: _union(fort.provinces) for fort in BOARD.forts}
ALL_FORTS: Final = sum(1 << number for number in FORTS)


@lru_cache(maxsize=1 << 13)
def borders(provinces: ProvinceSet) -> ProvinceSet:
    """Return the provinces that share a border with a member of the set."""
    found = 0
    for province in members(provinces):
        found |= BORDERS[SET_OF[province]]
    return found


@lru_cache(maxsize=1 << 14)
def reach(origin: ProvinceSet, barred: ProvinceSet, steps: int) -> ProvinceSet:
    """Return the provinces within that many steps of the origin, without it. Steps never enter barred provinces."""
    found = edge = origin
    for _ in range(steps):
        edge = borders(edge) & ~barred & ~found
        found |= edge
    return found & ~origin


@lru_cache(maxsize=1 << 14)
def crossed(origin: ProvinceSet, target: ProvinceSet, barred: ProvinceSet, most: int) -> tuple[int, ...] | None:
    """Return the provinces that a shortest route crosses, in order, or ``None`` if none has at most that many steps.

    The route avoids barred provinces. Of several shortest routes, the one through the lowest-numbered province at the
    first difference is chosen.
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
    """Return the numbers of the fort spaces or fort cards in the bit set, ascending."""
    return tuple(number for number in FORTS if forts >> number & 1)


@lru_cache(maxsize=1 << 13)
def forts_at(forts: int) -> ProvinceCounts:
    """Return how many fort spaces of the bit set touch each province."""
    return sum(FORT_PROVINCES[number] for number in fort_numbers(forts))
