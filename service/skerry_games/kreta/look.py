"""How Kreta looks: the map of Crete, figures, cards and tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import hypot
from typing import Final

from skerry_games.api import Viewer
from skerry_games.kreta.board import Board
from skerry_games.kreta.kreta_board import BOARD, Province
from skerry_games.kreta.state import ROW, KretaCard, Tile
from skerry_games.kreta.view import ProvinceView, SeatView, View
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace, SceneSymbol
from skerry_games.looks.svg import centred_rect, element, moved, path, polygon, small_print, text
from skerry_games.texts.text_lines import named

Point = tuple[float, float]

_MARGIN: Final = 46
"""Of the sea around the island."""
_CARD: Final = (74, 106)
_STRIP: Final = (1092, 86)
_FORTS_Y: Final = 53
"""The middle of the fort cards, below their captions."""
_FACE_UP, _FORT_STEP = 80, 160
"""The middle of the first fort card, and from one to the next."""
_FACE_DOWN, _PILE, _SCORED = 390, 510, 610
"""The middles of the face-down fort cards of the row and of the pile, and where the scorings are counted."""
_SEAT: Final = (538, 152)
_CARD_STEP: Final = 77

_FIGURES: Final[Mapping[str, str]] = {
    "villager": "M0-11a5 5 0 1 1 0 10 5 5 0 1 1 0-10zM-8 11Q-8-1 0-1T8 11z",
    "village": "M-10 11V-1L0-10 10-1V11z",
    "abbot": "M-1.5-17h3v3h3v3h-3v3Q8-7 9 11H-9Q-8-7-1.5-8v-3h-3v-3h3z",
    "ship": "M-1-14Q10-10 9 2H-1zM-13 3H13L9 11H-9z",
    "fort": "M-13 12V-12h6v5h4v-5h6v5h4v-5h6v24z",
}
_TILES: Final[Mapping[Tile, str]] = {
    Tile.WHEAT: "M0 8V-6M0-2q-5 0-5-5 5 0 5 5zM0-2q5 0 5-5-5 0-5 5zM0 4q-5 0-5-5 5 0 5 5zM0 4q5 0 5-5-5 0-5 5z",
    Tile.OLIVE: "M-7 5Q0-2 7-7M-3-1a3 4 0 1 0 .1 0zM3 1a3 4 0 1 0 .1 0z",
    Tile.WINE: "M-5-7H5Q5 1 0 1T-5-7zM0 1v6M-4 7h8",
    Tile.THYME: "M0 8V-7M0-5l5-3M0-5l-5-3M0 0l6-3M0 0l-6-3M0 5l6-3M0 5l-6-3",
    Tile.CHEESE: "M-8 3 7-6V5H-8zM-8 1 7 0",
}
_EFFECTS: Final[Mapping[KretaCard, str]] = {
    KretaCard.KING: "acts as a card you have played",
    KretaCard.ARCHITECT: "builds a fort or a village",
    KretaCard.ADMIRAL: "places a ship, or sails",
    KretaCard.COMMANDER: "places a villager, or marches",
    KretaCard.CASTELLAN: "scores the next fort",
    KretaCard.ABBOT: "keeps others out of a province",
    KretaCard.FARMER: "harvests a tile",
}
_CARDS: Final[Mapping[KretaCard, str]] = {
    KretaCard.KING: "M6 24V10l6 6 4-9 4 9 6-6v14zM6 27h20",
    KretaCard.ARCHITECT: "M5 27V14h5v3h3v-3h6v3h3v-3h5v13zM14 27v-6h4v6M16 14V6l6 2-6 2",
    KretaCard.ADMIRAL: "M16 5v17M16 6q9 3 8 13h-8M4 22h24l-4 6H8z",
    KretaCard.COMMANDER: "M16 5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 1 1 0-9zM8 28q0-13 8-13t8 13z",
    KretaCard.CASTELLAN: "M7 28V9h4v3h3V9h4v3h3V9h4v19zM13 28v-6q3-4 6 0v6",
    KretaCard.ABBOT: "M16 4v9M12 8h8M9 28q0-14 7-14t7 14z",
    KretaCard.FARMER: (
        "M16 28V10M16 14q-7 0-7-7 7 0 7 7zM16 14q7 0 7-7-7 0-7 7zM16 22q-7 0-7-7 7 0 7 7zM16 22q7 0 7-7-7 0-7 7z"
    ),
}


# ---------------------------------------------------------------- symbols


@cache
def symbols(board: Board) -> tuple[SceneSymbol, ...]:
    """Return figures, tiles, character cards and fort cards."""
    return (
        *(SceneSymbol(name, name, (26, 26), _figure(outline)) for name, outline in _FIGURES.items()),
        *(
            SceneSymbol(f"tile-{named(tile)}", named(tile), (22, 22), _tile(outline))
            for tile, outline in _TILES.items()
        ),
        *(
            SceneSymbol(f"card-{named(card)}", f"{named(card)}: {_EFFECTS[card]}", _CARD, _card(card))
            for card in KretaCard
        ),
        *(
            SceneSymbol(
                f"fort-card-{space.number}", f"fort card {space.number}", (150, 62), _fort_card(board, space.number)
            )
            for space in board.fort_spaces
        ),
        SceneSymbol("next-fort", "the fort that is scored next", (32, 32), _ring("var(--ink)")),
        SceneSymbol("scored-fort", "a fort that has been scored", (22, 22), _strike()),
        SceneSymbol("later-fort", "a fort that is scored later", (32, 32), _ring("var(--soft)")),
        SceneSymbol("scorings", "scorings", (0, 12), ""),
        SceneSymbol("fort-card-back", "fort cards face down", (60, 62), _fort_back()),
    )


def _ring(colour: str) -> str:
    return element("circle", r=16, fill="none", stroke=colour, stroke_width=3)


def _strike() -> str:
    return path("M-9 9 9-9", fill="none", stroke="var(--soft)", stroke_width=3, stroke_linecap="round")


def _figure(outline: str) -> str:
    return path(outline, fill="currentColor", stroke="var(--rim)", stroke_width=1.2, stroke_linejoin="round")


def _tile(outline: str) -> str:
    frame = element("rect", x=-11, y=-11, width=22, height=22, rx=4, fill="var(--card)", stroke="var(--moss)")
    return frame + path(outline, fill="none", stroke="var(--ink)", stroke_width=1.5)


def _card(card: KretaCard) -> str:
    width, height = _CARD
    frame = centred_rect(width, height, rx=4, fill="var(--card)", stroke="var(--line)")
    drawing = path(_CARDS[card], fill="none", stroke="var(--ink)", stroke_width=1.6, stroke_linejoin="round")
    name = text(named(card), 0, -3, 13, serif=True)
    return frame + moved(drawing, -16, -51) + name + small_print(_EFFECTS[card], 0, 15, 12)


def _fort_card(board: Board, number: int) -> str:
    space = board.fort_spaces[number - 1]
    frame = element("rect", x=-75, y=-31, width=150, height=62, rx=4, fill="var(--card)", stroke="var(--line)")
    names = [board.provinces[province].name for province in space.provinces]
    half = (len(names) + 1) // 2
    lines = [", ".join(names[:half]), ", ".join(names[half:])]
    return (
        frame
        + text(f"Fort {number}", 0, -12, 14, serif=True)
        + "".join(text(line, 0, 6 + 15 * row, 12, fill="var(--soft)") for row, line in enumerate(lines))
    )


def _fort_back() -> str:
    frame = element("rect", x=-30, y=-31, width=60, height=62, rx=4, fill="var(--sand)", stroke="var(--line)")
    return frame + path(_FIGURES["fort"], fill="var(--earth)")


# ---------------------------------------------------------------- areas


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the map, the fort cards, and the cards of each seat."""
    return (
        _map(board),
        SceneArea("forts", "Fort cards", _STRIP, _fort_captions()),
        *(
            SceneArea(f"seat:{seat}", f"Cards of seat {seat}", _SEAT, "", seat=seat, role=AreaRole.SEAT)
            for seat in range(len(view.seats))
        ),
    )


