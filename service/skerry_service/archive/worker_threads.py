"""Worker threads for calls that may hang. A caller can stop waiting, and no thread keeps the process alive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


class WorkerThreads:
    """Runs up to ``most`` pieces of work at once. A thread that hangs occupies its slot until it ends."""

    def __init__(self, most: int) -> None:
        self._slots = asyncio.Semaphore(most)

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work in a thread. Return its result or raise its error. Cancelling the call does not stop the work."""
        await self._slots.acquire()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result] = loop.create_future()

        def finish(settle: Callable[[], None]) -> None:
            self._slots.release()
            if not done.cancelled():
                settle()

        def run_work() -> None:
            try:
                settle = partial(done.set_result, work())
            except Exception as error:
                settle = partial(done.set_exception, error)
            with suppress(RuntimeError):  # the event loop has ended, and with it every caller
                loop.call_soon_threadsafe(finish, settle)

        Thread(target=run_work, daemon=True).start()
        return await done
