"""Wakes the tasks that wait for a value to change, any number of times."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Notifier:
    """Notifies waiting tasks and registered listeners."""

    def __init__(self) -> None:
        self.generation = 0
        """The number of notifications so far."""
        self._loop = asyncio.get_running_loop()  # once: looking it up costs a system call
        self._waiting: list[asyncio.Future[None]] = []
        self._listeners: list[Callable[[], None]] = []

    def add_listener(self, listener: Callable[[], None]) -> None:
        """Call ``listener`` at each notification. It must return at once and must not raise."""
        self._listeners.append(listener)

    def remove_listener(self, listener: Callable[[], None]) -> None:
        """Stop calling ``listener``."""
        self._listeners.remove(listener)

    def wait(self, generation: int) -> asyncio.Future[None]:
        """Return a future that is done once ``self.generation`` differs from ``generation``."""
        woken: asyncio.Future[None] = self._loop.create_future()
        if generation == self.generation:
            self._waiting.append(woken)
        else:
            woken.set_result(None)
        return woken

    def notify(self) -> None:
        """Wake all waiting tasks and call all listeners."""
        self.generation += 1
        waiting, self._waiting = self._waiting, []
        for woken in waiting:
            if not woken.done():  # the waiting task was cancelled
                woken.set_result(None)
        for listener in self._listeners:
            listener()
