"""Composes the picture of a position: one SVG that refers to nothing outside it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from skerry_games.api import AnyGame, Viewer
from skerry_games.languages.catalogues import ENGLISH
from skerry_games.languages.translation import in_language
from skerry_games.looks.drawn_words import drawn_in
from skerry_games.looks.guidance import Annotation, annotation_line, annotations_of
from skerry_games.looks.scene import AreaRole, SceneArea, ScenePiece, ScenePlace, SceneSymbol
from skerry_games.looks.svg import SANS, centred_rect, element, moved, path, text, title, turned_back
from skerry_games.looks.themes import MARKS, SEATS, THEMES, VARIABLES, Theme
from skerry_games.sentences import counted, fill

_GAP: Final = 16
_WIDER: Final = 1.7
"""How much wider than high a picture of areas that leave no gap would be."""
_HEADING: Final = 26
"""The height of the line with a seat's name and points."""
_PLACE: Final = 70
"""How much of the surroundings of a place a detail shows."""
_DETAIL: Final = (360, 230)
"""The least width and height of a detail, if the area is so large."""
_MARK: Final = 16
_VARIABLE: Final = re.compile(r"var\(--([\w-]+)\)")
_SIZE: Final = re.compile(r' width="(\d+)" height="(\d+)"')
_STROKE: Final = re.compile(r' stroke="(?!none)[^"]*"(?: stroke-width="[^"]*")?')
_FILL: Final = re.compile(r' fill="[^"]*"')
_TEXT: Final = re.compile(r"<text.*?</text>", re.DOTALL)


class SeatHeading(Struct, frozen=True):
    """The name and the points of a seat, above its area."""

    name: str
    score: int
    acts: bool
    """Whether the seat has to decide."""


def picture_of(  # noqa: PLR0913 - what a picture depends on
    game: AnyGame,
    view: Any,
    viewer: Viewer,
    headings: Sequence[SeatHeading],
    *,
    theme: str = "light",
    touched: Collection[str] = (),
    annotated: bool = False,
    language: str = ENGLISH,
) -> str:
    """Return the picture of a view, as SVG.

    ``theme``: ``light``, ``dark`` or ``print``; ``variables`` for a page whose style sheet defines the colours.
    ``touched``: ids of places and pieces to mark, such as those of the last move. ``annotated``: whether to show the
    badges of the annotations, and their sentences in the description. ``language``: of its words. Raises KeyError for
    an unknown theme.
    """
    names = [heading.name for heading in headings]
    notes = annotations_of(game, view, viewer, names, language) if annotated else ()
    text = fill(in_language(game.text(view, viewer), language), names)
    lines = [*text.splitlines(), *(in_language(annotation_line(note), language) for note in notes)]
    painter = _Painter(theme, touched, notes, language)
    board = game.boards[0]
    areas, symbols = game.look.areas(board, view), {symbol.id: symbol for symbol in game.look.symbols(board)}
    pieces = game.look.pieces(view, viewer)
    drawn = []
    for area in areas:
        lying = [piece for piece in pieces if piece.area == area.id]
        if lying or area.role is not AreaRole.HAND:
            drawn.append(painter.fitted(area, lying, symbols, headings))
    return painter.picture(drawn, lines)


def detail_of(  # noqa: PLR0913 - the parts of a picture
    game: AnyGame,
    view: Any,
    viewer: Viewer,
    headings: Sequence[SeatHeading],
    around: Collection[str],
    touched: Collection[str],
    *,
    theme: str,
    title: str,
    language: str = ENGLISH,
) -> str:
    """Return the picture of the part of one area around some places and pieces, as SVG.

    The area is the one in which most of them lie. ``theme``, ``language``: as in ``picture_of``. ``title``: in that
    language. Raises ValueError if none lies on the table, KeyError for an unknown theme.
    """
    board = game.boards[0]
    symbols = {symbol.id: symbol for symbol in game.look.symbols(board)}
    pieces = game.look.pieces(view, viewer)
    areas = {area.id: area for area in game.look.areas(board, view)}
    spots = {
        name: [
            *[(*place.at, _PLACE) for place in area.places if place.id in around],
            *[(*one.at, max(symbols[one.symbol].size) / 2) for one in pieces if one.area == name and one.id in around],
        ]
        for name, area in areas.items()
    }
    name = max(spots, key=lambda each: len(spots[each]))
    if not spots[name]:
        raise ValueError(f"None of {sorted(around)} lies on the table.")
    boxes = [[(spot[axis] - spot[2], spot[axis] + spot[2]) for spot in spots[name]] for axis in (0, 1)]
    (left, right), (top, bottom) = (
        _span(min(low for low, _ in box), max(high for _, high in box), least, areas[name].size[axis])
        for axis, (box, least) in enumerate(zip(boxes, _DETAIL, strict=True))
    )

    def inside(at: tuple[float, float]) -> bool:
        return left - _PLACE <= at[0] <= right + _PLACE and top - _PLACE <= at[1] <= bottom + _PLACE

    places = tuple([place for place in areas[name].places if place.drawing or inside(place.at)])
    shown = [piece for piece in pieces if piece.area == name and inside(piece.at)]
    area = replace(areas[name], places=places, seat=None)
    painter = _Painter(theme, touched, (), language)
    drawing = painter.area(area, shown, symbols, headings)
    size = right - left, bottom - top
    part = element("svg", drawing, viewBox=f"{left} {top} {size[0]} {size[1]}", width=size[0], height=size[1])
    return painter.picture([(replace(area, size=size), part)], [title])