@cache
def _fort_captions() -> str:
    captions = (
        ("scored next", _FACE_UP),
        ("later", _FACE_UP + _FORT_STEP),
        ("face down", _FACE_DOWN),
        ("pile", _PILE),
    )
    return "".join(small_print(words, x, 14) for words, x in captions)


@cache
def _map(board: Board) -> SceneArea:
    width, height = board.width + 2 * _MARGIN, board.height + 2 * _MARGIN
    sea = element("rect", x=0, y=0, width=width, height=height, rx=10, fill="var(--sea)")
    shallows = "".join(
        polygon(
            _shifted(province.polygon),
            fill="none",
            stroke="var(--card)",
            stroke_opacity=0.55,
            stroke_width=18,
            stroke_linejoin="round",
        )
        for province in board.provinces
    )
    places = (
        *(_province_place(province) for province in board.provinces),
        *(
            ScenePlace(
                f"fort:{space.number}",
                f"fort space {space.number}",
                _at(space.at),
                _fort_space(space.number, _at(space.at)),
            )
            for space in board.fort_spaces
        ),
    )
    quays = "".join(_quay_line(province) for province in board.provinces if province.harbour)
    return SceneArea("board", "The map of Crete", (width, height), sea + shallows, places, quays + _names(board))


def _at(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]) + _MARGIN, round(point[1]) + _MARGIN


