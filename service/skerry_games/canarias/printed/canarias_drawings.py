"""The drawings of Islas Canarias: buildings, land, islands and cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from skerry_games.canarias.board import Board, Border, Island, PrintedCard
from skerry_games.canarias.printed.islands import COLUMNS, ROWS, SQUARES
from skerry_games.canarias.printed.terms import Colour, Feature, Piece
from skerry_games.looks.scene import SceneSymbol, Size
from skerry_games.looks.svg import centred_rect, element, moved, path, small_print, text
from skerry_games.texts.text_lines import named

SIDE: Final = 48
"""The side of a square."""
ISLAND: Final[Size] = (COLUMNS * SIDE, ROWS * SIDE)
_FREE_ISLAND: Final[Size] = (ISLAND[0] // 2, ISLAND[1] // 2)
CARD: Final[Size] = (92, 112)

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
_LINES: Final[Mapping[Feature, tuple[str, int, str | None]]] = {
    Feature.COAST: ("var(--deep)", 5, None),
    Feature.RIVER: ("var(--blue)", 5, None),
    Feature.ROAD: ("var(--earth)", 4, "7 5"),
}
"""Colour, width and dashes of each border that is a line."""


@cache
def symbols(board: Board) -> tuple[SceneSymbol, ...]:
    """Return buildings, islands, cards and markers."""
    return (
        *(
            SceneSymbol(
                f"{named(piece)}-{named(colour)}", f"{named(colour)} {named(piece)}", size, _building(piece, colour)
            )
            for piece, (size, _, _) in _BUILDINGS.items()
            for colour in Colour
        ),
        *(
            SceneSymbol(f"island-{island.id}", f"island {island.id}", ISLAND, _island(island))
            for island in board.islands
        ),
        *(
            SceneSymbol(
                f"free-island-{island.id}",
                f"island {island.id}, free",
                _FREE_ISLAND,
                moved(_island(island), 0, 0, scale=0.5),
            )
            for island in board.islands
        ),
        *(SceneSymbol(f"card-{card.id}", _card_label(card), CARD, _card(card)) for card in board.cards),
        SceneSymbol("card-back", "face-down card", (40, 56), _back()),
        SceneSymbol("discard", "discard pile", (40, 56), _discard()),
        SceneSymbol("ship", "the ship", (240, 96), _ship()),
        SceneSymbol("start", "starts the round", (24, 24), _start()),
        SceneSymbol("owner", "owns the privilege", (26, 26), _owner(), (0, 0, 12)),
        SceneSymbol("points", "points in a colour", (18, 18), element("circle", r=9, fill="currentColor"), (0, 0, 9)),
        SceneSymbol("plot", "an empty square", (38, 38), _empty_square()),
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


def legend(step: int) -> str:
    """Return the signs of lands and buildings with their names in a row, whose signs have their middle at y = 0."""
    signs = [(named(feature), _stroke(drawing)) for feature, drawing in _LANDS.items()]
    signs += [(named(piece), _building(piece, Colour.BEIGE)) for piece in _BUILDINGS]
    return "".join(
        moved(moved(drawing, 0, 0, scale=0.75) + small_print(name, 22, 5, anchor="start"), 18 + step * index, 0)
        for index, (name, drawing) in enumerate(signs)
    )


# ---------------------------------------------------------------- islands


def square_at(square: int) -> tuple[int, int]:
    """Return the middle of a square, from the middle of the island's grid."""
    row, column = divmod(square, COLUMNS)
    return (2 * column + 1) * SIDE // 2 - ISLAND[0] // 2, (2 * row + 1) * SIDE // 2 - ISLAND[1] // 2


def _island(island: Island) -> str:
    land = (*island.squares, *island.village, *island.farmland)
    shallows = "".join(_box(square, -9, fill="var(--card)", fill_opacity=0.5) for square in land)
    ground = "".join(_box(square, 0, fill="var(--hill)") for square in land)
    plots = "".join(map(_plot, island.squares))
    printed = "".join(_printed(island.village, Feature.VILLAGE)) + "".join(_printed(island.farmland, Feature.FARMLAND))
    return shallows + ground + plots + printed + "".join(map(_border, island.borders))


