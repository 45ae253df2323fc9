"""Says that the store does not answer: in one line, then in one a minute, and in one when it is back."""

from __future__ import annotations

import logging
from collections.abc import Callable

_TOLD_EVERY_SECONDS = 60.0
_log = logging.getLogger(__name__)


class StoreOutageLog:
    """Is told what came of each look at the store."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock``: in seconds, and never set."""
        self._clock = clock
        self._since: float | None = None
        self._told_at = 0.0

    def report(self, why_not: str | None) -> None:
        """Note whether the store answered; ``why_not``: the words of the error if it did not."""
        now = self._clock()
        if why_not is None:
            if self._since is not None:
                _log.warning("the store answers again, after %.0f s", now - self._since)
            self._since = None
        elif self._since is None or now - self._told_at >= _TOLD_EVERY_SECONDS:
            self._since = now if self._since is None else self._since
            self._told_at = now
            away = f" for {now - self._since:.0f} s" if now > self._since else ""
            _log.error("the store does not answer%s, and calls are refused until it does: %s", away, why_not)
