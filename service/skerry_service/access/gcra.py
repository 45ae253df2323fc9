"""GCRA, the generic cell rate algorithm: one number a limit, the time at which the whole allowance is free again.

A call moves that time on by one step. A call that would move it further ahead of now than all steps of the rate is
rejected; the difference is the caller's exact wait. ``store/quota.lua`` implements the same in Redis.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from skerry_service.access.quotas import Rate

_MAX_KEYS = 1 << 16
"""Counters kept in this process. Above it, the least recently used are forgotten."""


class RateExceeded(Struct, frozen=True):
    """A rate that a call exceeds."""

    index: int
    """The index of the rate among those of the call. If a call exceeds several, the one with the longest wait."""
    wait_us: int
    """Microseconds until the rate has room, if no other call takes it."""


class Taken(Struct, frozen=True):
    """What happened to a call that was counted."""

    exceeded: RateExceeded | None
    """The rate that rejects the call; ``None``: the call counts."""
    used_us: Sequence[int]
    """For each rate of the call: microseconds until its whole allowance is free again."""


class SharedCounters(Protocol):
    """Counters that all replicas share."""

    async def take(self, kind: str, rates: Sequence[tuple[str, Rate]]) -> Taken:
        """Count one call against all rates, each under its key, or against none if it exceeds one of them.

        ``kind``: counters of one kind are kept in one place. Raises StoreUnavailable.
        """


class LocalCounters:
    """Counters of this process. ``now_us``: a monotonic clock, in microseconds."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._ends: OrderedDict[str, int] = OrderedDict()

    def take(self, rates: Sequence[tuple[str, Rate]]) -> Taken:
        """Count one call, as ``SharedCounters.take`` does."""
        now = self._now_us()
        ends, exceeded = list[int](), None
        for index, (key, rate) in enumerate(rates):
            step = rate.step_us
            end = max(self._ends.get(key, now), now) + step
            wait = end - step * rate.count - now
            if wait > 0 and (exceeded is None or wait > exceeded.wait_us):
                exceeded = RateExceeded(index, wait)
            ends.append(end)
        if exceeded is not None:
            return Taken(exceeded, [end - rate.step_us - now for (_, rate), end in zip(rates, ends, strict=True)])
        for (key, _), end in zip(rates, ends, strict=True):
            self._ends[key] = end
            self._ends.move_to_end(key)
        while len(self._ends) > _MAX_KEYS:
            self._ends.popitem(last=False)
        return Taken(None, [end - now for end in ends])
