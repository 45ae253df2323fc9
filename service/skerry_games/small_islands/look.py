"""How Small Islands looks: the table with its tiles, the display, and the tiles, cards and pieces of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.looks.scene import AreaRole, Look, SceneArea, ScenePiece, ScenePlace
from skerry_games.looks.svg import element
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.small_islands.board import Board
from skerry_games.small_islands.foresight import meeting_cells
from skerry_games.small_islands.phases.starting_tiles import START_FACES, start_tile
from skerry_games.small_islands.printed.components import COMPONENTS, ObjectiveCard, Symbol
from skerry_games.small_islands.printed.tile_drawings import CARD, HALF_CARD, SIDE, card_label, symbols, turned
from skerry_games.small_islands.state import Phase
from skerry_games.small_islands.tabletop.cells import Cell, cell_at, column, middle, row
from skerry_games.small_islands.tabletop.piece_ids import (
    bonus_id,
    cards_id,
    cell_id,
    discoveries_id,
    drawn_id,
    hand_id,
    house_id,
    houses_id,
    own_ship_id,
    picked_id,
    ship_id,
    store_id,
    tile_id,
)
from skerry_games.small_islands.tabletop.table import Laid, Token
from skerry_games.small_islands.view import SeatView, View
from skerry_games.small_islands.words import place_words
from skerry_games.texts.text_lines import named

_EDGE: Final = 40
"""The water around the table."""
_MARGIN: Final = 14
"""What is shown of the water around the tiles and the lit cells."""
_HEIGHT: Final = SIDE + 16
"""The height of the display and of what lies before a seat: a tile."""
_MIDDLE: Final = _HEIGHT // 2
_DISPLAY: Final = (1020, _HEIGHT)
_STACKS: Final = ((26, 104), (22, 82))
"""The middles of the stacks: columns and rows."""
_OPEN: Final = 244
"""The middle of the first open tile."""
_STEP: Final = SIDE + 8
"""From one tile to the next."""
_DRAWN: Final = (_OPEN + 3 * _STEP - 30, _OPEN + 3 * _STEP + 220)
"""The middle of the first and the last discovery token from which a seat chooses."""
_SEAT: Final = (800, _HEIGHT)
_CARDS: Final = 180
"""Where the cards of a seat begin. Its tokens, houses and ship lie before them, its tiles behind them."""
_CARD_STEP: Final = CARD[0] + 6


# ---------------------------------------------------------------- areas


def areas(board: Board, view: View) -> tuple[SceneArea, ...]:
    """Return the table, the display, and what lies before each seat."""
    display = SceneArea("display", "Tiles to take, and the stacks", _DISPLAY, "", margin=_MARGIN, role=AreaRole.HAND)
    return (_table(view.table_size), display, *map(_seat_area, range(len(view.seats))))


@cache
def _table(size: int) -> SceneArea:
    """Return a table with so many columns and rows. Frontends show only the part with tiles."""
    side = size * SIDE + 2 * _EDGE
    sea = element("rect", x=0, y=0, width=side, height=side, fill="var(--sea)")
    places = tuple(
        ScenePlace(cell_id(cell), place_words(cell), _at(cell))
        for cell in (cell_at(x, y) for y in range(size) for x in range(size))
    )
    return SceneArea("table", "The table", (side, side), sea, places, margin=_MARGIN)


@cache
def _seat_area(seat: int) -> SceneArea:
    """Return what lies before a seat, with places for its pieces, its cards and its tiles."""
    places = (
        ScenePlace(store_id(seat), "tokens, houses and ship", (_CARDS // 2, _MIDDLE)),
        ScenePlace(cards_id(seat), "the objective", (_CARDS + CARD[0] // 2, _MIDDLE)),
        ScenePlace(hand_id(seat), "tiles in hand", (round(_tile_at(2, 0)), _MIDDLE)),
    )
    return SceneArea(
        f"seat:{seat}",
        phrase("small_islands-area-of-seat", seat=seat),
        _SEAT,
        "",
        places,
        seat=seat,
        role=AreaRole.SEAT,
    )


def _tile_at(cards: int, index: int) -> float:
    """Return the middle of a tile in hand behind so many cards, horizontally."""
    return _CARDS + _CARD_STEP * cards + SIDE / 2 + 4 + _STEP * index


def _at(cell: Cell) -> tuple[int, int]:
    """Return the middle of a cell."""
    return _EDGE + column(cell) * SIDE + SIDE // 2, _EDGE + row(cell) * SIDE + SIDE // 2


# ---------------------------------------------------------------- pieces


def pieces(view: View, viewer: Viewer) -> tuple[ScenePiece, ...]:
    """Return what lies on the table, in the display, and before each seat."""
    return (
        *_start_cells(view),
        *_tiles(view),
        *_meeting(view, viewer),
        *_ships(view),
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


def _meeting(view: View, viewer: Viewer) -> Iterator[ScenePiece]:
    """Yield a tint on the land of the islands where the viewer's objective lets it place a house."""
    if viewer is None or not view.seats[viewer].objective or view.phase is Phase.OVER:
        return
    cells = meeting_cells(view, viewer)
    for laid in view.tiles:
        if laid.at in cells:
            symbol, name = f"meets-{COMPONENTS.faces[laid.tile].shape.name}", cell_id(laid.at)
            yield ScenePiece(f"meets:{name}", symbol, "table", name, _at(laid.at), rotation=90 * laid.turns)


