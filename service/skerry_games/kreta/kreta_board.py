"""The printed map: read from ``house.json`` once, checked, and frozen.

An owner of the game can correct or replace the file. ``parse_board`` names the line that is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from itertools import combinations
from typing import Annotated

from msgspec import Struct

from skerry_games.annotations import Id
from skerry_games.component_data import Problem, components_text, decode_entries, raise_first_problem


class Terrain(IntEnum):
    """The terrain of a province. It decides the value and the kinds of tile."""

    MOUNTAIN = 1
    HILL = 2
    PLAIN = 3


TERRAIN_VALUE = {Terrain.MOUNTAIN: 2, Terrain.HILL: 3, Terrain.PLAIN: 4}
HARBOUR_VALUE = 2

_PROVINCES = {Terrain.MOUNTAIN: 6, Terrain.HILL: 8, Terrain.PLAIN: 2}
_HARBOURS = {Terrain.MOUNTAIN: 2, Terrain.HILL: 3, Terrain.PLAIN: 2}
_BORDERS = 29
_FORTS = 26
_FORTS_BY_PROVINCES = {2: 12, 3: 10, 4: 4}
_FORT_TOTALS = range(6, 16)
_FORT_2_TERRAINS = {Terrain.MOUNTAIN: 1, Terrain.HILL: 2}


class KretaBoardError(ValueError):
    """A map that does not fit the rules. The message says what is wrong and in which line."""


def _ids() -> tuple[str, ...]:
    return tuple(province.id for province in BOARD.provinces)


Neighbour = Annotated[int, Id(_ids, "province")]
"""The number of a province."""


class Province(Struct, frozen=True):
    """A province as printed. Provinces are numbered in the order of the file."""

    id: str
    name: str
    terrain: Terrain
    harbour: bool
    value: int
    adjacent: tuple[Neighbour, ...]
    """Numbers of the provinces that share a border with this one, ascending."""
    fort_spaces: tuple[int, ...]
    """Numbers of the fort spaces that touch this province, ascending."""
    polygon: tuple[tuple[int, int], ...]


class FortSpace(Struct, frozen=True):
    """A round space for a fort, and the fort card with the same number."""

    number: int
    provinces: tuple[Neighbour, ...]
    """Numbers of the provinces that the space touches, ascending."""
    at: tuple[int, int]
    coast: bool
    total_value: int


class KretaBoard(Struct, frozen=True):
    """A map that has passed every check."""

    edition: str
    width: int
    height: int
    provinces: tuple[Province, ...]
    forts: tuple[FortSpace, ...]
    """In ascending order of their numbers, which start at 1."""


class _ProvinceEntry(Struct, forbid_unknown_fields=True):
    name: str
    terrain: str
    harbour: bool
    value: int
    adjacent: tuple[str, ...]
    forts: tuple[int, ...]
    polygon: tuple[tuple[int, int], ...]
    middle: tuple[int, int]
    """The point around which most room is for what is printed and lies in the province."""


class _FortEntry(Struct, forbid_unknown_fields=True):
    provinces: tuple[str, ...]
    x: int
    y: int
    coast: bool
    total_value: int


class _BoardFile(Struct, forbid_unknown_fields=True):
    edition: str
    width: int
    height: int
    provinces: dict[str, _ProvinceEntry]
    forts: dict[str, _FortEntry]


def parse_board(text: str) -> KretaBoard:
    """Return the map in ``text``, which has the format of ``house.json``. Raises KretaBoardError."""
    raw = decode_entries(text, _BoardFile, KretaBoardError)
    raise_first_problem(_problems(raw), text, KretaBoardError)
    return _build(raw)


def parse_middles(text: str) -> dict[str, tuple[int, int]]:
    """Return the point in each province around which most room is, by its id. ``text``: as for ``parse_board``."""
    raw = decode_entries(text, _BoardFile, KretaBoardError)
    return {key: entry.middle for key, entry in raw.provinces.items()}


def _problems(raw: _BoardFile) -> Iterator[Problem]:
    """Yield problems. Later checks rely on earlier ones, so only the first problem is reliable."""
    yield from _reference_problems(raw)
    yield from _border_problems(raw)
    yield from _count_problems(raw)
    yield from _value_problems(raw)
    yield from _drawing_problems(raw)


def _reference_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check that all names exist, and that provinces and fort spaces list each other, once each."""
    terrains = {terrain.name.lower() for terrain in Terrain}
    if sorted(raw.forts) != sorted(str(number) for number in range(1, _FORTS + 1)):
        yield "forts", f"fort spaces must be numbered 1 to {_FORTS}, each number once"
    for key, province in raw.provinces.items():
        if province.terrain not in terrains:
            yield key, f"province {key} has an unknown terrain {province.terrain!r}"
        for other in province.adjacent:
            if other not in raw.provinces:
                yield key, f"province {key} is adjacent to {other!r}, which does not exist"
        for number in province.forts:
            if key not in raw.forts[str(number)].provinces if str(number) in raw.forts else True:
                yield key, f"province {key} lists fort space {number}, which does not list the province"
        if len(set(province.forts)) != len(province.forts):
            yield key, f"province {key} lists a fort space twice"
    for key, fort in raw.forts.items():
        for other in fort.provinces:
            if other not in raw.provinces or int(key) not in raw.provinces[other].forts:
                yield key, f"fort space {key} touches {other!r}, which does not list the fort space"
        if len(set(fort.provinces)) != len(fort.provinces):
            yield key, f"fort space {key} lists a province twice"


