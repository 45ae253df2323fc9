"""The clock of a seat: a time for each decision, and a bank beyond it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from skerry_arena.settings import Limits
from skerry_games.players import Clock

TimeSource = Callable[[], float]
"""Returns seconds, as ``time.monotonic`` does."""

SAFE_SHARE: Final = 0.9
"""The share of its time that a player's clock shows. The rest is a margin in which its move arrives."""


def player_clock(seconds: float) -> Clock:
    """Return the clock of a player with so many seconds. A player that stops when it runs out is in time."""
    end = time.monotonic() + SAFE_SHARE * seconds
    return lambda: end - time.monotonic()


class SeatClock:
    """The time of one seat in one game."""

    def __init__(self, limits: Limits, watch: TimeSource = time.monotonic) -> None:
        self._own = limits.move_seconds
        self._bank = limits.bank_seconds
        self._watch = watch
        self.seconds = 0.0
        """The time used so far."""

    def timed(self, choose: Callable[[float], int]) -> int:
        """Return the choice. Time beyond that of a decision comes out of the bank."""
        started = self._watch()
        try:
            return choose(self._own + self._bank)
        finally:
            used = self._watch() - started
            self.seconds += used
            self._bank = max(0.0, self._bank - max(0.0, used - self._own))
