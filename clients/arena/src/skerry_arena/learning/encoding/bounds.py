"""The bounds of a game: the sizes of its views and moves."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from skerry_games.api import AnyGame
from skerry_games.shapes import Bounds


class BoundsMissing(ValueError):
    """The game has no bounds for its views and moves, so it has no learning environment."""


def bounds_of(game: AnyGame) -> Bounds:
    """Return the bounds of a game. Raises BoundsMissing."""
    home = f"skerry_games.{game.id}"
    if find_spec(home) is None or find_spec(f"{home}.bounds") is None:
        raise BoundsMissing(f"{game.title} has no bounds for its views and moves, so it has no learning environment.")
    found: Bounds = import_module(f"{home}.bounds").BOUNDS
    return found
