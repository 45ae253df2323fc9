"""GCRA, the generic cell rate algorithm: a limit as one number, the time by which all that was taken has come back.

A call moves the number on by one step. It is refused where that would take it further ahead of now than all steps of
the rate together; by how much is exactly how long the caller must wait. ``store/quota.lua`` does the same in Redis.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from skerry_service.access.quotas import Rate

_MOST_KEYS = 1 << 16
"""Numbers kept in this process. Of more, those that were not used for longest are forgotten."""


class Reached(Struct, frozen=True):
    """A rate that has no room."""

    which: int
    """Which of those asked for; of several the one that takes longest."""
    wait_us: int
    """Microseconds after which there is room, if nobody else takes it."""


class Counters(Protocol):
    """Numbers that all replicas share."""

    async def take(self, kind: str, wanted: Sequence[tuple[str, Rate]]) -> Reached | None:
        """Count one call against all rates, each under its key, or against none if one has no room.

        ``kind``: keys of one kind are counted at one place. Raises StoreUnavailable.
        """


class LocalCounters:
    """Numbers of this process alone. ``now_us``: a clock that never runs backwards, in microseconds."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._ends: OrderedDict[str, int] = OrderedDict()

    def take(self, wanted: Sequence[tuple[str, Rate]]) -> Reached | None:
        """Count one call, as ``Counters.take`` does."""
        now = self._now_us()
        ends, reached = [], None
        for which, (key, rate) in enumerate(wanted):
            step = rate.step_us
            end = max(self._ends.get(key, now), now) + step
            wait = end - step * rate.count - now
            if wait > 0 and (reached is None or wait > reached.wait_us):
                reached = Reached(which, wait)
            ends.append(end)
        if reached is None:
            for (key, _), end in zip(wanted, ends, strict=True):
                self._ends[key] = end
                self._ends.move_to_end(key)
            while len(self._ends) > _MOST_KEYS:
                self._ends.popitem(last=False)
        return reached
