"""Players: what a seat may know in, a move out. ``docs/players.md`` tells how strong they are, and how to write one."""

from skerry_games.players.named import LEVELS, UnknownPlayer, player, shipped_player
from skerry_games.players.player import Clock, MakePlayer, Player, untimed

__all__ = ["LEVELS", "Clock", "MakePlayer", "Player", "UnknownPlayer", "player", "shipped_player", "untimed"]
