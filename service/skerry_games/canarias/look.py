"""How Islas Canarias looks: the harbour, the viewer's cards, the privileges, and the island of each seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.canarias.board import Board
from skerry_games.canarias.printed.canarias_drawings import CARD, ISLAND, legend, square_at, symbols
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.islands import ISLANDS, SQUARES
from skerry_games.canarias.printed.terms import Colour, Piece, Power
from skerry_games.canarias.state import Phase
from skerry_games.canarias.view import BuildingView, SeatView, View
from skerry_games.canarias.words import card_name
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import centred_rect, element, moved, small_print, text
from skerry_games.sentences import counted, listed
from skerry_games.texts.text_lines import named

_HARBOUR: Final = (1096, 130)
_PRIVILEGES: Final = (1096, 172)
_SEAL_HEIGHT: Final = 116
_SEAL: Final = 182
"""From one privilege to the next."""
_RULES: Final = (
    "A settler builds a house of its colour next to the leftmost feature on its card that is available. "
    "The first seat with 3 points in a colour takes its privilege."
)
_HAND: Final = (1096, 116)
_SEAT: Final = (540, ISLAND[1] + 52)
_MIDDLE: Final = (_SEAT[0] // 2, ISLAND[1] // 2 + 26)
"""The middle of a seat's island."""
_PILE: Final = (34, 200)
"""The middle of the pile of a seat's cards."""
_DECK, _DISCARD, _SHIP, _NOW, _MARKET = (40, 65), (170, 65), (440, 78), (1020, 65), (575, 65)
_FIRST_ABOARD, _ABOARD = 345, 38
"""Where the first card lies on the ship, and from one card to the next."""
_KNOWN: Final = 96
"""From one card that the viewer knows on the ship to the next."""
_FREE_ISLAND: Final = 150
"""From one island that can be taken to the next."""
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


def plot_id(seat: int, square: int) -> str:
    """Return the id of the piece of an empty square, which lies there while its seat chooses a square."""
    return f"plot:{seat}:{SQUARES[square]}"


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
    """Return the harbour, the viewer's cards, the privileges, and the island of each seat."""
    hand = SceneArea(
        "hand", "Cards in hand", _HAND, "", (ScenePlace("own-hand", "your cards", (548, 58)),), role=AreaRole.HAND
    )
    seats = (_seat_area(seat) for seat in range(len(view.seats)))
    return (_harbour_area(), hand, _privileges_area(board), *seats)


@cache
def _harbour_area() -> SceneArea:
    sea = element("rect", x=0, y=0, width=_HARBOUR[0], height=_HARBOUR[1], rx=10, fill="var(--sea)")
    outline = moved(centred_rect(44, 60, rx=5, fill="none", stroke="var(--line)", stroke_dasharray="4 3"), *_DECK)
    places = (
        ScenePlace("deck", "the deck", _DECK, outline),
        ScenePlace("discard", "the discard pile", _DISCARD),
        ScenePlace("ship", "the ship", _SHIP, badge_y=32),
        ScenePlace("market", "the islands that can be taken", _MARKET),
        ScenePlace("now", "the card that takes effect now", _NOW),
    )
    captions = (("deck", _DECK), ("discard pile", _DISCARD))
    ground = sea + "".join(small_print(words, at[0], at[1] - 38) for words, at in captions)
    return SceneArea("harbour", "The harbour", _HARBOUR, ground, places)


@cache
def _privileges_area(board: Board) -> SceneArea:
    rules = small_print(_RULES, 6, _SEAL_HEIGHT + 19, 200, anchor="start")
    seals = tuple(_seal(colour, power) for colour, power in zip(Colour, board.powers, strict=True))
    return SceneArea("privileges", "Privileges and supply", _PRIVILEGES, rules + moved(legend(115), 0, 158), seals)


