"""The six islands: read once from ``house.json``, checked and frozen.

An owner of the game can correct or replace the file. ``parse_islands`` names the line with an error. An island lies on
a grid of at most 4 rows and 6 columns; ``B3`` is the third square of the second row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec import Raw, Struct

from skerry_games.canarias.printed.terms import LAND, Feature
from skerry_games.component_data import Problem, components_text, decode_entries, raise_first_problem

ROWS: Final = 4
COLUMNS: Final = 6
SQUARES: Final = tuple(f"{letter}{column}" for letter in "ABCD" for column in range(1, COLUMNS + 1))
"""The names of all squares of the grid. A square is an index into this list."""
NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}

Point = tuple[int, int]
"""A corner of the grid: x grows to the right and y downwards."""

_ISLANDS = 6
_BUILDING_SQUARES = 12
_PAIRS = 13
_SIZES = Counter({5: 2, 4: 2, 3: 2})
_EACH_FEATURE = 24
_LAND = {feature.name.lower(): feature for feature in LAND}
_AREAS = ("village", "farmland")


class IslandsError(ValueError):
    """Islands that do not fit the rules. The message names the error and its line."""


class PrintedIsland(Struct, frozen=True):
    """An island as printed. Sets of squares are ascending tuples of their numbers."""

    id: str
    outline: tuple[str, ...]
    building: tuple[int, ...]
    """The 12 building squares (CANARIAS-SETUP-5)."""
    village: tuple[int, ...]
    farmland: tuple[int, ...]
    touching: dict[Feature, tuple[int, ...]]
    """Per kind of land: the building squares next to it (CANARIAS-BUILD-4)."""
    neighbours: dict[int, tuple[int, ...]]
    """Per building square: the building squares that share a side with it."""
    borders: dict[Feature, tuple[Point, ...]]
    """Lines to draw, corner by corner."""


class IslandSet(Struct, frozen=True):
    """Islands that have passed every check, in the order of the file."""

    edition: str
    islands: tuple[PrintedIsland, ...]


class _IslandEntry(Struct, forbid_unknown_fields=True):
    outline: tuple[str, ...]
    village: tuple[str, ...]
    farmland: tuple[str, ...]
    touching: dict[str, tuple[str, ...]]
    neighbours: tuple[str, ...]
    borders: dict[str, tuple[Point, ...]]


class _IslandsFile(Struct, forbid_unknown_fields=True):
    edition: str
    powers: Raw
    settlers: Raw
    islands: dict[str, _IslandEntry]


def parse_islands(text: str) -> IslandSet:
    """Return the islands in ``text``, in the format of ``house.json``. Raises IslandsError."""
    raw = decode_entries(text, _IslandsFile, IslandsError)
    raise_first_problem(_problems(raw), text, IslandsError)
    return IslandSet(raw.edition, tuple(_build(key, entry) for key, entry in raw.islands.items()))


def _problems(raw: _IslandsFile) -> Iterator[Problem]:
    """Yield the errors of the file. Only the first one is reliable: later checks rely on earlier ones."""
    if len(raw.islands) != _ISLANDS:
        yield None, f"there are {len(raw.islands)} islands instead of {_ISLANDS}"
    for key, entry in raw.islands.items():
        for problem in _island_problems(entry):
            yield key, f"island {key} {problem}"
    for problem in _sum_problems(raw):
        yield None, problem


def _island_problems(entry: _IslandEntry) -> Iterator[str]:
    """Yield the errors of one island."""
    yield from _outline_problems(entry)
    yield from _neighbour_problems(entry)
    yield from _touching_problems(entry)
    yield from _drawing_problems(entry)


def _outline_problems(entry: _IslandEntry) -> Iterator[str]:
    """Check the outline, the village, the farmland and the 12 building squares (CANARIAS-SETUP-5)."""
    if len(entry.outline) > ROWS or any(len(row) > COLUMNS or set(row) - set("#.") for row in entry.outline):
        yield f"is not drawn with # and . in {ROWS} rows of {COLUMNS}"
        return
    land = set(_land(entry))
    for area, squares in zip(_AREAS, (entry.village, entry.farmland), strict=True):
        if not squares or set(squares) - land:
            yield f"has its {area} off the land: {list(squares)}"
    if set(entry.village) & set(entry.farmland):
        yield "has its village and its farmland on the same square"
    if len({*entry.village, *entry.farmland}) != len((*entry.village, *entry.farmland)):
        yield "names a square of its village or its farmland twice"
    if len(_building(entry)) != _BUILDING_SQUARES:
        yield f"has {len(_building(entry))} building squares instead of {_BUILDING_SQUARES}"


def _neighbour_problems(entry: _IslandEntry) -> Iterator[str]:
    """Check that the pairs of neighbours are the building squares that share a side (CANARIAS-BUILD-4), 13 pairs."""
    building = _building(entry)
    sharing = {f"{one} {two}" for one in building for two in building if one < two and _sides(one) & _sides(two)}
    for pair in entry.neighbours:
        if pair not in sharing:
            yield f"names {pair!r} as neighbours, but they are no two building squares that share a side"
    for pair in sorted(sharing - set(entry.neighbours)):
        yield f"does not name {pair!r} as neighbours, but they share a side"
    if len(entry.neighbours) != _PAIRS:
        yield f"has {len(entry.neighbours)} pairs of neighbours instead of {_PAIRS}"


def _touching_problems(entry: _IslandEntry) -> Iterator[str]:
    """Check that each kind of land touches 3 to 5 building squares."""
    if sorted(entry.touching) != sorted(_LAND):
        yield f"must list the squares next to each of {', '.join(_LAND)}"
        return
    for name, squares in entry.touching.items():
        if len(set(squares) & set(_building(entry))) != len(squares):
            yield f"lists a square next to the {name} twice, or one that is no building square"
    sizes = Counter(map(len, entry.touching.values()))
    if sizes != _SIZES:
        yield f"has features at {dict(sorted(sizes.items()))} squares instead of {dict(sorted(_SIZES.items()))}"


def _drawing_problems(entry: _IslandEntry) -> Iterator[str]:
    """Check that the lines of coast, mountains, river and road, and the two areas, match the lists."""
    if sorted(entry.borders) != sorted(set(_LAND) - set(_AREAS)):
        yield "must draw its coast, river, mountain and road"
        return
    edges = {name: _steps(line) for name, line in entry.borders.items()}
    for name, steps in edges.items():
        if not steps <= _ALL_SIDES:
            yield f"draws its {name} off the sides of squares"
    edges |= {
        area: set().union(*map(_sides, squares))
        for area, squares in zip(_AREAS, (entry.village, entry.farmland), strict=True)
    }
    for name, squares in entry.touching.items():
        drawn = {square for square in _building(entry) if _sides(square) & edges[name]}
        if drawn != set(squares):
            yield f"lists {sorted(squares)} next to the {name}, but its drawing shows {sorted(drawn)}"


def _sum_problems(raw: _IslandsFile) -> Iterator[str]:
    """Check that each kind of land touches the same number of squares over all islands."""
    for name in _LAND:
        contacts = sum(len(entry.touching[name]) for entry in raw.islands.values())
        if contacts != _EACH_FEATURE:
            yield f"all islands have a total of {contacts} squares next to the {name} instead of {_EACH_FEATURE}"


Side = frozenset[Point]
"""A side of a square: its two corners."""


def _sides(square: str) -> set[Side]:
    row, column = divmod(NUMBER[square], COLUMNS)
    corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1), (column, row)]
    return {frozenset(side) for side in pairwise(corners)}


_ALL_SIDES: Final = set[Side]().union(*map(_sides, SQUARES))


def _steps(line: tuple[Point, ...]) -> set[Side]:
    return {frozenset(step) for step in pairwise(line)}


def _land(entry: _IslandEntry) -> list[str]:
    return [
        SQUARES[row * COLUMNS + column]
        for row, signs in enumerate(entry.outline)
        for column, sign in enumerate(signs)
        if sign == "#"
    ]


def _building(entry: _IslandEntry) -> list[str]:
    return [square for square in _land(entry) if square not in (*entry.village, *entry.farmland)]


def _numbers(squares: tuple[str, ...] | list[str]) -> tuple[int, ...]:
    return tuple(sorted(NUMBER[square] for square in squares))


def _build(key: str, entry: _IslandEntry) -> PrintedIsland:
    pairs = [pair.split() for pair in entry.neighbours]
    return PrintedIsland(
        id=key,
        outline=entry.outline,
        building=_numbers(_building(entry)),
        village=_numbers(entry.village),
        farmland=_numbers(entry.farmland),
        touching={_LAND[name]: _numbers(entry.touching[name]) for name in _LAND},
        neighbours={
            NUMBER[square]: _numbers([other for pair in pairs if square in pair for other in pair if other != square])
            for square in _building(entry)
        },
        borders={_LAND[name]: line for name, line in entry.borders.items()},
    )


_HOUSE = parse_islands(components_text(__package__))
ISLANDS: Final = _HOUSE.islands
EDITIONS: Final = (_HOUSE.edition,)
