"""The loop that looks at all resources of a kind for ever: soon again while there is work, otherwise now and then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum

from skerry_service.domain.errors import SkerryError

_log = logging.getLogger(__name__)


class Pace(Enum):
    """How soon the next look is due. The value is in seconds. ``ResourceUpkeep.wake`` makes it due at once."""

    BUSY = 0.4
    """Resources have work."""
    IDLE = 3.0
    """Resources exist, and other replicas can give them work."""
    EMPTY = 10.0
    """No resource exists. The looks of idle replicas are nearly all that they ask of a store."""


class ResourceUpkeep:
    """Looks at resources again and again, after failures too."""

    def __init__(self, what: str, look: Callable[[], Awaitable[Pace]]) -> None:
        """``what``: the resources, for the log."""
        self._what = what
        self._look = look
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Look at once, or soon after the last look."""
        self._wake.set()

    async def run(self) -> None:
        """Look for ever."""
        while True:
            self._wake.clear()
            pace = Pace.IDLE
            try:
                pace = await self._look()
            except SkerryError as error:
                _log.debug("cannot look at the %s: %s", self._what, error)
            except Exception:  # all resources of the kind depend on the next look
                _log.exception("a look at the %s has failed; trying again", self._what)
            with suppress(TimeoutError):
                async with asyncio.timeout(pace.value):
                    await self._wake.wait()
                await asyncio.sleep(Pace.BUSY.value / 4)
