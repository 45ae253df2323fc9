"""The printed map: read from ``house.json`` once, checked, and frozen.

An owner of the game can correct or replace the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated

from msgspec import Struct, structs

from skerry_games.annotations import Id
from skerry_games.component_data import Problem, components_text, each_once, in_range, inside, known, load


class Terrain(IntEnum):
    """The terrain of a province. It decides the value and the kinds of tile."""

    MOUNTAIN = 1
    HILL = 2
    PLAIN = 3


TERRAIN_VALUE = {Terrain.MOUNTAIN: 2, Terrain.HILL: 3, Terrain.PLAIN: 4}
HARBOUR_VALUE = 2

_COUNT = range(9, 17)
"""Numbers of provinces. The figures and abbots of four seats can close 8 (KRETA-COMMANDER-3, KRETA-PEACE-1), and the
piece that a card adds must have a place (KRETA-TURN-2). A state packs a digit for each province into 64 bits."""
_FORT_CARDS = range(20, 63)
"""Numbers of fort cards. A game turns up 11 and can replace 9 of them (KRETA-SETUP-5, KRETA-CASTELLAN-3)."""
_SAME_TILES = range(5)
"""Numbers of tiles of a kind: KRETA-FARMER-3 has points for 4."""


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
    tiles: dict[str, int]
    """The number of agriculture tiles of each kind, by the name of ``Tile`` in lower case (KRETA-SETUP-4)."""


class _ProvinceEntry(Struct, forbid_unknown_fields=True):
    name: str
    terrain: str
    harbour: bool
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


class _Tiles(Struct, forbid_unknown_fields=True):
    wheat: int
    olive: int
    wine: int
    thyme: int
    cheese: int


class _BoardFile(Struct, forbid_unknown_fields=True):
    edition: str
    width: int
    height: int
    tiles: _Tiles
    provinces: dict[str, _ProvinceEntry]
    forts: dict[str, _FortEntry]


def parse_board(text: str) -> KretaBoard:
    """Return the map in ``text``, which has the format of ``house.json``. Raises ComponentsError."""
    return _build(load(text, _BoardFile, (_reference_problems, _count_problems, _drawing_problems)))


def parse_middles(text: str) -> dict[str, tuple[int, int]]:
    """Return the point in each province around which most room is, by its id. ``text``: as for ``parse_board``."""
    return {key: entry.middle for key, entry in load(text, _BoardFile).provinces.items()}


def _reference_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check that borders are mutual, and that provinces and fort spaces list each other, once each."""
    terrains = [terrain.name.lower() for terrain in Terrain]
    for key, province in raw.provinces.items():
        at = ("provinces", key)
        yield from known(province.terrain, terrains, "terrain", (*at, "terrain"), "KRETA-SCORE-2")
        yield from each_once(province.adjacent, "a neighbour", (*at, "adjacent"), "KRETA-COMMANDER-2")
        yield from each_once(province.forts, "a fort space", (*at, "forts"), "KRETA-CASTELLAN-1")
        for index, other in enumerate(province.adjacent):
            if other == key or other not in raw.provinces:
                yield Problem((*at, "adjacent", index), f"{other!r} is no other province", "KRETA-COMMANDER-2")
            elif key not in raw.provinces[other].adjacent:
                sentence = f"{other} is adjacent to {key}, but {key} is not adjacent to {other}: list both or none"
                yield Problem(("provinces", other, "adjacent"), sentence, "KRETA-COMMANDER-2")
        for index, number in enumerate(province.forts):
            if key not in (raw.forts[str(number)].provinces if str(number) in raw.forts else ()):
                sentence = f"{key} lists fort space {number}, which does not list {key}"
                yield Problem((*at, "forts", index), sentence, "KRETA-CASTELLAN-1")
    yield from _fort_problems(raw)


