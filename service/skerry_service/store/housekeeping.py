"""What a replica does for its store beside the calls: it counts its age, and ends the sessions whose time is over."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.uptime import TICK_SECONDS

_log = logging.getLogger(__name__)

_SLICE = 100
"""Sessions looked at in one go: a few milliseconds of the event loop, and of the store."""
_PAUSE_SECONDS = 0.1
"""Between two tasks, as long as there is more to do."""
_STEP_MS = 60_000
"""A clock that goes wrong by less is not worth a word."""
_ABSENCE_MS = 86_400_000


class Housekeeper:
    """Ticks, sweeps, and looks what the server is; says when the wall clock does not do what clocks do.

    Nothing ends because of that."""

    def __init__(
        self, store: RedisStore, clock_ms: Callable[[], int], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """``clock_ms``: the wall clock. ``monotonic``: a clock that nobody sets, in seconds."""
        self._store = store
        self._clock_ms = clock_ms
        self._monotonic = monotonic
        self._ahead: float | None = None
        """How far the wall clock was ahead of the other one when they were last compared, in ms."""

    async def run(self) -> None:
        """Keep the store for good."""
        while True:
            try:
                await self._store.identify()
                await self.tick()
                await self._sweep()
            except (StoreUnavailable, StoreFull) as error:
                _log.debug("the store was not kept: %s", error)
            except Exception:
                _log.exception("the store was not kept; trying again")
            await asyncio.sleep(TICK_SECONDS * random.uniform(0.5, 1.0))

    async def _sweep(self) -> None:
        looked_at = _SLICE
        while looked_at == _SLICE:
            looked_at = await self._store.expire_sessions(_SLICE)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def tick(self) -> None:
        """Count the store's age once, and look at the wall clock."""
        now_ms = self._clock_ms()
        latest_ms = await self._store.tick(now_ms)
        ahead, before = now_ms - self._monotonic() * 1000, self._ahead
        self._ahead = ahead
        if before is None:
            if latest_ms is not None:
                _compare(now_ms, latest_ms)
        elif abs(ahead - before) > _STEP_MS:
            way = "forwards" if ahead > before else "back"
            _log.warning("the clock of this machine went %s by %s; %s", way, _duration(ahead - before), _HARMLESS)


_HARMLESS = "no session ends by that, and no time in a log lies before the one above it"


def _compare(now_ms: int, latest_ms: int) -> None:
    """Say if the clock stands where it cannot be, or where it may not be, seen from the latest time in the store."""
    behind, passed = _duration(latest_ms - now_ms), _duration(now_ms - latest_ms)
    if latest_ms - now_ms > _STEP_MS:
        _log.warning("the clock of this machine is %s behind the latest time in the store; %s", behind, _HARMLESS)
    elif now_ms - latest_ms > _ABSENCE_MS:
        _log.warning("nobody served the store for %s, or the clock of this machine is wrong; %s", passed, _HARMLESS)


def _duration(ms: float) -> str:
    seconds = round(abs(ms) / 1000)
    return f"{seconds // 86_400} d {seconds % 86_400 // 3600} h {seconds % 3600 // 60} min {seconds % 60} s"
