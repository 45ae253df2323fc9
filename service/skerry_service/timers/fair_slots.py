"""A fixed number of slots for work, which waiting tasks get in the order of a ``FairQueue``. Work is time in a slot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from skerry_service.timers.fair_queue import FairQueue

GUESS_SECONDS = 0.5
"""The time of a decision, about that of ``mcts:1000`` on a busy machine."""
MAX_DEBT_SECONDS = 10.0
"""After a decision that took longer, a share owes the others only this. It is the longest time of a decision."""


class FairSlots:
    """The slots of a process."""

    def __init__(self, slots: int, clock: Callable[[], float] = monotonic) -> None:
        """``clock``: returns the present time in seconds."""
        self._free = slots
        self._clock = clock
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(GUESS_SECONDS, MAX_DEBT_SECONDS)
        self.on_wait: Callable[[float, bool], None] = lambda seconds, preferred: None
        """Called with each wait that is over, in seconds, and whether it had precedence."""

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a slot."""
        return len(self._queue)

    @asynccontextmanager
    async def slot(self, share: int, *, preferred: bool) -> AsyncIterator[bool]:
        """Wait for a slot and hold it. Yield whether the work had to wait.

        ``preferred``: whether the work has precedence over other work.
        """
        asked = self._clock()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.add(share, turn, preferred=preferred)
        self._serve()
        waits = not turn.done()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._queue.remove(share, turn)
            else:  # its turn came just before
                self._give_back(share, 0.0)
            raise
        begun = self._clock()
        try:
            self.on_wait(begun - asked, preferred)
            yield waits
        finally:
            self._give_back(share, self._clock() - begun)

    def _give_back(self, share: int, seconds: float) -> None:
        self._free += 1
        self._queue.finish(share, seconds)
        self._serve()

    def _serve(self) -> None:
        """Give the free slots to waiting work, in the order of the queue."""
        while self._free and self._queue:
            share, turn = self._queue.take()
            if turn.cancelled():
                self._queue.finish(share, 0.0)
            else:
                self._free -= 1
                turn.set_result(None)
