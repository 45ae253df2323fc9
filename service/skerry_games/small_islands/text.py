"""A position in words: every fact of the view, and what is printed on the tiles and cards in it.

The corners of a tile are letters clockwise from the top left: ``L`` land, ``S`` sea. A cell is ``(column, row)``, from
0 at the top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from skerry_games.api import Viewer
from skerry_games.sentences import counted, joined_by, phrase
from skerry_games.small_islands.board import Board, PrintedTile
from skerry_games.small_islands.printed.components import COMPONENTS, Face, ObjectiveCard, Symbol
from skerry_games.small_islands.printed.objective_words import counted_symbol, mission_words, reward_words
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, column, middle, row
from skerry_games.small_islands.tabletop.table import Laid, Ship, Token
from skerry_games.small_islands.view import IslandView, SeatView, View
from skerry_games.texts.text_lines import if_any, joined, line, listed, named, seat, seat_subject

_FIRST, _LAST = ((column(cell), row(cell)) for cell in middle(DEFAULT_SIZE)[::2])
_MIDDLE: Final = phrase("small_islands-words-count", first=f"{_FIRST}", last=f"{_LAST}")
"""The point that ``place_words`` calls the middle."""


def text(view: View, viewer: Viewer) -> str:
    """Return the position as that viewer sees it, a template for the players' names."""
    return joined(_lines(view, viewer))


def board_text(board: Board) -> str:
    """Return what is printed, and the pieces of each seat."""
    return joined(_board_lines(board))


def _lines(view: View, viewer: Viewer) -> Iterator[str]:
    yield line("mode", named(view.mode))
    yield line("phase", named(view.phase))
    yield line("turn", seat(view.acting_seat))
    yield line("round", str(view.round))
    yield line("first", seat(view.first_seat))
    yield line("end", if_any(view.end))
    yield line("table", phrase("small_islands-columns-rows", table_size=view.table_size), _MIDDLE)
    yield line("grey ships left", str(view.grey_ships))
    yield line(
        "tiles left",
        phrase("small_islands-navigation-stack", navigation_stack=view.navigation_stack),
        phrase("small_islands-reserve", reserve=view.reserve),
    )
    yield line("tiles out of the game", *map(_tile_id, view.gone))
    yield line("discovery tokens left", str(view.discoveries_left))
    yield line("tile taken", _tile_id(view.taken))
    yield line(
        "token in use",
        if_any(view.token),
        phrase("small_islands-as-2", shows=named(view.shows)) if view.shows else None,
    )
    yield line("houses go on the island of", None if view.housed is None else _cell(view.housed))
    for tile in view.display:
        yield _seen("in the display", tile)
    if view.picked is not None:
        yield _seen("picked from the hand", view.picked)
    for who, one in enumerate(view.seats):
        yield from _seat(who, one, viewer)
    island_at = {cell: number for number, island in enumerate(view.islands, start=1) for cell in island.cells}
    for laid in view.tiles:
        yield _laid(laid, island_at.get(laid.at))
    yield from map(_ship, view.ships)
    yield from map(_token, view.tokens)
    for number, one_island in enumerate(view.islands, start=1):
        yield _island(number, one_island)


@lru_cache(maxsize=1 << 10)
def _cell(cell: int) -> str:
    return f"({column(cell)}, {row(cell)})"


@lru_cache(maxsize=1 << 10)
def _at(cell: int) -> str:
    return phrase("small_islands-at", cell=_cell(cell))


def _tile_id(tile: int | None) -> str | None:
    return None if tile is None else COMPONENTS.faces[tile].id


@lru_cache(maxsize=1 << 10)
def _laid(laid: Laid, island_at: int | None) -> str:
    island = None if island_at is None else phrase("small_islands-island", island_at=island_at)
    return _tile(_at(laid.at), COMPONENTS.faces[laid.tile], laid.turns, island)


@lru_cache(maxsize=1 << 9)
def _ship(ship: Ship) -> str:
    return line(phrase("small_islands-ship", at=_at(ship.at)), seat(ship.seat) or "grey")


@lru_cache(maxsize=1 << 9)
def _token(token: Token) -> str:
    spot = phrase("small_islands-spot", shows=named(token.shows), place=token.place)
    return line(phrase("small_islands-token-2", at=_at(token.at)), seat(token.seat), spot)


@lru_cache(maxsize=1 << 9)
def _seen(place: str, tile: int) -> str:
    return _tile(place, COMPONENTS.faces[tile])


@lru_cache(maxsize=1 << 9)
def _in_hand(who: int, tile: int) -> str:
    return _tile(phrase("small_islands-hand-seat", who=who), COMPONENTS.faces[tile])