def _border_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check that borders (KRETA-COMMANDER-2) are mutual, end in two fort spaces, and connect all provinces."""
    for key, province in raw.provinces.items():
        if len({*province.adjacent, key}) != len(province.adjacent) + 1:
            yield key, f"province {key} lists itself or a neighbour twice"
        for other in province.adjacent:
            if key not in raw.provinces[other].adjacent:
                yield key, f"province {key} is adjacent to {other}, but {other} is not adjacent to {key}"
    for one, two in combinations(raw.provinces, 2):
        shared = len(set(raw.provinces[one].forts) & set(raw.provinces[two].forts))
        if two in raw.provinces[one].adjacent and shared != 2:
            yield one, f"the border between {one} and {two} ends in {shared} fort spaces instead of 2"
        if two not in raw.provinces[one].adjacent and shared > 1:
            yield one, f"{one} and {two} share {shared} fort spaces, but have no border"
    if cut_off := sorted(set(raw.provinces) - _joined(raw)):
        yield cut_off[0], f"province {cut_off[0]} cannot be reached from the first one"


def _joined(raw: _BoardFile) -> set[str]:
    """Return the provinces reachable from the first one, including itself."""
    joined = set(list(raw.provinces)[:1])
    edge = list(joined)
    while edge:
        edge = [other for key in edge for other in raw.provinces[key].adjacent if other not in joined]
        joined.update(edge)
    return joined


def _count_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check the numbers of provinces, harbours, borders and fort spaces against the game's components."""
    for terrain in Terrain:
        alike = [province for province in raw.provinces.values() if province.terrain == terrain.name.lower()]
        if len(alike) != _PROVINCES[terrain]:
            yield None, f"{len(alike)} provinces are {terrain.name.lower()} instead of {_PROVINCES[terrain]}"
        if (harbours := sum(province.harbour for province in alike)) != _HARBOURS[terrain]:
            yield None, f"{harbours} harbours are {terrain.name.lower()} instead of {_HARBOURS[terrain]}"
    if (borders := sum(len(province.adjacent) for province in raw.provinces.values()) // 2) != _BORDERS:
        yield None, f"there are {borders} borders instead of {_BORDERS}"
    sizes = Counter(len(fort.provinces) for fort in raw.forts.values())
    if sizes != _FORTS_BY_PROVINCES:
        yield None, f"fort spaces touch {dict(sorted(sizes.items()))} provinces instead of {_FORTS_BY_PROVINCES}"


def _value_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check values against terrain and harbour (KRETA-SCORE-2), and the totals of fort spaces. All values sum to 58."""
    for key, province in raw.provinces.items():
        value = TERRAIN_VALUE[Terrain[province.terrain.upper()]] + HARBOUR_VALUE * province.harbour
        if province.value != value:
            yield key, f"province {key} is worth {province.value} instead of {value}"
    for key, fort in raw.forts.items():
        total = sum(raw.provinces[other].value for other in fort.provinces)
        if fort.total_value != total or total not in _FORT_TOTALS:
            yield (
                key,
                f"fort space {key} says {fort.total_value}, but its provinces sum to {total} (6 to 15 is allowed)",
            )
    around = Counter(Terrain[raw.provinces[other].terrain.upper()] for other in raw.forts["2"].provinces)
    if around != _FORT_2_TERRAINS:
        yield "2", "fort space 2 must touch one mountain and two hills"


def _drawing_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check outlines and positions, which clients need to draw the map."""
    for key, province in raw.provinces.items():
        if len(province.polygon) < 3:
            yield key, f"province {key} has an outline with fewer than 3 corners"
        if not all(_inside(raw, x, y) for x, y in province.polygon):
            yield key, f"province {key} has a corner outside {raw.width} x {raw.height}"
        if not _inside(raw, *province.middle):
            yield key, f"province {key} has its middle outside {raw.width} x {raw.height}"
    for key, fort in raw.forts.items():
        if not _inside(raw, fort.x, fort.y):
            yield key, f"fort space {key} lies outside {raw.width} x {raw.height}"


def _inside(raw: _BoardFile, x: int, y: int) -> bool:
    return 0 <= x <= raw.width and 0 <= y <= raw.height


def _build(raw: _BoardFile) -> KretaBoard:
    number = {key: index for index, key in enumerate(raw.provinces)}
    provinces = tuple(
        Province(
            id=key,
            name=entry.name,
            terrain=Terrain[entry.terrain.upper()],
            harbour=entry.harbour,
            value=entry.value,
            adjacent=tuple(sorted(number[other] for other in entry.adjacent)),
            fort_spaces=tuple(sorted(entry.forts)),
            polygon=entry.polygon,
        )
        for key, entry in raw.provinces.items()
    )
    forts = tuple(
        FortSpace(
            fort,
            tuple(sorted(number[other] for other in entry.provinces)),
            (entry.x, entry.y),
            entry.coast,
            entry.total_value,
        )
        for fort, entry in sorted((int(key), entry) for key, entry in raw.forts.items())
    )
    return KretaBoard(raw.edition, raw.width, raw.height, provinces, forts)


_MAP = components_text(__package__)
BOARD = parse_board(_MAP)
MIDDLES = parse_middles(_MAP)
EDITIONS = (BOARD.edition,)
