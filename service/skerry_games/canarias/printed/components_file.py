"""The format of ``house.json`` and its checks: islands, settlers, and the powers of the colours.

An island lies on a grid of at most 4 rows and 6 columns; ``B3`` is the third square of the second row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec import Struct

from skerry_games.canarias.printed.terms import LAND, Colour, Feature, Power, named
from skerry_games.component_data import Problem, each_once, in_range, known, load, shared

ROWS: Final = 4
COLUMNS: Final = 6
SQUARES: Final = tuple(f"{letter}{column}" for letter in "ABCD" for column in range(1, COLUMNS + 1))
"""The names of all squares of the grid. A square is an index into this list."""
NUMBER: Final = {name: number for number, name in enumerate(SQUARES)}

Point = tuple[int, int]
"""A corner of the grid: x grows to the right and y downwards."""

_SETTLERS = range(20, 58)
"""Numbers of settlers. Five seats draw 5 cards each, and one card starts the ship (CANARIAS-SETUP-4); six can be
pirates. A state keeps a bit of a 64-bit number for each card."""
_OCCUPATIONS = range(7, 20)
"""Numbers of occupations. The deck of triples has three cards of each, with the same bounds."""
_PRIORITIES = 4

_ISLANDS = range(5, 11)
"""Numbers of islands. Each of up to five seats takes one (CANARIAS-SETUP-3)."""
_BUILDING_SQUARES = range(1, 17)
"""Numbers of building squares. With more, a seat could have more than 500 legal moves."""
LAND_NAMES = {feature.name.lower(): feature for feature in LAND}
_AREAS = ("village", "farmland")
_COLOUR = named(Colour)
PIRATE_IDS: Final = tuple(f"pirate-{name}" for name in _COLOUR)
"""The ids of the pirate cards, which the file does not list."""
_FEATURE = named(Feature)
_POWER = named(Power)


class SettlerEntry(Struct, forbid_unknown_fields=True):
    """A settler in the file, by its id."""

    occupation: str
    english: str
    house: str
    priorities: tuple[str, ...]


class IslandEntry(Struct, forbid_unknown_fields=True):
    """An island in the file, by its id."""

    outline: tuple[str, ...]
    village: tuple[str, ...]
    farmland: tuple[str, ...]
    touching: dict[str, tuple[str, ...]]
    neighbours: tuple[str, ...]
    borders: dict[str, tuple[Point, ...]]


class ComponentsFile(Struct, forbid_unknown_fields=True):
    """The whole file."""

    edition: str
    powers: dict[str, str]
    settlers: dict[str, SettlerEntry]
    islands: dict[str, IslandEntry]


def read_components(text: str) -> ComponentsFile:
    """Return the file in ``text``, with every check passed. Raises ComponentsError."""
    return load(text, ComponentsFile, (_basic_problems, _square_problems, _drawing_problems))


def _basic_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Yield the problems of cards and of outlines, which do not rely on each other."""
    yield from _card_problems(raw)
    yield from _card_count_problems(raw)
    yield from _outline_problems(raw)


def _card_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check the house and the priorities of each settler (CANARIAS-BUILD-1, CANARIAS-BUILD-2)."""
    for key, entry in raw.settlers.items():
        at = ("settlers", key)
        if key in PIRATE_IDS:
            yield Problem(at, f"{key} is the id of a pirate; choose another id")
        yield from known(entry.house, _COLOUR, "colour", (*at, "house"), "CANARIAS-BUILD-1")
        for index, name in enumerate(entry.priorities):
            yield from known(name, _FEATURE, "priority", (*at, "priorities", index), "CANARIAS-BUILD-3")
        yield from each_once(entry.priorities, "a priority", (*at, "priorities"), "CANARIAS-BUILD-2")
        if len(entry.priorities) != _PRIORITIES:
            sentence = f"{key} has {len(entry.priorities)} priorities instead of {_PRIORITIES}"
            yield Problem((*at, "priorities"), sentence, "CANARIAS-BUILD-2")


def _card_count_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that both decks are large enough to deal, and that each colour has one of the powers (CANARIAS-SETUP-2)."""
    at = ("settlers",)
    yield from in_range(len(raw.settlers), _SETTLERS, "the number of settlers", at, "CANARIAS-SETUP-4")
    occupations = len({entry.occupation for entry in raw.settlers.values()})
    yield from in_range(occupations, _OCCUPATIONS, "the number of occupations", at, "CANARIAS-SETUP-4")
    if sorted(raw.powers) != sorted(_COLOUR) or sorted(raw.powers.values()) != sorted(_POWER):
        sentence = f"the colours {', '.join(_COLOUR)} must have one each of the powers {', '.join(_POWER)}"
        yield Problem(("powers",), sentence, "CANARIAS-SETUP-2")