def _ships(view: View) -> Iterator[ScenePiece]:
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
    """Yield the stacks, the open tiles, and what is being decided on; instead of these, starting tiles to be laid."""
    if view.phase is Phase.LAY_START:
        yield from _start_tiles(view)
        return
    (left, right), (upper, lower) = _STACKS
    for name, symbol, count, at, what, message in (
        (
            "stack:navigation",
            "navigation-stack",
            view.navigation_stack,
            (left, upper),
            "tile",
            "small_islands-in-navigation-stack",
        ),
        ("stack:reserve", "reserve-stack", view.reserve, (left, lower), "tile", "small_islands-in-reserve"),
        (
            "discoveries",
            "discovery-stack",
            view.discoveries_left,
            (right, upper),
            "discovery token",
            "small_islands-pieces-left",
        ),
        ("grey-ships", "grey-ship-stack", view.grey_ships, (right, lower), "grey ship", "small_islands-pieces-left"),
    ):
        if count:
            label = phrase(message, pieces=counted(count, what))
            yield ScenePiece(name, symbol, "display", "", at, count=count, badge=f"{count}", label=label)
    for index, tile in enumerate(view.display):
        yield ScenePiece(tile_id(tile), _tile_symbol(tile), "display", "", (_OPEN + _STEP * index, _MIDDLE))
    if view.picked is not None:
        at = _OPEN + _STEP * len(view.display) + 10, _MIDDLE
        yield ScenePiece("in-use", "in-use", "display", "", at, label="the tile that is being laid")
        yield ScenePiece(picked_id(view.picked), _tile_symbol(view.picked), "display", "", at)
    for seat, one in enumerate(view.seats):
        yield from _drawn(seat, one)


def _start_tiles(view: View) -> Iterator[ScenePiece]:
    """Yield both sides of each starting tile that can be laid."""
    used = {start_tile(laid.tile) for laid in view.tiles}
    for index, tile in enumerate(START_FACES):
        if start_tile(tile) not in used:
            at = _OPEN + _STEP * index, _MIDDLE
            yield ScenePiece(tile_id(tile), _tile_symbol(tile), "display", "", at)


