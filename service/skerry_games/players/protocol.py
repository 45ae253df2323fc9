"""What a player is: something that chooses a move out of what its seat may know."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Protocol

from skerry_games.information_state import InformationState
from skerry_games.rng import Rng

Clock = Callable[[], float]
"""How many seconds are left for this decision. The rules read no clock: whoever asks for a move brings one."""


def untimed() -> float:
    """Return that there is no end of time: the clock of a game without one."""
    return inf


class Player(Protocol):
    """Decides for a seat. Asked again at each decision; what it draws comes from the generator it was made with."""

    def choose(self, position: InformationState, clock: Clock) -> Any:
        """Return one of ``position.legal_moves``."""


PlayerFactory = Callable[[Rng], Player]
"""Makes a player that draws from that generator, and from nothing else: an equal one chooses the same again."""
