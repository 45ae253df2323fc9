"""What the suite counts in a game: pieces and points. The rules themselves need neither.

Each game has a module ``tests.games.<id>.totals``. A game without one fails the suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from skerry_games.api import AnyGame
from skerry_games.catalogue import added_editions, package_name
from skerry_games.editions.package_copies import _CopyLoader


def count_pieces(game: AnyGame, state: Any) -> Mapping[str, int]:
    """Return the total of each kind of piece, wherever it lies. The totals stay constant from setup to the end."""
    totals: Mapping[str, int] = _module(game).count_pieces(state)
    return totals


def points_of(game: AnyGame, event: Any) -> Mapping[int, int]:
    """Return the points that the event gives to each seat. Their sum over a game is the score."""
    points: Mapping[int, int] = _module(game).points_of(event)
    return points


def _module(game: AnyGame) -> ModuleType:
    module = import_module(f"tests.games.{game.id}.totals")
    return _copy_for(game.id, game.ruleset, module) if game in added_editions(game.id) else module


@cache
def _copy_for(game: str, ruleset: str, module: ModuleType) -> ModuleType:
    """Return a copy of the module that imports the components and events of an edition."""
    home, path = f"skerry_games.{game}", str(module.__file__)
    name = f"{module.__name__}_{ruleset}"
    spec = spec_from_file_location(name, path, loader=_CopyLoader(name, path, home, package_name(home, ruleset)))
    assert spec is not None and spec.loader is not None
    copy = module_from_spec(spec)
    spec.loader.exec_module(copy)
    return copy
