"""Runs cooperative tasks in the event loop, in short time slices between which other calls run."""

from __future__ import annotations

import asyncio
from time import perf_counter

from skerry_service.domain.cooperative import CooperativeTask, Result

_SLICE_SECONDS = 0.001
"""Short, because a call takes some ten turns of the event loop and waits for one slice in each."""


class TaskRunner:
    """Runs any number of tasks. All of them in total take one time slice in each turn of the event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, task: CooperativeTask[Result]) -> Result:
        """Run a task and return its result. Raises what the task raises."""
        while True:
            async with self._turn:  # first in, first out
                try:
                    _run_slice(task)
                except StopIteration as ended:
                    result: Result = ended.value
                    return result
                await asyncio.sleep(0)


def _run_slice(task: CooperativeTask[Result]) -> None:
    until = perf_counter() + _SLICE_SECONDS
    next(task)
    while perf_counter() < until:
        next(task)
