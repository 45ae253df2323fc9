"""The standings and the other tables as CSV: numbers with a point, intervals as two columns, empty where not known."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from skerry_arena.play.contestant import Kind
from skerry_arena.play.record import Result
from skerry_arena.settings import Settings
from skerry_arena.statistics.summary import Figure, Summary


def standings(summary: Summary) -> str:
    """Return a line for each player, the best first."""
    seats = len(summary.seats)
    measured = ("rating", "beats", "wins", "score")
    header = ["name", "player", "games", "group", *_columns(measured)]
    header += [f"rank_{rank}" for rank in range(1, seats + 1)] + [f"failed_{kind}" for kind in Kind]
    rows = [
        [
            one.name,
            one.player,
            one.games,
            one.group,
            *_cells([one.rating, one.beats, one.wins, one.score]),
            *one.ranks,
            *[one.failures.get(kind, 0) for kind in Kind],
        ]
        for one in summary.standings
    ]
    return _csv(header, rows)


def pairs(summary: Summary) -> str:
    """Return a line for each two players who met."""
    header = ["one", "other", "met", "beaten", "tied", *_columns(("share", "difference")), "told_apart"]
    rows = [
        [one.one, one.other, one.met, one.beaten, one.tied, *_cells([one.share, one.difference]), int(one.told_apart)]
        for one in summary.pairs
    ]
    return _csv(header, rows)


def times(settings: Settings, results: Sequence[Result]) -> str:
    """Return how long each player has thought, in seconds. Measured: not the same in another run."""
    rows = []
    for one in settings.players:
        spent = [
            seconds
            for result in results
            for name, seconds in zip(result.lineup, result.seconds, strict=True)
            if name == one.name
        ]
        mean = sum(spent) / len(spent) if spent else None
        rows.append([one.name, len(spent), _number(mean), _number(max(spent, default=None))])
    return _csv(["name", "games", "mean_seconds_a_game", "most_seconds_a_game"], rows)


def _columns(names: Iterable[str]) -> list[str]:
    return [f"{name}{end}" for name in names for end in ("", "_low", "_high")]


def _cells(figures: Iterable[Figure]) -> list[str]:
    cells = []
    for figure in figures:
        between = figure.interval
        cells += [_number(figure.value)]
        cells += ["", ""] if between is None else [_number(between.low), _number(between.high)]
    return cells


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return written.getvalue()
