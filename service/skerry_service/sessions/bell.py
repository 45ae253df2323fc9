"""What wakes those who wait for something to change, as often as it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Bell:
    """Rings for all who wait."""

    def __init__(self) -> None:
        self.rung = 0
        """How often they were woken."""
        self._waiting: list[asyncio.Future[None]] = []
        self._hearers: list[Callable[[], None]] = []

    def add(self, hearer: Callable[[], None]) -> None:
        """Call it whenever it rings. It must return at once, and not raise."""
        self._hearers.append(hearer)

    def remove(self, hearer: Callable[[], None]) -> None:
        """Call it no longer."""
        self._hearers.remove(hearer)

    async def wait(self, rung: int) -> None:
        """Return when it has rung more often than that."""
        if rung == self.rung:
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(woken)
            await woken

    def ring(self) -> None:
        """Wake everybody."""
        self.rung += 1
        waiting, self._waiting = self._waiting, []
        for woken in waiting:
            if not woken.done():  # somebody who has gone
                woken.set_result(None)
        for hearer in self._hearers:
            hearer()
