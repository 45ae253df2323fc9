"""What the suite counts in a game: pieces and points. The rules themselves need neither.

Each game has a module ``tests.games.<id>.totals``. A game without one fails the suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from skerry_games.api import AnyGame


def count_pieces(game: AnyGame, state: Any) -> Mapping[str, int]:
    """Return the total of each kind of piece, wherever it lies. The totals stay constant from setup to the end."""
    totals: Mapping[str, int] = _module(game).count_pieces(state)
    return totals


def points_of(game: AnyGame, event: Any) -> Mapping[int, int]:
    """Return the points that the event gives to each seat. Their sum over a game is the score."""
    points: Mapping[int, int] = _module(game).points_of(event)
    return points


def _module(game: AnyGame) -> Any:
    return import_module(f"tests.games.{game.id}.totals")