@lru_cache(maxsize=1 << 9)
def _held(place: str, who: int, card: int) -> str:
    return _card(phrase("small_islands-seat", place=place, who=who), COMPONENTS.cards[card])


def _tile(place: str, face: Face, turns: int = 0, island: str | None = None) -> str:
    corners = face.shape.name[-turns:] + face.shape.name[:-turns]
    return line(
        phrase("small_islands-tile-2", place=place, face=face.id, turns=turns),
        *_printed(corners, face.symbols, face.ports),
        island,
    )


def _printed(corners: str, symbols: Iterable[Symbol], ports: int) -> tuple[str, str | None, str | None]:
    return (
        corners,
        joined_by(", ", (symbol.name.lower() for symbol in symbols)),
        counted(ports, "port") if ports else None,
    )


def _seat(who: int, one: SeatView, viewer: Viewer) -> Iterator[str]:
    yield _seat_line(who, one, viewer)
    for tile in one.hand:
        yield _in_hand(who, tile)
    held = {"choice": one.cards, "objective": one.objective, "aside": one.aside, "returned": one.returned}
    for place, cards in held.items():
        for card in cards:
            yield _held(place, who, card)


@lru_cache(maxsize=1 << 9)
def _seat_line(who: int, one: SeatView, viewer: Viewer) -> str:
    return line(
        seat_subject(who, viewer),
        counted(one.score, "point"),
        phrase("small_islands-hand-2", tiles=counted(one.tiles_in_hand, "tile")),
        listed("known to all", map(_tile_id, one.open_hand)),
        "has chosen an objective" if one.has_chosen else None,
        listed("bonus tokens", map(named, one.tokens)),
        _houses("small_islands-at-hand", one.houses_at_hand),
        _houses("small_islands-left", one.houses_left),
        listed("houses at", map(_cell, one.houses)),
        None if one.ship is None else phrase("small_islands-ship-at", cell=_cell(one.ship)),
        phrase("small_islands-around", ports=counted(one.ports, "port")) if one.ports else None,
        None if one.last_laid is None else phrase("small_islands-last-tile-or-ship", last_laid=one.last_laid),
        counted(one.discovery_count, "discovery token") if one.discovery_count else None,
        listed("discoveries worth", one.discoveries),
        phrase("small_islands-has-drawn", discovery_tokens=counted(one.tokens_drawn, "discovery token"))
        if one.tokens_drawn
        else None,
        listed("drawn worth", one.drawn),
    )


@lru_cache(maxsize=1 << 8)
def _houses(message: str, count: int) -> str:
    return phrase(message, houses=counted(count, "house"))


def _card(place: str, card: ObjectiveCard) -> str:
    mission = mission_words(card.mission) if card.mission else None
    return line(
        place, phrase("small_islands-card", card=card.id), mission, reward_words(card.reward) if card.reward else None
    )


@lru_cache(maxsize=1 << 9)
def _island(number: int, island: IslandView) -> str:
    return line(
        phrase("small_islands-island-2", number=number),
        counted(len(island.cells), "tile"),
        *(counted_symbol(count, symbol) for symbol, count in zip(Symbol, island.symbols, strict=True) if count),
        *(
            phrase("small_islands-seat-has", who=who, houses=counted(count, "house"))
            for who, count in enumerate(island.houses)
            if count
        ),
    )


def _board_lines(board: Board) -> Iterator[str]:
    yield line("edition", board.edition)
    yield line(
        "pieces of each seat",
        phrase("small_islands-houses-them-at-hand", houses=board.houses, houses_at_hand=board.houses_at_hand),
        counted(1, "ship"),
    )
    yield line("bonus tokens of each seat", *map(named, board.bonus_tokens))
    yield line("discovery tokens", listed("worth", board.discovery_tokens))
    yield line(
        "points by size",
        *(
            phrase("small_islands-from", points=points, tiles=counted(size, "tile"))
            for size, points in board.size_points
        ),
    )
    layout = (
        phrase("small_islands-turns", faces=COMPONENTS.faces[face].id, turns=turns)
        for face, turns in board.start_layout
    )
    yield line("starting tiles clockwise from the top left", *layout)
    for tile in (*board.landscape_tiles, *board.start_tiles):
        yield _printed_tile(tile)
    for card in board.cards:
        yield _card("card" if card.mission and card.reward else "half a card", card)


def _printed_tile(tile: PrintedTile) -> str:
    corners = "".join("L" if land else "S" for land in tile.land_corners)
    return line(
        phrase("small_islands-tile-3", tile=tile.id),
        *_printed(corners, (symbol for symbol, _ in tile.symbols), tile.ports),
    )
