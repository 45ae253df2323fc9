"""The interface of players."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Protocol

from skerry_games.information_state import InformationState
from skerry_games.rng import Rng

Clock = Callable[[], float]
"""Returns the seconds that are left for the decision. The caller provides it: this library reads no clock."""


def untimed() -> float:
    """Return infinity: the clock of a game without a time limit."""
    return inf


class Player(Protocol):
    """Decides for a seat, one call for each decision. Draws random numbers only from the generator it was made with."""

    def choose(self, position: InformationState, clock: Clock) -> Any:
        """Return one of ``position.legal_moves``."""


PlayerFactory = Callable[[Rng], Player]
"""Makes a player that uses this generator. Equal generators give equal choices."""
