"""An event loop without thread and sockets, for coroutines that wait only for each other and for timers.

The calling thread runs the coroutines, which is many times as fast as submitting them to another thread.
"""

from __future__ import annotations

import asyncio
import logging
import time
from asyncio.events import _get_running_loop, _set_running_loop
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextvars import Context, copy_context
from threading import TIMEOUT_MAX, Condition, RLock
from typing import Any, TypeVar, TypeVarTuple, cast
from weakref import finalize

from skerry_client.loop import Loop

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_Ready = tuple[asyncio.Handle, Callable[..., object], tuple[Any, ...], Context]
_log = logging.getLogger(__name__)


class TurnLoop(Loop):
    """Runs coroutines for several threads, one thread at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._tasks = _Tasks()
        self._turn = RLock()
        self._changed = Condition(self._turn)
        self._waiting = 0
        self._streaming = False
        finalize(self, self._tasks.end)  # asyncio warns of tasks that are pending when the program ends

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        with self._turn:
            if self.stopped:
                work.close()
                raise RuntimeError("this client is closed")
            if not self._streaming:
                return self._drive(work)
            before = _get_running_loop()
            _set_running_loop(self._tasks.loop)
            try:
                return self._drive(work)
            finally:
                _set_running_loop(before)

    def run_task(self, work: Coroutine[Any, Any, T]) -> T:
        self._streaming = True
        return self.run(_task_of(work))

    def iterate(self, source: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        self._streaming = True  # tasks and futures need a running loop; plain calls are faster without one
        return super().iterate(source)

    def _drive(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the work as a task would, but faster, because most work never waits."""
        try:
            waits_for = work.send(None)
            while True:
                try:
                    self._wait(waits_for)
                except BaseException as error:  # on an interrupt or the end of the client, the work cleans up
                    waits_for = work.throw(error)
                else:
                    waits_for = work.send(None)
        except StopIteration as done:
            result: T = done.value
            return result
        except asyncio.CancelledError:
            raise RuntimeError("this client was closed during the call") from None
        finally:
            self._tasks.drain()
            if self._waiting:
                self._changed.notify_all()

    def _wait(self, future: asyncio.Future[Any] | None) -> None:
        """Wait until the future is done. Another thread's call or a timer completes it."""
        self._tasks.drain()
        while future is not None and not future.done():
            if self.stopped:
                raise asyncio.CancelledError
            self._waiting += 1
            try:
                self._changed.wait(self._tasks.seconds_left())
            finally:
                self._waiting -= 1
            if self._tasks.run_due() and self._waiting:
                self._changed.notify_all()

    def stop(self) -> None:
        with self._turn:
            self.stopped = True
            self._tasks.end()
            self._changed.notify_all()


async def _task_of(work: Coroutine[Any, Any, T]) -> T:
    return await asyncio.get_running_loop().create_task(work)


class _Tasks:
    """The part of an event loop that tasks and futures need. Timers fire only while a thread waits."""

    def __init__(self) -> None:
        self._ready: deque[_Ready] = deque()
        self._timers: dict[asyncio.TimerHandle, _Ready] = {}
        self.loop = cast("asyncio.AbstractEventLoop", self)
        """This object, with the type that asyncio expects."""

    def drain(self) -> None:
        """Run ready callbacks until none is left."""
        while self._ready:
            handle, callback, arguments, context = self._ready.popleft()
            if not handle.cancelled():
                context.run(callback, *arguments)

    def end(self) -> None:
        """Cancel all tasks."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.drain()

    def seconds_left(self) -> float | None:
        """Return the seconds until the next timer fires; ``None`` without timers."""
        if not self._timers:
            return None
        return min(max(min(timer.when() for timer in self._timers) - self.time(), 0.0), TIMEOUT_MAX)

    def run_due(self) -> bool:
        """Run the timers that are due and all callbacks that become ready. Return whether a timer was due."""
        now = self.time()
        due = sorted(timer for timer in self._timers if timer.when() <= now)
        self._ready.extend(self._timers.pop(timer) for timer in due)
        self.drain()
        return bool(due)

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self.loop, context)
        self._ready.append((handle, callback, args, context or copy_context()))
        return handle

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self.loop, context)
        self._timers[timer] = (timer, callback, args, context or copy_context())
        return timer

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self.loop)

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=self.loop, **options)

    def time(self) -> float:
        return time.monotonic()

    def get_debug(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._timers.pop(handle, None)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        _log.error("%s", context.get("message"), exc_info=context.get("exception"))
