"""Players choose moves from what their seat may know. See ``docs/explanation/players.md``."""

from skerry_games.players.named import LEVELS, UnknownPlayer, player, shipped_player
from skerry_games.players.player import Clock, MakePlayer, Player, untimed

__all__ = ["LEVELS", "Clock", "MakePlayer", "Player", "UnknownPlayer", "player", "shipped_player", "untimed"]
