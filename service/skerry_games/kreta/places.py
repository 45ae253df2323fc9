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
from skerry_games.kreta.board import BOARD, Terrain

Places = int
Counts = int

T = TypeVar("T")

PROVINCES: Final = range(len(BOARD.provinces))
PLACE: Final[dict[int, Places]] = {province: 1 << 4 * province for province in PROVINCES}
NUMBER: Final[dict[Places, int]] = {place: province for province, place in PLACE.items()}
EVERYWHERE: Final[Places] = sum(PLACE.values())
_NINE: Final = 9
_NINE_BITS: Final = (1 << _NINE) - 1


def place_of(province: int) -> Places:
    """Return the set of just that province. Raises MalformedMove for what is no province."""
    try:
        return PLACE[province]
    except (KeyError, TypeError):
        raise MalformedMove(f"There is no province {province!r}.") from None


@lru_cache(maxsize=1 << 14)
def members(places: Places) -> tuple[int, ...]:
    """Return the provinces of the set, ascending."""
    return tuple(province for province in PROVINCES if places >> 4 * province & 1)


def occupied(counts: Counts) -> Places:
    """Return where the count, at most 7, is not 0."""
    return (counts | counts >> 1 | counts >> 2) & EVERYWHERE


def count_at(counts: Counts, province: int) -> int:
    """Return the count of that province."""
    return counts >> 4 * province & 15


@lru_cache(maxsize=1 << 13)
def unpacked(counts: Counts) -> tuple[int, ...]:
    """Return the counts of all provinces."""
    return tuple(count_at(counts, province) for province in PROVINCES)


def total(counts: Counts) -> int:
    """Return the sum of all counts, if it is at most 14 (16 is 1 modulo 15, so a number is its digits' sum)."""
    return counts % 15


def selector(things: tuple[T, ...]) -> Callable[[Places], tuple[T, ...]]:
    """Return a memoised selection: from a set of provinces to the things with these numbers."""

    @lru_cache(maxsize=1 << 13)
    def select(places: Places) -> tuple[T, ...]:
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


def _places(provinces: tuple[int, ...]) -> Places:
    return sum(PLACE[province] for province in provinces)


BORDERS: Final[dict[Places, Places]] = {
    PLACE[number]: _places(province.adjacent) for number, province in enumerate(BOARD.provinces)
}
HARBOURS: Final[Places] = _places(tuple(p for p in PROVINCES if BOARD.provinces[p].harbour))
HILLS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.HILL)
MOUNTAINS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.MOUNTAIN)
PLAINS: Final = tuple(p for p in PROVINCES if BOARD.provinces[p].terrain is Terrain.PLAIN)

FORTS: Final = tuple(fort.number for fort in BOARD.forts)
FORT_PLACES: Final[dict[int, Places]] = {fort.number: _places(fort.provinces) for fort in BOARD.forts}
ALL_FORTS: Final = sum(1 << number for number in FORTS)


@lru_cache(maxsize=1 << 13)
def borders(places: Places) -> Places:
    """Return the provinces that share a border with a member of the set."""
    found = 0
    for province in members(places):
        found |= BORDERS[PLACE[province]]
    return found


@lru_cache(maxsize=1 << 14)
def reach(origin: Places, barred: Places, steps: int) -> Places:
    """Return the provinces at most so many steps from the origin that avoid the barred ones; never the origin."""
    found = edge = origin
    for _ in range(steps):
        edge = borders(edge) & ~barred & ~found
        found |= edge
    return found & ~origin


@lru_cache(maxsize=1 << 14)
def crossed(origin: Places, target: Places, barred: Places, most: int) -> tuple[int, ...] | None:
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
        between.append(NUMBER[here])
    return tuple(between)


@lru_cache(maxsize=1 << 13)
def fort_numbers(forts: int) -> tuple[int, ...]:
    """Return the numbers of the fort spaces, or cards, in the bit set, ascending."""
    return tuple(number for number in FORTS if forts >> number & 1)


@lru_cache(maxsize=1 << 13)
def forts_at(forts: int) -> Counts:
    """Return how many fort spaces of the bit set touch each province."""
    return sum(FORT_PLACES[number] for number in fort_numbers(forts))
