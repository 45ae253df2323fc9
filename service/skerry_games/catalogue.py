"""Finds the games: each sub-package of ``skerry_games`` with a ``GAME`` is a game. There is no other list.

A sub-package of a game's package with a ``GAME`` is an earlier ruleset of the game. Sessions that began under it
continue under it. Editions with other components than the house's are added while a program runs
(``skerry_games.editions``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

import skerry_games
from skerry_games.api import AnyGame, Rule
from skerry_games.rulebook import load_translated_rules

_editions: Final[dict[str, AnyGame]] = {}
"""The games with the components of added editions, by ruleset."""


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game under its newest ruleset, by id, in alphabetical order. The id is the name of the package."""
    return {package.__name__.rpartition(".")[2]: package.GAME for package in _game_packages(skerry_games)}


@cache
def earlier_rulesets() -> dict[str, AnyGame]:
    """Return the games under their earlier rulesets that this version still supports, by ruleset.

    Raises ValueError if a package holds another game, or another ruleset than its name says.
    """
    found: dict[str, AnyGame] = {}
    for game in all_games().values():
        home = f"{skerry_games.__name__}.{game.id}"
        for package in _game_packages(import_module(home)) if find_spec(home) else ():
            earlier: AnyGame = package.GAME
            if package.__name__ != _package_of(earlier) or earlier.id != game.id or earlier.ruleset == game.ruleset:
                raise ValueError(
                    f"{package.__name__} holds {earlier.id!r} with ruleset {earlier.ruleset!r}. It has to hold an "
                    f"earlier ruleset of {game.id!r} under the package name that follows from the ruleset."
                )
            found[earlier.ruleset] = earlier
    return found


def add_game(game: AnyGame) -> None:
    """Support a game with the components of an edition. Its ruleset names the edition."""
    _editions[game.ruleset] = game


def added_editions(game: str = "") -> tuple[AnyGame, ...]:
    """Return the games with the components of added editions, in the order of adding: all, or those of one game."""
    return tuple(one for one in _editions.values() if game in ("", one.id))


def supported_games() -> tuple[AnyGame, ...]:
    """Return every game that this process can play: the newest rulesets, earlier ones, and editions."""
    return (*all_games().values(), *earlier_rulesets().values(), *_editions.values())


def find_game(game: str, ruleset: str) -> AnyGame | None:
    """Return the game under the ruleset, or ``None`` if one of them is unknown."""
    newest = all_games().get(game)
    if newest is None or newest.ruleset == ruleset:
        return newest
    other = _editions.get(ruleset) or earlier_rulesets().get(ruleset)
    return other if other is not None and other.id == game else None


def find_edition(game: str, edition: str) -> AnyGame | None:
    """Return the game with the components of an edition, under its newest ruleset; ``None`` if one is unknown."""
    newest = all_games().get(game)
    if newest is None or edition in ("", *newest.editions):
        return newest
    return next((one for one in added_editions(game) if edition in one.editions), None)


@cache
def game_module(game: str, ruleset: str, name: str) -> ModuleType | None:
    """Return the module ``name`` of a game, such as ``teaching.lesson``, or ``None`` if there is none.

    The package of an earlier ruleset comes first. If it lacks the module, the game's newest one applies.
    """
    home = f"{skerry_games.__name__}.{game}"
    for module in (f"{package_name(home, ruleset)}.{name}", f"{home}.{name}"):
        if _exists(module):
            return import_module(module)
    return None


def rules_in(game: AnyGame, language: str) -> tuple[Rule, ...]:
    """Return the numbered rules of a game in a language, or else in English."""
    return _translated_rules(game.id, game.ruleset, language) or game.rules


@cache
def _translated_rules(game: str, ruleset: str, language: str) -> tuple[Rule, ...]:
    """Return no rules if there is no translation. An earlier ruleset needs its own, because its rules differ."""
    home = f"{skerry_games.__name__}.{game}"
    packages = (package for package in (package_name(home, ruleset), home) if _exists(package))
    return next((load_translated_rules(package, language) for package in packages), ())


def _exists(module: str) -> bool:
    """Return whether there is a module of that full name. ``find_spec`` raises if a package above it is missing."""
    parent = module.rpartition(".")[0]
    return (not parent or _exists(parent)) and find_spec(module) is not None


def _game_packages(parent: ModuleType) -> Iterator[ModuleType]:
    """Yield the sub-packages that have a ``GAME``, in alphabetical order."""
    for module in sorted(iter_modules(parent.__path__), key=lambda module: module.name):
        if module.ispkg:
            package = import_module(f"{parent.__name__}.{module.name}")
            if getattr(package, "GAME", None) is not None:
                yield package


def _package_of(game: AnyGame) -> str:
    return package_name(f"{skerry_games.__name__}.{game.id}", game.ruleset)


def package_name(home: str, ruleset: str) -> str:
    """Return the package name of another ruleset of the game in ``home``: ``kreta-1`` is in ``kreta/kreta_1``."""
    return f"{home}.{ruleset.replace('-', '_')}"
