"""How Small Islands looks: the table with its tiles, the display, and the tiles, cards and pieces of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import SANS, element, small_print
from skerry_games.sentences import counted
from skerry_games.small_islands.board import Board
from skerry_games.small_islands.phases.starting_tiles import START_FACES, start_tile
from skerry_games.small_islands.printed.components import COMPONENTS, Bonus, ObjectiveCard, Symbol
from skerry_games.small_islands.printed.tile_drawings import CARD, SIDE, card_label, symbols, turned
from skerry_games.small_islands.state import Mode, Phase
from skerry_games.small_islands.tabletop.cells import Cell, cell_at, column, middle, row
from skerry_games.small_islands.tabletop.table import Laid, Token
from skerry_games.small_islands.view import SeatView, View
from skerry_games.texts.text_lines import named

_EDGE: Final = 40
"""The water around the table."""
_DISPLAY: Final = (1096, 134)
_SEAT: Final = (1096, 138)
_CAPTIONS, _TOP = 13, 72
"""The baseline of the captions of an area, and the middle of the first row below them."""
_CARDS: Final = 364
"""Where the cards of a seat begin."""
_ROW: Final = CARD[1] + 6
"""From one row of cards to the next."""
_PIECES: Final = 965
"""Where the tokens and houses of a seat begin."""
_HANDS: Final = 116
"""From one tile in a hand to the next."""
_START_TILES: Final = (400, 92)
"""The middle of the first starting tile that can be laid, and from one to the next."""
_DRAWN: Final = (430, 610)
"""The middle of the first and the last discovery token from which a seat chooses."""


def tile_id(tile: int) -> str:
    """Return the id of the piece of a tile, wherever it lies: ``tile:L07``."""
    return f"tile:{COMPONENTS.faces[tile].id}"


def picked_id(tile: int) -> str:
    """Return the id of the piece that shows the tile which is being laid."""
    return f"picked:{COMPONENTS.faces[tile].id}"


def card_id(card: int) -> str:
    """Return the id of the piece of a card, wherever it lies."""
    return f"card:{COMPONENTS.cards[card].id}"


def cell_id(cell: Cell) -> str:
    """Return the id of a cell: ``cell:8,7``, by column and row."""
    return f"cell:{column(cell)},{row(cell)}"


def house_id(cell: Cell) -> str:
    """Return the id of the piece of the house on a cell."""
    return f"house:{column(cell)},{row(cell)}"


def ship_id(cell: Cell) -> str:
    """Return the id of the piece of the ship on a cell."""
    return f"ship:{column(cell)},{row(cell)}"


def own_ship_id(seat: int) -> str:
    """Return the id of the piece of a seat's ship before it lands."""
    return f"own-ship:{seat}"


def bonus_id(seat: int, token: Bonus) -> str:
    """Return the id of the piece of a bonus token before it is placed."""
    return f"bonus:{seat}:{named(token)}"


def drawn_id(seat: int, index: int) -> str:
    """Return the id of a discovery token from which a seat chooses."""
    return f"drawn:{seat}:{index}"


def hand_id(seat: int) -> str:
    """Return the id of the place of a seat's tiles."""
    return f"hand:{seat}"


def cards_id(seat: int) -> str:
    """Return the id of the place of a seat's cards."""
    return f"cards:{seat}"


def store_id(seat: int) -> str:
    """Return the id of the place of a seat's tokens, houses and ship."""
    return f"store:{seat}"


def houses_id(seat: int) -> str:
    """Return the id of the piece of the houses that a seat has not placed."""
    return f"houses:{seat}"


def discoveries_id(seat: int) -> str:
    """Return the id of the piece of the discovery tokens that a seat has kept."""
    return f"discoveries:{seat}"


