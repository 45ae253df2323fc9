"""The drawings of tiles, tokens, houses and cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Final

from skerry_games.looks.scene import SceneSymbol, Size
from skerry_games.looks.svg import centred_rect, element, moved, path, polygon, small_print, text, upright
from skerry_games.small_islands.board import Board, PrintedTile
from skerry_games.small_islands.printed.components import Bonus, ObjectiveCard, Point, Symbol
from skerry_games.small_islands.words import mission_words, reward_words
from skerry_games.texts.text_lines import named

SIDE: Final = 100
"""The side of a tile."""
CARD: Final[Size] = (190, 100)
_WORDS: Final = 25
"""Characters in a line of a card."""
_LINE: Final = 14
"""The height of a line of a card."""
_SYMBOLS: Final[Mapping[Symbol, tuple[str, str]]] = {
    Symbol.FLOWER: (
        "M0-3.5a3.5 3.5 0 1 1 3.3 2.4 3.5 3.5 0 1 1-1.3 4 3.5 3.5 0 1 1-4 0 3.5 3.5 0 1 1-1.3-4A3.5 3.5 0 1 1 0-3.5z",
        "var(--flower)",
    ),
    Symbol.FRUIT: ("M0-4q8-4 8 4 0 8-8 9-8-1-8-9 0-8 8-4zM0-4q0-4 4-6", "var(--orange)"),
    Symbol.LEAF: ("M-8 9Q-10-8 9-9 9 9-8 9zM-8 9 3-3", "var(--moss)"),
    Symbol.TEMPLE: ("M-9-3 0-10 9-3zM-7-3v10M-2.5-3v10M2.5-3v10M7-3v10M-9 9V7H9v2z", "var(--blazon)"),
    Symbol.PORT: ("M0-9a2.5 2.5 0 1 1 .1 0M0-4V9M-4-1H4M-8 2Q-7 9 0 9 7 9 8 2", "none"),
    Symbol.HOUSE: ("M-8 8V-1L0-8 8-1V8z", "none"),
}
_BONUSES: Final[Mapping[Bonus, tuple[Symbol, ...]]] = {
    Bonus.FLOWER: (Symbol.FLOWER,),
    Bonus.FRUIT: (Symbol.FRUIT,),
    Bonus.LEAF: (Symbol.LEAF,),
    Bonus.ANY: (Symbol.FLOWER, Symbol.FRUIT, Symbol.LEAF),
}


@cache
def symbols(board: Board) -> tuple[SceneSymbol, ...]:
    """Return tiles, ships, tokens, houses, cards and markers."""
    return (
        *(
            SceneSymbol(f"tile-{tile.id}", f"tile {tile.id}", (SIDE, SIDE), _tile(tile))
            for tile in (*board.landscape_tiles, *board.start_tiles)
        ),
        SceneSymbol("tile-back", "a tile face down", (SIDE, SIDE), _back(SIDE, SIDE)),
        SceneSymbol("ship", "a ship", (SIDE, SIDE), _ship("currentColor"), (0, 16, 18)),
        SceneSymbol("grey-ship", "a grey ship", (SIDE, SIDE), _ship("var(--soft)")),
        SceneSymbol("small-ship", "a ship that can land", (36, 36), _small(_ship("currentColor")), (0, 6, 8)),
        SceneSymbol("house", "a house", (26, 28), _house(), (0, 4, 10)),
        *(
            SceneSymbol(f"token-{named(symbol)}", f"token: {named(symbol)}", (32, 32), _token(symbol), (13, 13, 12))
            for symbol in Symbol
        ),
        *(
            SceneSymbol(f"bonus-{named(bonus)}", f"bonus token: {named(bonus)}", (40, 32), _bonus(bonus), (15, 12, 10))
            for bonus in Bonus
        ),
        *(SceneSymbol(f"card-{card.id}", card_label(card), CARD, _card(card)) for card in board.cards),
        SceneSymbol("card-back", "a card face down", CARD, _back(*CARD)),
        SceneSymbol("discovery", "a discovery token", (30, 30), _discovery()),
        SceneSymbol("navigation-stack", "the navigation stack", (SIDE, SIDE), _stack("Navigation stack")),
        SceneSymbol("reserve-stack", "the reserve", (SIDE, SIDE), _stack("Reserve")),
        SceneSymbol("discovery-stack", "discovery tokens", (30, 30), _discovery() + _below("Discovery tokens")),
        SceneSymbol("grey-ship-stack", "grey ships", (36, 36), _small(_ship("var(--soft)")) + _below("Grey ships")),
        SceneSymbol("first-seat", "goes first in this round", (80, 12), small_print("· goes first", 0, 4)),
        SceneSymbol("start-cell", "a cell for a starting tile", (SIDE, SIDE), _start_cell()),
        SceneSymbol("in-use", "in use", (SIDE + 10, SIDE + 10), _frame(SIDE + 10)),
    )


def symbol_drawing(symbol: Symbol) -> str:
    """Return the drawing of a symbol around (0, 0), 20 wide and high."""
    outline, fill = _SYMBOLS[symbol]
    dashes = "2.5 2" if symbol is Symbol.HOUSE else None
    return path(
        outline,
        fill=fill,
        stroke="var(--dark)",
        stroke_width=1.3,
        stroke_dasharray=dashes,
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def _tile(tile: PrintedTile) -> str:
    half = SIDE // 2
    ground = element("rect", width=SIDE, height=SIDE, fill="var(--water)")
    land = polygon(tile.land, fill="var(--shore)") if tile.land else ""
    shores = "".join(_shores(tile.land))
    frame = element("rect", width=SIDE, height=SIDE, fill="none", stroke="var(--dark)", stroke_opacity=0.22)
    printed = "".join(moved(upright(symbol_drawing(symbol)), *at, scale=1.1) for symbol, at in tile.symbols)
    ports = "".join(moved(_port(), *at) for at in tile.port_places[: tile.ports])
    return moved(ground + land + shores + frame + printed + ports, -half, -half)


def _port() -> str:
    quay = element("circle", r=11, fill="var(--blazon)", stroke="var(--earth)", stroke_width=1.5)
    return quay + upright(moved(symbol_drawing(Symbol.PORT), 0, 0, scale=0.75))


def _shores(land: tuple[Point, ...]) -> Iterator[str]:
    """Yield the lines of the outline that are not at the edge of the tile, where the land goes on."""
    for (ax, ay), (bx, by) in pairwise((*land, *land[:1])):
        if not ((ax == bx and ax % SIDE == 0) or (ay == by and ay % SIDE == 0)):
            yield element(
                "line", x1=ax, y1=ay, x2=bx, y2=by, stroke="var(--earth)", stroke_width=2.5, stroke_linecap="round"
            )


def turned(at: Point, turns: int) -> tuple[int, int]:
    """Return a point of a tile after quarter turns clockwise, from the middle of the tile."""
    x, y = at[0] - SIDE // 2, at[1] - SIDE // 2
    for _ in range(turns % 4):
        x, y = -y, x
    return x, y


def _back(width: int, height: int) -> str:
    return centred_rect(width, height, rx=4, fill="var(--sand)", stroke="var(--line)")


def _stack(words: str) -> str:
    return _back(SIDE, SIDE) + small_print(words, 0, 4 if len(words) < 12 else -2, 12)


def _below(words: str) -> str:
    return small_print(words, 0, 34, 12)


def _ship(colour: str) -> str:
    half = SIDE // 2
    sea = element("rect", x=-half, y=-half, width=SIDE, height=SIDE, fill="var(--water)", stroke="var(--line)")
    hull = "M-36 8H36L26 32H-26zM-3 8V-38Q28-28 26 0H-3zM-8 0V-26Q-28-18-30 0z"
    return sea + path(hull, fill=colour, stroke="var(--rim)", stroke_width=1.5, stroke_linejoin="round")


def _small(drawing: str) -> str:
    return moved(drawing, 0, 0, scale=0.36)


def _house() -> str:
    return path("M-11 11V-3L0-13 11-3V11z", fill="currentColor", stroke="var(--rim)", stroke_width=1.5)


def _token(symbol: Symbol) -> str:
    disc = element("circle", r=15, fill="var(--blazon)", stroke="currentColor", stroke_width=4)
    return disc + symbol_drawing(symbol)


def _bonus(bonus: Bonus) -> str:
    drawn = _BONUSES[bonus]
    frame = element(
        "rect", x=-20, y=-16, width=40, height=32, rx=16, fill="var(--blazon)", stroke="currentColor", stroke_width=2
    )
    scale = 1 if len(drawn) == 1 else 0.55
    step = 11
    return frame + "".join(
        moved(symbol_drawing(symbol), (index - (len(drawn) - 1) / 2) * step, 0, scale=scale)
        for index, symbol in enumerate(drawn)
    )


def _discovery() -> str:
    return element("circle", r=14, fill="var(--sand)", stroke="var(--earth)", stroke_width=2)


def _start_cell() -> str:
    return centred_rect(SIDE - 6, SIDE - 6, rx=6, fill="none", stroke="var(--soft)", stroke_dasharray="6 5")


def _frame(side: int) -> str:
    return centred_rect(
        side,
        side,
        rx=6,
        fill="none",
        stroke="var(--ink)",
        stroke_width=4,
    )


def card_label(card: ObjectiveCard) -> str:
    """Return a card in words."""
    return f"card {card.id}: {'; '.join(_sentences(card))}"


def _sentences(card: ObjectiveCard) -> Iterator[str]:
    if card.mission:
        yield mission_words(card.mission)
    if card.reward:
        yield reward_words(card.reward)


def _card(card: ObjectiveCard) -> str:
    width, height = CARD
    frame = centred_rect(width, height, rx=4, fill="var(--card)", stroke="var(--line)")
    lines = [
        (line, "var(--soft)" if is_second else "var(--ink)")
        for is_second, sentence in enumerate(_sentences(card))
        for line in _wrapped(sentence.split())
    ]
    top = 11 - _LINE * (len(lines) - 1) // 2
    written = (text(line, 0, top + _LINE * row, 12, fill=fill) for row, (line, fill) in enumerate(lines))
    return frame + text(card.id, 0, -38, 11, fill="var(--soft)") + "".join(written)


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    """Yield words in lines that fit on a card."""
    line = ""
    for word in words:
        if line and len(line) + len(word) + 1 > _WORDS:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line
