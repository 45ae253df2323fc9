"""How late the event loop is, and since when the bytes that it reads can have waited.

A process that is busy, stopped or short of memory reads requests late, and an ordinary timer of a call begins only
then. The clock here ticks four times a second, so it knows since when the loop has been late.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import ContextVar
from time import perf_counter_ns

TICK_SECONDS = 0.25
STALL_SECONDS = 1.0
"""A loop that stood still for longer is logged."""
_TOLERANCE_NS = 5_000_000
"""Timers of the event loop have a resolution of a millisecond."""
_TURNS = 3
"""Turns of the event loop in which everything is read that arrived during a stall."""
_arrived_ns: ContextVar[int] = ContextVar("arrived_ns", default=0)
_log = logging.getLogger(__name__)


class EventLoopClock:
    """Knows how late the event loop of this process is. Times are those of ``perf_counter_ns``."""

    def __init__(self, clock_ns: Callable[[], int] = perf_counter_ns) -> None:
        self._clock_ns = clock_ns
        self._due_ns = 0
        """When the next tick is due; 0: the clock does not tick."""
        self._late_since_ns = 0
        """When the loop stopped turning, while it reads what has arrived meanwhile; 0 otherwise."""

    def readable_since_ns(self) -> int:
        """Return since when bytes can have waited that are read now: the present, unless the loop is late."""
        now = self._clock_ns()
        if self._late_since_ns:
            return self._late_since_ns
        return self._due_ns if 0 < self._due_ns < now - _TOLERANCE_NS else now

    def note_arrival(self) -> None:
        """Let the call that starts in this context, or in a task that starts here, begin when its bytes arrived."""
        _arrived_ns.set(self.readable_since_ns())

    def start(self, on_lag: Callable[[float], None]) -> Callable[[], None]:
        """Tick until the returned function is called. ``on_lag`` receives how late each tick is, in seconds."""
        loop = asyncio.get_running_loop()
        due_ns, timer = 0, None

        def tick() -> None:
            lag_ns = max(0, self._clock_ns() - due_ns)
            on_lag(lag_ns / 1e9)
            if lag_ns > _TOLERANCE_NS:
                self._late_since_ns = due_ns
                loop.call_soon(self._turned, loop, _TURNS)
            if lag_ns > STALL_SECONDS * 1e9:
                _log.warning("the event loop stood still for %.1f s, and calls waited for it", lag_ns / 1e9)
            schedule()

        def schedule() -> None:
            nonlocal due_ns, timer
            self._due_ns = due_ns = self._clock_ns() + int(TICK_SECONDS * 1e9)
            timer = loop.call_later(TICK_SECONDS, tick)

        def stop() -> None:
            self._due_ns = self._late_since_ns = 0
            if timer is not None:
                timer.cancel()

        schedule()
        return stop

    def _turned(self, loop: asyncio.AbstractEventLoop, turns: int) -> None:
        if turns:
            loop.call_soon(self._turned, loop, turns - 1)
        else:
            self._late_since_ns = 0


def take_arrival_ns(now_ns: int) -> int:
    """Return when the bytes of the call arrived that starts in this context. Later calls here begin at once."""
    arrived_ns = _arrived_ns.get()
    if not arrived_ns:
        return now_ns
    _arrived_ns.set(0)
    return arrived_ns


EVENT_LOOP = EventLoopClock()
"""The clock of this process, which has one event loop."""
