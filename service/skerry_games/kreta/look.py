"""How Kreta looks: the map of Crete, figures, cards and tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.kreta.actions.castellan import awards, fort_awards
from skerry_games.kreta.board import Board
from skerry_games.kreta.kreta_board import BOARD, MIDDLES, Province
from skerry_games.kreta.printed.kreta_coast import coast, outline, pier, quay, relief
from skerry_games.kreta.printed.kreta_drawings import EFFECTS, symbols
from skerry_games.kreta.state import ROW, KretaCard, Tile
from skerry_games.kreta.view import ProvinceView, SeatView, View
from skerry_games.looks.coasts import Point, shallows
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import element, moved, path, small_print, text
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.texts.text_lines import named

_X, _Y = 12, 26
"""Where the origin of the printed map lies in the area."""
_SIZE: Final = (BOARD.width + 10, BOARD.height + 52)
_STRIP: Final = (1010, 58)
_FORTS_Y: Final = 36
"""The middle of the fort cards, below their captions."""
_FACE_UP, _FORT_STEP = 97, 194
"""The middle of the first fort card, and from one to the next."""
_FACE_DOWN, _PILE, _SCORED = 430, 530, 620
"""The middles of the face-down fort cards of the row and of the pile, and where the scorings are counted."""
_NAME_Y, _WORTH_Y, _FIGURES_Y, _SHARES_Y = -25, -9, 15, 36
"""In a province, below its middle: its name, its value and tile, its figures, and its influence bar."""
_STACKED, _SIDE_BY_SIDE, _ROW = 9, 22, 104
"""From one figure to the next of the same kind and seat, to one of another, and the most from the first to the last."""
_SEAT: Final = (722, 98)
_CARD_STEP: Final = 77
_SUPPLY, _SUPPLY_STEP, _SUPPLY_ROWS = (562, 17), (62, 32), 3
"""The first piece of the supply beside the cards, from one column and row to the next, and the rows."""

# ---------------------------------------------------------------- areas


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the map, the fort cards, and the cards of each seat."""
    return (
        _map(board),
        SceneArea("forts", "Fort cards", _STRIP, _fort_captions()),
        *(
            SceneArea(
                f"seat:{seat}", phrase("common-cards-of-seat", seat=seat), _SEAT, "", seat=seat, role=AreaRole.SEAT
            )
            for seat in range(len(view.seats))
        ),
    )


@cache
def _fort_captions() -> str:
    captions = (
        ("next", _FACE_UP - 90),
        ("later", _FACE_UP + _FORT_STEP - 90),
        ("face down", _FACE_DOWN - 20),
        ("pile", _PILE - 20),
    )
    return "".join(small_print(words, x, 11, anchor="start") for words, x in captions)


@cache
def _map(board: Board) -> SceneArea:
    width, height = _SIZE
    sea = element("rect", x=0, y=0, width=width, height=height, rx=10, fill="var(--sea)")
    places = (
        *(_province_place(province) for province in board.provinces),
        *(
            ScenePlace(
                f"fort:{space.number}",
                phrase("kreta-fort-space", space=space.number),
                _at(space.at),
                _fort_space(space.number, _at(space.at)),
            )
            for space in board.fort_spaces
        ),
    )
    quays = "".join(pier(province) for province in board.provinces if province.harbour)
    ground = sea + moved(shallows(coast()) + quays, _X, _Y)
    land = moved("".join(map(relief, board.provinces)), _X, _Y)
    return SceneArea("board", "The map of Crete", _SIZE, ground, places, land + _names(board))


def _at(point: Point) -> tuple[int, int]:
    return round(point[0]) + _X, round(point[1]) + _Y


def _province_place(province: Province) -> ScenePlace:
    terrain = named(province.terrain)
    label = phrase(
        "kreta-province-label",
        name=province.name,
        terrain=terrain,
        harbour="yes" if province.harbour else "no",
        value=province.value,
    )
    land = path(
        outline(province),
        fill=f"var(--{terrain})",
        stroke="var(--earth)",
        stroke_width=1.5,
        stroke_linejoin="round",
    )
    return ScenePlace(
        f"province:{province.id}", label, _at(MIDDLES[province.id]), moved(land, _X, _Y), badge_y=_SHARES_Y
    )


