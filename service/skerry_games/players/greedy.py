"""The player that thinks to the end of its own turn."""

from __future__ import annotations

from typing import Any

from skerry_games.players.player import Clock
from skerry_games.players.turns import hopes
from skerry_games.rng import Rng
from skerry_games.standpoint import Standpoint


class GreedyPlayer:
    """Plays its turn so that it ends as well as it can, as the game's advice judges it. Takes no account of answers."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, position: Standpoint, clock: Clock) -> Any:
        moves = position.legal_moves
        if len(moves) == 1:
            return moves[0]
        hoped = hopes(position.game, position.sample(self._rng).state, position.seat, moves)
        best = max(hoped.values())
        return self._rng.choice([move for move in moves if hoped[move] == best])
