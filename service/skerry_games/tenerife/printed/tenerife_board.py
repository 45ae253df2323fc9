"""The printed board: read once from ``house.json``, checked and frozen.

An owner of the game can correct or replace the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated

from msgspec import Struct

from skerry_games.annotations import Id
from skerry_games.component_data import Problem, components_text, in_range, inside, known, load, valid_id


class Good(IntEnum):
    """The good on a storage space."""

    SUGAR = 1
    WINE = 2


_TOWNS = range(2, 13)
"""Numbers of towns. With 2 and 3 seats one card is removed (TENERIFE-SETUP-2)."""
_PLOTS = range(1, 9)
_HALL = range(1, 17)
"""Numbers of plots of the Town Hall. All splits of a seat's elements into lines are compared (TENERIFE-HALL-1)."""
_SPACES = range(1, 13)
_COLUMN = range(12, 13)
_TRANSPORT = range(3, 4)

Point = tuple[int, int]
"""x grows to the right and y downwards, from the top left corner."""


def _ids() -> tuple[str, ...]:
    return tuple(place.id for place in BOARD.places)


class BoardPlace(Struct, frozen=True):
    """A town, or the place of the Town Hall. Places are numbered in the order of the file; the hall's place is last."""

    id: str
    name: str
    at: Point
    farmers_symbol: bool
    plots: tuple[Point, ...]
    """The plots of the town, in building order. Empty for the place of the Town Hall."""
    neighbours: tuple[Annotated[int, Id(_ids, "place")], ...]
    """The numbers of the places at the other ends of its roads, ascending."""
    town_hall: bool = False


class HallPlot(Struct, frozen=True, forbid_unknown_fields=True):
    """A plot of the Town Hall. Its number is its position in the file, from 1."""

    row: int
    column: int
    at: Point
    closed_with_two_seats: bool


class StorageSpace(Struct, frozen=True):
    """A space for warehouses. Its number is its position in the file, from 1."""

    good: Good
    value: int
    room: int
    at: Point


class TenerifeBoard(Struct, frozen=True):
    """A board that has passed every check."""

    edition: str
    width: int
    height: int
    places: tuple[BoardPlace, ...]
    hall_plots: tuple[HallPlot, ...]
    storage: tuple[StorageSpace, ...]
    farmhand_returns_to: int
    """The number of the storage space that follows the last one."""
    removed_town: int
    """The place whose card is removed with 2 and 3 seats (TENERIFE-SETUP-2, TENERIFE-TWO-1)."""
    option_symbol_town: int
    """The place that has a farmer's symbol with the option ``puerto_farmer`` (TENERIFE-FARMER-1)."""
    line_points: tuple[int, ...]
    """Points for a line of 1 element, of 2, and so on."""
    column: tuple[Point, ...]
    transport: tuple[Point, ...]


class _TownEntry(Struct, forbid_unknown_fields=True):
    name: str
    farmers_symbol: bool
    at: Point
    plots: tuple[Point, ...]


class _HallEntry(Struct, forbid_unknown_fields=True):
    id: str
    name: str
    at: Point
    plots: tuple[HallPlot, ...]


class _StorageEntry(Struct, forbid_unknown_fields=True):
    good: str
    value: int
    room: int
    at: Point


class _TenerifeFile(Struct, forbid_unknown_fields=True):
    edition: str
    width: int
    height: int
    towns: dict[str, _TownEntry]
    removed_town: str
    option_symbol_town: str
    hall: _HallEntry
    roads: tuple[tuple[str, str], ...]
    storage: tuple[_StorageEntry, ...]
    farmhand_returns_to: int
    line_points: tuple[int, ...]
    column: tuple[Point, ...]
    transport: tuple[Point, ...]


def parse_board(text: str) -> TenerifeBoard:
    """Return the board in ``text``, in the format of ``house.json``. Raises ComponentsError."""
    checks = (_town_problems, _road_problems, _hall_problems, _storage_problems, _drawing_problems)
    return _build(load(text, _TenerifeFile, checks))


def _town_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check that towns have plots, and that the two towns which the rules treat apart exist."""
    yield from in_range(len(raw.towns), _TOWNS, "the number of towns", ("towns",), "TENERIFE-SETUP-2")
    yield from known(raw.removed_town, raw.towns, "town", ("removed_town",), "TENERIFE-SETUP-2")
    yield from known(raw.option_symbol_town, raw.towns, "town", ("option_symbol_town",), "TENERIFE-FARMER-1")
    yield from valid_id(raw.hall.id, ("hall", "id"))
    if raw.hall.id in raw.towns:
        yield Problem(("hall", "id"), f"the place of the Town Hall has the id of a town, {raw.hall.id}")
    for key, town in raw.towns.items():
        at = ("towns", key, "plots")
        yield from in_range(len(town.plots), _PLOTS, "the number of plots", at, "TENERIFE-MASON-1")


def _road_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check that roads join two different places, each pair once, and connect all places."""
    places = [*raw.towns, raw.hall.id]
    for index, road in enumerate(raw.roads):
        for end in road:
            yield from known(end, places, "place", ("roads", index), "TENERIFE-MERCHANT-2")
        if road[0] == road[1]:
            yield Problem(("roads", index), f"the road joins {road[0]} to itself", "TENERIFE-MERCHANT-2")
        if any({*road} == {*other} for other in raw.roads[:index]):
            yield Problem(("roads", index), "two roads join the same places", "TENERIFE-MERCHANT-2")
    if cut_off := [place for place in places if place not in _joined(raw)]:
        sentence = f"no road leads from {places[0]} to {', '.join(cut_off)}; the nearest town is found along roads"
        yield Problem(("roads",), sentence, "TENERIFE-ROB-MASON-1")


