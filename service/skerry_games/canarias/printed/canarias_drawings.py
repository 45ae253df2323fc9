"""The drawings of Islas Canarias: buildings, land, islands and cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from skerry_games.canarias.board import Board, Border, Island, PrintedCard
from skerry_games.canarias.printed.components_file import COLUMNS, ROWS
from skerry_games.canarias.printed.terms import Colour, Feature, Piece
from skerry_games.looks.scene import SceneSymbol, Size
from skerry_games.looks.svg import centred_rect, element, moved, path, small_print, text
from skerry_games.sentences import joined_by, phrase
from skerry_games.texts.text_lines import named

SIDE: Final = 48
"""The side of a square."""
ISLAND: Final[Size] = (COLUMNS * SIDE, ROWS * SIDE)
_FREE_ISLAND: Final[Size] = (ISLAND[0] // 2, ISLAND[1] // 2)
CARD: Final[Size] = (96, 100)
SHIP: Final[Size] = (192, 84)

_SIGNS: Final[Mapping[Colour, str]] = {
    Colour.ORANGE: "M0-4A4 4 0 1 1 0 4 4 4 0 1 1 0-4Z",
    Colour.BROWN: "M-4-2H4M-4 2.5H4",
    Colour.GREEN: "M-4 4Q-5-4 4-4 5 4-4 4ZM-4 4 1-1",
    Colour.BLUE: "M-5 0q2.5-5 5 0t5 0",
    Colour.BEIGE: "M0-5 4 0 0 5-4 0Z",
    Colour.RED: "M0-4.5V4.5M-4.5 0H4.5",
}
"""The sign of each colour, so that nobody needs to tell colours apart."""
_LANDS: Final[Mapping[Feature, str]] = {
    Feature.COAST: "M0-9a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5ZM0-4V9M-4-1H4M-8 2Q-7 9 0 9 7 9 8 2",
    Feature.VILLAGE: "M-9 8V0l5-5 5 5V8M1 8V-5l4-4 4 4V8M-9 8H9M-4 8V4",
    Feature.RIVER: "M-5-9Q3-4-4 1-7 5 0 9M1-9Q9-4 2 1-1 5 6 9",
    Feature.MOUNTAIN: "M-9 7-2-7 2 1 4-3 9 7Z",
    Feature.FARMLAND: "M0 9V-8M0-2q-5 0-5-5 5 0 5 5zM0-2q5 0 5-5-5 0-5 5zM0 4q-5 0-5-5 5 0 5 5zM0 4q5 0 5-5-5 0-5 5z",
    Feature.ROAD: "M-7 9-3-9M7 9 3-9M0-8v3M0-2v3M0 4v4",
}
_BUILDINGS: Final[Mapping[Piece, tuple[Size, str, int]]] = {
    Piece.HOUSE: ((22, 26), "M-10 12V-2L0-12 10-2V12Z", 4),
    Piece.PALACE: ((36, 28), "M-17 13V-4l8.5-10L0-4l8.5-10L17-4V13Z", 5),
    Piece.TOWN: ((42, 40), "M-20 14V0l6.5-8L-7 0v-9L0-18-0-23l6 2.5-6 2.5 7 9v9l6.5-8L20 0V14Z", 4),
}
"""Size, outline and height of the sign. A building has as many roofs as the houses that it replaces."""
_SUPPLY_Y: Final = {Piece.HOUSE: 0, Piece.PALACE: 0, Piece.TOWN: 2}
_MEDALLION: Final = 8
"""The radius of the sign on a border."""


@cache
def symbols(board: Board) -> tuple[SceneSymbol, ...]:
    """Return buildings, islands, cards and markers."""
    return (
        *(
            SceneSymbol(
                f"{named(piece)}-{named(colour)}",
                phrase("canarias-coloured", colour=named(colour), piece=named(piece)),
                size,
                _building(piece, colour),
            )
            for piece, (size, _, _) in _BUILDINGS.items()
            for colour in Colour
        ),
        *(
            SceneSymbol(
                f"small-{named(piece)}-{named(colour)}",
                phrase("canarias-coloured-left", colour=named(colour), piece=named(piece)),
                (24, 20),
                moved(_building(piece, colour), 0, _SUPPLY_Y[piece], scale=0.55),
            )
            for piece in Piece
            for colour in Colour
        ),
        *(
            SceneSymbol(f"island-{island.id}", phrase("canarias-island-3", island=island.id), ISLAND, _island(island))
            for island in board.islands
        ),
        *(
            SceneSymbol(
                f"free-island-{island.id}",
                phrase("canarias-free-island", island=island.id),
                _FREE_ISLAND,
                moved(_island(island), 0, 0, scale=0.5),
            )
            for island in board.islands
        ),
        *(SceneSymbol(f"card-{card.id}", _card_label(card), CARD, _card(card)) for card in board.cards),
        SceneSymbol("card-back", "face-down card", (40, 56), _back()),
        SceneSymbol("discard", "discard pile", (40, 56), _discard()),
        SceneSymbol("ship", "the ship", SHIP, _ship()),
        SceneSymbol("start", "starts the round", (24, 24), _start()),
        SceneSymbol("seal", "owns the privilege", (24, 24), _seal(), (0, 0, 12)),
        SceneSymbol("points", "points in a colour", (10, 14), ""),
        SceneSymbol("material", "a house that becomes a part of a larger building", (44, 44), _material()),
    )


def _stroke(outline: str, colour: str = "var(--ink)") -> str:
    return path(outline, fill="none", stroke=colour, stroke_width=1.8, stroke_linejoin="round", stroke_linecap="round")


def _building(piece: Piece, colour: Colour) -> str:
    _, outline, height = _BUILDINGS[piece]
    walls = path(
        outline, fill=f"var(--{named(colour)})", stroke="var(--dark)", stroke_width=1.6, stroke_linejoin="round"
    )
    return walls + moved(_stroke(_SIGNS[colour], _on(colour)), 0, height)


def _on(colour: Colour) -> str:
    """Return the colour of signs on a colour."""
    return "var(--dark)" if colour in (Colour.ORANGE, Colour.BEIGE) else "var(--blazon)"


def _wish(feature: Feature) -> str:
    return _building(Piece.HOUSE, Colour(feature)) if feature < len(Colour) else _stroke(_LANDS[feature])


def colour_sign(colour: Colour) -> str:
    """Return a disc of a colour with its sign, around (0, 0)."""
    disc = element("circle", r=11, fill=f"var(--{named(colour)})", stroke="var(--dark)", stroke_width=1.6)
    return disc + _stroke(_SIGNS[colour], _on(colour))


# ---------------------------------------------------------------- islands


def square_at(square: int) -> tuple[int, int]:
    """Return the middle of a square, from the middle of the island's grid."""
    row, column = divmod(square, COLUMNS)
    return (2 * column + 1) * SIDE // 2 - ISLAND[0] // 2, (2 * row + 1) * SIDE // 2 - ISLAND[1] // 2