def _plot(square: int) -> str:
    x, y = square_at(square)
    name = text(SQUARES[square], x - 10, y - 8, 12, fill="var(--soft)")
    return _box(square, 5, fill="var(--card)", fill_opacity=0.45, rx=4) + name


def _box(square: int, inset: int, **attributes: object) -> str:
    x, y = square_at(square)
    side = SIDE - 2 * inset
    return element("rect", x=x - side // 2, y=y - side // 2, width=side, height=side, **attributes)


def _printed(squares: Iterable[int], feature: Feature) -> Iterator[str]:
    colour = "var(--sand)" if feature is Feature.VILLAGE else "var(--plain)"
    for square in squares:
        x, y = square_at(square)
        yield _box(square, 0, fill=colour)
        yield from (moved(_stroke(_LANDS[feature]), x + aside, y + aside // 4) for aside in (-11, 11))


def _border(border: Border) -> str:
    points = [(x * SIDE - ISLAND[0] // 2, y * SIDE - ISLAND[1] // 2) for x, y in border.points]
    if border.feature is Feature.MOUNTAIN:
        return "".join(_peaks(points))
    colour, width, dashes = _LINES[border.feature]
    line = "M" + "L".join(f"{x} {y}" for x, y in points)
    bed = path(line, fill="none", stroke="var(--card)", stroke_width=width + 4, stroke_linejoin="round")
    return bed + path(
        line, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes, stroke_linejoin="round"
    )


def _peaks(points: list[tuple[int, int]]) -> Iterator[str]:
    """Yield three mountains for each side of a square."""
    for (ax, ay), (bx, by) in pairwise(points):
        for sixth in (1, 3, 5):
            x, y = ax + (bx - ax) * sixth / 6, ay + (by - ay) * sixth / 6
            peak = path("M-8 6 0-9 8 6Z", fill="var(--mountain)", stroke="var(--earth)", stroke_width=1.5)
            yield moved(peak, x, y)


# ---------------------------------------------------------------- cards


def _card_label(card: PrintedCard) -> str:
    if card.occupation is None:
        return f"pirate: robs the owner of the {named(card.colour)} privilege"
    wishes = ", then ".join(map(named, card.priorities))
    return f"{card.english}: {named(card.colour)} house, wants to live next to {wishes}"


def _card(card: PrintedCard) -> str:
    width, height = CARD
    frame = centred_rect(width, height, rx=4, fill="var(--card)", stroke="var(--line)")
    if card.occupation is None:
        return frame + _pirate(card.colour) + text("pirate", 0, 26, 14, serif=True)
    wishes = "".join(
        moved(_wish(feature), -33 + 22 * index, 42, scale=0.8) for index, feature in enumerate(card.priorities)
    )
    names = text(card.occupation, 0, 4, 14, serif=True) + small_print(card.english or "", 0, 20)
    return frame + moved(_building(Piece.HOUSE, card.colour), 0, -32) + names + wishes


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
    hull = path("M4 44H236Q226 92 190 92H50Q14 92 4 44Z", fill="var(--sand)", stroke="var(--earth)", stroke_width=2)
    return moved(hull, -120, -48) + small_print("the ship", 0, 30)


def _owner() -> str:
    return element("circle", r=12, fill="currentColor", stroke="var(--rim)")


def _start() -> str:
    return moved(_stroke("M10 0V13M10 1Q18 4 17 11H10M1 14H19L16 20H4Z"), -10, -10)


def _empty_square() -> str:
    return centred_rect(
        38, 38, rx=4, fill="var(--card)", fill_opacity=0.25, stroke="var(--soft)", stroke_dasharray="4 3"
    )


def _material() -> str:
    return element("rect", x=-22, y=-22, width=44, height=44, rx=5, fill="none", stroke="var(--ink)", stroke_width=3)