def _joined(raw: _TenerifeFile) -> set[str]:
    """Return the places that roads connect to the first one, with that one."""
    joined = set(list(raw.towns)[:1])
    for _ in raw.roads:
        joined |= {end for road in raw.roads if joined & {*road} for end in road}
    return joined


def _hall_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check the grid of the Town Hall (TENERIFE-MASON-2, TENERIFE-TWO-1) and the points for lines (TENERIFE-HALL-1)."""
    at = ("hall", "plots")
    cells = [(plot.row, plot.column) for plot in raw.hall.plots]
    yield from in_range(len(cells), _HALL, "the number of plots of the Town Hall", at, "TENERIFE-HALL-1")
    if cells != sorted(set(cells)) or any(min(cell) < 0 for cell in cells):
        yield Problem(at, "plots must be listed row by row from the left, each once, from row and column 0")
    if cells and all(plot.closed_with_two_seats for plot in raw.hall.plots):
        yield Problem(at, "with two seats every plot is closed", "TENERIFE-TWO-1")
    lines = ("line_points",)
    yield from in_range(len(raw.line_points), _SPACES, "the longest line", lines, "TENERIFE-HALL-1")
    for index, points in enumerate(raw.line_points):
        yield from in_range(points, range(100), "the points of a line", (*lines, index), "TENERIFE-HALL-1")


def _storage_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check goods, values and room of the storage spaces, and the way of the farmhand (TENERIFE-FARMER-3)."""
    rule, goods = "TENERIFE-FARMER-3", [good.name.lower() for good in Good]
    yield from in_range(len(raw.storage), _SPACES, "the number of storage spaces", ("storage",), rule)
    for index, space in enumerate(raw.storage):
        at = ("storage", index)
        yield from known(space.good, goods, "good", (*at, "good"), rule)
        yield from in_range(space.value, range(100), "the value", (*at, "value"), "TENERIFE-EXPORTER-1")
        yield from in_range(space.room, range(1, 13), "the room", (*at, "room"), rule)
    numbers = range(1, max(1, len(raw.storage)) + 1)
    yield from in_range(raw.farmhand_returns_to, numbers, "the storage space", ("farmhand_returns_to",), rule)


def _drawing_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check the coordinates that a frontend needs to draw the board."""
    for name, size in (("width", raw.width), ("height", raw.height)):
        yield from in_range(size, range(100, 4001), f"the {name}", (name,))
    for key, town in raw.towns.items():
        yield from _inside(raw, (town.at, *town.plots), "towns", key)
    yield from _inside(raw, (raw.hall.at, *(plot.at for plot in raw.hall.plots)), "hall")
    yield from _inside(raw, tuple(space.at for space in raw.storage), "storage")
    for key, points, counts, rule in (
        ("column", raw.column, _COLUMN, "TENERIFE-ROUND-2"),
        ("transport", raw.transport, _TRANSPORT, "TENERIFE-TRANSPORT-1"),
    ):
        yield from _inside(raw, points, key)
        yield from in_range(len(points), counts, f"the number of spaces of the {key}", (key,), rule)


def _inside(raw: _TenerifeFile, points: tuple[Point, ...], *path: str) -> Iterator[Problem]:
    return inside(points, raw.width, raw.height, path)


def _build(raw: _TenerifeFile) -> TenerifeBoard:
    ids = [*raw.towns, raw.hall.id]
    ends = {key: {end for road in raw.roads if key in road for end in road} - {key} for key in ids}
    neighbours = {key: tuple(sorted(map(ids.index, ends[key]))) for key in ids}
    towns = tuple(
        BoardPlace(key, town.name, town.at, town.farmers_symbol, town.plots, neighbours[key])
        for key, town in raw.towns.items()
    )
    hall = BoardPlace(raw.hall.id, raw.hall.name, raw.hall.at, False, (), neighbours[raw.hall.id], town_hall=True)
    return TenerifeBoard(
        edition=raw.edition,
        width=raw.width,
        height=raw.height,
        places=(*towns, hall),
        hall_plots=raw.hall.plots,
        storage=tuple(
            StorageSpace(Good[space.good.upper()], space.value, space.room, space.at) for space in raw.storage
        ),
        farmhand_returns_to=raw.farmhand_returns_to,
        removed_town=ids.index(raw.removed_town),
        option_symbol_town=ids.index(raw.option_symbol_town),
        line_points=raw.line_points,
        column=raw.column,
        transport=raw.transport,
    )


BOARD = parse_board(components_text(__package__))
EDITIONS = (BOARD.edition,)
