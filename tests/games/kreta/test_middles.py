"""The middles of provinces in ``house.json`` are those that follow from the outlines."""

from __future__ import annotations

from math import dist

from skerry_games.kreta.kreta_board import BOARD, MIDDLES, Province
from skerry_games.kreta.printed import kreta_coast

_FORT = 16
"""The radius of a fort space, with a margin."""


def middle_of(province: Province) -> tuple[int, int]:
    """Return the point around which most room is for a label."""
    left, top, right, bottom = kreta_coast._box(province)
    width, height = kreta_coast._LABEL

    def room(at: tuple[int, int]) -> float:
        corners = [(at[0] + dx * width, at[1] + dy * height) for dx in (-0.8, 0.8) for dy in (-0.9, -0.5, 0.9)]
        edges = [kreta_coast._depth(province, corner) for corner in corners]
        forts = [dist(corner, fort) - _FORT for corner in corners for fort in province.polygon]
        return min(*edges, *forts)

    return max([(x, y) for x in range(left, right, 8) for y in range(top, bottom, 6)], key=room)


def test_each_province_has_the_middle_with_the_most_room() -> None:
    """The map has the middles, because it takes half a second to find them."""
    middles = {province.id: middle_of(province) for province in BOARD.provinces}
    assert middles == MIDDLES, f"Write these as `middle` into house.json: {middles}"
