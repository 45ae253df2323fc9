"""The printed board: read once from ``house.json``, checked and frozen.

An owner of the game can correct or replace the file. ``parse_board`` names the line with an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Annotated

from msgspec import Struct

from skerry_games.annotations import Id
from skerry_games.component_data import Problem, components_text, decode_entries, raise_first_problem


class Good(IntEnum):
    """The good on a storage space."""

    SUGAR = 1
    WINE = 2


REMOVED_TOWN = "SCR"
"""Santa Cruz: its card is removed with 2 and 3 seats (TENERIFE-SETUP-2, TENERIFE-TWO-1)."""

SYMBOL_TOWN = "PUE"
"""Puerto de la Cruz: it has a farmer's symbol only with the option ``puerto_farmer`` (TENERIFE-FARMER-1)."""

_TOWNS = 6
_PLOTS_OF_A_TOWN = range(3, 6)
_STORAGE = (("sugar", 5, 1), ("sugar", 4, 1), ("sugar", 3, 1), ("wine", 3, 3), ("wine", 4, 3), ("wine", 5, 3))
_HALL_PLOTS = 10
_PLOTS_CLOSED = 2
_LONGEST_LINE = 4
_COLUMN = 12
_TRANSPORT = 3

Point = tuple[int, int]
"""x grows to the right and y downwards, from the top left corner."""


class TenerifeBoardError(ValueError):
    """A board that does not fit the rules. The message names the error and its line."""


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
    line_points: tuple[int, ...]
    """Points for a line of 1, 2, 3 and 4 elements."""
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
    hall: _HallEntry
    roads: tuple[tuple[str, str], ...]
    storage: tuple[_StorageEntry, ...]
    farmhand_returns_to: int
    line_points: tuple[int, ...]
    column: tuple[Point, ...]
    transport: tuple[Point, ...]


def parse_board(text: str) -> TenerifeBoard:
    """Return the board in ``text``, in the format of ``house.json``. Raises TenerifeBoardError."""
    raw = decode_entries(text, _TenerifeFile, TenerifeBoardError)
    raise_first_problem(_problems(raw), text, TenerifeBoardError)
    return _build(raw)


def _problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Yield the errors of the file. Only the first one is reliable: later checks rely on earlier ones."""
    yield from _town_problems(raw)
    yield from _road_problems(raw)
    yield from _hall_problems(raw)
    yield from _storage_problems(raw)
    yield from _drawing_problems(raw)


def _town_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check six towns with plots, the two that the rules name, and symbols on some towns but not on all."""
    if len(raw.towns) != _TOWNS:
        yield "towns", f"there are {len(raw.towns)} towns instead of {_TOWNS}"
    if REMOVED_TOWN not in raw.towns:
        yield "towns", f"there is no town {REMOVED_TOWN}, whose card is removed with 2 and 3 seats"
    if raw.hall.id in raw.towns:
        yield "hall", f"the place of the Town Hall has the id of a town: {raw.hall.id}"
    for key, town in raw.towns.items():
        if len(town.plots) not in _PLOTS_OF_A_TOWN:
            yield key, f"town {key} has {len(town.plots)} plots instead of 3 to 5"
    if len({town.farmers_symbol for town in raw.towns.values()}) != 2:
        yield "towns", "some towns must have a farmer's symbol, and some must not"
    if SYMBOL_TOWN not in raw.towns:
        yield "towns", f"there is no town {SYMBOL_TOWN}, which gets a farmer's symbol by an option"
    elif raw.towns[SYMBOL_TOWN].farmers_symbol:
        yield SYMBOL_TOWN, f"town {SYMBOL_TOWN} has a farmer's symbol, but only an option may give it one"


def _road_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check that roads join two different known places, each pair once, and connect all places."""
    places = [*raw.towns, raw.hall.id]
    for one, other in raw.roads:
        for end in (one, other):
            if end not in places:
                yield "roads", f"a road leads to {end!r}, which does not exist"
        if one == other:
            yield "roads", f"a road joins {one} to itself"
    if len({frozenset(road) for road in raw.roads}) != len(raw.roads):
        yield "roads", "two roads join the same places"
    if cut_off := [place for place in places if place not in _joined(raw)]:
        yield "roads", f"no road leads from {places[0]} to {cut_off[0]}"


def _joined(raw: _TenerifeFile) -> set[str]:
    """Return the places that roads connect to the first one, with that one."""
    joined = set(list(raw.towns)[:1])
    for _ in raw.roads:
        joined |= {end for road in raw.roads if joined & {*road} for end in road}
    return joined


def _hall_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check ten plots in a grid (TENERIFE-MASON-2), two of them closed with 2 seats (TENERIFE-TWO-1)."""
    cells = [(plot.row, plot.column) for plot in raw.hall.plots]
    if len(cells) != _HALL_PLOTS:
        yield "hall", f"the Town Hall has {len(cells)} plots instead of {_HALL_PLOTS}"
    if cells != sorted(set(cells)) or min(min(cell) for cell in cells) < 0:
        yield "hall", "plots of the Town Hall must be listed row by row from the left, each once, from 0"
    if (closed := sum(plot.closed_with_two_seats for plot in raw.hall.plots)) != _PLOTS_CLOSED:
        yield "hall", f"{closed} plots of the Town Hall are closed with 2 seats instead of {_PLOTS_CLOSED}"
    points = raw.line_points
    if len(points) != _LONGEST_LINE or list(points) != sorted(set(points)) or points[0] < 1:
        yield "line_points", "the points for lines of 1 to 4 elements must increase"


def _storage_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check sugar 5, 4, 3 with room for one, then wine 3, 4, 5 with room for three (TENERIFE-FARMER-3)."""
    if tuple((space.good, space.value, space.room) for space in raw.storage) != _STORAGE:
        yield "storage", "the storage must be sugar 5, 4, 3 with room for 1 each, then wine 3, 4, 5 with room for 3"
    first_wine = 1 + [good for good, _, _ in _STORAGE].index("wine")
    if raw.farmhand_returns_to != first_wine:
        yield "farmhand_returns_to", f"the farmhand must return to storage space {first_wine}, the first with wine"


def _drawing_problems(raw: _TenerifeFile) -> Iterator[Problem]:
    """Check the coordinates that a frontend needs to draw the board."""
    for key, points, count in (("column", raw.column, _COLUMN), ("transport", raw.transport, _TRANSPORT)):
        if len(points) != count:
            yield key, f"the {key} has {len(points)} spaces instead of {count}"
    for key, town in raw.towns.items():
        yield from _outside(raw, key, (town.at, *town.plots))
    yield from _outside(raw, "hall", (raw.hall.at, *(plot.at for plot in raw.hall.plots)))
    yield from _outside(raw, "storage", tuple(space.at for space in raw.storage))
    yield from _outside(raw, "column", raw.column)
    yield from _outside(raw, "transport", raw.transport)


def _outside(raw: _TenerifeFile, key: str, points: tuple[Point, ...]) -> Iterator[Problem]:
    for x, y in points:
        if not (0 <= x <= raw.width and 0 <= y <= raw.height):
            yield key, f"{key} has the point {x}, {y} outside {raw.width} x {raw.height}"


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
        line_points=raw.line_points,
        column=raw.column,
        transport=raw.transport,
    )


BOARD = parse_board(components_text(__package__))
EDITIONS = (BOARD.edition,)
