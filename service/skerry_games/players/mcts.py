"""The player that searches: Monte Carlo tree search with a budget for each decision."""

from __future__ import annotations

import re
from math import isinf
from typing import Any, Final

from msgspec import Struct

from skerry_games.information_state import InformationState
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.protocol import Clock
from skerry_games.players.search import RankedMove, Search
from skerry_games.players.turn_search import turn_utilities
from skerry_games.players.utility import advice_of
from skerry_games.rng import Rng

_BUDGET: Final = re.compile(r"([1-9]\d*)(ms)?")


class SearchBudget(Struct, frozen=True):
    """The limit of a search for one decision. Exactly one of the two is set."""

    iterations: int | None = None
    milliseconds: int | None = None


def parse_budget(level: str) -> SearchBudget:
    """Parse ``200`` (iterations) or ``200ms`` (milliseconds). Raises ValueError."""
    if not (match := _BUDGET.fullmatch(level)):
        raise ValueError(f"The level {level!r} is neither a number of iterations (200) nor of milliseconds (200ms).")
    number = int(match[1])
    return SearchBudget(milliseconds=number) if match[2] else SearchBudget(iterations=number)


class MctsPlayer:
    """Simulates games from sampled positions and makes the move that the simulations tried most.

    With a budget of iterations, and a clock that does not run out, equal generators give equal choices.
    """

    def __init__(self, rng: Rng, budget: SearchBudget) -> None:
        self._rng = rng
        self._budget = budget

    def choose(self, position: InformationState, clock: Clock) -> Any:
        moves = position.legal_moves
        return moves[0] if len(moves) == 1 else self._search(position, clock).best()

    def rank(self, position: InformationState, clock: Clock) -> list[RankedMove]:
        """Return the legal moves, the best first: the move of ``choose``, then those that were tried less."""
        return self._search(position, clock).ranked()

    def _search(self, position: InformationState, clock: Clock) -> Search:
        game, seat, dice = position.game, position.seat, FastDice(self._rng)
        advice = advice_of(game)
        priors = turn_utilities(game, advice, position.sample(dice).state, seat, position.legal_moves)
        search, done = Search(game, advice, seat, priors, dice), 0
        end = self._end(clock)
        while done != self._budget.iterations and clock() > end:
            search.iterate(position.sample(dice).state)
            done += 1
        return search

    def _end(self, clock: Clock) -> float:
        """Return the reading of the clock, in seconds, at which the search stops. Raises ValueError."""
        if self._budget.milliseconds is None:
            return 0.0
        left = clock()
        if isinf(left):
            raise ValueError("A budget of milliseconds needs a clock that runs: the clock of the decision is untimed.")
        return max(left - self._budget.milliseconds / 1000, 0.0)
