"""Rules of island board games as values and pure functions: the front door. ``README.md`` shows the way in.

No gRPC, no protobuf (but for each game's ``codec``), no Redis, no clock, no global random.
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
