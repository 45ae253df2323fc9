"""How Islas Canarias looks: the harbour, the privileges, the island of each seat, and the viewer's cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.canarias.board import Board
from skerry_games.canarias.printed.canarias_drawings import CARD, ISLAND, SIDE, colour_sign, square_at, symbols
from skerry_games.canarias.printed.cards import CARD_IDS, FIRST_PIRATE, HOUSE_COLOUR
from skerry_games.canarias.printed.components_file import COLUMNS, ROWS, SQUARES
from skerry_games.canarias.printed.islands import ISLANDS
from skerry_games.canarias.printed.terms import Colour, Piece, Power
from skerry_games.canarias.state import Phase
from skerry_games.canarias.view import BuildingView, SeatView, View
from skerry_games.canarias.words import card_name
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import SANS, centred_rect, element, moved, path, small_print, text
from skerry_games.looks.themes import MARKS
from skerry_games.sentences import counted, joined_by, listed, phrase
from skerry_games.texts.text_lines import named

_HARBOUR: Final = (500, 108)
_ROW: Final = 27
_FIRST_ROW: Final = 36
"""The middle of the first row of the privileges."""
_LEFT: Final = 208
"""Where the pieces in the supply begin in a row, and from one to the next."""
_PIECES: Final = 46
_SEATS: Final = 358
"""The middle of the column of the first seat, and from one to the next."""
_COLUMN: Final = 42
_TAKEN: Final = 36
"""The room right of the column of the last seat, for what takes a privilege."""
_RIM: Final = 30
"""The water beside and below an island, in which the letters and numbers of its squares stand."""
_ABOVE: Final = 24
"""The water above an island."""
_ASHORE: Final = 74
"""The width beside an island, for what lies before its seat."""
_SEAT: Final = (_RIM + ISLAND[0] + _ASHORE, _ABOVE + ISLAND[1] + _RIM)
_MIDDLE: Final = (_RIM + ISLAND[0] // 2, _ABOVE + ISLAND[1] // 2)
"""The middle of a seat's island."""
_PILE: Final = (_SEAT[0] - 50, _SEAT[1] - 40)
"""The middle of the pile of a seat's cards."""
_START: Final = (_SEAT[0] - 30, 24)
_MARGIN: Final = 10
"""The room around the cards in hand, for badges at their upper edges."""
_HAND: Final = (6 * (ISLAND[0] // 2 + 10), CARD[1] + 2 * _MARGIN)
"""Room for all islands that can be taken, beside each other."""
_DECK, _DISCARD, _SHIP, _NOW = (36, 62), (116, 62), (290, 60), (444, 56)
_FIRST_ABOARD, _ABOARD = 218, 26
"""Where the first card lies on the ship, and from one card to the next."""
_LAST_ABOARD: Final = 330
"""Where the last card lies at most."""
POWERS: Final = {
    Power.TIES: "wins ties for settlers",
    Power.DRAW: "draws 5 cards, not 3",
    Power.MIX: "mixes two colours",
    Power.FREE: "uses any empty square",
    Power.CARD: "takes an extra card",
    Power.PIRATE: "is safe from pirates",
}
"""What the owner of each privilege does."""


def colour_id(colour: int) -> str:
    """Return the id of the place of a colour's privilege: ``colour:red``."""
    return f"colour:{named(Colour(colour))}"


def home_id(seat: int) -> str:
    """Return the id of the place of a seat's island."""
    return f"home:{seat}"


def hand_id(seat: int) -> str:
    """Return the id of the place of a seat's cards, as other seats see them."""
    return f"hand:{seat}"


def square_id(seat: int, square: int) -> str:
    """Return the id of a square of a seat's island: ``square:0:A1``."""
    return f"square:{seat}:{SQUARES[square]}"


def island_id(island: int) -> str:
    """Return the id of the piece of an island."""
    return f"island:{ISLANDS[island].id}"


def building_id(seat: int, building: BuildingView) -> str:
    """Return the id of the piece of a building: ``house-red:0:A1``."""
    return f"{_building(building.piece, building.colour)}:{seat}:{SQUARES[building.square]}"


def material_id(seat: int, square: int) -> str:
    """Return the id of the piece that marks a house which becomes a part of a larger building."""
    return f"material:{seat}:{SQUARES[square]}"


def card_ids(seat: int, cards: Iterable[int]) -> tuple[tuple[int, str], ...]:
    """Return the known cards in a hand with the ids of their pieces. Equal cards are numbered from the second on."""
    return _numbered(hand_id(seat), cards)


def aboard_ids(view: View) -> tuple[tuple[int, str], ...]:
    """Return the cards that the viewer knows on the ship, with the ids of their pieces."""
    return _numbered("aboard", [passenger.card for passenger in view.aboard])


def _numbered(place: str, cards: Iterable[int]) -> tuple[tuple[int, str], ...]:
    copies = Counter[int]()
    ids = []
    for card in cards:
        copies[card] += 1
        ids.append((card, f"{place}:{CARD_IDS[card]}" + (f":{copies[card]}" if copies[card] > 1 else "")))
    return tuple(ids)


def _building(piece: Piece, colour: Colour) -> str:
    return f"{named(piece)}-{named(colour)}"


# ---------------------------------------------------------------- areas


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the harbour, the privileges, the island of each seat, and the viewer's cards."""
    seats = len(view.seats)
    middle = _HAND[0] // 2, _HAND[1] // 2
    hand = SceneArea(
        "hand",
        "Cards in hand",
        _HAND,
        "",
        (ScenePlace("own-hand", "your cards", middle), ScenePlace("market", "the islands that can be taken", middle)),
        margin=_MARGIN,
        role=AreaRole.HAND,
    )
    return (_harbour_area(), _privileges_area(board, seats), *map(_seat_area, range(seats)), hand)


@cache
def _harbour_area() -> SceneArea:
    width, height = _HARBOUR
    sea = element("rect", x=0, y=0, width=width, height=height, rx=10, fill="var(--sea)")
    pile = centred_rect(44, 60, rx=5, fill="none", stroke="var(--deep)", stroke_opacity=0.4, stroke_dasharray="4 3")
    places = (
        ScenePlace("deck", "the deck", _DECK, moved(pile, *_DECK)),
        ScenePlace("discard", "the discard pile", _DISCARD, moved(pile, *_DISCARD)),
        ScenePlace("ship", "the ship", _SHIP, badge_y=30),
        ScenePlace("now", "the card that takes effect now", _NOW),
    )
    captions = (("deck", _DECK), ("discard", _DISCARD))
    ground = sea + "".join(small_print(words, at[0], at[1] - 38) for words, at in captions)
    return SceneArea("harbour", "The harbour", _HARBOUR, ground, places)


@cache
def _privileges_area(board: Board, seats: int) -> SceneArea:
    """Return the privileges, a row for each, with the pieces left and a column for the points of each seat."""
    width, height = _SEATS + _COLUMN * seats + _TAKEN, _FIRST_ROW + _ROW * len(Colour) - 12
    rows = tuple(_row(colour, power, width) for colour, power in zip(Colour, board.powers, strict=True))
    return SceneArea("privileges", "The privileges and the supply", (width, height), _heads(seats, width), rows)


def _heads(seats: int, width: int) -> str:
    """Return the heads of the columns of the table: what is left in the supply, seats, and points for it."""
    y = 15
    words = (("left", _LEFT + _PIECES * 3 // 2 - 14), ("taken", width - 30))
    marks = (
        moved(path(MARKS[seat], fill=f"var(--seat-{seat})", stroke="var(--rim)", stroke_width=1.5), x, y - 4)
        for seat, x in enumerate(range(_SEATS, _SEATS + _COLUMN * seats, _COLUMN))
    )
    privileges = small_print("The owner of a privilege", 6, y, anchor="start")
    return privileges + "".join(small_print(word, x, y) for word, x in words) + "".join(marks)


def _row(colour: Colour, power: Power, width: int) -> ScenePlace:
    """Return the row of a privilege."""
    y = _row_at(colour)
    frame = element("rect", x=0, y=y - 12.5, width=width, height=25, rx=5, fill="var(--card)", stroke="var(--line)")
    words = element("text", POWERS[power], x=34, y=y + 5, font_size=14, font_family=SANS, fill="var(--ink)")
    label = phrase("canarias-privilege-label", colour=named(colour), power=POWERS[power])
    return ScenePlace(colour_id(colour), label, (width - 30, y), frame + moved(colour_sign(colour), 17, y) + words)


def _row_at(colour: int) -> int:
    return _FIRST_ROW + _ROW * colour


@cache
def _seat_area(seat: int) -> SceneArea:
    """Return the sea of a seat's island, with a place for each square, and their letters and numbers at its edge."""
    sea = element("rect", x=0, y=0, width=_SEAT[0], height=_SEAT[1], rx=10, fill="var(--sea)")
    left, top = _on_island(0)
    names = (
        *(
            text(f"{column + 1}", left + SIDE * column, _SEAT[1] - 6, 14, fill="var(--soft)")
            for column in range(COLUMNS)
        ),
        *(text("ABCD"[row], 9, top + SIDE * row + 5, 14, fill="var(--soft)") for row in range(ROWS)),
    )
    squares = (
        ScenePlace(square_id(seat, square), phrase("canarias-square", name=name), _on_island(square))
        for square, name in enumerate(SQUARES)
    )
    home = ScenePlace(home_id(seat), "the island", _MIDDLE, badge_y=-ISLAND[1] // 2 - 13)
    hand = ScenePlace(hand_id(seat), "cards in hand", _PILE)
    ground = sea + "".join(names)
    return SceneArea(
        f"seat:{seat}", phrase("canarias-island-of-seat", seat=seat), _SEAT, ground, (home, hand, *squares), seat=seat
    )


def _on_island(square: int) -> tuple[int, int]:
    x, y = square_at(square)
    return _MIDDLE[0] + x, _MIDDLE[1] + y


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return what lies in the harbour, on the privileges, and before each seat."""
    return (
        *_piles(view),
        *(_free_islands(view) if view.phase is Phase.TAKE_ISLAND else _ship(view)),
        *_current(view),
        *_supply(view),
        *_privileges(view),
        *(piece for seat, one in enumerate(view.seats) for piece in _of_seat(seat, one, view, viewer)),
    )


def _piles(view: View) -> Iterator[ScenePiece]:
    """Yield the deck and the discard pile."""
    for place, symbol, count, at, message in (
        ("deck", "card-back", view.deck, _DECK, "canarias-in-deck"),
        ("discard", "discard", len(view.discard), _DISCARD, "canarias-in-discard"),
    ):
        if count:
            label = phrase(message, cards=counted(count, "card"))
            yield ScenePiece(f"{place}-cards", symbol, "harbour", place, at, count=count, label=label)


def free_islands(view: View) -> tuple[int, ...]:
    """Return the islands that no seat has."""
    taken = {seat.island for seat in view.seats}
    return tuple([number for number in range(len(ISLANDS)) if number not in taken])


def _free_islands(view: View) -> Iterator[ScenePiece]:
    """Yield the islands that can be taken, where the viewer's cards will lie."""
    step = _HAND[0] // len(ISLANDS)
    for index, island in enumerate(free_islands(view)):
        at = step // 2 + step * index, _HAND[1] // 2
        yield ScenePiece(island_id(island), f"free-island-{ISLANDS[island].id}", "hand", "market", at)


def _ship(view: View) -> Iterator[ScenePiece]:
    """Yield the ship with its cards. Those that the viewer knows lie face up before the others."""
    label = phrase("canarias-ship-with", cards=counted(view.ship, "card"))
    yield ScenePiece("ship-hull", "ship", "harbour", "ship", _SHIP, label=label)
    known = aboard_ids(view)
    hidden = view.ship - len(known)
    for index in range(hidden):
        at = float(_FIRST_ABOARD + _ABOARD * index), 44.0
        yield ScenePiece(f"aboard:{index}", "card-back", "harbour", "ship", at, label="a card, face down on the ship")
    begin = min(_FIRST_ABOARD + _ABOARD * hidden + 30, _LAST_ABOARD)
    step = min(CARD[0], (_LAST_ABOARD - begin) / max(len(known) - 1, 1))
    for index, (card, name) in enumerate(known):
        at = begin + step * index, 52.0
        label = phrase("canarias-face-down-aboard", card_name=card_name(card))
        yield ScenePiece(name, f"card-{CARD_IDS[card]}", "harbour", "ship", at, label=label)


def _current(view: View) -> Iterator[ScenePiece]:
    """Yield the card that takes effect now, and the piece that is being built, unless the card shows it."""
    if view.card is not None:
        name = CARD_IDS[view.card]
        yield ScenePiece(f"now:{name}", f"card-{name}", "harbour", "now", _NOW)
    of_card = None if view.card is None else HOUSE_COLOUR[view.card] if view.card < FIRST_PIRATE else None
    if view.piece is not None and view.colour is not None and view.colour != of_card:
        symbol = _building(view.piece, view.colour)
        label = phrase("canarias-to-build", colour=named(view.colour), piece=named(view.piece))
        yield ScenePiece("to-build", symbol, "harbour", "now", (_NOW[0] - 34, _NOW[1] + 2), label=label)


def _supply(view: View) -> Iterator[ScenePiece]:
    """Yield the buildings in the supply, in the row of their colour."""
    supply = zip(Colour, view.houses_left, view.palaces_left, view.towns_left, strict=True)
    for colour, *left in supply:
        for piece, count in zip(Piece, left, strict=True):
            symbol = _building(piece, colour)
            yield ScenePiece(
                f"supply:{symbol}",
                f"small-{symbol}",
                "privileges",
                colour_id(colour),
                (_LEFT + _PIECES * piece, _row_at(colour)),
                count=count,
                badge=f"{count}",
                label=_left(count, colour, piece),
            )


@cache
def _left(number: int, colour: Colour, piece: Piece) -> str:
    return phrase("canarias-pieces-left", number=number, colour=named(colour), piece=named(piece))


def _privileges(view: View) -> Iterator[ScenePiece]:
    """Yield for each colour the owner of its privilege, and the points of the seats."""
    for colour, owner in zip(Colour, view.privileges, strict=True):
        place, y = colour_id(colour), _row_at(colour)
        if owner is not None:
            at = _SEATS + _COLUMN * owner - 12, y
            yield ScenePiece(f"owner:{named(colour)}", "seal", "privileges", place, at, owner)
        for seat, one in enumerate(view.seats):
            if points := one.points[colour]:
                at = _SEATS + _COLUMN * seat - 3, y - 2
                label = _colour_points(points, colour)
                name = f"points:{named(colour)}:{seat}"
                yield ScenePiece(name, "points", "privileges", place, at, badge=f"{points}", label=label)


@cache
def _colour_points(number: int, colour: Colour) -> str:
    return phrase("canarias-colour-points", number=number, colour=named(colour))


def _of_seat(seat: int, one: SeatView, view: View, viewer: Viewer) -> Iterator[ScenePiece]:
    area, home = f"seat:{seat}", home_id(seat)
    if one.island is not None:
        yield ScenePiece(island_id(one.island), f"island-{ISLANDS[one.island].id}", area, home, _MIDDLE)
    if view.start_seat == seat:
        yield ScenePiece("start", "start", area, home, _START)
    for building in one.buildings:
        symbol, square = _building(building.piece, building.colour), building.square
        label = _piece_on(building.colour, building.piece, square)
        yield ScenePiece(
            building_id(seat, building), symbol, area, square_id(seat, square), _on_island(square), label=label
        )
    for square in view.material if seat == view.acting_seat else ():
        yield ScenePiece(material_id(seat, square), "material", area, square_id(seat, square), _on_island(square))
    yield from _own_hand(seat, view) if seat == viewer else _pile(seat, one)


@cache
def _piece_on(colour: Colour, piece: Piece, square: int) -> str:
    return phrase("canarias-piece-on", colour=named(colour), piece=named(piece), square=SQUARES[square])


def _pile(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the cards of another seat, as one pile. When the game is over, its label names them."""
    if one.hand:
        label = phrase("canarias-hand", cards=counted(one.hand, "card"))
        if one.cards:
            label = joined_by(": ", (label, listed(map(card_name, one.cards))))
        place = hand_id(seat)
        yield ScenePiece(f"{place}:pile", "card-back", f"seat:{seat}", place, _PILE, count=one.hand, label=label)


def _own_hand(seat: int, view: View) -> Iterator[ScenePiece]:
    step = min(CARD[0] + 6, (_HAND[0] - CARD[0] - 2 * _MARGIN) / max(len(view.hand) - 1, 1))
    for index, (card, name) in enumerate(card_ids(seat, view.hand)):
        at = CARD[0] / 2 + _MARGIN + step * index, _HAND[1] / 2
        yield ScenePiece(name, f"card-{CARD_IDS[card]}", "hand", "own-hand", at)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