def _drawn(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the discovery tokens from which a seat chooses. Other viewers see their backs."""
    begin, end = _DRAWN
    step = min(46, (end - begin) / max(one.tokens_drawn - 1, 1))
    for index in range(one.tokens_drawn):
        value = f"{one.drawn[index]}" if index < len(one.drawn) else ""
        label = phrase("small_islands-drawn-worth", worth=value) if value else "a drawn discovery token"
        at = begin + step * index, float(_MIDDLE)
        yield ScenePiece(drawn_id(seat, index), "discovery", "display", "", at, badge=value, label=label)


def _first_seat(view: View) -> Iterator[ScenePiece]:
    if (seat := view.first_seat) is not None:
        yield ScenePiece("first-seat", "first-seat", f"seat:{seat}", store_id(seat), (46, 104))


def _of_seat(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    area, store = f"seat:{seat}", store_id(seat)
    for token in one.tokens:
        at = 24 + 46 * ((token - 1) % 2), 26 + 40 * ((token - 1) // 2)
        yield ScenePiece(bonus_id(seat, token), f"bonus-{named(token)}", area, store, at, seat)
    if one.ship is None:
        yield ScenePiece(own_ship_id(seat), "small-ship", area, store, (118, 24), seat)
    if one.houses_at_hand + one.houses_left:
        label = phrase("small_islands-houses-of-seat", at_hand=one.houses_at_hand, left=one.houses_left)
        badge = f"{one.houses_at_hand} + {one.houses_left}"
        yield ScenePiece(houses_id(seat), "house-stock", area, store, (116, 64), seat, badge=badge, label=label)
    if one.discovery_count:
        worth = ", ".join(map(str, one.discoveries))
        tokens = counted(one.discovery_count, "discovery token")
        label = phrase("small_islands-tokens-worth", tokens=tokens, worth=worth) if worth else tokens
        badge = worth or f"{one.discovery_count}"
        yield ScenePiece(discoveries_id(seat), "discovery", area, store, (116, 97), badge=badge, label=label)
    slots = max(1, *_cards_in_rows(one))
    yield from _cards(seat, one)
    yield from _hand(seat, one, slots)


def _hand(seat: int, one: SeatView, slots: int) -> Iterator[ScenePiece]:
    """Yield the tiles in hand: those face down, then those that the viewer knows."""
    hidden = one.tiles_in_hand - len(one.hand)
    area, place = f"seat:{seat}", hand_id(seat)
    for index in range(hidden):
        yield ScenePiece(f"hidden:{seat}:{index}", "tile-back", area, place, (_tile_at(slots, index), _MIDDLE))
    for index, tile in enumerate(one.hand, hidden):
        yield ScenePiece(tile_id(tile), _tile_symbol(tile), area, place, (_tile_at(slots, index), _MIDDLE))


def _held(one: SeatView) -> list[tuple[ObjectiveCard, str]]:
    """Return the cards to choose from, or those of this round and the next, each with its use."""
    held = {"to choose": one.cards, "for this round": one.objective, "put aside": one.aside}
    return [(COMPONENTS.cards[card], use) for use, those in held.items() for card in those]


def _cards_in_rows(one: SeatView) -> tuple[int, int]:
    """Return the numbers of cards in the upper row, of objectives or missions, and in the lower one, of rewards."""
    upper = sum(card.mission is not None for card, _ in _held(one))
    return upper, len(_held(one)) - upper


def _cards(seat: int, one: SeatView) -> Iterator[ScenePiece]:
    """Yield the cards to choose from, or those of the round; cards put aside are faded."""
    cards = _held(one)
    for is_upper in (True, False):
        in_row = [(card, use) for card, use in cards if (card.mission is not None) == is_upper]
        for index, (card, use) in enumerate(in_row):
            half = 0 if card.mission and card.reward else HALF_CARD[1] // 2 + 2
            at = _CARDS + CARD[0] / 2 + _CARD_STEP * index, _MIDDLE + (-half if is_upper else half)
            yield _card(seat, card, use, at)
    if one.has_chosen and not cards:
        at = _CARDS + CARD[0] / 2, _MIDDLE
        yield ScenePiece(f"chosen:{seat}", "card-back", f"seat:{seat}", cards_id(seat), at, label="has chosen")


def _card(seat: int, card: ObjectiveCard, use: str, at: tuple[float, float]) -> ScenePiece:
    label, faded = joined_by(": ", (use, card_label(card))), use == "put aside"
    symbol, place = f"card-{card.id}", cards_id(seat)
    return ScenePiece(f"card:{card.id}", symbol, f"seat:{seat}", place, at, label=label, faded=faded)


LOOK: Final[Look[Board, View]] = Look(symbols, areas, pieces)
