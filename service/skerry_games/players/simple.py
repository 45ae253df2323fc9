"""The player without a plan."""

from __future__ import annotations

from typing import Any

from skerry_games.players.player import Clock
from skerry_games.rng import Rng
from skerry_games.standpoint import Standpoint


class RandomPlayer:
    """Makes any legal move, each equally likely."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, position: Standpoint, clock: Clock) -> Any:
        return self._rng.choice(position.legal_moves)
