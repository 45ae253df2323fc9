"""The clock of lifetimes, presence and deadlines: for how long the store has been served, by whomever."""

from __future__ import annotations

import time
from collections.abc import Callable

TICK_SECONDS = 1.0
"""How often each replica tells the store how old it is, at the least.

At each tick it may learn that another replica's count is ahead, by as much as has passed since that one's last tick. As
ticks come at random times, the counts of all replicas come together within a few seconds.
"""

LONGEST_MS = int(2_000 * TICK_SECONDS)
"""What counts at most of the time since the last tick. If there was none for longer, the store was not served."""


class Uptime:
    """The age of a store in ms, as one replica knows it between two ticks.

    It is counted by the monotonic clocks of the replicas, which run equally fast and do not jump: each adds what has
    passed since it last asked, and the store keeps the greatest. So it stands still while there is no replica, or no
    store, and nobody who sets a wall clock can end a session.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: in seconds."""
        self._clock = clock
        self._base = 0
        self._since = clock()
        self.known = False
        """Whether the store has told its age."""

    def now(self) -> int:
        """Return the age; too small as long as it is not ``known``."""
        if not self.known:
            return self._base
        passed = (self._clock() - self._since) * 1000
        return self._base + int(passed if passed < LONGEST_MS else LONGEST_MS)

    def learn(self, stored: int) -> None:
        """Go on from the age that the store has kept, unless this replica is ahead: time under way is not lost."""
        self._base, self._since, self.known = max(stored, self.now()), self._clock(), True
