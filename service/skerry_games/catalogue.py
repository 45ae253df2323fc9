"""Finds the games: every sub-package of ``skerry_games`` that offers a ``GAME``. Nothing else lists them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import skerry_games
from skerry_games.api import AnyGame


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game by its id, in alphabetical order. A game's id is the name of its folder."""
    found: dict[str, AnyGame] = {}
    for module in sorted(iter_modules(skerry_games.__path__), key=lambda module: module.name):
        if module.ispkg:
            room = import_module(f"{skerry_games.__name__}.{module.name}")
            if (game := getattr(room, "GAME", None)) is not None:
                found[module.name] = game
    return found
