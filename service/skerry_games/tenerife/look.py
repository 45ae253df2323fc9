"""How Tenerife looks: the island with its towns and roads, the Town Hall, the quay, and the column of characters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.looks.coasts import Point, coast_line, coordinates, shallows
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import element, moved, path, small_print, text
from skerry_games.sentences import counted, phrase
from skerry_games.tenerife.board import Board
from skerry_games.tenerife.printed.tenerife_board import BOARD, BoardPlace, StorageSpace
from skerry_games.tenerife.printed.tenerife_drawings import CARD, GOODS, SHIP, TOWN_CARD, name_y, symbols
from skerry_games.tenerife.state import CHARACTER, COLOUR, SPACES, BackColour, Character
from skerry_games.tenerife.view import SeatView, View
from skerry_games.texts.text_lines import named

_X, _Y = 50, -30
"""Where the origin of the printed board lies in the area."""
_SIZE: Final = (1100, 532)
_COAST: Final = (
    (40, 384), (62, 322), (128, 296), (212, 276), (286, 246), (344, 194), (396, 146), (470, 136), (548, 152),
    (618, 146), (690, 124), (708, 44), (770, 8), (862, 8), (934, 40), (1000, 118), (1070, 196), (1076, 290),
    (1052, 362), (968, 398), (850, 402), (716, 408), (596, 432), (500, 462), (398, 486), (306, 470), (206, 462),
    (124, 448), (64, 424),
)  # fmt: skip
"""The corners of the coast in the area, clockwise: Teno in the west, Anaga in the north-east."""
_STREET: Final = (502, 420, 494, 106)
"""The box of the storage street at the southern coast."""
_TEIDE: Final = (372, 428)
_HILLS: Final = (
    (176, 316),
    (620, 318),
    (660, 352),
    (760, 352),
    (820, 326),
    (150, 432),
    (250, 436),
    (1022, 250),
    (990, 160),
)
"""Where the mountains are."""
_STEP, _DOWN = (CARD[0] + 14, CARD[1] + 28)
"""From one card of the column to the next, and from one row to the next."""
_ROWS: Final = 3
"""The rows of the column: beside the island they are as high as it, so that the cards are large."""
_HALL, _HALL_ROOF = (670, 56, 190, 150), 44
"""The box around the plots of the Town Hall, and the height of its roof."""
_SHIPS: Final = ((456, 88), (536, 88), (616, 88))
"""Where the ships lie, off the northern coast."""
_ROUND: Final = (16, 30)
"""Where the round is printed, above the towns to come."""
_TOWNS_IN_A_ROW: Final = 3
_SEAT: Final = (760, 160)
_SUPPLY, _FIRST_CARD = (20, 136), 138
"""Where the mansions of a seat lie, and the middle of its first card beside them."""
_HAND_STEP, _BACK_STEP, _HAND_WIDTH = CARD[0] + 2, 42, 560
"""From one known card in a hand to the next, from one back to the next, and the most from the first to the last."""


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the island, the column of characters, and the cards and pieces of each seat."""
    seats = len(view.seats)
    return (
        _island(board, view.transport_spaces),
        _column(seats),
        *(
            SceneArea(
                f"seat:{seat}", phrase("common-cards-of-seat", seat=seat), _SEAT, "", seat=seat, role=AreaRole.SEAT
            )
            for seat in range(seats)
        ),
    )


# ---------------------------------------------------------------- the island


@cache
def _island(board: Board, ships: int) -> SceneArea:
    width, height = _SIZE
    sea = element("rect", x=0, y=0, width=width, height=height, rx=10, fill="var(--sea)")
    places = (
        ScenePlace("towns", "the round, and the towns to come in a hidden order", _ROUND),
        *(_place(place) for place in board.places),
        *(
            ScenePlace(
                f"plot:{plot}",
                phrase("tenerife-plot-of-town-hall", plot=plot),
                _at(printed.at),
                _hall_plot(plot, printed.at),
                badge_y=17,
            )
            for plot, printed in enumerate(board.hall_plots, start=1)
        ),
        *(_storage(number, space) for number, space in enumerate(board.storage_spaces, start=1)),
        *(
            ScenePlace(f"ship:{ship}", phrase("tenerife-transport-space", ship=ship), at, moved(_berth(), *at))
            for ship, at in enumerate(_SHIPS[:ships], start=1)
        ),
    )
    names = "".join(
        text(place.name, *_at((place.at[0], place.at[1] + name_y(place.id))), 19, serif=True) for place in board.places
    )
    ground = sea + _land() + _roads(board) + _walls() + _ships_caption()
    return SceneArea("board", "The map of Tenerife", _SIZE, ground, places, names)


