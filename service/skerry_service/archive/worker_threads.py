"""Threads for what may hang: each is waited for as long as its caller likes, and none keeps the process alive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class Threads:
    """Runs work in threads, so many at once; more waits. A thread that hangs holds its place until it ends."""

    def __init__(self, most: int) -> None:
        self._places = asyncio.Semaphore(most)

    async def run(self, work: Callable[[], Result]) -> Result:
        """Return what the work returns; raises what it raises. Who does not wait any more does not stop it."""
        await self._places.acquire()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result] = loop.create_future()

        def finish(settle: Callable[[], None]) -> None:
            self._places.release()
            if not done.cancelled():
                settle()

        def work_on() -> None:
            try:
                settle = partial(done.set_result, work())
            except Exception as error:
                settle = partial(done.set_exception, error)
            with suppress(RuntimeError):  # the loop has ended since, and with it everybody who would wait
                loop.call_soon_threadsafe(finish, settle)

        Thread(target=work_on, daemon=True).start()
        return await done
