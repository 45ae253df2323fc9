"""The background task that advances the store's uptime, reads the server's settings and checks the wall clock."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.uptime import TICK_SECONDS

_log = logging.getLogger(__name__)

_TICKS = 5
"""Ticks from one reading of the server's settings to the next."""
_ANNOUNCED_EVERY = 2
"""Ticks from one announcement of this replica to the next. It counts as live for more than twice as long."""
_FAREWELL_SECONDS = 1.0
"""How long a replica that stops waits for the store. Without an announcement, it counts as live for a while."""
_TOLERANCE_MS = 60_000
"""Smaller errors of the wall clock are not reported."""
_LONG_PAUSE_MS = 86_400_000


class Housekeeper:
    """Advances the uptime, and reads the server's settings again.

    It warns if the wall clock of this machine jumps or is wrong, which affects no session.
    """

    def __init__(
        self, store: RedisStore, clock_ms: Callable[[], int], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """``clock_ms``: the wall clock, in ms since 1970. ``monotonic``: a monotonic clock in seconds."""
        self._store = store
        self._clock_ms = clock_ms
        self._monotonic = monotonic
        self._ahead: float | None = None
        """How far the wall clock was ahead of the monotonic clock at the last tick, in ms."""

    async def run(self) -> None:
        """Do so for as long as the process runs."""
        for ticks in itertools.count(1):
            await asyncio.sleep(TICK_SECONDS * random.uniform(0.85, 1.0))
            await self._attempt(partial(self.tick, announces=ticks % _ANNOUNCED_EVERY == 0))
            if ticks % _TICKS == 0:
                await self._attempt(self._store.identify)

    async def begin(self) -> None:
        """Make the first tick, before ``run``. Health then knows whether the store accepts writes."""
        await self._attempt(self.tick)
        await self._attempt(self._store.identify)

    async def end(self) -> None:
        """Announce that the replica has stopped, unless the store does not answer soon."""
        with suppress(StoreUnavailable, StoreFull, TimeoutError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await self._store.leave()

    async def _attempt(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except (StoreUnavailable, StoreFull) as error:
            _log.debug("housekeeping of the store failed: %s", error)
        except Exception:
            _log.exception("housekeeping of the store failed; trying again")

    async def tick(self, *, announces: bool = True) -> None:
        """Advance the store's uptime once, and check the wall clock. ``announces``: see ``RedisStore.tick``."""
        now_ms = self._clock_ms()
        latest_ms = await self._store.tick(now_ms, announces=announces)
        ahead, before = now_ms - self._monotonic() * 1000, self._ahead
        self._ahead = ahead
        if before is None:
            if latest_ms is not None:
                _compare(now_ms, latest_ms)
        elif abs(ahead - before) > _TOLERANCE_MS:
            way = "forward" if ahead > before else "back"
            _log.warning("the clock of this machine jumped %s by %s; %s", way, _duration(ahead - before), _HARMLESS)


_HARMLESS = "no session expires because of it, and times in logs never decrease"


def _compare(now_ms: int, latest_ms: int) -> None:
    """Warn if the wall clock is behind the latest time in the store, or far ahead of it."""
    behind, passed = _duration(latest_ms - now_ms), _duration(now_ms - latest_ms)
    if latest_ms - now_ms > _TOLERANCE_MS:
        _log.warning("the clock of this machine is %s behind the latest time in the store; %s", behind, _HARMLESS)
    elif now_ms - latest_ms > _LONG_PAUSE_MS:
        _log.warning("no replica ran for %s, or the clock of this machine is wrong; %s", passed, _HARMLESS)


def _duration(ms: float) -> str:
    seconds = round(abs(ms) / 1000)
    return f"{seconds // 86_400} d {seconds % 86_400 // 3600} h {seconds % 3600 // 60} min {seconds % 60} s"
