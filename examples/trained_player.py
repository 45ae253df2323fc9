"""Plays the most likely moves of the network beside this file, which `skerry train` has made."""

from pathlib import Path
from typing import Any

from skerry_arena.learning.encoding.move_selection import MoveSelection
from skerry_arena.learning.ppo.trained_network import TrainedNetwork


class TrainedPlayer:
    """A player for one game and number of seats."""

    def __init__(self, rng: Any) -> None:
        self.network = TrainedNetwork.load(Path(__file__).with_name("network.npz"))

    def choose(self, position: Any, clock: Any) -> Any:
        """Return one of the legal moves, selected action by action."""
        taken: MoveSelection | int = self.network.encoding.selection(position.legal_moves)
        while isinstance(taken, MoveSelection):
            scores = self.network.scores(position.seat, taken.prefix, position.view)
            taken = taken.take(max(taken.possible, key=lambda action: float(scores[action])))
        return position.legal_moves[taken]
