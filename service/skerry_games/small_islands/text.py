"""A position in words: every fact of the view, and what is printed on the tiles and cards in it.

The corners of a tile are letters clockwise from the top left: ``L`` land, ``S`` sea. A cell is ``(column, row)``, from
0 at the top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from skerry_games.api import Viewer
from skerry_games.sentences import counted
from skerry_games.small_islands.board import Board, PrintedTile
from skerry_games.small_islands.printed.components import COMPONENTS, Face, ObjectiveCard, Symbol
from skerry_games.small_islands.tabletop.cells import DEFAULT_SIZE, column, middle, row
from skerry_games.small_islands.view import IslandView, SeatView, View
from skerry_games.small_islands.words import counted_symbol, mission_words, reward_words
from skerry_games.texts.text_lines import if_any, joined, line, listed, named, seat, seat_subject

_MIDDLE: Final = "words count from the corner between ({}, {}) and ({}, {})".format(
    *(along(cell) for cell in middle(DEFAULT_SIZE)[::2] for along in (column, row))
)
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
    yield line("table", f"{view.table_size} columns and rows", _MIDDLE)
    yield line("grey ships left", str(view.grey_ships))
    yield line("tiles left", f"navigation stack {view.navigation_stack}", f"reserve {view.reserve}")
    yield line("tiles out of the game", *map(_tile_id, view.gone))
    yield line("discovery tokens left", str(view.discoveries_left))
    yield line("tile taken", _tile_id(view.taken))
    yield line("token in use", if_any(view.token), f"as {named(view.shows)}" if view.shows else None)
    yield line("houses go on the island of", None if view.housed is None else _cell(view.housed))
    for tile in view.display:
        yield _tile("in the display", COMPONENTS.faces[tile])
    if view.picked is not None:
        yield _tile("picked from the hand", COMPONENTS.faces[view.picked])
    for who, one in enumerate(view.seats):
        yield from _seat(who, one, viewer)
    island_at = {cell: number for number, island in enumerate(view.islands, start=1) for cell in island.cells}
    for laid in view.tiles:
        island = f"island {island_at[laid.at]}" if laid.at in island_at else None
        yield _tile(_at(laid.at), COMPONENTS.faces[laid.tile], laid.turns, island)
    for ship in view.ships:
        yield line(f"{_at(ship.at)}: ship", seat(ship.seat) or "grey")
    for token in view.tokens:
        yield line(f"{_at(token.at)}: token", seat(token.seat), f"{named(token.shows)} on spot {token.place}")
    for number, one_island in enumerate(view.islands, start=1):
        yield _island(number, one_island)


def _cell(cell: int) -> str:
    return f"({column(cell)}, {row(cell)})"


def _at(cell: int) -> str:
    return f"at {_cell(cell)}"


def _tile_id(tile: int | None) -> str | None:
    return None if tile is None else COMPONENTS.faces[tile].id


def _tile(place: str, face: Face, turns: int = 0, island: str | None = None) -> str:
    corners = face.shape.name[-turns:] + face.shape.name[:-turns]
    turned = f" turned {turns}" if turns else ""
    return line(f"{place}: tile {face.id}{turned}", *_printed(corners, face.symbols, face.ports), island)


def _printed(corners: str, symbols: Iterable[Symbol], ports: int) -> tuple[str, str | None, str | None]:
    return corners, ", ".join(symbol.name.lower() for symbol in symbols), counted(ports, "port") if ports else None


def _seat(who: int, one: SeatView, viewer: Viewer) -> Iterator[str]:
    yield line(
        seat_subject(who, viewer),
        counted(one.score, "point"),
        f"{counted(one.tiles_in_hand, 'tile')} in hand",
        listed("known to all", map(_tile_id, one.open_hand)),
        "has chosen an objective" if one.has_chosen else None,
        listed("bonus tokens", map(named, one.tokens)),
        f"{counted(one.houses_at_hand, 'house')} at hand",
        f"{counted(one.houses_left, 'house')} left",
        listed("houses at", map(_cell, one.houses)),
        None if one.ship is None else f"ship at {_cell(one.ship)}",
        f"{counted(one.ports, 'port')} around it" if one.ports else None,
        None if one.last_laid is None else f"last tile or ship was number {one.last_laid}",
        counted(one.discovery_count, "discovery token") if one.discovery_count else None,
        listed("discoveries worth", one.discoveries),
        f"has drawn {counted(one.tokens_drawn, 'discovery token')}" if one.tokens_drawn else None,
        listed("drawn worth", one.drawn),
    )
    for tile in one.hand:
        yield _tile(f"in the hand of seat {who}", COMPONENTS.faces[tile])
    held = {"choice": one.cards, "objective": one.objective, "aside": one.aside, "returned": one.returned}
    for place, cards in held.items():
        for card in cards:
            yield _card(f"{place} of seat {who}", COMPONENTS.cards[card])


def _card(place: str, card: ObjectiveCard) -> str:
    mission = mission_words(card.mission) if card.mission else None
    return line(place, f"card {card.id}", mission, reward_words(card.reward) if card.reward else None)


def _island(number: int, island: IslandView) -> str:
    return line(
        f"island {number}",
        counted(len(island.cells), "tile"),
        *(counted_symbol(count, symbol) for symbol, count in zip(Symbol, island.symbols, strict=True) if count),
        *(f"seat {who} has {counted(count, 'house')}" for who, count in enumerate(island.houses) if count),
    )


def _board_lines(board: Board) -> Iterator[str]:
    yield line("edition", board.edition)
    yield line("pieces of each seat", f"{board.houses} houses, {board.houses_at_hand} of them at hand", "1 ship")
    yield line("bonus tokens of each seat", *map(named, board.bonus_tokens))
    yield line("discovery tokens", listed("worth", board.discovery_tokens))
    yield line("points by size", *(f"{points} from {counted(size, 'tile')} on" for size, points in board.size_points))
    layout = (f"{COMPONENTS.faces[face].id} turns {turns}" for face, turns in board.start_layout)
    yield line("starting tiles clockwise from the top left", *layout)
    for tile in (*board.landscape_tiles, *board.start_tiles):
        yield _printed_tile(tile)
    for card in board.cards:
        yield _card("card" if card.mission and card.reward else "half a card", card)


def _printed_tile(tile: PrintedTile) -> str:
    corners = "".join("L" if land else "S" for land in tile.land_corners)
    return line(f"tile {tile.id}", *_printed(corners, (symbol for symbol, _ in tile.symbols), tile.ports))