def _fort_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check that fort spaces are numbered without a gap, and touch provinces that list them."""
    if sorted(raw.forts) != sorted(str(number) for number in range(1, len(raw.forts) + 1)):
        yield Problem(("forts",), f"fort spaces must be numbered 1 to {len(raw.forts)}, each number once")
    for key, fort in raw.forts.items():
        yield from each_once(fort.provinces, "a province", ("forts", key, "provinces"), "KRETA-CASTELLAN-1")
        if not fort.provinces:
            yield Problem(("forts", key, "provinces"), f"fort space {key} touches no province", "KRETA-CASTELLAN-1")
        for index, other in enumerate(fort.provinces):
            if key not in (map(str, raw.provinces[other].forts) if other in raw.provinces else ()):
                sentence = f"fort space {key} touches {other!r}, which does not list the fort space"
                yield Problem(("forts", key, "provinces", index), sentence, "KRETA-CASTELLAN-1")


def _count_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check that there are enough provinces and fort cards for every rule, and a tile for each province."""
    yield from in_range(len(raw.provinces), _COUNT, "the number of provinces", ("provinces",), "KRETA-TURN-2")
    yield from in_range(len(raw.forts), _FORT_CARDS, "the number of fort cards", ("forts",), "KRETA-CASTELLAN-3")
    tiles = raw.tiles
    for terrain, kinds in (
        (Terrain.PLAIN, ("wheat",)),
        (Terrain.HILL, ("olive", "wine")),
        (Terrain.MOUNTAIN, ("thyme", "cheese")),
    ):
        name = terrain.name.lower()
        provinces = sum(province.terrain == name for province in raw.provinces.values())
        for kind in kinds:
            what = f"the number of {kind} tiles"
            yield from in_range(getattr(tiles, kind), _SAME_TILES, what, ("tiles", kind), "KRETA-FARMER-3")
        if (dealt := sum(getattr(tiles, kind) for kind in kinds)) != provinces:
            sentence = (
                f"there are {dealt} tiles ({' and '.join(kinds)}) for {provinces} provinces of the terrain {name}"
            )
            yield Problem(("tiles", kinds[0]), sentence, "KRETA-SETUP-4")
    if not any(province.harbour for province in raw.provinces.values()):
        yield Problem(("provinces",), "no province has a harbour", "KRETA-ADMIRAL-1")


def _drawing_problems(raw: _BoardFile) -> Iterator[Problem]:
    """Check outlines and positions, which clients need to draw the map."""
    for name, size in (("width", raw.width), ("height", raw.height)):
        yield from in_range(size, range(100, 4001), f"the {name}", (name,))
    for key, province in raw.provinces.items():
        at = ("provinces", key)
        if len({*province.polygon}) < max(3, len(province.polygon)):
            yield Problem((*at, "polygon"), "an outline has at least 3 corners, all of them different")
        yield from inside(province.polygon, raw.width, raw.height, (*at, "polygon"))
        yield from inside((province.middle,), raw.width, raw.height, (*at, "middle"))
    for key, fort in raw.forts.items():
        yield from inside(((fort.x, fort.y),), raw.width, raw.height, ("forts", key))


def _value(entry: _ProvinceEntry) -> int:
    return TERRAIN_VALUE[Terrain[entry.terrain.upper()]] + HARBOUR_VALUE * entry.harbour  # KRETA-SCORE-2


def _build(raw: _BoardFile) -> KretaBoard:
    number = {key: index for index, key in enumerate(raw.provinces)}
    provinces = tuple(
        Province(
            id=key,
            name=entry.name,
            terrain=Terrain[entry.terrain.upper()],
            harbour=entry.harbour,
            value=_value(entry),
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
            sum(_value(raw.provinces[other]) for other in entry.provinces),
        )
        for fort, entry in sorted((int(key), entry) for key, entry in raw.forts.items())
    )
    return KretaBoard(raw.edition, raw.width, raw.height, provinces, forts, structs.asdict(raw.tiles))


_MAP = components_text(__package__)
BOARD = parse_board(_MAP)
MIDDLES = parse_middles(_MAP)
EDITIONS = (BOARD.edition,)
