"""The rows of a benchmark, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from rich.table import Table


class Target(Struct, frozen=True):
    """A bound for a figure, or for its ratio to the floor."""

    bound: float
    at_least: bool = False
    """Whether a larger figure is better."""
    of_floor: bool = False

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {_number(self.bound)}{' × floor' if self.of_floor else ''}"


class Point(Struct, frozen=True):
    """The position of a figure in a plot: its line, the axis and the value on that axis."""

    line: str
    over: str
    at: float


class Row(Struct, frozen=True):
    """One figure."""

    section: str
    what: str
    figure: float
    unit: str
    target: Target | None = None
    ratio: float | None = None
    """Ratio of the figure to that of the floor in the same run, if there is a floor."""
    point: Point | None = None
    """Set if the figure is plotted."""

    @property
    def met(self) -> bool | None:
        """Return whether the target is met; ``None`` without a target."""
        if self.target is None:
            return None
        reached = self.ratio if self.target.of_floor else self.figure
        if reached is None:
            return None
        return reached >= self.target.bound if self.target.at_least else reached <= self.target.bound


def table(rows: Sequence[Row]) -> Table:
    """Return the rows as a table."""
    shown = Table("section", "what", box=None, pad_edge=False)
    for heading in ("figure", "unit", "× floor", "target", "met"):
        shown.add_column(heading, justify="left" if heading == "unit" else "right")
    for row in rows:
        shown.add_row(
            row.section,
            row.what,
            _number(row.figure),
            row.unit,
            "" if row.ratio is None else f"{row.ratio:.2f}",
            "" if row.target is None else str(row.target),
            {None: "", True: "yes", False: "[red]no"}[row.met],
        )
    return shown


def write(rows: Sequence[Row], path: Path) -> None:
    """Write the rows as JSON: a list of objects with the fields of ``Row`` and ``met``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    objects = [msgspec.structs.asdict(row) | {"met": row.met} for row in rows]
    path.write_bytes(msgspec.json.format(msgspec.json.encode(objects)) + b"\n")


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
