"""Long work in slices, between which everybody else has a turn of the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import TypeVar

Result = TypeVar("Result")
Steps = Generator[None, None, Result]
"""Work that can be interrupted wherever it yields. What it returns is its result."""
_SLICE_SECONDS = 0.001
"""Short, as a call takes some ten turns of the loop, and waits for one slice in each."""


class Slices:
    """Does long work. However much of it there is, all of it together takes one slice of each turn of the loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, steps: Steps[Result]) -> Result:
        """Carry the steps out; return their result. Raises what they raise."""
        while True:
            async with self._turn:  # who waits longest is next
                try:
                    _go_on(steps)
                except StopIteration as ended:
                    result: Result = ended.value
                    return result
                await asyncio.sleep(0)


def _go_on(steps: Steps[Result]) -> None:
    until = perf_counter() + _SLICE_SECONDS
    next(steps)
    while perf_counter() < until:
        next(steps)


def at_once(steps: Steps[Result]) -> Result:
    """Carry the steps out without a break; return their result."""
    while True:
        try:
            next(steps)
        except StopIteration as ended:
            result: Result = ended.value
            return result