# ---------------------------------------------------------------- areas


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the table, the display, and what lies before each seat."""
    return (
        _table(view.table_size),
        SceneArea(
            "display",
            "Tiles to take, and the stacks",
            _DISPLAY,
            small_print("Open tiles", 10, _CAPTIONS, anchor="start"),
            role=AreaRole.HAND,
        ),
        *(_seat_area(seat, view.mode) for seat in range(len(view.seats))),
    )


@cache
def _table(size: int) -> SceneArea:
    """Return a table with so many columns and rows. A picture shows only the part with tiles."""
    side = size * SIDE + 2 * _EDGE
    sea = element("rect", x=0, y=0, width=side, height=side, fill="var(--sea)")
    places = tuple(
        ScenePlace(cell_id(cell), f"column {column(cell)}, row {row(cell)}", _at(cell))
        for cell in (cell_at(x, y) for y in range(size) for x in range(size))
    )
    return SceneArea("table", "The table", (side, side), sea, places, _coordinates(places), margin=SIDE)


def _coordinates(places: Sequence[ScenePlace]) -> str:
    """Return the column and the row of each cell, where tiles will cover them."""
    written = (element("text", place.id.removeprefix("cell:"), x=place.at[0], y=place.at[1] + 5) for place in places)
    look = {"font_size": 14, "font_family": SANS, "text_anchor": "middle", "fill": "var(--soft)"}
    return element("g", "".join(written), **look)


@cache
def _seat_area(seat: int, mode: Mode) -> SceneArea:
    """Return what lies before a seat, with places for its tiles, its cards and its pieces.

    In the advanced mode it has two rows of cards: missions and rewards.
    """
    size = _SEAT[0], _SEAT[1] + (_ROW if mode is Mode.ADVANCED else 0)
    places = (
        ScenePlace(hand_id(seat), "tiles in hand", (_CARDS // 2, _TOP)),
        ScenePlace(cards_id(seat), "the objective", ((_CARDS + _PIECES) // 2, _TOP)),
        ScenePlace(store_id(seat), "tokens, houses and ship", ((_PIECES + _SEAT[0]) // 2, _TOP)),
    )
    captions = (("Tiles", 6), ("Objective", _CARDS), ("Tokens, houses, ship", _PIECES))
    ground = "".join(small_print(words, x, _CAPTIONS, anchor="start") for words, x in captions)
    return SceneArea(
        f"seat:{seat}", f"Tiles and cards of seat {seat}", size, ground, places, seat=seat, role=AreaRole.SEAT
    )


def _at(cell: Cell) -> tuple[int, int]:
    """Return the middle of a cell."""
    return _EDGE + column(cell) * SIDE + SIDE // 2, _EDGE + row(cell) * SIDE + SIDE // 2


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return what lies on the table, in the display, and before each seat."""
    return (
        *_start_cells(view),
        *_tiles(view),
        *_tokens(view),
        *_houses(view),
        *_display(view),
        *(piece for seat, one in enumerate(view.seats) for piece in _of_seat(seat, one)),
        *_first_seat(view),
    )


def _start_cells(view: View) -> Iterator[ScenePiece]:
    """Yield the marks of the cells where starting tiles will lie."""
    laid = {tile.at for tile in view.tiles}
    for cell in middle(view.table_size):
        if cell not in laid:
            yield ScenePiece(f"start-{cell_id(cell)}", "start-cell", "table", cell_id(cell), _at(cell))


def _tiles(view: View) -> Iterator[ScenePiece]:
    for laid in view.tiles:
        symbol, turned_by = _tile_symbol(laid.tile), 90 * laid.turns
        yield ScenePiece(tile_id(laid.tile), symbol, "table", cell_id(laid.at), _at(laid.at), rotation=turned_by)
    for ship in view.ships:
        symbol = "grey-ship" if ship.seat is None else "ship"
        at = _at(ship.at)
        yield ScenePiece(ship_id(ship.at), symbol, "table", cell_id(ship.at), at, ship.seat)


def _tokens(view: View) -> Iterator[ScenePiece]:
    """Yield the tokens on the spots that they cover, and ports at the shore."""
    laid = {tile.at: tile for tile in view.tiles}
    for number, token in enumerate(view.tokens):
        x, y = _at(token.at)
        dx, dy = _spot(laid[token.at], token)
        symbol = f"token-{named(token.shows)}"
        yield ScenePiece(f"token:{number}", symbol, "table", cell_id(token.at), (x + dx, y + dy), token.seat)


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
            yield ScenePiece(house_id(cell), "house", "table", cell_id(cell), (x + dx, y + dy), seat)


def _house_spot(tile: Laid) -> tuple[int, int]:
    face = COMPONENTS.faces[tile.tile]
    if Symbol.HOUSE not in face.symbols:
        return 0, 0
    return turned(face.shape.spots[face.symbols.index(Symbol.HOUSE)], tile.turns)


def _tile_symbol(tile: int) -> str:
    return f"tile-{COMPONENTS.faces[tile].id}"


def _display(view: View) -> Iterator[ScenePiece]:
    """Yield the display, what is being decided on, and the stacks; instead of these, starting tiles to be laid."""
    for index, tile in enumerate(view.display):
        yield ScenePiece(tile_id(tile), _tile_symbol(tile), "display", "", (60 + 116 * index, _TOP))
    if view.phase is Phase.LAY_START:
        yield from _start_tiles(view)
        return
    if view.picked is not None:
        label = "the tile that is being laid"
        yield ScenePiece("in-use", "in-use", "display", "", (520, _TOP), label=label)
        yield ScenePiece(picked_id(view.picked), _tile_symbol(view.picked), "display", "", (520, _TOP))
    for seat, one in enumerate(view.seats):
        yield from _drawn(seat, one)
    for name, symbol, count, x, what, where in (
        ("stack:navigation", "navigation-stack", view.navigation_stack, 660, "tile", "in the navigation stack"),
        ("stack:reserve", "reserve-stack", view.reserve, 830, "tile", "in the reserve"),
        ("discoveries", "discovery-stack", view.discoveries_left, 950, "discovery token", "left"),
        ("grey-ships", "grey-ship-stack", view.grey_ships, 1048, "grey ship", "left"),
    ):
        if count:
            label = f"{counted(count, what)} {where}"
            yield ScenePiece(name, symbol, "display", "", (x, _TOP), count=count, label=label)