def _island(island: Island) -> str:
    """Return an island: shallow water, a beach, its squares, and its borders with their signs."""
    land = (*island.squares, *island.village, *island.farmland)
    outline = "".join(map(_outline, land))
    around = (("var(--blazon)", 26, 0.3), ("var(--sand)", 12, None))
    beach = "".join(
        path(outline, stroke=colour, stroke_width=width, stroke_opacity=opacity, stroke_linejoin="round")
        for colour, width, opacity in around
    )
    ground = path(outline, fill="var(--hill)")
    plots = path("".join(_outline(square, 4) for square in island.squares), fill="var(--card)", fill_opacity=0.4)
    printed = "".join(_printed(island.village, Feature.VILLAGE)) + "".join(_printed(island.farmland, Feature.FARMLAND))
    return (
        beach
        + ground
        + plots
        + printed
        + "".join(_border(border, land) for border in island.borders)
        + _medallions(island.borders)
    )


def _outline(square: int, inset: int = 0) -> str:
    """Return the outline of a square."""
    x, y = square_at(square)
    side = SIDE - 2 * inset
    return f"M{x - side // 2} {y - side // 2}h{side}v{side}h-{side}z"


def _printed(squares: Iterable[int], feature: Feature) -> Iterator[str]:
    colour = "var(--sand)" if feature is Feature.VILLAGE else "var(--plain)"
    for square in squares:
        x, y = square_at(square)
        yield path(_outline(square), fill=colour)
        yield from (moved(_stroke(_LANDS[feature]), x + aside, y + aside // 4) for aside in (-11, 11))


def _border(border: Border, land: tuple[int, ...]) -> str:
    """Return a border in a line of its own kind: mountains, surf, a winding river, or a road of dashes."""
    points = [(x * SIDE - ISLAND[0] // 2, y * SIDE - ISLAND[1] // 2) for x, y in border.points]
    if border.feature is Feature.MOUNTAIN:
        return "".join(_peaks(points))
    if border.feature is Feature.ROAD:
        line = _line(points)
        return _drawn(line, "var(--earth)", 9) + _drawn(line, "var(--blazon)", 2.5, "8 7")
    if border.feature is Feature.RIVER:
        return _drawn(_winding(points), "var(--blue)", 8) + _drawn(_winding(points), "var(--water)", 3.5)
    return path(_surf(border.points, land), fill="var(--water)", stroke="var(--deep)", stroke_width=3)


def _drawn(line: str, colour: str, width: float, dashes: str | None = None) -> str:
    return path(line, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes, stroke_linejoin="round")


def _line(points: Iterable[tuple[int, int]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _winding(points: list[tuple[int, int]]) -> str:
    """Return a line that winds to both sides of each side of a square."""
    steps = [f"M{points[0][0]} {points[0][1]}"]
    for (ax, ay), (bx, by) in pairwise(points):
        across, down = (bx - ax) // 4, (by - ay) // 4
        aside = -down // 2, across // 2
        steps.append(f"q{across + aside[0]} {down + aside[1]} {2 * across} {2 * down}")
        steps.append(f"q{across - aside[0]} {down - aside[1]} {2 * across} {2 * down}")
    return "".join(steps)


def _surf(points: Iterable[tuple[int, int]], land: tuple[int, ...]) -> str:
    """Return four waves for each side of a square, on the side of the sea."""
    steps = []
    for (ax, ay), (bx, by) in pairwise(points):
        x, y = min(ax, bx), min(ay, by)
        before = (x - 1, y) if ax == bx else (x, y - 1)
        sea_before = not (min(before) >= 0 and before[1] * COLUMNS + before[0] in land)
        # An arc with this flag bulges to the left of the way from a to b, which is up or right, else down or left.
        is_backward = (bx < ax) if ay == by else (by > ay)
        flag = 1 if sea_before != is_backward else 0
        across, down = (bx - ax) * SIDE // 4, (by - ay) * SIDE // 4
        waves = f"a7 7 0 0 {flag} {across} {down}" * 4
        steps.append(f"M{ax * SIDE - ISLAND[0] // 2} {ay * SIDE - ISLAND[1] // 2}{waves}")
    return "".join(steps)


def _peaks(points: list[tuple[int, int]]) -> Iterator[str]:
    """Yield three mountains for each side of a square."""
    for (ax, ay), (bx, by) in pairwise(points):
        for sixth in (1, 3, 5):
            x, y = ax + (bx - ax) * sixth / 6, ay + (by - ay) * sixth / 6
            peak = path("M-8 6 0-9 8 6Z", fill="var(--mountain)", stroke="var(--earth)", stroke_width=1.5)
            yield moved(peak, x, y)


def _medallions(borders: Iterable[Border]) -> str:
    """Return the signs of the borders, each on a corner of squares, where no building stands."""
    used, drawn = set[tuple[int, int]](), []
    for border in borders:
        if border.feature is Feature.MOUNTAIN:
            continue
        middle = len(border.points) / 2
        free = [point for point in border.points if point not in used]
        at = min(free, key=lambda point: abs(border.points.index(point) + 0.5 - middle))
        used.add(at)
        disc = element("circle", r=_MEDALLION, fill="var(--card)", stroke="var(--ink)")
        sign = moved(_stroke(_LANDS[border.feature]), 0, 0, scale=0.6)
        drawn.append(moved(disc + sign, at[0] * SIDE - ISLAND[0] // 2, at[1] * SIDE - ISLAND[1] // 2))
    return "".join(drawn)


# ---------------------------------------------------------------- cards


def _card_label(card: PrintedCard) -> str:
    if card.occupation is None:
        return phrase("canarias-pirate-label", colour=named(card.colour))
    wishes = joined_by(", then ", map(named, card.priorities))
    return phrase("canarias-card-label", settler=card.english, colour=named(card.colour), wishes=wishes)


def _card(card: PrintedCard) -> str:
    """Return a card. The order of the wishes is that of a path, with the first in the largest ring."""
    width, height = CARD
    frame = centred_rect(width, height, rx=6, fill="var(--card)", stroke="var(--line)")
    if card.occupation is None:
        return frame + moved(_pirate(card.colour), 0, 4) + text("pirate", 0, 42, 15, serif=True)
    names = text(card.occupation, 0, -29, 15, serif=True) + small_print(card.english or "", 0, -16)
    wishes = "".join(moved(_wish(feature), at, 33, scale=scale) for feature, (at, scale) in _wishes(card.priorities))
    return frame + names + moved(_building(Piece.HOUSE, card.colour), 0, 3) + _FIRST_WISH + wishes


_FIRST_WISH: Final = element("circle", cx=-31, cy=33, r=14, fill="none", stroke="var(--ink)", stroke_width=1.8) + path(
    "M-14 29l4 4-4 4", fill="none", stroke="var(--soft)", stroke_width=1.8
)


def _wishes(priorities: Iterable[Feature]) -> Iterator[tuple[Feature, tuple[int, float]]]:
    """Yield the wishes with where each is drawn on the card and how large."""
    return zip(priorities, ((-31, 0.85), (1, 0.62), (20, 0.62), (38, 0.62)), strict=True)


def _pirate(colour: Colour) -> str:
    flag = path(
        "M-14 18V-18M-14-17Q-2-22 4-16T18-16V6Q8 12 2 6T-14 7",
        fill=f"var(--{named(colour)})",
        stroke="var(--dark)",
        stroke_width=1.6,
        stroke_linejoin="round",
    )
    return moved(flag + _stroke("M-6-12 10 2M-6 2 10-12", _on(colour)), 0, -20)


def _back() -> str:
    frame = element("rect", x=-20, y=-28, width=40, height=56, rx=4, fill="var(--deep)", stroke="var(--card)")
    return frame + moved(_stroke("M20 10v24M20 12q12 4 11 18H20M8 36h24l-5 8H13z", "var(--card)"), -20, -28)


def _discard() -> str:
    return centred_rect(40, 56, rx=4, fill="var(--card)", stroke="var(--line)") + _stroke("M-12-16H12M-12-8H12M-12 0H4")


def _ship() -> str:
    """Return the hull, with the mast behind the cards that stand on its deck."""
    hull = path("M-95 14H95Q88 42 62 42H-62Q-88 42-95 14Z", fill="var(--sand)", stroke="var(--earth)", stroke_width=2)
    mast = path("M84 14V-38M84-36Q66-28 70-4H84", fill="var(--blazon)", stroke="var(--earth)", stroke_width=2)
    return mast + hull


def _seal() -> str:
    """Return a seal with a jagged edge."""
    outline = "".join(
        f"{'L' if step else 'M'}{radius * cos(step * pi / 12):.1f} {radius * sin(step * pi / 12):.1f}"
        for step in range(24)
        for radius in ((12, 10)[step % 2],)
    )
    return path(f"{outline}Z", fill="currentColor", stroke="var(--rim)", stroke_width=1.2)


def _start() -> str:
    return moved(_stroke("M10 0V13M10 1Q18 4 17 11H10M1 14H19L16 20H4Z"), -10, -10)


def _material() -> str:
    return element("rect", x=-22, y=-22, width=44, height=44, rx=5, fill="none", stroke="var(--ink)", stroke_width=3)
