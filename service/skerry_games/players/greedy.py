"""The greedy player: looks ahead to the end of its own turn."""

from __future__ import annotations

from typing import Any

from skerry_games.information_state import InformationState
from skerry_games.players.protocol import Clock
from skerry_games.players.turn_search import turn_utilities
from skerry_games.players.utility import advice_of
from skerry_games.rng import Rng


class GreedyPlayer:
    """Plays the turn that ends best by the game's evaluation. Ignores what other seats may do after it."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, position: InformationState, clock: Clock) -> Any:
        moves = position.legal_moves
        if len(moves) == 1:
            return moves[0]
        game = position.game
        utilities = turn_utilities(game, advice_of(game), position.sample(self._rng).state, position.seat, moves)
        best = max(utilities.values())
        return self._rng.choice([move for move in moves if utilities[move] == best])