def _outline_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check the outline, the village, the farmland and the building squares (CANARIAS-SETUP-5)."""
    rule = "CANARIAS-SETUP-5"
    yield from in_range(len(raw.islands), _ISLANDS, "the number of islands", ("islands",), "CANARIAS-SETUP-3")
    for key, entry in raw.islands.items():
        at = ("islands", key)
        if len(entry.outline) > ROWS or any(len(row) > COLUMNS or set(row) - set("#.") for row in entry.outline):
            sentence = f"island {key} is not drawn with # and . in at most {ROWS} rows of {COLUMNS}"
            yield Problem((*at, "outline"), sentence)
            continue
        land = _land(entry)
        for area, squares in zip(_AREAS, (entry.village, entry.farmland), strict=True):
            if not squares or set(squares) - set(land):
                yield Problem((*at, area), f"the {area} of island {key} must be squares of its land", rule)
        yield from shared((*entry.village, *entry.farmland), "a square of village or farmland", at, rule)
        what = f"the number of building squares of island {key}"
        yield from in_range(len(building_squares(entry)), _BUILDING_SQUARES, what, (*at, "outline"), rule)


def _square_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that lists name building squares, and that neighbours share a side (CANARIAS-BUILD-4)."""
    rule = "CANARIAS-BUILD-4"
    for key, entry in raw.islands.items():
        at = ("islands", key)
        building = building_squares(entry)
        sharing = {f"{one} {two}" for one in building for two in building if one < two and _sides(one) & _sides(two)}
        for index, pair in enumerate(entry.neighbours):
            if pair not in sharing:
                sentence = f"{pair!r} are no two building squares, in ascending order, that share a side"
                yield Problem((*at, "neighbours", index), sentence, rule)
        yield from each_once(entry.neighbours, "a pair of neighbours", (*at, "neighbours"), rule)
        for pair in sorted(sharing - set(entry.neighbours)):
            yield Problem((*at, "neighbours"), f"{pair!r} share a side, but are not listed", rule)
        if sorted(entry.touching) != sorted(LAND_NAMES):
            sentence = f"island {key} must list the squares next to each of {', '.join(LAND_NAMES)}"
            yield Problem((*at, "touching"), sentence, rule)
        for name, squares in entry.touching.items():
            yield from each_once(squares, "a square", (*at, "touching", name), rule)
            for index, square in enumerate(squares):
                if square not in building:
                    sentence = f"{square!r} is no building square of island {key}"
                    yield Problem((*at, "touching", name, index), sentence, rule)


def _drawing_problems(raw: ComponentsFile) -> Iterator[Problem]:
    """Check that the lines of coast, mountains, river and road, and the two areas, match the lists."""
    for key, entry in raw.islands.items():
        at = ("islands", key, "borders")
        if sorted(entry.borders) != sorted(set(LAND_NAMES) - set(_AREAS)):
            yield Problem(at, f"island {key} must draw its coast, river, mountain and road")
            continue
        edges = {name: _steps(line) for name, line in entry.borders.items()}
        for name, steps in edges.items():
            if not steps <= _ALL_SIDES:
                yield Problem((*at, name), f"island {key} draws its {name} off the sides of squares")
        edges |= {
            area: set().union(*map(_sides, squares))
            for area, squares in zip(_AREAS, (entry.village, entry.farmland), strict=True)
        }
        for name, squares in entry.touching.items():
            drawn = {square for square in building_squares(entry) if _sides(square) & edges[name]}
            if drawn != set(squares):
                sentence = f"{sorted(squares)} are listed next to the {name}, but the drawing shows {sorted(drawn)}"
                yield Problem(("islands", key, "touching", name), sentence, "CANARIAS-BUILD-4")


Side = frozenset[Point]
"""A side of a square: its two corners."""


def _sides(square: str) -> set[Side]:
    row, column = divmod(NUMBER[square], COLUMNS)
    corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1), (column, row)]
    return {frozenset(side) for side in pairwise(corners)}


_ALL_SIDES: Final = set[Side]().union(*map(_sides, SQUARES))


def _steps(line: tuple[tuple[int, int], ...]) -> set[Side]:
    return {frozenset(step) for step in pairwise(line)}


def _land(entry: IslandEntry) -> list[str]:
    return [
        SQUARES[row * COLUMNS + column]
        for row, signs in enumerate(entry.outline)
        for column, sign in enumerate(signs)
        if sign == "#"
    ]


def building_squares(entry: IslandEntry) -> list[str]:
    """Return the squares of the land that are neither village nor farmland."""
    return [square for square in _land(entry) if square not in (*entry.village, *entry.farmland)]
