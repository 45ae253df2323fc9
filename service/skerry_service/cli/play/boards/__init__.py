"""Boards as text, drawn from the board and view messages of the API. One module for each game.

A game without a module is shown by its tables alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol, cast

from skerry.v1 import payload_pb2

Lines = Sequence[str]

BETWEEN = "   "


class Drawing(Protocol):
    """A module of this package."""

    LEGEND: Lines
    """What the signs mean."""

    def draw(self, board: Any, view: Any) -> Lines:
        """Return the picture."""


def draw_board(board: payload_pb2.Board, view: payload_pb2.View) -> tuple[Lines, Lines]:
    """Return the lines of the board and of its legend; both empty for a game without a module."""
    game = view.WhichOneof("game")
    drawing = _drawing_of(game) if game is not None else None
    if game is None or drawing is None:
        return (), ()
    return drawing.draw(getattr(board, game), getattr(view, game)), drawing.LEGEND


@cache
def _drawing_of(game: str) -> Drawing | None:
    name = f"{__name__}.{game}"
    return cast("Drawing", import_module(name)) if find_spec(name) else None


def beside(blocks: Iterable[Lines], width: int = 100) -> list[str]:
    """Return blocks of lines beside each other, in as many rows of blocks as the width makes necessary."""
    rows: list[list[str]] = []
    row: list[str] = []
    for block in blocks:
        joined = _joined(row, block)
        if row and max(map(len, joined)) > width:
            rows.append(row)
            joined = list(block)
        row = joined
    rows.append(row)
    return [line for number, lines in enumerate(rows) for line in ([""] if number else []) + lines]


def _joined(left: list[str], right: Lines) -> list[str]:
    if not left:
        return list(right)
    height, width = max(len(left), len(right)), max(map(len, left))
    lines = [*left, *[""] * (height - len(left))]
    added = [*right, *[""] * (height - len(right))]
    return [f"{one:{width}}{BETWEEN}{other}".rstrip() for one, other in zip(lines, added, strict=True)]
