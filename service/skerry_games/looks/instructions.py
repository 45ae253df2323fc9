"""Instructions of a game: the aim, the set-up, a turn in pictures, a worked example and hints.

The positions of pictures and examples come from random games that the rules play from a fixed seed, so their numbers
are never typed in. A game writes them in its ``teaching/how_to_play.py``.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve")
"""The players of the pictures and examples."""
MARKS: Final = {
    "S": "the source of the rules states it",
    "W": "another source states it",
    "R": "decided here, because the source is silent or refers to a printed component",
}
"""The meaning of the marks at the end of numbered rules."""
_HOUSE: Final = (
    "House edition: the printed map, cards or tiles are known only in part. Those of this table are a reconstruction, "
    "so their names and numbers can differ from the game in the shops."
)


class Figure(Struct, frozen=True):
    """A picture with a caption: a part of the table in a position that the rules have reached."""

    caption: str
    """One to three sentences. A template for the players' names (``skerry_games.fill``)."""
    state: Any
    viewer: int | None
    around: tuple[str, ...]
    """The ids of places and pieces to show. The picture ends around them."""
    marked: tuple[str, ...] = ()


class Example(Struct, frozen=True):
    """The hardest rule, with numbers."""

    title: str
    rule: str
    """The id of the numbered rule."""
    figures: tuple[Figure, ...]


class HowToPlay(Struct, frozen=True):
    """The instructions of a game. Texts are in sentences."""

    aim: str
    """How to win."""
    least_age: int
    minutes: tuple[int, int]
    """The shortest and the longest usual time of a game."""
    set_up: tuple[str, ...]
    turn: tuple[Figure, ...]
    """Three to five."""
    example: Example
    hints: tuple[str, str, str]
    house_edition: str = _HOUSE
