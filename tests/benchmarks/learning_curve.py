"""Draws the learning curve of a run of ``skerry train``: the shares beaten, with their intervals, by actions played.

python -m tests.benchmarks.learning_curve FOLDER docs/pictures/learning-curve.svg
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from skerry_arena.learning.ppo.curve import CURVE, CurvePoint, Share, read_curve

from .plot import HUES, STYLE, text

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 24, 64, 44
_TICKS = 4


def picture(points: Sequence[CurvePoint]) -> str:
    """Return the curve as SVG: a line for each player that the run is measured against. At least one point."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}">'
    )
    ground = f'<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>'
    return f"{head}<style>{STYLE}</style>{ground}{''.join(_drawn(points))}</svg>\n"


def _drawn(points: Sequence[CurvePoint]) -> Iterator[str]:
    most = points[-1].steps

    def x(steps: float) -> float:
        return _LEFT + steps / most * (_WIDTH - _LEFT - _RIGHT)

    yield text(_LEFT, 20, "Share of opponents beaten, by millions of actions (and processor time)", "title")
    for part in range(_TICKS + 1):
        share = part / _TICKS
        yield f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
        yield text(_LEFT - 6, _y(share) + 4, f"{share:.2f}", "tick", "end")
        near = min(points, key=lambda point: abs(point.steps - share * most))
        label = f"{near.steps / 1e6:.1f} ({near.seconds:,.0f} s)" if part else "0"
        anchor = "end" if part == _TICKS else "middle"
        yield text(x(near.steps if part else 0), _HEIGHT - _BOTTOM + 18, label, "tick", anchor)
    for number, name in enumerate(points[0].against):
        yield from _line(number, f"against {name}", [(x(point.steps), point.against[name]) for point in points])


def _line(number: int, name: str, shares: Sequence[tuple[float, Share]]) -> Iterator[str]:
    """Draw the interval of each point as an area, and the shares as a line."""
    hue, height = HUES[number], 34 + 16 * number
    edge = [(at, share.high) for at, share in shares] + [(at, share.low) for at, share in reversed(shares)]
    yield f'<polygon fill="{hue}" fill-opacity="0.2" points="{_path(edge)}"/>'
    line = _path([(at, share.share) for at, share in shares])
    yield f'<polyline fill="none" stroke="{hue}" stroke-width="2" points="{line}"/>'
    yield f'<line stroke="{hue}" stroke-width="3" x1="{_LEFT}" x2="{_LEFT + 18}" y1="{height}" y2="{height}"/>'
    yield text(_LEFT + 24, height + 4, name, "")


def _path(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{at:.1f},{_y(share):.1f}" for at, share in places)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _BOTTOM - _TOP)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.learning_curve")
    parser.add_argument("folder", type=Path, help="the folder of the run")
    parser.add_argument("svg", type=Path, help="the picture to write")
    options = parser.parse_args()
    options.svg.write_text(picture(read_curve(options.folder / CURVE)), encoding="utf-8")
