"""How Small Islands looks: the table with its tiles, the display, and the tiles, cards and pieces of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.looks.scene import Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import element, text
from skerry_games.small_islands.board import Board
from skerry_games.small_islands.components import COMPONENTS, Symbol
from skerry_games.small_islands.tabletop.cells import Cell, cell_at, column, row
from skerry_games.small_islands.tabletop.table import Laid, Token
from skerry_games.small_islands.tabletop.tile_drawings import CARD, SIDE, symbols, turned
from skerry_games.small_islands.view import SeatView, View
from skerry_games.texts.text_lines import named

_EDGE: Final = 40
"""The water around the table."""
_DISPLAY: Final = (1096, 130)
_SEAT: Final = (1096, 132)
_CARDS: Final = 364
"""Where the cards of a seat begin."""
_PIECES: Final = 965
"""Where the tokens and houses of a seat begin."""
_HANDS: Final = 116
"""From one tile in a hand to the next."""


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the table, the display, and what lies before each seat."""
    return (
        _table(view.table_size),
        SceneArea("display", "Tiles to take, and the stacks", _DISPLAY, ""),
        *(
            SceneArea(f"seat:{seat}", f"Tiles and cards of seat {seat}", _SEAT, "", seat=seat)
            for seat in range(len(view.seats))
        ),
    )


@cache
def _table(size: int) -> SceneArea:
    """Return a table with so many columns and rows. A picture shows only the part with tiles."""
    side = size * SIDE + 2 * _EDGE
    sea = element("rect", x=0, y=0, width=side, height=side, fill="var(--sea)")
    cells = tuple(
        ScenePlace(f"cell:{x},{y}", f"column {x}, row {y}", _at(cell_at(x, y)), _name(x, y))
        for y in range(size)
        for x in range(size)
    )
    return SceneArea("table", "The table", (side, side), sea, cells, margin=SIDE)


def _name(x: int, y: int) -> str:
    at = _at(cell_at(x, y))
    return element("g", text(f"{x}, {y}", at[0], at[1] + 5, 14, fill="var(--soft)"), opacity=0.6)


def _at(cell: Cell) -> tuple[int, int]:
    """Return the middle of a cell."""
    return _EDGE + column(cell) * SIDE + SIDE // 2, _EDGE + row(cell) * SIDE + SIDE // 2


