"""Players by name: ``NAME[:LEVEL]`` for the players of this library, ``module:Class`` for others."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Final

from skerry_games.players.greedy import GreedyPlayer
from skerry_games.players.mcts import MctsPlayer, parse_budget
from skerry_games.players.planner import PlanningPlayer
from skerry_games.players.protocol import PlayerFactory
from skerry_games.players.random_player import RandomPlayer

LEVELS: Final = {
    "random": "random",
    "easy": "greedy",
    "medium": "mcts:200",
    "hard": "planner:24",
    "expert": "planner:72",
}
"""The levels of bots, from the weakest to the strongest, and the player behind each."""


class UnknownPlayer(ValueError):
    """No player has this name. The message lists the names."""


def player(text: str) -> PlayerFactory:
    """Return the factory of the player with this name. Raises UnknownPlayer.

    Names are those of ``LEVELS``, ``greedy``, ``mcts:200`` (iterations for each decision), ``mcts:50ms`` (milliseconds
    for each decision), ``planner:24`` (play-outs for each decision), or ``module:Class``. The function imports the
    module, and the class is the factory. Importing runs code: for names from untrusted sources, call
    ``shipped_player``.
    """
    name, _, rest = text.partition(":")
    if name in _SHIPPED or text in LEVELS:
        return shipped_player(text)
    try:
        factory: PlayerFactory = getattr(import_module(name), rest)
    except (ImportError, AttributeError, TypeError, ValueError) as error:  # TypeError: a name that begins with a dot
        raise UnknownPlayer(f"Unknown player {text!r}: {error}. {_KNOWN}") from error
    if not callable(factory):
        raise UnknownPlayer(f"Unknown player {text!r}: {rest} is not callable. {_KNOWN}")
    return factory


def shipped_player(text: str) -> PlayerFactory:
    """Return the factory of the player with this name. Knows only the players of this library. Raises UnknownPlayer."""
    name, colon, level = LEVELS.get(text, text).partition(":")
    if name not in _SHIPPED or (colon and not level):
        raise UnknownPlayer(f"Unknown player {text!r}. {_KNOWN}")
    try:
        return _SHIPPED[name](level)
    except ValueError as error:
        raise UnknownPlayer(f"Unknown player {text!r}: {error} {_KNOWN}") from error


def _without_level(factory: PlayerFactory) -> Callable[[str], PlayerFactory]:
    def check(level: str) -> PlayerFactory:
        if level:
            raise ValueError("It has no levels.")
        return factory

    return check


def _mcts(level: str) -> PlayerFactory:
    return partial(MctsPlayer, budget=parse_budget(level))


def _planner(level: str) -> PlayerFactory:
    if not re.fullmatch(r"[1-9]\d*", level):
        raise ValueError(f"The level {level!r} is not a number of play-outs (24).")
    return partial(PlanningPlayer, playouts=int(level))


_SHIPPED: Final[dict[str, Callable[[str], PlayerFactory]]] = {
    "random": _without_level(RandomPlayer),
    "greedy": _without_level(GreedyPlayer),
    "mcts": _mcts,
    "planner": _planner,
}
_KNOWN: Final = (
    f"Known players: {', '.join(LEVELS)}, greedy, mcts with a number of iterations (mcts:50) or milliseconds "
    "(mcts:50ms), and planner with a number of play-outs (planner:24)."
)
