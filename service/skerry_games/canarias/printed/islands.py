"""The islands: read once, checked and frozen. An owner of the game can replace them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from skerry_games.canarias.printed.components_file import (
    LAND_NAMES,
    NUMBER,
    IslandEntry,
    Point,
    building_squares,
    read_components,
)
from skerry_games.canarias.printed.terms import Feature
from skerry_games.component_data import components_text


class PrintedIsland(Struct, frozen=True):
    """An island as printed. Sets of squares are ascending tuples of their numbers."""

    id: str
    outline: tuple[str, ...]
    building: tuple[int, ...]
    """The building squares (CANARIAS-SETUP-5)."""
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


def parse_islands(text: str) -> IslandSet:
    """Return the islands in ``text``, in the format of ``house.json``. Raises ComponentsError."""
    raw = read_components(text)
    return IslandSet(raw.edition, tuple(_build(key, entry) for key, entry in raw.islands.items()))


def _numbers(squares: tuple[str, ...] | list[str]) -> tuple[int, ...]:
    return tuple(sorted(NUMBER[square] for square in squares))


def _build(key: str, entry: IslandEntry) -> PrintedIsland:
    pairs = [pair.split() for pair in entry.neighbours]
    return PrintedIsland(
        id=key,
        outline=entry.outline,
        building=_numbers(building_squares(entry)),
        village=_numbers(entry.village),
        farmland=_numbers(entry.farmland),
        touching={LAND_NAMES[name]: _numbers(entry.touching[name]) for name in LAND_NAMES},
        neighbours={
            NUMBER[square]: _numbers([other for pair in pairs if square in pair for other in pair if other != square])
            for square in building_squares(entry)
        },
        borders={LAND_NAMES[name]: line for name, line in entry.borders.items()},
    )


_HOUSE = parse_islands(components_text(__package__))
ISLANDS: Final = _HOUSE.islands
EDITIONS: Final = (_HOUSE.edition,)
