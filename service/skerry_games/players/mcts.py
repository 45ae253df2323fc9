"""The player that searches."""

from __future__ import annotations

import re
from math import isinf
from typing import Any, Final

from msgspec import Struct

from skerry_games.information_state import InformationState
from skerry_games.players.fast_dice import FastDice
from skerry_games.players.protocol import Clock
from skerry_games.players.search import Search
from skerry_games.players.turn_search import turn_utilities
from skerry_games.rng import Rng

_EFFORT: Final = re.compile(r"([1-9]\d*)(ms)?")


class SearchBudget(Struct, frozen=True):
    """How much a search may do for one decision. One of the two is given."""

    iterations: int | None = None
    milliseconds: int | None = None


def parse_budget(level: str) -> SearchBudget:
    """Return what ``200`` (iterations) or ``200ms`` means. Raises ValueError."""
    if not (found := _EFFORT.fullmatch(level)):
        raise ValueError(f"Say how many iterations, or how many milliseconds (200, 200ms), not {level!r}.")
    number = int(found[1])
    return SearchBudget(milliseconds=number) if found[2] else SearchBudget(iterations=number)


class MctsPlayer:
    """Tries its moves on positions that it holds possible, looks further where it pays, and makes the most tried one.

    With a number of iterations, and a clock that does not run out, equal generators bring equal choices.
    """

    def __init__(self, rng: Rng, allowed: SearchBudget) -> None:
        self._rng = rng
        self._effort = allowed

    def choose(self, position: InformationState, clock: Clock) -> Any:
        moves = position.legal_moves
        if len(moves) == 1:
            return moves[0]
        dice = FastDice(self._rng)
        hoped = turn_utilities(position.game, position.sample(dice).state, position.seat, moves)
        search, done = Search(position.game, position.seat, hoped, dice), 0
        end = self._end(clock)
        while done != self._effort.iterations and clock() > end:
            search.iterate(position.sample(dice).state)
            done += 1
        return search.best()

    def _end(self, clock: Clock) -> float:
        """Return how many seconds are left when the search has to stop. Raises ValueError."""
        if self._effort.milliseconds is None:
            return 0.0
        left = clock()
        if isinf(left):
            raise ValueError("A search of so many milliseconds needs a clock that runs.")
        return max(left - self._effort.milliseconds / 1000, 0.0)
