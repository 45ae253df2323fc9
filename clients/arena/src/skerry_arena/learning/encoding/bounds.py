"""The bounds of a game: the sizes of its views and moves."""

from __future__ import annotations

from skerry_games.api import AnyGame
from skerry_games.catalogue import game_module
from skerry_games.shapes import Bounds


class BoundsMissing(ValueError):
    """The game has no bounds for its views and moves, so it has no learning environment."""


def bounds_of(game: AnyGame) -> Bounds:
    """Return the bounds of a game. Raises BoundsMissing."""
    module = game_module(game.id, game.ruleset, "bounds")
    if module is None:
        raise BoundsMissing(f"{game.title} has no bounds for its views and moves, so it has no learning environment.")
    found: Bounds = module.BOUNDS
    return found
