"""The tables of a report, as values and as CSV. CSV has decimal points, and empty cells for unknown values."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from msgspec import Struct
from msgspec.structs import astuple

from skerry_arena.play.contestant import AnswerCounts, FailureKind
from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_arena.statistics.summary import Estimate, Summary

Value = str | int | float | bool | None


class ReportTable(Struct, frozen=True):
    """Columns with names and types, and rows. An interval has two columns; unknown values are ``None``."""

    columns: Mapping[str, type]
    rows: Sequence[Sequence[Value]]

    def csv(self) -> str:
        """Return the table as CSV."""
        written = StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_text(value) for value in row] for row in self.rows)
        return written.getvalue()


def standings(summary: Summary) -> ReportTable:
    """Return a table with a row for each player, the best first."""
    columns = {"name": str, "player": str, "games": int, "group": int}
    columns |= _figures("rating", "beats", "wins", "score")
    columns |= {f"rank_{rank}": int for rank in range(1, len(summary.seats) + 1)}
    columns |= dict.fromkeys(AnswerCounts.__struct_fields__, int)
    columns |= {f"failed_{kind}": int for kind in FailureKind}
    rows = [
        [
            one.name,
            one.player,
            one.games,
            one.group,
            *_cells([one.rating, one.beats, one.wins, one.score]),
            *one.ranks,
            *astuple(one.answers),
            *[one.failures.get(kind, 0) for kind in FailureKind],
        ]
        for one in summary.standings
    ]
    return ReportTable(columns, rows)


def pairs(summary: Summary) -> ReportTable:
    """Return a table with a row for each pair of players who met."""
    columns = {"one": str, "other": str, "met": int, "beaten": float, "tied": int}
    columns |= _figures("share", "difference") | {"distinguished": bool}
    rows = [
        [one.one, one.other, one.met, one.beaten, one.tied, *_cells([one.share, one.difference]), one.distinguished]
        for one in summary.pairs
    ]
    return ReportTable(columns, rows)


def times(settings: Settings, results: Sequence[Result]) -> ReportTable:
    """Return a table of the players' thinking times in seconds. They are measured, so they differ from run to run."""
    rows: list[list[Value]] = []
    for one in settings.players:
        spent = [
            seconds
            for result in results
            for name, seconds in zip(result.lineup, result.seconds, strict=True)
            if name == one.name
        ]
        mean = sum(spent) / len(spent) if spent else None
        rows.append([one.name, len(spent), mean, max(spent, default=None)])
    columns = {"name": str, "games": int, "mean_seconds_a_game": float, "most_seconds_a_game": float}
    return ReportTable(columns, rows)


def _figures(*names: str) -> dict[str, type]:
    return {f"{name}{end}": float for name in names for end in ("", "_low", "_high")}


def _cells(figures: Iterable[Estimate]) -> list[Value]:
    cells: list[Value] = []
    for figure in figures:
        between = figure.interval
        cells += [figure.value, None, None] if between is None else [figure.value, between.low, between.high]
    return cells


def _text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(int(value))
        case float():
            return f"{value:.10g}"
        case _:
            return str(value)
