"""The drawings of tiles, tokens, houses and cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, pairwise
from math import hypot
from textwrap import wrap
from typing import Final

from skerry_games.looks.scene import SceneSymbol, Size
from skerry_games.looks.svg import SANS, centred_rect, element, lines_of, moved, path, text, upright
from skerry_games.sentences import joined_by, phrase
from skerry_games.small_islands.board import Board, PrintedTile
from skerry_games.small_islands.printed.components import (
    Bonus,
    MissionKind,
    ObjectiveCard,
    Point,
    Reward,
    RewardKind,
    Symbol,
)
from skerry_games.small_islands.printed.objective_words import mission_words, reward_words
from skerry_games.small_islands.words import tile_words
from skerry_games.texts.text_lines import named

SIDE: Final = 100
"""The side of a tile."""
CARD: Final[Size] = (128, 100)
"""An objective: a mission above its reward."""
HALF_CARD: Final[Size] = (128, 48)
"""A mission or a reward alone."""
_SIGN: Final = 1.2
"""The scale of symbols on cards."""
_LETTERS: Final = 9
"""The most letters in a line on a card."""
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
            SceneSymbol(f"tile-{tile.id}", _tile_label(tile), (SIDE, SIDE), _tile(tile))
            for tile in (*board.landscape_tiles, *board.start_tiles)
        ),
        SceneSymbol("tile-back", "a tile face down", (SIDE, SIDE), _back(SIDE, SIDE, _WAVES)),
        SceneSymbol("ship", "a ship", (SIDE, SIDE), _ship("currentColor"), (0, 16, 18)),
        SceneSymbol("grey-ship", "a grey ship", (SIDE, SIDE), _ship("var(--soft)")),
        SceneSymbol("small-ship", "a ship that can land", (36, 36), _small(_ship("currentColor")), (0, 6, 8)),
        SceneSymbol("house", "a house", (26, 28), _house(), (0, 4, 10)),
        SceneSymbol("house-stock", "houses", (36, 38), moved(_house(), 0, 0, scale=1.4), (0, 6, 14)),
        *(
            SceneSymbol(
                f"token-{named(symbol)}",
                phrase("small_islands-token-of", symbol=named(symbol)),
                (28, 28),
                _token(symbol),
                (11, 11, 11),
            )
            for symbol in Symbol
        ),
        *(
            SceneSymbol(
                f"bonus-{named(bonus)}",
                phrase("small_islands-bonus-of", bonus=named(bonus)),
                (40, 32),
                _bonus(bonus),
                (15, 12, 10),
            )
            for bonus in Bonus
        ),
        *(SceneSymbol(f"card-{card.id}", card_label(card), _card_size(card), _card(card)) for card in board.cards),
        SceneSymbol("card-back", "a card face down", CARD, _back(*CARD, _SYMBOLS[Symbol.HOUSE][0])),
        SceneSymbol("discovery", "a discovery token", (30, 30), _discovery()),
        SceneSymbol("navigation-stack", "the navigation stack", (34, 34), _stack(_COMPASS) + _below("navigation")),
        SceneSymbol("reserve-stack", "the reserve", (34, 34), _stack() + _below("reserve")),
        SceneSymbol("discovery-stack", "discovery tokens", (30, 30), _discovery() + _below("discoveries")),
        SceneSymbol("grey-ship-stack", "grey ships", (36, 36), _small(_ship("var(--soft)")) + _below("grey ships")),
        SceneSymbol("first-seat", "goes first in this round", (80, 18), text("goes first", 0, 5, 18)),
        SceneSymbol("start-cell", "a cell for a starting tile", (SIDE, SIDE), _start_cell()),
        *(
            SceneSymbol(f"meets-{shape}", "an island that meets your objective", (SIDE, SIDE), _meets(land))
            for shape, land in {_shape(tile): tile.land for tile in board.landscape_tiles if tile.land}.items()
        ),
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
    outline, shore = _curves(tile.land)
    land = path(outline, fill="var(--shore)") if outline else ""
    foam = path(shore, fill="none", stroke="var(--blazon)", stroke_width=7, stroke_opacity=0.6) if shore else ""
    edge = path(shore, fill="none", stroke="var(--earth)", stroke_width=2.5) if shore else ""
    frame = element("rect", width=SIDE, height=SIDE, fill="none", stroke="var(--dark)", stroke_opacity=0.16)
    scale = _symbol_scale([at for _, at in tile.symbols])
    printed = "".join(moved(upright(symbol_drawing(symbol)), *at, scale=scale) for symbol, at in tile.symbols)
    ports = "".join(moved(_port(), *at) for at in tile.port_places[: tile.ports])
    return moved(ground + foam + land + edge + frame + printed + ports, -half, -half)


def _symbol_scale(places: list[Point]) -> float:
    """Return the scale at which symbols do not touch each other."""
    apart = [hypot(ax - bx, ay - by) for (ax, ay), (bx, by) in combinations(places, 2)]
    return min(1.25, min(apart, default=SIDE) / 21)


def _tile_label(tile: PrintedTile) -> str:
    """Return a tile in words: ``a coast tile (flower, house, port)``."""
    name = tile_words(_shape(tile), (symbol for symbol, _ in tile.symbols), tile.ports)
    return phrase("small_islands-a-tile", a="an" if name.startswith("i") else "a", name=name)


def _curves(land: tuple[Point, ...]) -> tuple[str, str]:
    """Return the outline of land with round shores, and its shores: the lines that are not at the edge of the tile."""
    begin = next((index for index, point in enumerate(land) if _is_at_edge(point)), 0)
    corners, outline, shores = (*land[begin:], *land[:begin], *land[begin : begin + 1]), [], []
    last, bends = corners[:1], list[Point]()
    for point in corners[1:]:
        if not _is_at_edge(point):
            bends.append(point)
            continue
        line = _bent(bends, point)
        outline.append(line)
        if bends or not _along_edge(last[0], point):
            shores.append(f"M{last[0][0]} {last[0][1]}{line}")
        last, bends = (point,), []
    return (f"M{corners[0][0]} {corners[0][1]}{''.join(outline)}Z" if land else ""), "".join(shores)


def _bent(bends: list[Point], end: Point) -> str:
    """Return a smooth line that is drawn towards some points and ends at another."""
    if not bends:
        return f"L{end[0]} {end[1]}"
    ends = [((ax + bx) // 2, (ay + by) // 2) for (ax, ay), (bx, by) in pairwise(bends)]
    return "".join(f"Q{x} {y} {to[0]} {to[1]}" for (x, y), to in zip(bends, (*ends, end), strict=True))


def _is_at_edge(point: Point) -> bool:
    return not all(0 < along < SIDE for along in point)


def _along_edge(one: Point, other: Point) -> bool:
    return any(a == b and a % SIDE == 0 for a, b in zip(one, other, strict=True))


def _port() -> str:
    quay = element("circle", r=11, fill="var(--blazon)", stroke="var(--earth)", stroke_width=1.5)
    return quay + upright(moved(symbol_drawing(Symbol.PORT), 0, 0, scale=0.75))


def turned(at: Point, turns: int) -> tuple[int, int]:
    """Return a point of a tile after quarter turns clockwise, from the middle of the tile."""
    x, y = at[0] - SIDE // 2, at[1] - SIDE // 2
    for _ in range(turns % 4):
        x, y = -y, x
    return x, y


_WAVES: Final = "M-12-5q6-7 12 0t12 0M-12 5q6-7 12 0t12 0"


def _back(width: int, height: int, sign: str) -> str:
    """Return a back with a sign of what it hides."""
    drawn = path(sign, fill="none", stroke="var(--soft)", stroke_width=1.8, stroke_linejoin="round")
    return centred_rect(width, height, rx=4, fill="var(--sand)", stroke="var(--earth)") + moved(drawn, 0, 0, scale=1.6)


def _stack(sign: str = "") -> str:
    """Return a stack of tiles with a sign on the uppermost."""
    backs = "".join(
        moved(centred_rect(28, 28, rx=3, fill="var(--sand)", stroke="var(--earth)", stroke_width=1.3), aside, aside)
        for aside in (3, 0, -3)
    )
    return backs + path(sign, fill="none", stroke="var(--ink)", stroke_width=1.8) if sign else backs


_COMPASS: Final = "M-3-13 3-3-3 7-9-3Z"


def _below(words: str) -> str:
    return element("text", words, x=-20, y=31, font_size=17, font_family=SANS, fill="var(--soft)")


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
    ring = element("circle", r=14.5, fill="currentColor", stroke="var(--rim)", stroke_width=1.2)
    return ring + element("circle", r=10.5, fill="var(--blazon)") + moved(symbol_drawing(symbol), 0, 0, scale=0.9)


def _bonus(bonus: Bonus) -> str:
    drawn = _BONUSES[bonus]
    frame = element(
        "rect", x=-20, y=-16, width=40, height=32, rx=16, fill="var(--blazon)", stroke="var(--earth)", stroke_width=1.5
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


def _shape(tile: PrintedTile) -> str:
    return "".join("L" if is_land else "S" for is_land in tile.land_corners)


def _meets(land: tuple[Point, ...]) -> str:
    """Return the tint of the land of a tile."""
    outline, _ = _curves(land)
    return moved(path(outline, fill="var(--moss)", fill_opacity=0.32), -SIDE // 2, -SIDE // 2)


def _frame(side: int) -> str:
    return centred_rect(side, side, rx=6, fill="none", stroke="var(--ink)", stroke_width=4)


def card_label(card: ObjectiveCard) -> str:
    """Return a card in words."""
    return joined_by("; ", _sentences(card))


def _sentences(card: ObjectiveCard) -> Iterator[str]:
    if card.mission:
        yield mission_words(card.mission)
    if card.reward:
        yield reward_words(card.reward)


def _card_size(card: ObjectiveCard) -> Size:
    return CARD if card.mission and card.reward else HALF_CARD


def _card(card: ObjectiveCard) -> str:
    """Return a card: what the islands need, above what a house on them pays."""
    width, height = size = _card_size(card)
    frame = centred_rect(width, height, rx=6, fill="var(--blazon)", stroke="var(--line)")
    above = HALF_CARD[1] // 2 + 1 if size == CARD else 0
    parts = []
    if card.mission:
        parts.append(moved(_row(_MISSIONS[card.mission.kind](card.mission.symbols)), 0, -above))
    if card.reward:
        ground = path("M-64-24H64V18q0 6-6 6H-58q-6 0-6-6Z", fill="var(--shore)")
        parts.append(moved(ground + _row(_reward(card.reward)), 0, above))
    return frame + "".join(parts)


def _row(items: Iterable[Symbol | str]) -> str:
    """Return symbols and words beside each other, around (0, 0)."""
    drawn, x = [], 0.0
    for item in items:
        if isinstance(item, Symbol):
            drawn.append(moved(symbol_drawing(item), x + 13, 0, scale=_SIGN))
            x += 28
        else:
            lines = wrap(item, _LETTERS)
            wide = (12 if len(item) < 3 else 9) * max(map(len, lines))
            words = (
                text(line, x + wide / 2, round(7 + 20 * (row - (len(lines) - 1) / 2)), 20, fill="var(--dark)")
                for row, line in enumerate(lines)
            )
            drawn.append(lines_of(words, _LETTERS, 20))
            x += wide + 4
    return moved("".join(drawn), -(x - 3) / 2, 0)


_MISSIONS: Final[Mapping[MissionKind, Callable[[tuple[Symbol, ...]], tuple[Symbol | str, ...]]]] = {
    MissionKind.MORE: lambda symbols: (symbols[0], ">", symbols[1]),
    MissionKind.HAS: lambda symbols: symbols,
    MissionKind.TWO_EQUAL: lambda _: ("two kinds equal",),
    MissionKind.EQUALS_ANOTHER: lambda symbols: (symbols[0], "=", "another"),
}


def _reward(reward: Reward) -> tuple[Symbol | str, ...]:
    """Return a reward as numbers and symbols."""
    plus = (f"+{reward.plus}",) if reward.plus and reward.kind is not RewardKind.FLAT else ()
    each: tuple[Symbol | str, ...] = tuple(item for symbol in reward.symbols for item in ("+1", symbol))
    kinds: Mapping[RewardKind, tuple[Symbol | str, ...]] = {
        RewardKind.EACH: each,
        RewardKind.LOWEST: ("2 × scarcest",),
        RewardKind.FLAT: (f"+{reward.plus}",),
        RewardKind.SIZE: ("island's size",),
        RewardKind.PICK: ("1 × your pick",),
        RewardKind.DISCOVERY: ("find", Symbol.TEMPLE),
    }
    return (*kinds[reward.kind], *plus)
