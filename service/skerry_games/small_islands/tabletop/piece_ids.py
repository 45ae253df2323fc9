"""The ids of places and pieces."""

from __future__ import annotations

from skerry_games.small_islands.printed.components import COMPONENTS, Bonus
from skerry_games.small_islands.tabletop.cells import Cell, column, row
from skerry_games.texts.text_lines import named


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
