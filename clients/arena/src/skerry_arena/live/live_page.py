"""The live page and the lines on a pipe, from a snapshot."""

from __future__ import annotations

from functools import cache
from typing import Final

from jinja2 import Environment

from skerry_arena.live.tournament_watch import Snapshot
from skerry_arena.reports.page import number, round_titles, templates, verdict

_MINUTE: Final = 60
_HOUR: Final = 3600
_SHOWN: Final = 4
"""The number of players in a line."""


@cache
def _templates() -> Environment:
    found = templates()
    found.filters.update(duration=duration)
    return found


def live_page(snapshot: Snapshot) -> str:
    """Render the whole page, which fetches its content again and again."""
    return _templates().get_template("live.html").render(snapshot=snapshot, content=live_content(snapshot))


def live_content(snapshot: Snapshot) -> str:
    """Render the changing part of the page."""
    return (
        _templates()
        .get_template("live_content.html")
        .render(one=snapshot, round_titles=round_titles(snapshot.cup), verdict=verdict(snapshot.cup))
    )


def line(snapshot: Snapshot) -> str:
    """Return the state as one line of text."""
    parts = [f"{snapshot.finished} of {snapshot.planned} games"]
    if snapshot.seconds_left is not None:
        parts.append(f"{duration(snapshot.seconds_left)} left")
    shown = [f"{one.name} {number(one.beats)}" for one in snapshot.standings[:_SHOWN]]
    more = len(snapshot.standings) - len(shown)
    parts.append(", ".join(shown) + (f" and {more} more" if more else ""))
    if ratio := snapshot.ratio:
        parts.append(f"likelihood ratio {number(ratio.value)} (stops at ±{number(ratio.bound)})")
    return "; ".join(parts)


def duration(seconds: float) -> str:
    """Return a duration in words, to two units."""
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
