"""Runs cooperative tasks in the event loop: in tasks, between which other calls have their turn."""

from __future__ import annotations

import asyncio
from time import perf_counter

from skerry_service.domain.cooperative import CooperativeTask, Result

_SLICE_SECONDS = 0.001
"""Short, as a call takes some ten turns of the loop, and waits for one slice in each."""


class TaskRunner:
    """Does long work. However much of it there is, all of it together takes one slice of each turn of the loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, steps: CooperativeTask[Result]) -> Result:
        """Carry the steps out; return their result. Raises what they raise."""
        while True:
            async with self._turn:  # who waits longest is next
                try:
                    _go_on(steps)
                except StopIteration as ended:
                    result: Result = ended.value
                    return result
                await asyncio.sleep(0)


def _go_on(steps: CooperativeTask[Result]) -> None:
    until = perf_counter() + _SLICE_SECONDS
    next(steps)
    while perf_counter() < until:
        next(steps)
