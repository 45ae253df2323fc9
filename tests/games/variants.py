"""Variants: games whose options have other defaults. The tests treat them like the games of the catalogue.

The variants of a game are the constants of type ``Game`` in ``tests/games/<game>/variants.py``. The name of a variant
is the name of the constant in lower case.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from skerry_games.api import AnyGame, Game
from skerry_games.catalogue import all_games, earlier_rulesets


class Variant(NamedTuple):
    """A game of the catalogue, or a variant of it."""

    game: AnyGame
    name: str
    """Empty for a game of the catalogue."""
    source: str
    """The name from which another process imports the game: ``package.module:NAME``."""

    @property
    def id(self) -> str:
        """The game's id, and the name of the variant."""
        return "-".join(filter(None, [self.game.id, self.name]))


def all_variants() -> Iterator[Variant]:
    """Yield each game of the catalogue, followed by its variants."""
    for game in all_games().values():
        yield Variant(game, "", f"skerry_games.{game.id}:GAME")
        yield from _variants_of(game)


def earlier_variants() -> Iterator[Variant]:
    """Yield each game under its earlier rulesets."""
    for game in earlier_rulesets().values():
        yield Variant(game, game.ruleset, f"skerry_games.{game.id}.{game.ruleset.replace('-', '_')}:GAME")


def _variants_of(game: AnyGame) -> Iterator[Variant]:
    folder = f"tests.games.{game.id}"
    module = f"{folder}.variants"
    if find_spec(folder) is None or find_spec(module) is None:
        return
    for name, value in vars(import_module(module)).items():
        if isinstance(value, Game) and value is not game:
            yield Variant(value, name.lower(), f"{module}:{name}")
