"""Limits on frames that cost a client nothing: pings, settings, window updates, empty and tiny DATA frames.

Each client has credit. Such a frame costs one; time, requests and frames of responses earn it back. libnghttp2 itself
limits resets, CONTINUATION frames and malformed frames.
"""

from __future__ import annotations

_CREDIT = 2_000
_PER_SECOND = 200
_PER_USEFUL_FRAME = 4
_PING_SECONDS = 10.0
"""How often a client may ping a connection on which the server sends nothing, as in gRPC."""
_MAX_STRIKES = 2
TINY = 64
"""Bytes. A smaller DATA frame that ends no request costs credit."""


class FloodGuard:
    """The credit of one connection. ``spend`` and ``ping`` return whether the client exceeded its limit."""

    __slots__ = ("_credit", "_pinged", "_strikes", "_topped_up", "_useful_at_ping", "useful")

    def __init__(self, now: float) -> None:
        """``now``: seconds of the event loop, as in all methods."""
        self.useful = 0
        """The number of requests and frames of responses so far."""
        self._credit = float(_CREDIT)
        self._topped_up = (now, 0)
        self._pinged = now - _PING_SECONDS
        self._useful_at_ping = 0
        self._strikes = 0

    def spend(self, now: float) -> bool:
        """Charge a frame that is of no use by itself."""
        self._credit -= 1
        if self._credit >= 0:
            return False
        since, useful = self._topped_up
        earned = (now - since) * _PER_SECOND + (self.useful - useful) * _PER_USEFUL_FRAME
        self._credit = min(_CREDIT, self._credit + earned)
        self._topped_up = (now, self.useful)
        return self._credit < 0

    def ping(self, now: float) -> bool:
        """Charge a ping. Too frequent are several within ten seconds without any frame of a response between them.

        Clients measure the connection by pings while they receive.
        """
        if self.useful != self._useful_at_ping:
            self._strikes = 0
        elif now - self._pinged < _PING_SECONDS:
            self._strikes += 1
        self._pinged, self._useful_at_ping = now, self.useful
        return self._strikes > _MAX_STRIKES or self.spend(now)
