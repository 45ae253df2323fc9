"""The number of calls that this process answers per second, for operators."""

from __future__ import annotations

import time
from collections.abc import Callable

from skerry_service.telemetry.call_observers import Call, ReadAddress

_OPERATORS = "skerry.admin."


class CallRate:
    """A ``CallObserver`` that counts players' calls and the acts in their streams."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock``: a monotonic clock in seconds."""
        self._clock = clock
        self._count = 0
        self._since = clock()

    def take(self) -> float:
        """Return the calls and acts per second since ``take`` was called before."""
        now = self._clock()
        rate = self._count / max(0.001, now - self._since)
        self._count, self._since = 0, now
        return rate

    def started(self, call: Call) -> None:
        """Count a call."""
        if not call.service.startswith(_OPERATORS):
            self._count += 1

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Do nothing: the call is counted."""

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Count a request that never became a call."""
        self._count += 1

    def refused_in_stream(self, reason: str) -> None:
        """Do nothing: the message is counted as an act."""

    def acted_in_stream(self, seconds: float) -> None:
        """Count an act."""
        self._count += 1
