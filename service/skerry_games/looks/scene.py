"""What a game draws: symbols, areas with their places, and the pieces of a position.

A drawing is SVG. Its colours are variables of a theme, such as ``var(--ink)``: a page defines them in its style sheet,
and ``skerry_games.looks.picture`` replaces them by colours. ``currentColor`` is the colour of a piece's owner. Drawings
contain no text that a player has typed. A group with the attribute ``data-upright`` stays upright when its piece is
turned: a frontend turns it back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Generic, TypeVar

from msgspec import Struct

Viewer = int | None
V = TypeVar("V")
B = TypeVar("B")

Size = tuple[int, int]
"""Width and height, in units of the drawing."""


class SceneSymbol(Struct, frozen=True):
    """The drawing of a kind of piece, card or tile, around the point (0, 0)."""

    id: str
    label: str
    """Its name in words, for screen readers."""
    size: Size
    drawing: str
    mark: tuple[int, int, int] = (0, 5, 8)
    """The middle and the size of the owner's mark on it."""


class ScenePlace(Struct, frozen=True):
    """A named place of an area, where pieces can lie and which a move can touch."""

    id: str
    label: str
    at: tuple[int, int]
    """Its middle."""
    drawing: str = ""
    """Its printed outline; empty if nothing is printed there."""
    badge_y: int = 0
    """How far below its middle a picture shows the badge of an annotation; above it, if negative."""


class AreaRole(Enum):
    """Where a frontend shows an area."""

    BOARD = auto()
    """The board, or a part of it."""
    HAND = auto()
    """What the viewer holds or chooses from."""
    SEAT = auto()
    """What lies in front of a seat. A frontend shows that of the viewer's seat like a hand."""


class SceneArea(Struct, frozen=True):
    """A part of the table with a coordinate system of its own: the board, or the cards of a seat."""

    id: str
    label: str
    size: Size
    ground: str
    """What is printed below the places."""
    places: tuple[ScenePlace, ...] = ()
    print_over: str = ""
    """What is printed above the places and below the pieces: names and values."""
    seat: int | None = None
    """The seat to which the area belongs; ``None`` for the table."""
    margin: int | None = None
    """If it is a number, a frontend shows only the part around the pieces and the places that can be selected now, with
    a margin of this width. A picture offers no moves, so it shows the part around the pieces."""
    role: AreaRole = AreaRole.BOARD


class ScenePiece(Struct, frozen=True):
    """Something that lies on the table."""

    id: str
    """Unique in a position. A piece that stays where it is keeps its id. To show a move, pair a piece that is gone with
    one that is new and has the same symbol and owner."""
    symbol: str
    area: str
    place: str
    """The id of the place where it lies; empty if it lies at none."""
    at: tuple[float, float]
    """Its middle, in the area."""
    owner: int | None = None
    count: int = 1
    """How many equal pieces it stands for; drawn if it is more than 1."""
    rotation: int = 0
    """Degrees clockwise."""
    label: str = ""
    """What a screen reader says; empty for the label of the symbol."""
    badge: str = ""
    """A few characters to show beside it."""
    faded: bool = False
    """Whether it is out of use, such as a card that has been played."""


@dataclass(frozen=True, slots=True)
class Look(Generic[B, V]):
    """How a game looks. The functions are pure, and see only what the viewer may see."""

    symbols: Callable[[B], tuple[SceneSymbol, ...]]
    """Return the symbols of a board's edition."""
    areas: Callable[[B, V], tuple[SceneArea, ...]]
    """Return the areas of the table, the most important first. They are the same in every view of a session."""
    pieces: Callable[[V, Viewer], tuple[ScenePiece, ...]]
    """Return what lies on the table, from below to above."""