def _fort_space(number: int, at: tuple[int, int]) -> str:
    circle = element("circle", r=11, fill="var(--card)", stroke="var(--earth)", stroke_width=1.5)
    return moved(circle + text(f"{number}", 0, 6, 16), *at)


def _names(board: Board) -> str:
    drawn = []
    for province in board.provinces:
        x, y = _at(MIDDLES[province.id])
        worth = element("circle", r=12, fill="var(--card)", stroke="var(--earth)") + text(f"{province.value}", 0, 6, 17)
        drawn += [text(province.name, x, y + _NAME_Y, 17, serif=True), moved(worth, x - 13, y + _WORTH_Y)]
    return "".join(drawn)


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
        x, y = _at(MIDDLES[printed.id])
        place = f"province:{printed.id}"
        if province.tile is not None:
            yield ScenePiece(
                f"tile:{printed.id}", f"tile-{named(province.tile)}", "board", place, (x + 13, y + _WORTH_Y)
            )
        yield from _figures(printed, province, place, (x, y))
    for space, owner in view.forts:
        yield ScenePiece(f"tower:{space}", "fort", "board", f"fort:{space}", _at(BOARD.forts[space - 1].at), owner)


def _figures(printed: Province, province: ProvinceView, place: str, at: tuple[int, int]) -> Iterator[ScenePiece]:
    """Yield the figures of a province in a row, equal ones stacked, its ships on the water, and its influence bar."""
    standing = [
        *_each("village", province.villages),
        *_each("villager", province.villagers),
        *(("abbot", seat, 0) for seat in province.abbots),
    ]
    steps = [0, *(_STACKED if number else _SIDE_BY_SIDE for _, _, number in standing[1:])]
    scale = min(1.0, _ROW / max(sum(steps), 1))
    across = at[0] - sum(steps) * scale / 2
    for (kind, seat, number), step in zip(standing, steps, strict=False):
        across += step * scale
        stands = across, at[1] + _FIGURES_Y
        yield ScenePiece(f"{kind}:{printed.id}:{seat}:{number}", kind, "board", place, stands, seat)
    _, water = quay(printed)
    for index, seat in enumerate(province.ships):
        afloat = _at((water[0] + (index - (len(province.ships) - 1) / 2) * 26, water[1]))
        yield ScenePiece(f"ship:{printed.id}:{seat}", "ship", "board", place, afloat, seat)
    yield from _shares(printed, province, place, at)


def _shares(printed: Province, province: ProvinceView, place: str, at: tuple[int, int]) -> Iterator[ScenePiece]:
    """Yield the influence bar: a part for each seat with influence. Those that would score nothing are faded."""
    shares = [(seat, share) for seat, share in enumerate(province.influence) if share]
    paid = awards(province.influence, printed.value)
    for index, (seat, share) in enumerate(shares):
        lies = at[0] + (index - (len(shares) - 1) / 2) * 27, at[1] + _SHARES_Y
        label = _influence(share, paid[seat])
        name = f"influence:{printed.id}:{seat}:{share}"
        yield ScenePiece(name, f"influence-{share}", "board", place, lies, seat, label=label, faded=not paid[seat])


@cache
def _influence(share: int, paid: int) -> str:
    return phrase("kreta-influence-worth", share=share, paid=paid)


def _each(kind: str, counts: Iterable[int]) -> Iterator[tuple[str, int, int]]:
    return ((kind, seat, number) for seat, count in enumerate(counts) for number in range(count))


