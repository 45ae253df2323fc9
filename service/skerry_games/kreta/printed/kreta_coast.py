"""The shape of the island: provinces with a bent coast, relief, and where things lie in a province.

All of it follows from the polygons of the map. The bends look random, but are the same on both sides of a border.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import dist
from typing import Final

from skerry_games.kreta.kreta_board import BOARD, MIDDLES, Province, Terrain
from skerry_games.looks.coasts import Point, Side, coast_line, coordinates, noise
from skerry_games.looks.svg import path

_LABEL: Final = (54, 42)
"""Half of the width and of the height of what is printed and lies in a province."""
_RELIEF: Final = {
    Terrain.MOUNTAIN: ("m-9 6 8-13 9 13m-9-13 2 7-3 3 1 3", 30),
    Terrain.HILL: ("m-9 3q6-9 12-1m-2-2q5-5 9 2", 42),
    Terrain.PLAIN: ("m-8-4h10m-6 4h12m-16 4h10", 42),
}
"""The drawing of a terrain from its middle, and from one to the next."""


@cache
def coast() -> str:
    """Return the coast of the island, and of other islands of the map, as the outline of a path."""
    onward: dict[Point, list[Point]] = {}
    for one, other in _coast_sides():
        onward.setdefault(one, []).append(other)
    drawn = ""
    while starts := [point for point in onward if onward[point]]:
        here = starts[0]
        drawn += f"M{coordinates(here)}"
        while following := onward.get(here):
            drawn += coast_line((here, following[0]))
            here = following.pop(0)
        drawn += "z"
    return drawn


@cache
def outline(province: Province) -> str:
    """Return a province as the outline of a path."""
    on_coast = frozenset(_coast_sides())
    sides = tuple(_sides(province))
    drawn = [coast_line(side) if side in on_coast else _border(side) for side in sides]
    return f"M{coordinates(sides[0][0])}{''.join(drawn)}z"


@cache
def relief(province: Province) -> str:
    """Return mountains, hills or fields around what is printed in a province."""
    shape, step = _RELIEF[province.terrain]
    x, y = MIDDLES[province.id]
    left, top, right, bottom = _box(province)
    drawn = ""
    for row, down in enumerate(range(top + 12, bottom, 21)):
        for across in range(left + 12 + row % 2 * step // 2, right, step):
            at = across + noise(across, down, 5), down + noise(down, across, 4)
            is_free = abs(at[0] - x) > _LABEL[0] or abs(at[1] - y) > _LABEL[1] + 4
            if is_free and _depth(province, at) > 12:
                drawn += f"M{coordinates(at)}{shape}"
    return path(drawn, fill="none", stroke="var(--earth)", stroke_width=1.3, stroke_opacity=0.6) if drawn else ""


@cache
def quay(province: Province) -> Side:
    """Return where the longest coast of a province has its middle, and the water beside it, where ships lie."""
    sides = frozenset(_sides(province))
    coasts = [side for side in _coast_sides() if side in sides]
    if not coasts:
        return MIDDLES[province.id], MIDDLES[province.id]
    (ax, ay), (bx, by) = side = max(coasts, key=lambda one: dist(*one))
    dx, dy = (by - ay) / dist(*side), (ax - bx) / dist(*side)
    shore = (ax + bx) / 2, (ay + by) / 2
    return shore, (shore[0] + 30 * dx, shore[1] + 30 * dy)


def pier(province: Province) -> str:
    """Return the quay of a harbour: a mole with a head."""
    (x, y), (far_x, far_y) = quay(province)
    dx, dy = (far_x - x) / 30, (far_y - y) / 30
    head = x + 12 * dx, y + 12 * dy
    drawn = f"M{coordinates((x - 5 * dx, y - 5 * dy))}L{coordinates(head)}"
    drawn += f"M{coordinates((head[0] - 8 * dy, head[1] + 8 * dx))}L{coordinates((head[0] + 8 * dy, head[1] - 8 * dx))}"
    return path(drawn, fill="none", stroke="var(--earth)", stroke_width=5, stroke_linecap="round")


# ---------------------------------------------------------------- lines


@cache
def _coast_sides() -> tuple[Side, ...]:
    """Return the sides that belong to one province only."""
    inland = {side[::-1] for province in BOARD.provinces for side in _sides(province)}
    return tuple([side for province in BOARD.provinces for side in _sides(province) if side not in inland])


def _sides(province: Province) -> Iterator[Side]:
    """Yield the sides clockwise, so that two provinces have a border in opposite directions."""
    corners = province.polygon
    turns = sum([ax * by - bx * ay for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)])
    ordered = corners if turns > 0 else corners[::-1]
    return zip(ordered, (*ordered[1:], ordered[0]), strict=True)


def _border(side: Side) -> str:
    """Return a side with a slight bend, the same from both of its ends; without its first point."""
    (ax, ay), (bx, by) = sorted(side)
    x, y, out = (ax + bx) / 2, (ay + by) / 2, noise(ax + bx, ay + by, 14) / dist(*side)
    return f"Q{coordinates((x + (by - ay) * out, y + (ax - bx) * out))} {coordinates(side[1])}"


def _box(province: Province) -> tuple[int, int, int, int]:
    across, down = zip(*province.polygon, strict=True)
    return min(across), min(down), max(across), max(down)


def _depth(province: Province, at: Point) -> float:
    """Return how far a point is from the edge of a province; negative outside."""
    inside, nearest = False, float("inf")
    x, y = at
    for (ax, ay), (bx, by) in _sides(province):
        along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
        part = min(1, max(0, along))
        nearest = min(nearest, dist(at, (ax + part * (bx - ax), ay + part * (by - ay))))
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return nearest if inside else -nearest