def _at(point: Point) -> tuple[int, int]:
    return round(point[0]) + _X, round(point[1]) + _Y


def _land() -> str:
    """Return the island with shallows, mountains and the storage street."""
    sides = zip(_COAST, (*_COAST[1:], _COAST[0]), strict=True)
    shape = f"M{coordinates(_COAST[0])}{''.join([coast_line(side, 22) for side in sides])}z"
    x, y, width, height = _STREET
    street = element("rect", x=x, y=y, width=width, height=height, rx=8, fill="var(--plain)", stroke="var(--earth)")
    land = path(shape, fill="var(--sand)", stroke="var(--earth)", stroke_width=1.5, stroke_linejoin="round")
    hills = "".join([f"M{coordinates(at)}m-11 7 10-15 11 15m-11-15 2 8-4 3 2 4" for at in _HILLS])
    x, y = _TEIDE
    teide = f"M{x} {y}m-58 22 36-34 14-14 12-2 16 16 38 34M{x - 22} {y - 12}l12 6 8-8 8 10 10-4"
    relief = path(hills + teide, fill="none", stroke="var(--earth)", stroke_width=1.5, stroke_opacity=0.6)
    return shallows(shape) + street + land + relief


def _line(board: Board, one: int, other: int) -> dict[str, int]:
    (x1, y1), (x2, y2) = _at(board.places[one].at), _at(board.places[other].at)
    return {"x1": x1, "y1": y1, "x2": x2, "y2": y2}


def _roads(board: Board) -> str:
    return "".join(
        element("line", **_line(board, *road), stroke="var(--earth)", stroke_width=7, stroke_linecap="round")
        for road in board.roads
    )


def _walls() -> str:
    left, top, width, height = _HALL
    x, y = _at((left, top + height))
    walls, half = height - _HALL_ROOF // 2, width / 2
    roof = f"M{x} {y}v{-walls}l{half}{-_HALL_ROOF} {half} {_HALL_ROOF}v{walls}z"
    return path(roof, fill="var(--plain)", stroke="var(--earth)", stroke_width=2, stroke_linejoin="round")


def _box(x: float, y: float, half: int) -> str:
    return element(
        "rect",
        x=x - half,
        y=y - half,
        width=2 * half,
        height=2 * half,
        rx=3,
        fill="var(--card)",
        fill_opacity=0.75,
        stroke="var(--earth)",
        stroke_dasharray="3 2.5",
    )


def _place(place: BoardPlace) -> ScenePlace:
    x, y = _at(place.at)
    centre = element("circle", cx=x, cy=y, r=8, fill="var(--card)", stroke="var(--earth)", stroke_width=2)
    label = (
        phrase("tenerife-with-town-hall", name=place.name)
        if place.town_hall
        else phrase("tenerife-with-plots", name=place.name, number=len(place.plots))
    )
    plots = "".join(_box(*_at(plot), 12) for plot in place.plots)
    return ScenePlace(f"place:{place.id}", label, (x, y), centre + plots, badge_y=min(-24, name_y(place.id) - 26))


def _hall_plot(plot: int, at: Point) -> str:
    x, y = _at(at)
    return _box(x, y, 17) + text(f"{plot}", x, y + 5, 14, fill="var(--soft)")


def _storage(number: int, space: StorageSpace) -> ScenePlace:
    x, y = _at(space.at)
    good = path(GOODS[space.good], fill="none", stroke="var(--earth)", stroke_width=2, stroke_linejoin="round")
    ground = element("rect", x=-36, y=-38, width=72, height=76, rx=4, fill="var(--card)", stroke="var(--earth)")
    rooms = "".join(_box(offset, 21, 10) for offset in _rooms(space.room))
    drawing = ground + moved(good, -18, -20) + text(f"{space.value}", 16, -13, 22) + rooms
    label = phrase("tenerife-storage-label", number=number, good=named(space.good), value=space.value, room=space.room)
    return ScenePlace(f"storage:{number}", label, (x, y), moved(drawing, x, y))


