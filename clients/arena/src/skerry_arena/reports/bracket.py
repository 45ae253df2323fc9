"""The bracket of a knockout as a picture: a box for each table, and lines along which players advance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from skerry_arena.statistics.cup import BracketTable
from skerry_games.pairing.knockout import DecidedBy

WIDTH: Final = 190
"""The width of a box."""
ROW: Final = 22
"""The height of a player in a box."""
_GAP: Final = 18
"""The least distance between boxes of a round."""
_BETWEEN: Final = 50
"""The distance between rounds."""
_HEADING: Final = 24
_LONGEST: Final = 18
"""The most characters of a name; the full name is the title of its row."""
_NOTES: Final = {None: "", DecidedBy.RESULT: "", DecidedBy.PLAYOFF: "play-off", DecidedBy.LOT: "lot"}


class BracketRow(Struct, frozen=True):
    """A player in a box."""

    name: str
    shown: str
    share: float | None
    advances: bool


class BracketBox(Struct, frozen=True):
    """A table at its place in the picture."""

    x: float
    y: float
    rows: tuple[BracketRow, ...]
    note: str
    """How a tie was decided."""

    @property
    def height(self) -> int:
        """The height of the box."""
        return ROW * len(self.rows)


class BracketLine(Struct, frozen=True):
    """The way of a player from one table to its next."""

    x1: float
    y1: float
    x2: float
    y2: float


class Drawing(Struct, frozen=True):
    """The picture of a bracket."""

    width: float
    height: float
    boxes: tuple[BracketBox, ...]
    lines: tuple[BracketLine, ...]
    headings: tuple[tuple[float, str], ...]
    """The position and the title of each round."""


def drawing(bracket: Sequence[Sequence[BracketTable]]) -> Drawing:
    """Return the picture of a bracket with at least one round."""
    layout = _Layout(bracket)
    layout.place_all()
    titles = [(_x(number), f"Round {number + 1}") for number in range(len(bracket))]
    if len(bracket[-1]) == 1 and bracket[-1][0].by is not None:
        titles[-1] = (titles[-1][0], "Final")
    return Drawing(
        _x(len(bracket) - 1) + WIDTH, layout.bottom, tuple(layout.boxes.values()), tuple(layout.lines), tuple(titles)
    )


class _Layout:
    """Places each table in the middle of the tables from which its players come."""

    def __init__(self, bracket: Sequence[Sequence[BracketTable]]) -> None:
        self._bracket = bracket
        self.boxes: dict[tuple[int, int], BracketBox] = {}
        self.lines: list[BracketLine] = []
        self.bottom = float(_HEADING)

    def place_all(self) -> None:
        """Place all tables, from the last round on; then those whose players have no later table yet."""
        for number in reversed(range(len(self._bracket))):
            for at in range(len(self._bracket[number])):
                if (number, at) not in self.boxes:
                    self._place(number, at)

    def _place(self, number: int, at: int) -> BracketBox:
        """Place a table after the tables from which its players come. Its rows are in their order."""
        table = self._bracket[number][at]
        sources = [self._source(name, number) for name in table.players]
        found = [self._place(*source) if source else None for source in sources]
        middles = [box.y + box.height / 2 for box in found if box]
        height = ROW * len(table.players)
        if middles:
            y = sum(middles) / len(middles) - height / 2
        else:
            y, self.bottom = self.bottom, self.bottom + height + _GAP
        box = self.boxes[number, at] = BracketBox(_x(number), round(y, 1), _rows(table), _NOTES[table.by])
        for row, source in enumerate(found):
            if source:
                name = table.players[row]
                start = next(place for place, one in enumerate(source.rows) if one.name == name)
                self.lines.append(BracketLine(source.x + WIDTH, _middle(source, start), box.x, _middle(box, row)))
        return box

    def _source(self, name: str, before: int) -> tuple[int, int] | None:
        """Return the last table of a player before a round."""
        for number in reversed(range(before)):
            for at, table in enumerate(self._bracket[number]):
                if name in table.players:
                    return number, at
        return None


def _rows(table: BracketTable) -> tuple[BracketRow, ...]:
    return tuple(
        [
            BracketRow(name, _shortened(name), share, name == table.advancing)
            for name, share in zip(table.players, table.shares, strict=True)
        ]
    )


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _middle(box: BracketBox, row: int) -> float:
    return box.y + ROW * (row + 0.5)


def _x(number: int) -> float:
    return number * (WIDTH + _BETWEEN)
