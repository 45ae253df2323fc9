"""Finds the games: every sub-package of ``skerry_games`` that offers a ``GAME``. Nothing else lists them.

So it is with the rulesets that a game has had before, and that games which began under them are still played by: every
sub-package of the game's own that offers a ``GAME``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

import skerry_games
from skerry_games.api import AnyGame


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game by its id, in alphabetical order. A game's id is the name of its folder."""
    return {room.__name__.rpartition(".")[2]: room.GAME for room in _rooms(skerry_games)}


@cache
def earlier_rulesets() -> dict[str, AnyGame]:
    """Return the games under the rulesets that they had before and that are still carried, by ruleset.

    New games begin under that of ``all_games``. Raises ValueError where a folder holds another game than its own.
    """
    found: dict[str, AnyGame] = {}
    for game in all_games().values():
        home = f"{skerry_games.__name__}.{game.id}"
        for room in _rooms(import_module(home)) if find_spec(home) else ():
            earlier: AnyGame = room.GAME
            if room.__name__ != _folder_of(earlier) or earlier.id != game.id or earlier.ruleset == game.ruleset:
                raise ValueError(
                    f"{room.__name__} is not where an earlier ruleset {earlier.ruleset!r} of {game.id} belongs"
                )
            found[earlier.ruleset] = earlier
    return found


def find_game(game: str, ruleset: str) -> AnyGame | None:
    """Return the game of that id under that ruleset, if both are carried."""
    newest = all_games().get(game)
    if newest is None or newest.ruleset == ruleset:
        return newest
    earlier = earlier_rulesets().get(ruleset)
    return earlier if earlier is not None and earlier.id == game else None


@cache
def game_module(game: str, ruleset: str, part: str) -> ModuleType | None:
    """Return a module of a game's folder, if it has one. That of an earlier ruleset's own folder comes first."""
    home = f"{skerry_games.__name__}.{game}"
    folders = (_folder(home, ruleset), home) if find_spec(home) is not None else ()
    for folder in folders:
        if find_spec(folder) is not None and find_spec(f"{folder}.{part}") is not None:
            return import_module(f"{folder}.{part}")
    return None


def _rooms(package: ModuleType) -> Iterator[ModuleType]:
    """Yield the sub-packages that offer a game, in alphabetical order."""
    for module in sorted(iter_modules(package.__path__), key=lambda module: module.name):
        if module.ispkg:
            room = import_module(f"{package.__name__}.{module.name}")
            if getattr(room, "GAME", None) is not None:
                yield room


def _folder_of(game: AnyGame) -> str:
    return _folder(f"{skerry_games.__name__}.{game.id}", game.ruleset)


def _folder(home: str, ruleset: str) -> str:
    """Return the name of the package that holds an earlier ruleset: ``kreta-1`` is in ``kreta/kreta_1``."""
    return f"{home}.{ruleset.replace('-', '_')}"
