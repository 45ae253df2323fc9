"""Log lines about a store that accepts no writes: one at first, one a minute while that lasts, and one at the end."""

from __future__ import annotations

import logging
from collections.abc import Callable

_REPEAT_SECONDS = 60.0
_log = logging.getLogger(__name__)


class StoreOutageLog:
    """Logs outages, from the results of the writes to the store."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock``: monotonic, in seconds."""
        self._clock = clock
        self._since: float | None = None
        self._logged_at = 0.0

    def report(self, error: str | None) -> None:
        """Record how writes go. ``error``: why the store accepts none; ``None``: it accepts them."""
        now = self._clock()
        if error is None:
            if self._since is not None:
                _log.warning("the store accepts writes again, after %.0f s", now - self._since)
            self._since = None
        elif self._since is None or now - self._logged_at >= _REPEAT_SECONDS:
            self._since = now if self._since is None else self._since
            self._logged_at = now
            duration = f" for {now - self._since:.0f} s" if now > self._since else ""
            _log.error("the store accepts no writes%s, and changes fail until it does. %s", duration, error)
