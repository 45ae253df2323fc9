"""Players (bots). A player chooses a move from the information state of its seat.

``player("mcts:200")`` returns a factory of players by name. ``docs/explanation/players.md`` says how they play and how
to write one.
"""

from skerry_games.players.protocol import Clock, Player, PlayerFactory, untimed
from skerry_games.players.registry import LEVELS, UnknownPlayer, player, shipped_player

__all__ = ["LEVELS", "Clock", "Player", "PlayerFactory", "UnknownPlayer", "player", "shipped_player", "untimed"]
