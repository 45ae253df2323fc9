"""The report as one self-contained HTML page, for screens of any width and for paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isinf
from types import MappingProxyType
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from skerry_arena.play.record import Result
from skerry_arena.player_code import CodeChange
from skerry_arena.reports.bracket import ROW, WIDTH, drawing
from skerry_arena.settings import OnFailure, Settings
from skerry_arena.statistics.cup import Cup
from skerry_arena.statistics.resampling import FEWEST_BLOCKS, RESAMPLES, Interval
from skerry_arena.statistics.summary import Estimate, Pair, Standing, Summary

UNBOUNDED: Final = "∞"
UNKNOWN: Final = "–"
_ROOM: Final = 0.05
"""The free share of a plot at each side."""
_POLICIES: Final = {
    OnFailure.FORFEIT: "A player that fails comes last in that game, and a random player takes its seat.",
    OnFailure.SUBSTITUTE: "A random player takes the seat of a player that fails, and plays for its result.",
    OnFailure.VOID: "A game in which a player fails does not count.",
}


class Plot:
    """The axis of a plot, which maps values to positions from 0 to 100."""

    def __init__(self, figures: Sequence[Estimate], mark: float) -> None:
        """``mark``: a value that the plot shows as a line."""
        ends = [figure.interval for figure in figures if figure.interval]
        values = [figure.value for figure in figures if figure.value is not None]
        finite = [
            one for one in (mark, *values, *[end for each in ends for end in (each.low, each.high)]) if not isinf(one)
        ]
        room = (max(finite) - min(finite) or 1.0) * _ROOM
        self.low, self.high = min(finite) - room, max(finite) + room
        self.mark = self.at(mark)

    def at(self, value: float) -> float:
        """Return the position of a value. Infinite values are at the edges."""
        if isinf(value):
            return 100.0 if value > 0 else 0.0
        return round(100 * (value - self.low) / (self.high - self.low), 2)


def templates() -> Environment:
    """Return the templates of pages."""
    environment = Environment(
        loader=PackageLoader("skerry_arena.reports"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(number=number, between=between, ranked=ranked)
    return environment


def page(
    settings: Settings,
    summary: Summary,
    games: Sequence[Result] = (),
    code: Mapping[str, str] = MappingProxyType({}),
    changes: Sequence[CodeChange] = (),
    containment: Sequence[str] = (),
) -> str:
    """Render the page.

    ``games``: those that have a page of their own. ``code``: the hashes of the players' code at the start. ``changes``:
    the accepted changes since. ``containment``: sentences about what bounds the programs.
    """
    return (
        templates()
        .get_template("report.html")
        .render(
            games=games,
            code=code,
            changes=changes,
            containment=containment,
            settings=settings,
            rules=settings.rules,
            summary=summary,
            ratings=Plot([one.rating for one in summary.standings], 0.0),
            rated=[list(group) for _, group in groupby(_with_rating(summary), key=lambda one: one.group)],
            seat_shares=Plot(summary.seats, 0.5),
            cells={(pair.one, pair.other): pair.share for pair in summary.pairs}
            | {(pair.other, pair.one): _turned(pair.share) for pair in summary.pairs},
            alike=[pair for pair in summary.pairs if not pair.distinguished],
            asked=[one for one in summary.standings if one.answers.decisions],
            bracket=drawing(summary.cup.bracket) if summary.cup.bracket else None,
            box_width=WIDTH,
            row_height=ROW,
            round_titles=round_titles(summary.cup),
            verdict=verdict(summary.cup),
            policy=_POLICIES[settings.on_failure],
            unrated=_unrated(summary),
            fewest=FEWEST_BLOCKS,
            resamples=RESAMPLES,
        )
    )


def _with_rating(summary: Summary) -> list[Standing]:
    return [one for one in summary.standings if one.rating.value is not None]


def ranked(game: Result) -> list[tuple[int, str, int]]:
    """Return the rank, the name and the score of each seat, the best first."""
    seats = sorted(range(len(game.lineup)), key=lambda seat: (game.ranks[seat], seat))
    return [(game.ranks[seat], game.lineup[seat], game.scores[seat]) for seat in seats]


def round_titles(cup: Cup) -> list[str]:
    """Return the title of each round. Rounds of play-offs belong to the round before them."""
    titles: list[str] = []
    number = 0
    for tables in cup.rounds:
        playoff = tables[0].playoff
        number += not playoff
        titles.append(f"Round {number}, play-off {playoff}" if playoff else f"Round {number}")
    return titles


def verdict(cup: Cup) -> str:
    """Return a sentence on the winner; empty before the end and for formats without one."""
    *others, last = cup.winners or ("",)
    return f"{', '.join(others)} and {last} share first place." if others else last and f"{last} wins the tournament."


def number(value: float | None, digits: int = 2) -> str:
    """Format a number, with a true minus sign."""
    if value is None:
        return UNKNOWN
    if isinf(value):
        return UNBOUNDED if value > 0 else f"−{UNBOUNDED}"
    return f"{value:z.{digits}f}".replace("-", "−")


def between(interval: Interval | None, digits: int = 2) -> str:
    """Format an interval."""
    return "" if interval is None else f"{number(interval.low, digits)} … {number(interval.high, digits)}"


def _turned(share: Estimate) -> Estimate:
    value, ends = share.value, share.interval
    return Estimate(
        None if value is None else 1 - value,
        None if ends is None else Interval(1 - ends.high, 1 - ends.low),
    )


def _unrated(summary: Summary) -> list[str]:
    """Return a sentence for each player without a rating, and for each group that has no comparison with others."""
    if len(summary.groups) == 1:
        return []
    return [_reason_unrated(group[0], summary.pairs) for group in summary.groups if len(group) == 1] + [
        f"The ratings of {', '.join(group)} compare only with each other." for group in summary.groups if len(group) > 1
    ]


def _reason_unrated(name: str, pairs: Sequence[Pair]) -> str:
    """Return why a player has no rating."""
    shares = [
        pair.share.value if pair.one == name else 1 - (pair.share.value or 0.0)
        for pair in pairs
        if name in (pair.one, pair.other)
    ]
    if not shares:
        return f"{name} has not met any other player yet."
    if all(share == 1 for share in shares):
        return f"{name} has always beaten all other players, so its rating has no upper limit."
    if all(share == 0 for share in shares):
        return f"{name} has always lost to all other players, so its rating has no lower limit."
    return f"{name} has always beaten some players and always lost to all others, so it has no rating."