def _start_tiles(view: View) -> Iterator[ScenePiece]:
    """Yield both sides of each starting tile that can be laid."""
    used = {start_tile(laid.tile) for laid in view.tiles}
    begin, step = _START_TILES
    for index, tile in enumerate(START_FACES):
        if start_tile(tile) not in used:
            yield ScenePiece(tile_id(tile), _tile_symbol(tile), "display", "", (begin + step * index, _TOP))


def _drawn(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the discovery tokens from which a seat chooses. Other viewers see their backs."""
    begin, end = _DRAWN
    step = min(42, (end - begin) / max(one.tokens_drawn - 1, 1))
    for index in range(one.tokens_drawn):
        value = f"{one.drawn[index]}" if index < len(one.drawn) else ""
        label = f"a drawn discovery token{value and f' worth {value}'}"
        at = begin + step * index, float(_TOP)
        yield ScenePiece(drawn_id(seat, index), "discovery", "display", "", at, badge=value, label=label)


def _first_seat(view: View) -> Iterator[ScenePiece]:
    if (seat := view.first_seat) is not None:
        yield ScenePiece("first-seat", "first-seat", f"seat:{seat}", hand_id(seat), (61, _CAPTIONS - 4))


def _of_seat(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    yield from _hand(seat, one)
    yield from _cards(seat, one)
    area, store = f"seat:{seat}", store_id(seat)
    for token in one.tokens:
        at = _PIECES + 20 + 46 * ((token - 1) % 2), 38 + 38 * ((token - 1) // 2)
        yield ScenePiece(bonus_id(seat, token), f"bonus-{named(token)}", area, store, at, seat)
    if one.ship is None:
        yield ScenePiece(own_ship_id(seat), "small-ship", area, store, (_PIECES + 108, 52), seat)
    if one.houses_at_hand + one.houses_left:
        label = f"{one.houses_at_hand} houses at hand, {one.houses_left} left"
        badge = f"{one.houses_at_hand} + {one.houses_left}"
        yield ScenePiece(houses_id(seat), "house", area, store, (_PIECES + 14, 118), seat, badge=badge, label=label)
    if one.discovery_count:
        worth = ", ".join(map(str, one.discoveries))
        label = f"{one.discovery_count} discovery tokens{f' worth {worth}' if worth else ''}"
        badge = worth or f"{one.discovery_count}"
        yield ScenePiece(discoveries_id(seat), "discovery", area, store, (_PIECES + 84, 118), badge=badge, label=label)


def _hand(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the tiles in hand: those face down, then those that the viewer knows."""
    hidden = one.tiles_in_hand - len(one.hand)
    for index in range(hidden):
        yield ScenePiece(
            f"hidden:{seat}:{index}", "tile-back", f"seat:{seat}", hand_id(seat), (56 + _HANDS * index, _TOP)
        )
    for index, tile in enumerate(one.hand, hidden):
        yield ScenePiece(tile_id(tile), _tile_symbol(tile), f"seat:{seat}", hand_id(seat), (56 + _HANDS * index, _TOP))


def _cards(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the cards to choose from, or those of the round; cards put aside or returned are faded."""
    held = {"to choose": one.cards, "for this round": one.objective, "put aside": one.aside, "returned": one.returned}
    cards = [(COMPONENTS.cards[card], use) for use, those in held.items() for card in those]
    for below, is_first in enumerate((True, False)):
        in_row = [(card, use) for card, use in cards if (card.mission is not None) == is_first]
        step = min(CARD[0] + 6, (_PIECES - _CARDS - CARD[0] - 10) / max(len(in_row) - 1, 1))
        for index, (card, use) in enumerate(in_row):
            yield _card(seat, card, use, (_CARDS + CARD[0] / 2 + step * index, _TOP + _ROW * below))
    if one.has_chosen and not cards:
        at = _CARDS + CARD[0] / 2, _TOP
        yield ScenePiece(f"chosen:{seat}", "card-back", f"seat:{seat}", cards_id(seat), at, label="has chosen")


def _card(seat: int, card: ObjectiveCard, use: str, at: tuple[float, float]) -> ScenePiece:
    label, faded = f"{use}: {card_label(card)}", use in ("put aside", "returned")
    symbol, place = f"card-{card.id}", cards_id(seat)
    return ScenePiece(f"card:{card.id}", symbol, f"seat:{seat}", place, at, label=label, faded=faded)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
