"""The rules of island board games as a Python library: immutable values and pure functions.

``start`` returns the first ``Position`` of a game, and ``Position.play`` returns the next one::

    from random import Random
    from skerry_games import Dice, start

    rng = Dice(Random(7))
    position = start("kreta", seats=3, rng=rng)
    while position.to_act:
        seat = position.to_act[0]
        position = position.play(rng.choice(position.legal_moves(seat)), seat, rng)
    print(position.outcome)

``seen_from`` returns what one seat knows of a position, for bots that must not see hidden information.
``skerry_games.players`` has bots to play against. ``README.md`` explains more.

The library reads no clock and no files but its own data. It draws random numbers only from generators of the caller.
"""

from skerry_games.api import (
    CHANCE,
    CHANCE_ACTS,
    OVER,
    BadOptions,
    Game,
    GameError,
    IllegalMove,
    MalformedMove,
    Outcome,
    Rule,
)
from skerry_games.catalogue import all_games
from skerry_games.information_state import InformationState, seen_from
from skerry_games.position import Position, WrongActor, game_of, start
from skerry_games.rng import Dice, Rng, SeededRng
from skerry_games.sentences import fill
from skerry_games.version import __version__

__all__ = [
    "CHANCE",
    "CHANCE_ACTS",
    "OVER",
    "BadOptions",
    "Dice",
    "Game",
    "GameError",
    "IllegalMove",
    "InformationState",
    "MalformedMove",
    "Outcome",
    "Position",
    "Rng",
    "Rule",
    "SeededRng",
    "WrongActor",
    "__version__",
    "all_games",
    "fill",
    "game_of",
    "seen_from",
    "start",
]
