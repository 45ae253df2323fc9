"""Rows with points as an SVG picture: a panel for each axis, a line for each call. For light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from .report import Row

_WIDTH, _HEIGHT, _COLUMNS = 460, 330, 2
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 16, 34, 44
_LEGEND = 16
"""Height of a line in the legend, which is above the plot."""
HUES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Distinct to colour-blind readers, on white and on black."""
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600 } .tick { fill: #59636e }
.ground { fill: #fff } .grid { stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .tick { fill: #9198a1 } .ground { fill: #0d1117 } .grid { stroke: #3d444d }
}
"""

Lines = dict[str, list[tuple[float, float]]]


def picture(rows: Sequence[Row]) -> str:
    """Return the picture of all points: one panel for each axis, figures from 0 over a logarithmic scale."""
    panels: dict[str, Lines] = {}
    units = {}
    for row in rows:
        if row.point is not None:
            panels.setdefault(row.point.over, {}).setdefault(row.point.line, []).append((row.point.at, row.figure))
            units[row.point.over] = row.unit
    down = math.ceil(len(panels) / _COLUMNS)
    width, height = _WIDTH * min(_COLUMNS, len(panels)), _HEIGHT * down
    drawn = [
        f'<g transform="translate({number % _COLUMNS * _WIDTH} {number // _COLUMNS * _HEIGHT})">'
        + "".join(_panel(over, units[over], lines))
        + "</g>"
        for number, (over, lines) in enumerate(panels.items())
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ground = f'<rect class="ground" width="{width}" height="{height}"/>'
    return f"{head}<style>{STYLE}</style>{ground}{''.join(drawn)}</svg>\n"


def write(rows: Sequence[Row], path: Path) -> None:
    """Write the picture, if any row has a point."""
    if any(row.point for row in rows):
        path.write_text(picture(rows), encoding="utf-8")


def _panel(over: str, unit: str, lines: Lines) -> Iterator[str]:
    ats = sorted({at for line in lines.values() for at, _ in line})
    top = _round_up(max(figure for line in lines.values() for _, figure in line))
    above = _TOP + _LEGEND * len(lines)

    def x(at: float) -> float:
        share = math.log(at / ats[0]) / math.log(ats[-1] / ats[0]) if ats[-1] > ats[0] else 0.5
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(figure: float) -> float:
        return _HEIGHT - _BOTTOM - figure / top * (_HEIGHT - _BOTTOM - above)

    yield text(_LEFT, 20, f"{unit} a call, by {over}", "title")
    for part in range(5):
        at = y(top * part / 4)
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield text(_LEFT - 6, at + 4, f"{top * part / 4:,.0f}", "tick", "end")
    for at in ats:
        yield text(x(at), _HEIGHT - _BOTTOM + 18, f"{at:,.0f}", "tick", "end" if at == ats[-1] else "middle")
    for number, (line, points) in enumerate(lines.items()):
        yield from _line(number, line, [(x(at), y(figure)) for at, figure in points])


def _line(number: int, name: str, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    hue, height = HUES[number % len(HUES)], _TOP + _LEGEND * number
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline fill="none" stroke="{hue}" stroke-width="2" points="{path}"/>'
    yield from (f'<circle fill="{hue}" r="3.5" cx="{x:.1f}" cy="{y:.1f}"/>' for x, y in points)
    yield f'<line stroke="{hue}" stroke-width="3" x1="{_LEFT}" x2="{_LEFT + 18}" y1="{height}" y2="{height}"/>'
    yield text(_LEFT + 24, height + 4, name, "")


def text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _round_up(figure: float) -> float:
    """Return the next number with one digit whose quarters are easy to read."""
    step = 10 ** math.floor(math.log10(figure)) if figure > 0 else 1
    return next(step * part for part in (1, 2, 4, 8, 12) if step * part >= figure)
