"""Players by what they are called: ``NAME[:LEVEL]`` for those that come with the rules, else ``module:Class``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from skerry_games.players.greedy import GreedyPlayer
from skerry_games.players.mcts import MctsPlayer, parse_budget
from skerry_games.players.protocol import PlayerFactory
from skerry_games.players.random_player import RandomPlayer

LEVELS: Final = ("random", "greedy", "mcts:50", "mcts:200", "mcts:1000")
"""Points on the scale of strength, ascending: the levels of a bot that need no more to be said."""


class UnknownPlayer(ValueError):
    """No player is called like this. The message says who is."""


def player(text: str) -> PlayerFactory:
    """Return what makes the player of that name. Raises UnknownPlayer.

    ``random``, ``greedy``, ``mcts:200`` (iterations for a decision), ``mcts:50ms`` (milliseconds), or ``module:Class``,
    which is imported and called with a generator (``PlayerFactory``): so this is not for the words of strangers, for
    whom there is ``shipped_player``.
    """
    name, _, rest = text.partition(":")
    if name in _SHIPPED:
        return shipped_player(text)
    try:
        made: PlayerFactory = getattr(import_module(name), rest)
    except (ImportError, AttributeError, TypeError, ValueError) as error:  # TypeError: a name that begins with a dot
        raise UnknownPlayer(f"There is no player {text!r}: {error}. {_THERE_ARE}") from error
    if not callable(made):
        raise UnknownPlayer(f"There is no player {text!r}: it cannot be called with a generator. {_THERE_ARE}")
    return made


def shipped_player(text: str) -> PlayerFactory:
    """Return what makes the player of that name, one that comes with the rules. Raises UnknownPlayer."""
    name, colon, level = text.partition(":")
    if name not in _SHIPPED or (colon and not level):
        raise UnknownPlayer(f"There is no player {text!r}. {_THERE_ARE}")
    try:
        return _SHIPPED[name](level)
    except ValueError as error:
        raise UnknownPlayer(f"There is no player {text!r}: {error} {_THERE_ARE}") from error


def _without_level(make: PlayerFactory) -> Callable[[str], PlayerFactory]:
    def check(level: str) -> PlayerFactory:
        if level:
            raise ValueError("It has no levels.")
        return make

    return check


def _mcts(level: str) -> PlayerFactory:
    return partial(MctsPlayer, allowed=parse_budget(level))


_SHIPPED: Final[dict[str, Callable[[str], PlayerFactory]]] = {
    "random": _without_level(RandomPlayer),
    "greedy": _without_level(GreedyPlayer),
    "mcts": _mcts,
}
_THERE_ARE: Final = f"There are {', '.join(LEVELS)}, mcts with another number or with milliseconds (mcts:50ms)."
