"""A fixed number of slots for work, which waiting tasks get in the order of a ``FairQueue``. Work is time in a slot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from skerry_service.timers.fair_queue import OTHERS_EVERY, FairQueue

GUESS_SECONDS = 0.5
"""The time of a decision, about that of the level ``expert`` on a busy machine."""
MAX_DEBT_SECONDS = 10.0
"""After a decision that took longer, a share owes the others only this. It is the longest time of a decision."""
_SPARE_EVERY = 2
"""Of so many slots, one is for spare work if other work without precedence waits, too."""


_Queue = FairQueue[asyncio.Future[None]]


class FairSlots:
    """The slots of a process."""

    def __init__(self, slots: int, clock: Callable[[], float] = monotonic) -> None:
        """``clock``: returns the present time in seconds."""
        self._free = slots
        self._clock = clock
        self._queue = _Queue(GUESS_SECONDS, MAX_DEBT_SECONDS)
        self._spare = _Queue(GUESS_SECONDS, MAX_DEBT_SECONDS)
        """Work that lets the other queue go first, but not for ever."""
        self._passed_over = 0
        """How often the other queue has gone first since spare work began to wait, or last got a slot."""
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
        async with self._held(self._queue, share, preferred=preferred) as waited:
            self.on_wait(self._clock() - asked, preferred)
            yield waited

    @asynccontextmanager
    async def spare_slot(self, share: int) -> AsyncIterator[None]:
        """Wait for a slot and hold it. Hold it briefly, as it can delay preferred work.

        Spare work takes turns with work without precedence. While preferred work waits, it gets one slot in
        ``OTHERS_EVERY``, so no caller can keep it waiting for ever.
        """
        async with self._held(self._spare, share, preferred=False):
            yield

    @asynccontextmanager
    async def _held(self, queue: _Queue, share: int, *, preferred: bool) -> AsyncIterator[bool]:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.add(share, turn, preferred=preferred)
        self._serve()
        waits = not turn.done()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                queue.remove(share, turn)
            else:  # its turn came just before
                self._give_back(queue, share, 0.0)
            raise
        begun = self._clock()
        try:
            yield waits
        finally:
            self._give_back(queue, share, self._clock() - begun)

    def _give_back(self, queue: _Queue, share: int, seconds: float) -> None:
        self._free += 1
        queue.finish(share, seconds)
        self._serve()

    def _serve(self) -> None:
        """Give the free slots to waiting work, in the order of the queues."""
        while self._free and (queue := self._next_queue()):
            share, turn = queue.take()
            if turn.cancelled():
                queue.finish(share, 0.0)
            else:
                self._free -= 1
                turn.set_result(None)

    def _next_queue(self) -> _Queue:
        """Return the queue that gets the next slot; an empty one if no work waits."""
        if not self._queue or not self._spare:
            self._passed_over = 0
            return self._queue or self._spare
        self._passed_over += 1
        if self._passed_over < (OTHERS_EVERY if self._queue.has_preferred else _SPARE_EVERY):
            return self._queue
        self._passed_over = 0
        return self._spare
