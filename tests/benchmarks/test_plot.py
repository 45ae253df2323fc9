"""The picture of plotted rows."""

from __future__ import annotations

from xml.etree import ElementTree

from skerry_arena.learning.ppo.curve import CurvePoint, Share

from .learning_curve import picture as curve
from .plot import picture
from .report import Point, Row

_SVG = "{http://www.w3.org/2000/svg}"


def points(line: ElementTree.Element) -> list[tuple[float, float]]:
    """Return the points of a line or area."""
    pairs = [point.split(",") for point in line.attrib["points"].split()]
    return [(float(x), float(y)) for x, y in pairs]


def test_each_axis_has_a_panel_whose_lines_pass_through_their_points_on_a_logarithmic_scale() -> None:
    figures = [("a<b", 10, 400.0), ("a<b", 1000, 0.0), ("c", 10, 100.0), ("c", 100, 100.0), ("c", 1000, 100.0)]
    rows = [Row("s", "w", figure, "µs", point=Point(line, "entries", at)) for line, at, figure in figures]
    rows += [Row("s", "w", 9e9, "µs"), Row("s", "w", 1, "ms", point=Point("a<b", "others", 5))]
    drawn = ElementTree.fromstring(picture(rows))
    panels = drawn.findall(f"{_SVG}g")
    assert len(panels) == 2
    first, second = [points(line) for line in panels[0].iter(f"{_SVG}polyline")]
    assert first[0][1] < first[1][1], "a larger figure is higher"
    assert len({y for _, y in second}) == 1
    assert second[1][0] - second[0][0] == second[2][0] - second[1][0], "decades are equally wide"
    words = {text.text for text in drawn.iter(f"{_SVG}text")}
    assert {"µs a call, by entries", "ms a call, by others", "a<b", "c", "400", "1,000"} <= words


def test_a_learning_curve_passes_through_its_shares_inside_of_their_intervals() -> None:
    shares = [
        {"random": Share(0.5, 0.4, 0.6), "easy": Share(0.0, 0.0, 0.1)},
        {"random": Share(1.0, 0.9, 1.0), "easy": Share(0.5, 0.3, 0.7)},
    ]
    drawn = ElementTree.fromstring(
        curve([CurvePoint(at + 1, 1000 * (at + 1), 9.0, one) for at, one in enumerate(shares)])
    )
    lines = [points(line) for line in drawn.iter(f"{_SVG}polyline")]
    areas = [points(area) for area in drawn.iter(f"{_SVG}polygon")]
    assert len(lines) == len(areas) == 2
    for line, area in zip(lines, areas, strict=True):
        assert [x for x, _ in line] == [x for x, _ in area[:2]] == [x for x, _ in area[:1:-1]]
        assert all(high <= y <= low for (_, y), (_, high), (_, low) in zip(line, area[:2], area[:1:-1], strict=True))
        assert line[0][1] > line[1][1], "a larger share is higher"
    assert {"against random", "against easy"} <= {text.text for text in drawn.iter(f"{_SVG}text")}
