"""What wakes those who wait for something to change, as often as it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Notifier:
    """Rings for all who wait."""

    def __init__(self) -> None:
        self.rung = 0
        """How often they were woken."""
        self._loop = asyncio.get_running_loop()  # once: to ask for it takes a call of the system
        self._waiting: list[asyncio.Future[None]] = []
        self._hearers: list[Callable[[], None]] = []

    def add(self, hearer: Callable[[], None]) -> None:
        """Call it whenever it rings. It must return at once, and not raise."""
        self._hearers.append(hearer)

    def remove(self, hearer: Callable[[], None]) -> None:
        """Call it no longer."""
        self._hearers.remove(hearer)

    def wait(self, rung: int) -> asyncio.Future[None]:
        """Return what is done once it has rung more often than that."""
        woken: asyncio.Future[None] = self._loop.create_future()
        if rung == self.rung:
            self._waiting.append(woken)
        else:
            woken.set_result(None)
        return woken

    def ring(self) -> None:
        """Wake everybody."""
        self.rung += 1
        waiting, self._waiting = self._waiting, []
        for woken in waiting:
            if not woken.done():  # somebody who has gone
                woken.set_result(None)
        for hearer in self._hearers:
            hearer()