def _place(cell: Cell) -> str:
    return f"cell:{column(cell)},{row(cell)}"


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return what lies on the table, in the display, and before each seat."""
    return (
        *_tiles(view),
        *_tokens(view),
        *_houses(view),
        *_display(view),
        *(piece for seat, one in enumerate(view.seats) for piece in _of_seat(seat, one)),
    )


def _tiles(view: View) -> Iterator[ScenePiece]:
    for laid in view.tiles:
        tile = COMPONENTS.faces[laid.tile].id
        yield ScenePiece(
            f"tile:{tile}", f"tile-{tile}", "table", _place(laid.at), _at(laid.at), rotation=90 * laid.turns
        )
    for ship in view.ships:
        symbol = "grey-ship" if ship.seat is None else "ship"
        at = _at(ship.at)
        yield ScenePiece(f"ship:{column(ship.at)},{row(ship.at)}", symbol, "table", _place(ship.at), at, ship.seat)


def _tokens(view: View) -> Iterator[ScenePiece]:
    """Yield the tokens on the spots that they cover, and ports at the shore."""
    laid = {tile.at: tile for tile in view.tiles}
    for number, token in enumerate(view.tokens):
        x, y = _at(token.at)
        dx, dy = _spot(laid[token.at], token)
        symbol = f"token-{named(token.shows)}"
        yield ScenePiece(f"token:{number}", symbol, "table", _place(token.at), (x + dx, y + dy), token.seat)


def _spot(tile: Laid, token: Token) -> tuple[int, int]:
    shape = COMPONENTS.faces[tile.tile].shape
    spots = shape.ports if token.shows is Symbol.PORT else shape.spots
    return turned(spots[token.place], tile.turns)


def _houses(view: View) -> Iterator[ScenePiece]:
    """Yield the houses, each on the house symbol of its tile."""
    laid: Mapping[Cell, Laid] = {tile.at: tile for tile in view.tiles}
    for seat, one in enumerate(view.seats):
        for cell in one.houses:
            x, y = _at(cell)
            dx, dy = _house_spot(laid[cell])
            name = f"house:{column(cell)},{row(cell)}"
            yield ScenePiece(name, "house", "table", _place(cell), (x + dx, y + dy), seat)


def _house_spot(tile: Laid) -> tuple[int, int]:
    face = COMPONENTS.faces[tile.tile]
    if Symbol.HOUSE not in face.symbols:
        return 0, 0
    return turned(face.shape.spots[face.symbols.index(Symbol.HOUSE)], tile.turns)


def _display(view: View) -> Iterator[ScenePiece]:
    """Yield the display, the tile that is being laid, and the stacks."""
    for index, tile in enumerate(view.display):
        name = COMPONENTS.faces[tile].id
        yield ScenePiece(f"tile:{name}", f"tile-{name}", "display", "", (60 + 116 * index, 64))
    if view.picked is not None:
        name = COMPONENTS.faces[view.picked].id
        yield ScenePiece("in-use", "in-use", "display", "", (520, 64), label="the tile that is being laid")
        yield ScenePiece(f"picked:{name}", f"tile-{name}", "display", "", (520, 64))
    stacks = ((view.navigation_stack, 660, "in the navigation stack"), (view.reserve, 830, "in the reserve"))
    for count, x, words in stacks:
        if count:
            label = f"{count} tiles {words}"
            yield ScenePiece(f"stack:{x}", "tile-back", "display", "", (x, 64), count=count, label=label)
    if view.discoveries_left:
        label = f"{view.discoveries_left} discovery tokens left"
        yield ScenePiece("discoveries", "discovery", "display", "", (970, 64), count=view.discoveries_left, label=label)
    if view.grey_ships:
        label = f"{view.grey_ships} grey ships left"
        yield ScenePiece("grey-ships", "grey-ship", "display", "", (1040, 64), count=view.grey_ships, label=label)


def _of_seat(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    yield from _hand(seat, one)
    yield from _cards(seat, one)
    area = f"seat:{seat}"
    for index, token in enumerate(one.tokens):
        at = _PIECES + 20 + 52 * (index % 2), 24 + 40 * (index // 2)
        yield ScenePiece(f"bonus:{seat}:{named(token)}", f"bonus-{named(token)}", area, "", at, seat)
    houses = one.houses_at_hand + one.houses_left
    if houses:
        label = f"{one.houses_at_hand} houses at hand, {one.houses_left} left"
        badge = f"{one.houses_at_hand} + {one.houses_left}"
        yield ScenePiece(f"houses:{seat}", "house", area, "", (_PIECES + 14, 110), seat, badge=badge, label=label)
    if one.discovery_count:
        worth = ", ".join(map(str, one.discoveries))
        label = f"{one.discovery_count} discovery tokens{f' worth {worth}' if worth else ''}"
        badge = worth or f"{one.discovery_count}"
        yield ScenePiece(f"discoveries:{seat}", "discovery", area, "", (_PIECES + 84, 110), badge=badge, label=label)


def _hand(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the tiles in hand: those that the viewer knows, then the others face down."""
    for index in range(one.tiles_in_hand):
        at = 56 + _HANDS * index, 66
        if index < len(one.hand):
            name = COMPONENTS.faces[one.hand[index]].id
            yield ScenePiece(f"tile:{name}", f"tile-{name}", f"seat:{seat}", "", at)
        else:
            yield ScenePiece(f"hidden:{seat}:{index}", "tile-back", f"seat:{seat}", "", at)


def _cards(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the cards to choose from, or those of the round; cards put aside or returned are faded."""
    open_cards = (*one.cards, *one.objective)
    cards = [(card, False) for card in open_cards] + [(card, True) for card in (*one.aside, *one.returned)]
    step = min(CARD[0] + 6, (_PIECES - _CARDS - CARD[0] - 10) / max(len(cards) - 1, 1))
    for index, (card, faded) in enumerate(cards):
        name = COMPONENTS.cards[card].id
        at = _CARDS + CARD[0] / 2 + step * index, 66
        yield ScenePiece(f"card:{name}", f"card-{name}", f"seat:{seat}", "", at, faded=faded)
    if one.has_chosen and not cards:
        yield ScenePiece(
            f"chosen:{seat}", "card-back", f"seat:{seat}", "", (_CARDS + CARD[0] / 2, 66), label="has chosen"
        )


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