def _shifted(outline: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(_at(point) for point in outline)


def _province_place(province: Province) -> ScenePlace:
    terrain = named(province.terrain)
    harbour = ", with a harbour" if province.harbour else ""
    label = f"{province.name}: {terrain}{harbour}, worth {province.value}"
    outline = polygon(
        _shifted(province.polygon),
        fill=f"var(--{terrain})",
        stroke="var(--earth)",
        stroke_width=1.5,
        stroke_linejoin="round",
    )
    return ScenePlace(f"province:{province.id}", label, _at(_middle(province)), outline, badge_y=-36)


def _fort_space(number: int, at: tuple[int, int]) -> str:
    circle = element("circle", r=11, fill="var(--card)", stroke="var(--earth)", stroke_width=1.5)
    return moved(circle + text(f"{number}", 0, 4, 12), *at)


def _names(board: Board) -> str:
    drawn = []
    for province in board.provinces:
        x, y = _at(_middle(province))
        worth = element("circle", r=10, fill="var(--card)", stroke="var(--earth)") + text(f"{province.value}", 0, 5, 14)
        drawn += [text(province.name, x, y - 12, 16, serif=True), moved(worth, x - 13, y + 6)]
    return "".join(drawn)


def _quay_line(province: Province) -> str:
    (x1, y1), (x2, y2) = _quay(province)
    return element(
        "line",
        x1=x1 + _MARGIN,
        y1=y1 + _MARGIN,
        x2=(x1 + x2) / 2 + _MARGIN,
        y2=(y1 + y2) / 2 + _MARGIN,
        stroke="var(--earth)",
        stroke_width=6,
    )


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return tiles, figures, forts and cards. Kreta hides nothing, so all viewers see the same."""
    return (
        *_on_the_map(view),
        *_fort_cards(view),
        *(piece for seat, one in enumerate(view.seats) for piece in _of_seat(seat, one)),
    )


def _on_the_map(view: View) -> Iterator[ScenePiece]:
    for printed, province in zip(BOARD.provinces, view.provinces, strict=True):
        x, y = _at(_middle(printed))
        place = f"province:{printed.id}"
        if province.tile is not None:
            yield ScenePiece(f"tile:{printed.id}", f"tile-{named(province.tile)}", "board", place, (x + 13, y + 6))
        yield from _figures(printed, province, place, (x, y))
    for space, owner in view.forts:
        yield ScenePiece(f"tower:{space}", "fort", "board", f"fort:{space}", _at(BOARD.forts[space - 1].at), owner)


def _figures(printed: Province, province: ProvinceView, place: str, middle: tuple[int, int]) -> Iterator[ScenePiece]:
    """Yield the figures of a province in rows of four below its name, and its ships on the water."""
    standing = [
        *_each("village", province.villages),
        *_each("villager", province.villagers),
        *(("abbot", seat, 0) for seat in province.abbots),
    ]
    row = min(len(standing), 4)
    for index, (kind, seat, number) in enumerate(standing):
        at = middle[0] + (index % 4 - (row - 1) / 2) * 21, middle[1] + 34 + index // 4 * 24
        yield ScenePiece(f"{kind}:{printed.id}:{seat}:{number}", kind, "board", place, at, seat)
    _, water = _quay(printed)
    for index, seat in enumerate(province.ships):
        afloat = water[0] + _MARGIN + (index - (len(province.ships) - 1) / 2) * 26, water[1] + _MARGIN
        yield ScenePiece(f"ship:{printed.id}:{seat}", "ship", "board", place, afloat, seat)


def _each(kind: str, counts: Iterable[int]) -> Iterator[tuple[str, int, int]]:
    return ((kind, seat, number) for seat, count in enumerate(counts) for number in range(count))


def _fort_cards(view: View) -> Iterator[ScenePiece]:
    for number in view.scored_forts:
        at = _at(BOARD.forts[number - 1].at)
        yield ScenePiece(f"scored:{number}", "scored-fort", "board", f"fort:{number}", at)
    for index, number in enumerate(view.fort_row):
        at = _at(BOARD.forts[number - 1].at)
        yield ScenePiece(f"row:{number}", "later-fort" if index else "next-fort", "board", f"fort:{number}", at)
        names = ", ".join(BOARD.provinces[province].name for province in BOARD.forts[number - 1].provinces)
        when = "scored next" if index == 0 else "scored later"
        yield ScenePiece(
            f"fort-card:{number}",
            f"fort-card-{number}",
            "forts",
            "",
            (_FACE_UP + _FORT_STEP * index, _FORTS_Y),
            label=f"fort card {number}, {when}: {names}",
        )
    for name, count, x, words in (
        ("row", view.face_down, _FACE_DOWN, "face down in the row"),
        ("pile", view.pile, _PILE, "in the pile"),
    ):
        if count:
            label, at = f"{count} fort cards {words}", (x, _FORTS_Y)
            yield ScenePiece(f"fort-cards:{name}", "fort-card-back", "forts", "", at, count=count, label=label)
    scored = f"{view.scorings_done} of {ROW} scored"
    yield ScenePiece("fort-cards:scored", "scorings", "forts", "", (_SCORED, _FORTS_Y), badge=scored)


def _of_seat(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    area = f"seat:{seat}"
    for index, card in enumerate(KretaCard):
        played = card not in one.hand
        label = f"{named(card)}, {'on the table' if played else 'in hand'}: {_EFFECTS[card]}"
        yield ScenePiece(
            f"card:{seat}:{named(card)}",
            f"card-{named(card)}",
            area,
            f"{'table' if played else 'hand'}:{named(card)}",
            (38 + _CARD_STEP * index, 56),
            label=label,
            faded=played,
        )
    stock = [
        *((f"supply:{seat}:{kind}", kind, seat, count, f"{kind} in the supply") for kind, count in _supply(one)),
        *(
            (f"harvest:{seat}:{named(tile)}", f"tile-{named(tile)}", None, count, f"{named(tile)} harvested")
            for tile, count in zip(Tile, one.harvested, strict=True)
        ),
    ]
    left = [each for each in stock if each[3]]
    step = min(_CARD_STEP, (_SEAT[0] - 22) // max(len(left), 1))
    for index, (name, symbol, owner, count, words) in enumerate(left):
        at = 22 + step * index, 134
        yield ScenePiece(name, symbol, area, "", at, owner, count, label=f"{count} {words}")


def _supply(one: SeatView) -> tuple[tuple[str, int], ...]:
    left = one.supply
    return (
        ("ship", left.ships),
        ("fort", left.forts),
        ("village", left.villages),
        ("villager", left.villagers),
        ("abbot", left.abbots),
    )


# ---------------------------------------------------------------- the shape of provinces


@cache
def _middle(province: Province) -> Point:
    """Return the centroid of a province, where its name is drawn."""
    area = x = y = 0.0
    for (ax, ay), (bx, by) in _sides(province):
        cross = ax * by - bx * ay
        area, x, y = area + cross, x + (ax + bx) * cross, y + (ay + by) * cross
    return x / (3 * area), y / (3 * area)


@cache
def _quay(province: Province) -> tuple[Point, Point]:
    """Return where the longest coast of a province has its middle, and the water beside it, where ships lie."""
    inland = {frozenset(side) for other in BOARD.provinces if other.id != province.id for side in _sides(other)}
    coast = [side for side in _sides(province) if frozenset(side) not in inland]
    middle = _middle(province)
    if not coast:
        return middle, middle
    (ax, ay), (bx, by) = max(coast, key=lambda side: hypot(side[0][0] - side[1][0], side[0][1] - side[1][1]))
    shore = (ax + bx) / 2, (ay + by) / 2
    dx, dy = shore[0] - middle[0], shore[1] - middle[1]
    far = 26 / (hypot(dx, dy) or 1)
    return shore, (shore[0] + dx * far, shore[1] + dy * far)


def _sides(province: Province) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    outline = province.polygon
    return zip(outline, (*outline[1:], outline[0]), strict=True)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
