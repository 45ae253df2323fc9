"""The printed islands and cards, as programs draw them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from skerry_games.canarias.moves import Square
from skerry_games.canarias.printed.cards import CARD_IDS, CARDS, SETTLERS
from skerry_games.canarias.printed.components_file import Point
from skerry_games.canarias.printed.islands import ISLANDS, PrintedIsland
from skerry_games.canarias.printed.terms import COLOURS, Colour, Feature, Power
from skerry_games.canarias.state import HOUSES_EACH, PALACES_EACH, TOWNS_EACH


class Touching(Struct, frozen=True):
    """The building squares next to a kind of land."""

    feature: Feature
    squares: tuple[Square, ...]


class Border(Struct, frozen=True):
    """A line to draw, corner by corner."""

    feature: Feature
    points: tuple[Point, ...]


class Island(Struct, frozen=True):
    """An island as printed."""

    id: str
    squares: tuple[Square, ...]
    """The building squares, ascending."""
    village: tuple[Square, ...]
    farmland: tuple[Square, ...]
    touching: tuple[Touching, ...]
    neighbours: tuple[tuple[Square, Square], ...]
    """The pairs of building squares that share a side, each once."""
    borders: tuple[Border, ...]


class PrintedCard(Struct, frozen=True):
    """A card as printed. A pirate has no occupation and no priorities."""

    id: str
    occupation: str | None
    english: str | None
    colour: Colour
    priorities: tuple[Feature, ...]


class Board(Struct, frozen=True):
    """The islands and cards of an edition, with the pieces of each colour."""

    edition: str
    islands: tuple[Island, ...]
    cards: tuple[PrintedCard, ...]
    powers: tuple[Power, ...]
    """Per colour."""
    houses: int
    palaces: int
    towns: int


def _island(island: PrintedIsland) -> Island:
    pairs = [(first, second) for first, others in island.neighbours.items() for second in others if first < second]
    return Island(
        id=island.id,
        squares=island.building,
        village=island.village,
        farmland=island.farmland,
        touching=tuple(Touching(*pair) for pair in sorted(island.touching.items())),
        neighbours=tuple(sorted(pairs)),
        borders=tuple(Border(*pair) for pair in sorted(island.borders.items())),
    )


_SETTLERS: Final = [
    PrintedCard(settler.id, settler.occupation, settler.english, settler.house, settler.priorities)
    for settler in SETTLERS
]
_PIRATES: Final = [
    PrintedCard(name, None, None, colour, ()) for name, colour in zip(CARD_IDS[len(SETTLERS) :], COLOURS, strict=True)
]
BOARDS: Final = (
    Board(
        edition=CARDS.edition,
        islands=tuple(map(_island, ISLANDS)),
        cards=(*_SETTLERS, *_PIRATES),
        powers=tuple(CARDS.powers[colour] for colour in COLOURS),
        houses=HOUSES_EACH,
        palaces=PALACES_EACH,
        towns=TOWNS_EACH,
    ),
)
"""One per edition, the default first."""
