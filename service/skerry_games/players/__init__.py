"""Players choose moves from what their seat may know. See ``docs/explanation/players.md``."""

from skerry_games.players.protocol import Clock, Player, PlayerFactory, untimed
from skerry_games.players.registry import LEVELS, UnknownPlayer, player, shipped_player

__all__ = ["LEVELS", "Clock", "Player", "PlayerFactory", "UnknownPlayer", "player", "shipped_player", "untimed"]
