"""The progress of a tournament as lines on a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable

from skerry_arena.live.live_page import line
from skerry_arena.live.tournament_watch import TimeSource, TournamentWatch


class ProgressLines:
    """Writes a line when games have finished, at most so often."""

    def __init__(self, seconds: float, write: Callable[[str], None], clock: TimeSource = time.monotonic) -> None:
        """``seconds``: the least time between two lines, and before the first one."""
        self._seconds = seconds
        self._write = write
        self._clock = clock
        self._last = clock()
        self._finished: int | None = None

    def __call__(self, watch: TournamentWatch) -> None:
        """Write a line if it is time."""
        before, self._finished = self._finished, watch.finished
        if before is not None and watch.finished > before and self._clock() - self._last >= self._seconds:
            self._last = self._clock()
            self._write(line(watch.snapshot()))