def _rooms(room: int) -> list[float]:
    """Return the positions of warehouses on a storage space, relative to its middle."""
    return [(index - (room - 1) / 2) * 22 for index in range(room)]


def _berth() -> str:
    return path(SHIP, fill="none", stroke="var(--deep)", stroke_width=1.5, stroke_dasharray="4 3")


def _ships_caption() -> str:
    x, y = _SHIPS[0]
    return small_print("Ships, for exporters and merchants", x - 30, y - 38, anchor="start")


@cache
def _column(seats: int) -> SceneArea:
    spaces = SPACES[seats]
    places = tuple(
        ScenePlace(
            f"space:{space}",
            phrase("tenerife-space-of-column", space=space),
            _card_at(space, spaces),
            _space(space, spaces),
            badge_y=-CARD[1] // 2 + 5,
        )
        for space in range(1, spaces + 1)
    )
    size = _STEP * _in_a_row(spaces), _DOWN * _ROWS
    return SceneArea("column", "The column of characters, which act in order", size, "", places)


def _in_a_row(spaces: int) -> int:
    return -(-spaces // _ROWS)


def _card_at(space: int, spaces: int) -> tuple[int, int]:
    """Return the middle of a space of the column, which has so many, in rows from the left to the right."""
    row, place = divmod(space - 1, _in_a_row(spaces))
    return _STEP * place + _STEP // 2, _DOWN * row + _DOWN // 2 + 11


def _space(space: int, spaces: int) -> str:
    x, y = _card_at(space, spaces)
    width, height = CARD
    frame = element(
        "rect",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=5,
        fill="none",
        stroke="var(--soft)",
        stroke_dasharray="5 4",
    )
    return frame + text(f"{space}", x, y - height / 2 - 6, 18, fill="var(--soft)")


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return what lies on the board, in the column, and before each seat."""
    return (
        *_markers(view),
        *_town_cards(view),
        *_mansions(view),
        *_merchants(view),
        *_ships(view),
        *_characters(view),
        *(piece for seat, one in enumerate(view.seats) for piece in _of_seat(seat, one)),
    )


def _markers(view: View) -> Iterator[ScenePiece]:
    if view.current_place is not None:
        place = BOARD.places[view.current_place]
        yield ScenePiece("current-place", f"current-{place.id}", "board", f"place:{place.id}", _at(place.at))
    for printed, town in zip(BOARD.places, view.towns, strict=False):
        if town.farmers_symbol:
            at = _at((printed.at[0] - len(printed.name) * 4.7 - 18, printed.at[1] + name_y(printed.id) - 6))
            yield ScenePiece(f"farmers-symbol:{printed.id}", "farmers-symbol", "board", f"place:{printed.id}", at)
    x, y = _at(BOARD.storage[view.farmhand - 1].at)
    yield ScenePiece("farmhand", "farmhand", "board", f"storage:{view.farmhand}", (x, y - 54))
    for plot, one in enumerate(view.hall, start=1):
        if one.closed:
            at = _at(BOARD.hall_plots[plot - 1].at)
            yield ScenePiece(f"closed:{plot}", "closed-plot", "board", f"plot:{plot}", at)


def _town_cards(view: View) -> Iterator[ScenePiece]:
    name = phrase("tenerife-round", round=view.round)
    if view.current_place is not None:
        place = BOARD.places[view.current_place]
        message = "tenerife-round-at-hall" if place.town_hall else "tenerife-round-in"
        name = phrase(message, round=view.round, place=place.name)
    yield ScenePiece("round", "round", "board", "towns", _ROUND, badge=name, label=_round(view))
    if view.undrawn_towns:
        yield ScenePiece("still-to-come", "still-to-come", "board", "towns", (_ROUND[0] + 38, _ROUND[1] + 24))
    for index, town in enumerate(view.undrawn_towns):
        place = BOARD.places[town]
        at = (
            _ROUND[0] + TOWN_CARD[0] / 2 + (TOWN_CARD[0] + 4) * (index % _TOWNS_IN_A_ROW),
            _ROUND[1] + 46 + 30 * (index // _TOWNS_IN_A_ROW),
        )
        label = phrase("tenerife-still-to-come", name=place.name)
        yield ScenePiece(f"town-card:{place.id}", f"town-{place.id}", "board", "towns", at, label=label)


def _round(view: View) -> str:
    if view.current_place is None:
        return phrase("tenerife-round", round=view.round)
    place = BOARD.places[view.current_place].name
    if not view.hall_round:
        return phrase("tenerife-round-in", round=view.round, place=place)
    return phrase("tenerife-round-of-hall", round=view.round, place=place, hall_round=view.hall_round)


def _mansions(view: View) -> Iterator[ScenePiece]:
    """Yield the mansions in towns, the elements of the Town Hall, and the warehouses."""
    for printed, town in zip(BOARD.places, view.towns, strict=False):
        for index, owner in enumerate(town.mansions):
            at = _at(printed.plots[index])
            yield ScenePiece(f"mansion:{printed.id}:{index}", "mansion", "board", f"place:{printed.id}", at, owner)
    for plot, one in enumerate(view.hall, start=1):
        if one.seat is not None:
            at = _at(BOARD.hall_plots[plot - 1].at)
            yield ScenePiece(f"element:{plot}", "element", "board", f"plot:{plot}", at, one.seat)
    for number, (space, owners) in enumerate(zip(BOARD.storage, view.storage, strict=True), start=1):
        x, y = _at(space.at)
        for index, owner in enumerate(owners):
            at = round(x + _rooms(space.room)[index]), y + 21
            yield ScenePiece(f"warehouse:{number}:{index}", "warehouse", "board", f"storage:{number}", at, owner)


def _merchants(view: View) -> Iterator[ScenePiece]:
    for seat, one in enumerate(view.seats):
        if one.merchant is not None:
            here = [other for other, seen in enumerate(view.seats) if seen.merchant == one.merchant]
            place = BOARD.places[one.merchant]
            x, y = _at(place.at)
            at = x + (here.index(seat) - (len(here) - 1) / 2) * 24, y
            yield ScenePiece(f"merchant:{seat}", "merchant-token", "board", f"place:{place.id}", at, seat)


def _ships(view: View) -> Iterator[ScenePiece]:
    """Yield the ships in use. ``transport`` names the spaces of the characters that use them."""
    for index, space in enumerate(view.transport):
        owner = view.column[space - 1].seat
        at = _SHIPS[index]
        yield ScenePiece(f"loaded:{index + 1}", "ship", "board", f"ship:{index + 1}", at, owner)


def _characters(view: View) -> Iterator[ScenePiece]:
    for space, one in enumerate(view.column, start=1):
        if one.seat is not None and one.colour is not None:
            symbol, at = _symbol(one.character, one.colour), _card_at(space, len(view.column))
            yield ScenePiece(f"column:{space}", symbol, "column", f"space:{space}", at, one.seat)
    if view.active_space is not None:
        at = _card_at(view.active_space, len(view.column))
        yield ScenePiece("active", "active-space", "column", f"space:{view.active_space}", at)


def _symbol(character: Character | None, colour: BackColour) -> str:
    return f"card-{'back' if character is None else named(character)}{'-second' if colour is BackColour.SECOND else ''}"


def _of_seat(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    area = f"seat:{seat}"
    step = min(_HAND_STEP if one.hand else _BACK_STEP, _HAND_WIDTH / max(one.cards_in_hand - 1, 1))
    for index in range(one.cards_in_hand):
        at = _FIRST_CARD + step * index, _SEAT[1] / 2
        if index < len(one.hand):
            card = one.hand[index]
            name = f"hand:{seat}:{named(card)}:{one.hand[:index].count(card)}"
            yield ScenePiece(name, _symbol(CHARACTER[card], COLOUR[card]), area, "", at, seat)
        else:
            yield ScenePiece(f"hand:{seat}:{index}", "card-back", area, "", at, seat)
    if one.mansions:
        label = phrase("common-in-supply", pieces=counted(one.mansions, "mansion"))
        yield ScenePiece(f"supply:{seat}", "mansion", area, "", _SUPPLY, seat, one.mansions, label=label)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