def _fort_cards(view: View) -> Iterator[ScenePiece]:
    for number in view.scored_forts:
        at = _at(BOARD.forts[number - 1].at)
        yield ScenePiece(f"scored:{number}", "scored-fort", "board", f"fort:{number}", at)
    for index, number in enumerate(view.fort_row):
        at = _at(BOARD.forts[number - 1].at)
        yield ScenePiece(f"row:{number}", "later-fort" if index else "next-fort", "board", f"fort:{number}", at)
        names = joined_by(", ", (BOARD.provinces[province].name for province in BOARD.forts[number - 1].provinces))
        when = "scored next" if index == 0 else "scored later"
        yield ScenePiece(
            f"fort-card:{number}",
            f"fort-card-{number}",
            "forts",
            "",
            (_FACE_UP + _FORT_STEP * index, _FORTS_Y),
            label=phrase("kreta-fort-card-scores", number=number, when=when, names=names),
        )
        yield from _paid(view, number, _FACE_UP + _FORT_STEP * index)
    for name, count, x, message in (
        ("row", view.face_down, _FACE_DOWN, "kreta-cards-in-row"),
        ("pile", view.pile, _PILE, "kreta-cards-in-pile"),
    ):
        if count:
            label, at = phrase(message, cards=counted(count, "fort card")), (x, _FORTS_Y)
            yield ScenePiece(f"fort-cards:{name}", "fort-card-back", "forts", "", at, count=count, label=label)
    scored = phrase("kreta-scored-of", scored=view.scorings_done, all=ROW)
    yield ScenePiece("fort-cards:scored", "scorings", "forts", "", (_SCORED, _FORTS_Y), badge=scored)


def _paid(view: View, fort: int, middle: int) -> Iterator[ScenePiece]:
    """Yield what a fort card would pay each seat now, at the upper right of the card."""
    points = fort_awards(fort, [province.influence for province in view.provinces])
    paid = [(seat, award) for seat, award in enumerate(points) if award]
    for index, (seat, award) in enumerate(paid):
        lies = middle + 78 + (index - len(paid) + 1) * 27, _FORTS_Y - 23
        label = phrase("kreta-points-if-scored", points=counted(award, "point"), fort=fort)
        yield ScenePiece(f"pays:{fort}:{seat}:{award}", f"points-{award}", "forts", "", lies, seat, label=label)


def _of_seat(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    area = f"seat:{seat}"
    for index, card in enumerate(KretaCard):
        played = card not in one.hand
        label = _card(card, played)
        yield ScenePiece(
            f"card:{seat}:{named(card)}",
            f"card-{named(card)}",
            area,
            f"{'table' if played else 'hand'}:{named(card)}",
            (38 + _CARD_STEP * index, 49),
            label=label,
            faded=played,
        )
    stock = [
        *((f"supply:{seat}:{kind}", kind, seat, count, _in_supply(count, kind)) for kind, count in _supply(one)),
        *(
            (f"harvest:{seat}:{named(tile)}", f"tile-{named(tile)}", None, count, _harvested(count, tile))
            for tile, count in zip(Tile, one.harvested, strict=True)
        ),
    ]
    left = [each for each in stock if each[3]]
    for index, (name, symbol, owner, count, words) in enumerate(left):
        column, row = divmod(index, _SUPPLY_ROWS)
        at = _SUPPLY[0] + _SUPPLY_STEP[0] * column, _SUPPLY[1] + _SUPPLY_STEP[1] * row
        yield ScenePiece(name, symbol, area, "", at, owner, count, label=words)


@cache
def _card(card: KretaCard, played: bool) -> str:
    message = "kreta-card-on-table" if played else "kreta-card-in-hand"
    return phrase(message, card=named(card), effect=EFFECTS[card])


@cache
def _in_supply(count: int, kind: str) -> str:
    return phrase("common-in-supply", pieces=counted(count, kind))


@cache
def _harvested(count: int, tile: Tile) -> str:
    return phrase("kreta-harvested-tiles", count=count, tile=named(tile))


def _supply(one: SeatView) -> tuple[tuple[str, int], ...]:
    left = one.supply
    return (
        ("ship", left.ships),
        ("fort", left.forts),
        ("village", left.villages),
        ("villager", left.villagers),
        ("abbot", left.abbots),
    )


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
