"""Draws coasts: lines with capes and bays, which look random but are the same each time."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from typing import Final

from skerry_games.looks.svg import path

Point = tuple[float, float]
Side = tuple[Point, Point]

_BEND: Final = 16
"""The length of a bend."""
_SHALLOWS: Final = (46, 28, 12)
"""The widths of the shallows around a coast, on both sides of it together."""


def coast_line(side: Side, bend: int = _BEND) -> str:
    """Return a line from one point to another with land on its right, for a path that has reached the first point."""
    (ax, ay), (bx, by) = side
    length = dist(*side)
    bends = max(2, round(length / bend))
    points = []
    for number in range(1, bends):
        x, y = ax + (bx - ax) * number / bends, ay + (by - ay) * number / bends
        out = 3 + noise(x, y, 8)
        points.append((x + (by - ay) / length * out, y + (ax - bx) / length * out))
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in pairwise(points)]
    ends = (*middles, side[1])
    return "".join([f"Q{coordinates(point)} {coordinates(end)}" for point, end in zip(points, ends, strict=True)])


def shallows(coast: str) -> str:
    """Return the water around a coast, each step closer to it lighter. ``coast``: the data of its path."""
    return "".join(
        path(coast, fill="none", stroke="var(--card)", stroke_opacity=0.3, stroke_width=width, stroke_linejoin="round")
        for width in _SHALLOWS
    )


def noise(x: float, y: float, most: int) -> int:
    """Return a number from ``-most`` to ``most``. Equal points give equal numbers."""
    return (round(x) * 7919 ^ round(y) * 104729) % (2 * most + 1) - most


def coordinates(point: Point) -> str:
    """Return a point as a path names it, in whole units."""
    return f"{point[0]:.0f} {point[1]:.0f}"
