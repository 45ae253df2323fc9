"""The random player."""

from __future__ import annotations

from typing import Any

from skerry_games.information_state import InformationState
from skerry_games.players.protocol import Clock
from skerry_games.rng import Rng


class RandomPlayer:
    """Makes a uniformly random legal move."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, position: InformationState, clock: Clock) -> Any:
        return self._rng.choice(position.legal_moves)