def _span(low: float, high: float, least: int, limit: int) -> tuple[int, int]:
    """Return a range with some air around it, at least so long, and inside an area that ends at the limit."""
    air = max(_GAP, round((least - high + low) / 2))
    begin = max(0, min(round(low) - air, limit - least))
    return begin, min(limit, max(round(high) + air, begin + least))


def size_of(picture: str) -> tuple[int, int]:
    """Return the width and the height of a picture, in pixels."""
    size = _SIZE.search(picture)
    assert size is not None, "not a picture"
    return int(size[1]), int(size[2])


def resized(picture: str, width: int) -> str:
    """Return a picture in another width, in pixels."""
    across, down = size_of(picture)
    return _SIZE.sub(f' width="{width}" height="{_height_at(width, across, down)}"', picture, count=1)


def _height_at(width: int, across: int, down: int) -> int:
    return max(1, round(width * down / across))


class _Painter:
    """Paints areas in the colours of a theme. Names of players are never part of what is coloured."""

    def __init__(self, theme: str, touched: Collection[str], notes: Iterable[Annotation], language: str) -> None:
        self._theme = theme
        self._language = language
        self._colours = _colours(theme)
        self._touched = touched
        self._notes = {note.id: note for note in notes if note.badge}

    def picture(self, areas: Sequence[tuple[SceneArea, str]], description: Iterable[str]) -> str:
        """Return the areas below and beside each other, as many in a row as fit."""
        placed = list(_placed([area for area, _ in areas]))
        across = max(x + area.size[0] for area, x, _ in placed) + 2 * _GAP
        down = max(y + _height(area) for area, _, y in placed) + 2 * _GAP
        paper = element("rect", x=-_GAP, y=-_GAP, width=across, height=down, fill=self._colours["paper"])
        drawn = (
            moved(drawing, x, y, data_area=area.id) for (area, x, y), (_, drawing) in zip(placed, areas, strict=True)
        )
        named = self._title("The table") + element("desc", escape("\n".join(description)))
        return element(
            "svg",
            "".join([named, paper, *drawn]),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"{-_GAP} {-_GAP} {across} {down}",
            width=across,
            height=down,
            font_family=SANS,
            role="img",
        )

    def fitted(
        self,
        area: SceneArea,
        pieces: Sequence[ScenePiece],
        symbols: Mapping[str, SceneSymbol],
        headings: Sequence[SeatHeading],
    ) -> tuple[SceneArea, str]:
        """Return an area and its drawing; only the part around its pieces, if it has a margin."""
        if area.margin is None or not pieces:
            return area, self.area(area, pieces, symbols, headings)
        left, top, right, bottom = _box_of(area, pieces, symbols)
        places = tuple([one for one in area.places if left <= one.at[0] <= right and top <= one.at[1] <= bottom])
        drawing = self.area(replace(area, places=places), pieces, symbols, headings)
        width, height = right - left, bottom - top
        part = element("svg", drawing, viewBox=f"{left} {top} {width} {height}", width=width, height=height)
        return replace(area, size=(width, height)), part

    def area(
        self,
        area: SceneArea,
        pieces: Sequence[ScenePiece],
        symbols: Mapping[str, SceneSymbol],
        headings: Sequence[SeatHeading],
    ) -> str:
        """Return an area with its pieces; below its heading, if it belongs to a seat."""
        places = "".join(map(self._place, area.places))
        drawn = "".join(self._piece(piece, symbols[piece.symbol]) for piece in pieces)
        marks = "".join(self._outline(place) for place in self._to_outline(area.places, pieces))
        badges = "".join(self._badges(area.places, pieces, symbols)) if self._notes else ""
        content = self._painted(area.ground) + places + self._painted(area.print_over) + drawn + marks + badges
        if area.seat is None:
            return content
        return self._heading(area.seat, headings[area.seat]) + moved(content, 0, _HEADING)

    def _place(self, place: ScenePlace) -> str:
        if not place.drawing:
            return ""
        return element("g", self._title(place.label) + self._painted(place.drawing), data_place=place.id)

    def _to_outline(self, places: Iterable[ScenePlace], pieces: Iterable[ScenePiece]) -> Iterator[ScenePlace]:
        """Yield the touched places, except those that are not printed and have a piece which is marked itself."""
        if self._touched:
            marked = {piece.place for piece in pieces if piece.id in self._touched}
            for place in places:
                if place.id in self._touched and (place.drawing or place.id not in marked):
                    yield place

    def _outline(self, place: ScenePlace) -> str:
        """Return the mark of a touched place, above its pieces: its lines without what they enclose, or a ring."""
        colour = self._colours["coral"]
        if not place.drawing:
            x, y = place.at
            return element("circle", cx=x, cy=y, r=18, fill="none", stroke=colour, stroke_width=4)
        lines = _STROKE.sub(f' stroke="{colour}" stroke-width="4"', _TEXT.sub("", self._painted(place.drawing)))
        return _FILL.sub(' fill="none"', lines)

    def _piece(self, piece: ScenePiece, symbol: SceneSymbol) -> str:
        content = self._title(piece.label or symbol.label) + turned_back(self._painted(symbol.drawing), piece.rotation)
        if piece.owner is not None:
            x, y, size = symbol.mark
            content += moved(self._seat_mark(piece.owner, "blazon", "dark"), x, y, scale=size / _MARK)
        badge = in_language(piece.badge, self._language) or (f"× {piece.count}" if piece.count > 1 else "")
        if badge:
            aside = symbol.size[0] / 2 + 4 + 4 * len(badge)
            content += self._painted(text(badge, aside, symbol.size[1] / 2 - 2, 13))
        if piece.id in self._touched:
            width, height = symbol.size[0] + 6, symbol.size[1] + 6
            content += centred_rect(width, height, rx=5, fill="none", stroke=self._colours["coral"], stroke_width=3)
        colour = None if piece.owner is None else self._colours[f"seat-{piece.owner % SEATS}"]
        drawn = moved(content, *piece.at, rotation=piece.rotation, data_piece=piece.id, color=colour)
        return element("g", drawn, opacity=0.45) if piece.faded else drawn

    def _heading(self, seat: int, heading: SeatHeading) -> str:
        colour = self._colours["coral" if heading.acts else "ink"]
        points = in_language(counted(heading.score, "point"), self._language)
        name = element(
            "text", escape(f"{heading.name} · {points}"), x=26, y=16, font_size=16, font_weight=600, fill=colour
        )
        return moved(self._seat_mark(seat, f"seat-{seat % SEATS}", "rim"), 10, 10) + name

    def _seat_mark(self, seat: int, colour: str, edge: str) -> str:
        return path(MARKS[seat % SEATS], fill=self._colours[colour], stroke=self._colours[edge], stroke_width=1.5)

    def _badges(
        self, places: Iterable[ScenePlace], pieces: Iterable[ScenePiece], symbols: Mapping[str, SceneSymbol]
    ) -> Iterator[str]:
        """Yield the badges of annotations; those of pieces at the upper edge."""
        for place in places:
            if note := self._notes.get(place.id):
                yield self._badge(note, place.at[0], place.at[1] + place.badge_y)
        for piece in pieces:
            if note := self._notes.get(piece.id):
                yield self._badge(note, piece.at[0], piece.at[1] - symbols[piece.symbol].size[1] / 2)

    def _badge(self, note: Annotation, x: float, y: float) -> str:
        words = text(note.badge, 0, 4, 11, fill="var(--card)")
        ground = centred_rect(8 + 6 * len(note.badge), 15, rx=7, fill="var(--ink)")
        return moved(title(note.text) + self._painted(ground + words), x, y, data_annotation=note.id)

    def _painted(self, drawing: str) -> str:
        return _painted(drawn_in(drawing, self._language), self._theme)

    def _title(self, words: str) -> str:
        return title(in_language(words, self._language))


