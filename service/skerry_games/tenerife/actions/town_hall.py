"""Scoring the Town Hall: the best split of a seat's elements into lines (TENERIFE-HALL-1). Plots are bit sets."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from skerry_games.tenerife.printed.tenerife_board import BOARD
from skerry_games.tenerife.state import HALL_PLOTS, Owners

Split = tuple[int, tuple[tuple[int, ...], ...]]
"""Points, and the lines that score them, each as numbers of plots."""

_NUMBER: Final = {(plot.row, plot.column): number for number, plot in zip(HALL_PLOTS, BOARD.hall_plots, strict=True)}


def _lines_from(row: int, column: int) -> tuple[tuple[int, ...], ...]:
    """Return the lines that start there and go right or down, the longest first."""
    lines = []
    for down, right in ((0, 1), (1, 0)):
        line: list[int] = []
        for step in range(len(BOARD.line_points)):
            number = _NUMBER.get((row + step * down, column + step * right))
            if number is None:
                break
            line.append(number)
            lines.append(tuple(line))
    return tuple(sorted(dict.fromkeys(lines), key=len, reverse=True))


# Plots are numbered row by row, so the lowest plot of a set is the left or upper end of its line.
_LINES: Final = {number: _lines_from(*cell) for cell, number in _NUMBER.items()}


@lru_cache(maxsize=1 << len(HALL_PLOTS))
def best_split(elements: int) -> Split:
    """Return the split with the most points. Ties go to the fewest lines, then to the first split found."""
    if not elements:
        return 0, ()
    first = (elements & -elements).bit_length() - 1
    splits = []
    for line in _LINES[first]:
        plots = sum(1 << number for number in line)
        if plots & elements == plots:
            points, others = best_split(elements & ~plots)
            splits.append((points + BOARD.line_points[len(line) - 1], (line, *others)))
    return max(splits, key=lambda split: (split[0], -len(split[1])))


def split_of(hall: Owners, seat: int) -> Split:
    """Return the best split of a seat's elements."""
    return best_split(sum(1 << number for number in HALL_PLOTS if hall[number - 1] == seat))
