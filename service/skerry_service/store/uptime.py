"""The store clock: the store's accumulated uptime. Lifetimes, presence and deadlines are measured by it."""

from __future__ import annotations

import time
from collections.abc import Callable

TICK_SECONDS = 2.0
"""The longest time between two ticks of a replica.

At a tick, a replica learns the uptime that other replicas have stored, which can be ahead of its own count. Ticks come
at random times, so the counts of all replicas agree within a few seconds.
"""

LONGEST_MS = int(2_000 * TICK_SECONDS)
"""The most that counts of the time since the last tick. After a longer pause, the store was not in use."""


class Uptime:
    """The store's uptime in ms, as one replica counts it between two ticks.

    Each replica counts by its monotonic clock, and the store keeps the greatest count. So the uptime stands still
    while no replica runs or the store is unavailable, and no change of a wall clock can end a session.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: a monotonic clock in seconds."""
        self._clock = clock
        self._base = 0
        self._since = clock()
        self.known = False
        """Whether the uptime has been read from the store."""

    def now(self) -> int:
        """Return the uptime in ms; too small until it is ``known``."""
        if not self.known:
            return self._base
        passed = (self._clock() - self._since) * 1000
        return self._base + int(passed if passed < LONGEST_MS else LONGEST_MS)

    def learn(self, stored: int) -> None:
        """Continue from the uptime that the store has kept, or from the own count if that is ahead."""
        self._base, self._since, self.known = max(stored, self.now()), self._clock(), True