@lru_cache(maxsize=2048)
def _painted(drawing: str, theme: str) -> str:
    """Return a drawing with the colours of a theme in place of variables."""
    colours = _colours(theme)
    return _VARIABLE.sub(lambda variable: colours[variable[1]], drawing)


def _colours(theme: str) -> Theme:
    return VARIABLES if theme == "variables" else THEMES[theme]


def _box_of(area: SceneArea, pieces: Sequence[ScenePiece], symbols: Mapping[str, SceneSymbol]) -> tuple[int, ...]:
    """Return left, top, right and bottom of the part of an area around its pieces, with its margin."""
    margin = area.margin or 0
    sized = [(piece.at, max(symbols[piece.symbol].size) / 2 + margin) for piece in pieces]
    return (
        max(0, round(min(at[0] - far for at, far in sized))),
        max(0, round(min(at[1] - far for at, far in sized))),
        min(area.size[0], round(max(at[0] + far for at, far in sized))),
        min(area.size[1], round(max(at[1] + far for at, far in sized))),
    )


def _placed(areas: Sequence[SceneArea]) -> Iterator[tuple[SceneArea, int, int]]:
    """Yield the areas with their top left corners, in rows of a picture that is wider than high."""
    content = sum((area.size[0] + _GAP) * (_height(area) + _GAP) for area in areas)
    across = max(*(area.size[0] for area in areas), round((_WIDER * content) ** 0.5))
    x = y = tallest = 0
    for area in areas:
        if x and x + area.size[0] > across:
            x, y, tallest = 0, y + tallest + _GAP, 0
        yield area, x, y
        x, tallest = x + area.size[0] + _GAP, max(tallest, _height(area))


def _height(area: SceneArea) -> int:
    return area.size[1] + (0 if area.seat is None else _HEADING)
