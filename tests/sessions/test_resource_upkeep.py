"""The loop that looks at resources."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.sessions.resources.resource_upkeep import Pace, ResourceUpkeep


@asynccontextmanager
async def running(upkeep: ResourceUpkeep) -> AsyncGenerator[None, None]:
    task = asyncio.create_task(upkeep.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_a_look_that_is_woken_comes_before_its_pace() -> None:
    looked = asyncio.Queue[None]()

    async def look() -> Pace:
        looked.put_nowait(None)
        return Pace.EMPTY

    upkeep = ResourceUpkeep("things", look)
    async with running(upkeep):
        await looked.get()
        upkeep.wake()
        async with asyncio.timeout(Pace.EMPTY.value / 2):
            await looked.get()


@pytest.mark.parametrize("failure", [StoreUnavailable(), ValueError("damaged")])
async def test_it_looks_again_after_a_failure(failure: Exception) -> None:
    failures, looked = [failure], asyncio.Event()

    async def look() -> Pace:
        if failures:
            raise failures.pop()
        looked.set()
        return Pace.BUSY

    upkeep = ResourceUpkeep("things", look)
    async with running(upkeep):
        await asyncio.sleep(0)
        upkeep.wake()
        async with asyncio.timeout(Pace.EMPTY.value):
            await looked.wait()
