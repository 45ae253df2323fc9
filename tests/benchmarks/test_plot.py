"""The picture of plotted rows."""

from __future__ import annotations

from xml.etree import ElementTree

from .plot import picture
from .report import Point, Row

_SVG = "{http://www.w3.org/2000/svg}"


def test_each_axis_has_a_panel_whose_lines_pass_through_their_points_on_a_logarithmic_scale() -> None:
    figures = [("a<b", 10, 400.0), ("a<b", 1000, 0.0), ("c", 10, 100.0), ("c", 100, 100.0), ("c", 1000, 100.0)]
    rows = [Row("s", "w", figure, "µs", point=Point(line, "entries", at)) for line, at, figure in figures]
    rows += [Row("s", "w", 9e9, "µs"), Row("s", "w", 1, "ms", point=Point("a<b", "others", 5))]
    drawn = ElementTree.fromstring(picture(rows))
    panels = drawn.findall(f"{_SVG}g")
    assert len(panels) == 2
    first, second = [
        [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
        for line in panels[0].iter(f"{_SVG}polyline")
    ]
    assert first[0][1] < first[1][1], "a larger figure is higher"
    assert len({y for _, y in second}) == 1
    assert second[1][0] - second[0][0] == second[2][0] - second[1][0], "decades are equally wide"
    words = {text.text for text in drawn.iter(f"{_SVG}text")}
    assert {"µs a call, by entries", "ms a call, by others", "a<b", "c", "400", "1,000"} <= words