def _seal(colour: Colour, power: Power) -> ScenePlace:
    left, height = _SEAL * colour, _SEAL_HEIGHT
    frame = element("rect", x=left, y=0, width=_SEAL - 8, height=height, rx=4, fill="var(--card)", stroke="var(--line)")
    words = text(POWERS[power], left + _SEAL / 2 - 4, 60, 12, fill="var(--soft)")
    label = f"the {named(colour)} privilege: {POWERS[power]}"
    return ScenePlace(colour_id(colour), label, (left + _SEAL // 2, height // 2), frame + words, -height // 2)


@cache
def _seat_area(seat: int) -> SceneArea:
    """Return the sea of a seat's island, with a place for each square."""
    sea = element("rect", x=0, y=0, width=_SEAT[0], height=_SEAT[1], rx=10, fill="var(--sea)")
    squares = (
        ScenePlace(square_id(seat, square), f"square {name}", _on_island(square)) for square, name in enumerate(SQUARES)
    )
    home = ScenePlace(home_id(seat), "the island", _MIDDLE, badge_y=-ISLAND[1] // 2 - 14)
    hand = ScenePlace(hand_id(seat), "cards in hand", _PILE)
    return SceneArea(f"seat:{seat}", f"Island of seat {seat}", _SEAT, sea, (home, hand, *squares), seat=seat)


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
    for place, symbol, count, at, words in (
        ("deck", "card-back", view.deck, _DECK, "in the deck"),
        ("discard", "discard", len(view.discard), _DISCARD, "in the discard pile"),
    ):
        if count:
            label = f"{counted(count, 'card')} {words}"
            yield ScenePiece(f"{place}-cards", symbol, "harbour", place, at, count=count, label=label)


def free_islands(view: View) -> tuple[int, ...]:
    """Return the islands that no seat has."""
    taken = {seat.island for seat in view.seats}
    return tuple([number for number in range(len(ISLANDS)) if number not in taken])


def _free_islands(view: View) -> Iterator[ScenePiece]:
    for island in free_islands(view):
        at = _MARKET[0] + _FREE_ISLAND * (island - (len(ISLANDS) - 1) / 2), _MARKET[1]
        yield ScenePiece(island_id(island), f"free-island-{ISLANDS[island].id}", "harbour", "market", at)


def _ship(view: View) -> Iterator[ScenePiece]:
    """Yield the ship with its cards. Those that the viewer knows lie beside it, face up."""
    badge = "last round" if view.last_round else f"round {view.round}" if view.round else ""
    label = f"the ship with {counted(view.ship, 'card')}{badge and f', {badge}'}"
    yield ScenePiece("ship-hull", "ship", "harbour", "ship", _SHIP, badge=badge, label=label)
    known = aboard_ids(view)
    for index in range(view.ship - len(known)):
        at = float(_FIRST_ABOARD + _ABOARD * index), 58.0
        yield ScenePiece(f"aboard:{index}", "card-back", "harbour", "ship", at, label="a card, face down on the ship")
    for index, (card, name) in enumerate(known):
        at = 710 + min(_KNOWN, 2 * _KNOWN / max(len(known) - 1, 1)) * index, 65.0
        label = f"the {card_name(card)}, face down on the ship"
        yield ScenePiece(name, f"card-{CARD_IDS[card]}", "harbour", "ship", at, label=label)


def _current(view: View) -> Iterator[ScenePiece]:
    """Yield the card that takes effect now, and the piece that is being built."""
    if view.card is not None:
        name = CARD_IDS[view.card]
        yield ScenePiece(f"now:{name}", f"card-{name}", "harbour", "now", _NOW)
    if view.piece is not None and view.colour is not None:
        symbol = _building(view.piece, view.colour)
        label = f"a {named(view.colour)} {named(view.piece)} to build"
        yield ScenePiece("to-build", symbol, "harbour", "now", (1066, 28), label=label)


def _supply(view: View) -> Iterator[ScenePiece]:
    """Yield the buildings in the supply, on the privilege of their colour."""
    supply = zip(Colour, view.houses_left, view.palaces_left, view.towns_left, strict=True)
    for colour, *left in supply:
        for piece, count, x in zip(Piece, left, (18, 70, 130), strict=True):
            symbol = _building(piece, colour)
            yield ScenePiece(
                f"supply:{symbol}",
                symbol,
                "privileges",
                colour_id(colour),
                (_SEAL * colour + x, 26),
                count=count,
                badge=f"{count}",
                label=f"{counted(count, f'{named(colour)} {named(piece)}')} in the supply",
            )


def _privileges(view: View) -> Iterator[ScenePiece]:
    """Yield for each colour the owner of its privilege, and the points of the seats."""
    for colour, owner in zip(Colour, view.privileges, strict=True):
        place, left = colour_id(colour), _SEAL * colour
        if owner is not None:
            yield ScenePiece(f"owner:{named(colour)}", "owner", "privileges", place, (left + 87, 79), owner)
        for seat, one in enumerate(view.seats):
            if points := one.points[colour]:
                at, label = (left + 12 + 34 * seat, 102), counted(points, f"{named(colour)} point")
                name = f"points:{named(colour)}:{seat}"
                yield ScenePiece(name, "points", "privileges", place, at, seat, badge=f"{points}", label=label)


def _of_seat(seat: int, one: SeatView, view: View, viewer: Viewer) -> Iterator[ScenePiece]:
    area, home = f"seat:{seat}", home_id(seat)
    if one.island is not None:
        yield ScenePiece(island_id(one.island), f"island-{ISLANDS[one.island].id}", area, home, _MIDDLE)
    if view.start_seat == seat:
        yield ScenePiece("start", "start", area, home, (520, 18))
    acts = seat == view.acting_seat
    if acts and view.phase is Phase.PLACE:
        yield from _plots(seat, one)
    for building in one.buildings:
        symbol, square = _building(building.piece, building.colour), building.square
        label = f"{named(building.colour)} {named(building.piece)} on {SQUARES[square]}"
        yield ScenePiece(
            building_id(seat, building), symbol, area, square_id(seat, square), _on_island(square), label=label
        )
    for square in view.material if acts else ():
        yield ScenePiece(material_id(seat, square), "material", area, square_id(seat, square), _on_island(square))
    yield from _own_hand(seat, view) if seat == viewer else _pile(seat, one)


def _plots(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the empty squares of an island."""
    built = {building.square for building in one.buildings}
    for square in () if one.island is None else ISLANDS[one.island].building:
        if square not in built:
            name, place = plot_id(seat, square), square_id(seat, square)
            yield ScenePiece(
                name, "plot", f"seat:{seat}", place, _on_island(square), label=f"empty square {SQUARES[square]}"
            )


def _pile(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the cards of another seat, as one pile. When the game is over, its label names them."""
    if one.hand:
        names = f": {listed(map(card_name, one.cards))}" if one.cards else ""
        label = f"{counted(one.hand, 'card')} in hand{names}"
        place = hand_id(seat)
        yield ScenePiece(f"{place}:pile", "card-back", f"seat:{seat}", place, _PILE, count=one.hand, label=label)


def _own_hand(seat: int, view: View) -> Iterator[ScenePiece]:
    step = min(CARD[0] + 4, (_HAND[0] - CARD[0]) / max(len(view.hand) - 1, 1))
    for index, (card, name) in enumerate(card_ids(seat, view.hand)):
        at = CARD[0] / 2 + step * index, _HAND[1] / 2
        yield ScenePiece(name, f"card-{CARD_IDS[card]}", "hand", "own-hand", at)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
