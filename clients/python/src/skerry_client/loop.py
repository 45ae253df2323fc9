"""An event loop in a thread of its own, with which callers without an event loop use the asyncio client."""

from __future__ import annotations

import asyncio
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Coroutine, Generator
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from threading import RLock, Thread, current_thread
from typing import Any, TypeVar

T = TypeVar("T")

FORKED = (
    "start processes by 'spawn' or 'forkserver' (multiprocessing.get_context) and make a client in each,"
    " or close clients before the fork"
)
"""Advice at the end of error messages."""


class Loop(ABC):
    """Runs coroutines for callers without an event loop."""

    def __init__(self) -> None:
        self.stopped = False
        """Whether ``stop`` was called."""
        self._sources = set[AsyncGenerator[Any, None]]()
        """Generators in iteration. This reference keeps the garbage collector from ending them early."""

    @property
    def lost_in_fork(self) -> bool:
        """Whether this process is a fork that does not have the thread of the loop."""
        return False

    @abstractmethod
    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the work and return its result. An interrupt of the calling thread cancels the work."""

    def run_task(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work that must be a task, as everything with an asyncio timeout must."""
        return self.run(work)

    @abstractmethod
    def stop(self) -> None:
        """Cancel running work. Its callers get RuntimeError."""

    def iterate(self, source: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Yield the items of the source. Leaving the iteration early closes the source."""
        self._sources.add(source)
        try:
            while True:
                try:
                    item = self.run(_next(source))
                except StopAsyncIteration:
                    return
                yield item
        finally:
            with suppress(RuntimeError):
                self._close_source(source)
            self._sources.discard(source)

    def _close_source(self, source: AsyncGenerator[Any, None]) -> None:
        self.run(source.aclose())


class LoopThread(Loop):
    """Runs coroutines for other threads, from the first one until ``stop``."""

    def __init__(self) -> None:
        super().__init__()
        self._changing = RLock()
        """Held to start, to stop and to submit work, so that no work arrives after the stop."""
        self._thread: Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._process: int | None = None
        """The process that has the thread."""

    @property
    def lost_in_fork(self) -> bool:
        return self._process not in {None, os.getpid()}

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            future = self._submit(work)
        except RuntimeError:
            work.close()
            raise
        try:
            return future.result()
        except CancelledError:
            raise RuntimeError("this client was closed during the call") from None
        except BaseException:
            future.cancel()
            raise

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        if sys.is_finalizing():
            raise RuntimeError("this program is ending, and the thread of this client has ended already")
        if self.lost_in_fork:
            raise RuntimeError(f"this client was open when this process was forked: {FORKED}")
        with self._changing:
            if self.stopped:
                raise RuntimeError("this client is closed")
            return asyncio.run_coroutine_threadsafe(work, self._running())

    def stop(self) -> None:
        with self._changing:
            before, self.stopped = self.stopped, True
            if self._loop and not before:
                self._loop.call_soon_threadsafe(self._stop.set)
        if self._thread:
            self._thread.join()

    def _close_source(self, source: AsyncGenerator[Any, None]) -> None:
        if self._loop is not None and current_thread() is self._thread:
            # The garbage collector can end an iteration in any thread. The loop's thread cannot wait for itself.
            asyncio.run_coroutine_threadsafe(_close(source), self._loop)
        else:
            super()._close_source(source)

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            ready: Future[asyncio.AbstractEventLoop] = Future()
            # A daemon thread, so that a program can end without closing its client.
            self._thread = Thread(target=asyncio.run, args=(self._serve(ready),), name="skerry-client", daemon=True)
            self._thread.start()
            self._process = os.getpid()
            self._loop = ready.result()
        return self._loop

    async def _serve(self, ready: Future[asyncio.AbstractEventLoop]) -> None:
        ready.set_result(asyncio.get_running_loop())
        await self._stop.wait()


async def _next(source: AsyncGenerator[T, None]) -> T:
    return await anext(source)


async def _close(source: AsyncGenerator[Any, None]) -> None:
    await source.aclose()
