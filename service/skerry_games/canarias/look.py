"""How Islas Canarias looks: the harbour, the privileges, and the island and cards of each seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.canarias.board import Board
from skerry_games.canarias.printed.canarias_drawings import CARD, ISLAND, square_at, symbols
from skerry_games.canarias.printed.cards import CARD_IDS
from skerry_games.canarias.printed.islands import SQUARES
from skerry_games.canarias.printed.terms import Colour, Power
from skerry_games.canarias.view import SeatView, View
from skerry_games.looks.scene import Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import element, text
from skerry_games.texts.text_lines import named

_HARBOUR: Final = (1096, 130)
_PRIVILEGES: Final = (1096, 96)
_SEAL: Final = 182
"""From one privilege to the next."""
_SEAT: Final = (540, 360)
_MIDDLE: Final = (_SEAT[0] // 2, ISLAND[1] // 2 + 26)
"""The middle of a seat's island."""
_HAND: Final = _SEAT[1] - CARD[1] // 2 - 2
_POWERS: Final = {
    Power.TIES: "wins ties for settlers",
    Power.DRAW: "draws 5 cards, not 3",
    Power.MIX: "mixes two colours",
    Power.FREE: "any empty square",
    Power.CARD: "an extra card a turn",
    Power.PIRATE: "safe from pirates",
}


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the harbour, the privileges, and the island and cards of each seat."""
    sea = element("rect", x=0, y=0, width=_HARBOUR[0], height=_HARBOUR[1], rx=10, fill="var(--sea)")
    return (
        SceneArea("harbour", "The harbour", _HARBOUR, sea),
        SceneArea("privileges", "Privileges and supply", _PRIVILEGES, "", _seals(board)),
        *(_seat_area(seat) for seat in range(len(view.seats))),
    )


@cache
def _seals(board: Board) -> tuple[ScenePlace, ...]:
    return tuple(
        ScenePlace(
            f"colour:{named(colour)}",
            f"the {named(colour)} privilege: {_POWERS[power]}",
            (_SEAL * colour + _SEAL // 2, 48),
            element(
                "rect",
                x=_SEAL * colour,
                y=0,
                width=_SEAL - 8,
                height=96,
                rx=4,
                fill="var(--card)",
                stroke="var(--line)",
            )
            + text(_POWERS[power], _SEAL * colour + _SEAL / 2 - 4, 60, 13, fill="var(--soft)"),
        )
        for colour, power in zip(Colour, board.powers, strict=True)
    )


@cache
def _seat_area(seat: int) -> SceneArea:
    """Return the sea of a seat's island, with a place for each square."""
    width, height = _SEAT[0], ISLAND[1] + 52
    sea = element("rect", x=0, y=0, width=width, height=height, rx=10, fill="var(--sea)")
    squares = (ScenePlace(f"{name}", f"square {name}", _on_island(square)) for square, name in enumerate(SQUARES))
    rest = (ScenePlace("island", "the island", _MIDDLE), ScenePlace("hand", "cards in hand", (_MIDDLE[0], _HAND)))
    return SceneArea(f"seat:{seat}", f"Island and cards of seat {seat}", _SEAT, sea, (*rest, *squares), seat=seat)


def _on_island(square: int) -> tuple[int, int]:
    x, y = square_at(square)
    return _MIDDLE[0] + x, _MIDDLE[1] + y


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return what lies in the harbour, on the privileges, and before each seat."""
    return (
        *_harbour(view),
        *_privileges(view),
        *(piece for seat, one in enumerate(view.seats) for piece in _of_seat(seat, one, view, viewer)),
    )


def _harbour(view: View) -> Iterator[ScenePiece]:
    """Yield the deck, the discard pile, the ship with its cards, and the card that is carried out."""
    if view.deck:
        yield ScenePiece(
            "deck", "card-back", "harbour", "", (40, 65), count=view.deck, label=f"{view.deck} cards in the deck"
        )
    if view.discard:
        top, count = CARD_IDS[view.discard[-1]], len(view.discard)
        label = f"{count} cards in the discard pile"
        yield ScenePiece("discard", f"card-{top}", "harbour", "", (190, 65), count=count, label=label, faded=True)
    yield ScenePiece("ship", "ship", "harbour", "", (500, 78))
    known = [passenger.card for passenger in view.aboard]
    step = min(46, 380 / max(view.ship, 1))
    for index in range(view.ship):
        at = 500 + step * (index - (view.ship - 1) / 2), 62
        label = f"{CARD_IDS[known[index]]}, face down on the ship" if index < len(known) else ""
        badge = "?" if index < len(known) else ""
        yield ScenePiece(f"aboard:{index}", "card-back", "harbour", "", at, label=label, badge=badge)
    if view.card is not None:
        yield ScenePiece("card", f"card-{CARD_IDS[view.card]}", "harbour", "", (1020, 65))


def _privileges(view: View) -> Iterator[ScenePiece]:
    """Yield for each colour the owner of its privilege, and the buildings in the supply."""
    supply = zip(Colour, view.houses_left, view.palaces_left, view.towns_left, strict=True)
    for colour, houses, palaces, towns in supply:
        place, left = f"colour:{named(colour)}", _SEAL * colour
        for kind, count, x in (("house", houses, 18), ("palace", palaces, 70), ("town", towns, 130)):
            yield ScenePiece(
                f"supply:{kind}:{colour.name}",
                f"{kind}-{named(colour)}",
                "privileges",
                place,
                (left + x, 26),
                count=count,
                badge=f"{count}",
                label=f"{count} {named(colour)} {kind}s in the supply",
            )
        owner = view.privileges[colour]
        if owner is not None:
            yield ScenePiece(f"owner:{colour.name}", "owner", "privileges", place, (left + 87, 79), owner)


def _of_seat(seat: int, one: SeatView, view: View, viewer: Viewer) -> Iterator[ScenePiece]:
    area = f"seat:{seat}"
    if one.island is not None:
        yield ScenePiece(f"island:{seat}", f"island-{one.island + 1}", area, "island", _MIDDLE)
    if view.start_seat == seat:
        yield ScenePiece("start", "start", area, "island", (520, 18))
    for building in one.buildings:
        name = SQUARES[building.square]
        symbol = f"{named(building.piece)}-{named(building.colour)}"
        yield ScenePiece(f"building:{seat}:{name}", symbol, area, name, _on_island(building.square))
    if seat == view.acting_seat:
        for square in view.material:
            yield ScenePiece(f"material:{SQUARES[square]}", "material", area, SQUARES[square], _on_island(square))
    yield from _hand(seat, one, view.hand if seat == viewer else one.cards)


def _hand(seat: int, one: SeatView, known: Iterable[int]) -> Iterator[ScenePiece]:
    cards = tuple(known)
    step = min(CARD[0] + 4, (_SEAT[0] - CARD[0]) / max(one.hand - 1, 1))
    for index in range(one.hand):
        symbol = f"card-{CARD_IDS[cards[index]]}" if index < len(cards) else "card-back"
        at = CARD[0] / 2 + step * index, _HAND
        yield ScenePiece(f"hand:{seat}:{index}", symbol, f"seat:{seat}", "hand", at)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
