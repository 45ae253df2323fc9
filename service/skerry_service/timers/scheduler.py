"""The scheduler: one loop that leases the sessions that are due, in all queues, and has them checked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from skerry_service.domain.errors import SkerryError
from skerry_service.sessions.schedule_port import Lease, Queue, Schedule

LEASE_MS = 15_000
"""Time after which another replica may check a session whose check was not completed."""
_RETRY_SECONDS = 1.0
"""Pause of a timer whose queue cannot be read."""
_LONGEST_WAIT_SECONDS = 2.0
"""How long to sleep at most: other replicas may have advanced the store clock meanwhile, so that more is due."""
_log = logging.getLogger(__name__)

Check = Callable[[str], Awaitable[int | None]]
"""Does what is due in a session. Returns the ms until the next check; ``None`` if there is nothing left to check."""


async def _always() -> bool:
    return True


class Timer(Struct, frozen=True):
    """How the sessions of a queue are checked."""

    queue: Queue
    check: Check
    every_ms: int
    """How often a replica reads all entries that it does not know. It also does so when another replica is silent."""
    lease_ms: int = LEASE_MS
    at_once: int = 100
    """Checks of this timer at a time."""
    is_ready: Callable[[], Awaitable[bool]] = _always
    """Called before each lease. ``False``: lease nothing for now."""


class Scheduler:
    """Leases sessions that are due and checks them. Replicas share the work: each session is leased to one.

    A check that fails is not ended, so that the session is due again after its lease.
    """

    def __init__(self, schedule: Schedule, timers: Sequence[Timer]) -> None:
        self._schedule = schedule
        self._timers = timers
        self._checks: dict[Queue, set[asyncio.Task[None]]] = {timer.queue: set() for timer in timers}
        self._rests_until: dict[Queue, float] = {}
        self._news = asyncio.Event()
        schedule.watch(self._news.set)

    async def run(self) -> None:
        """Check what is due until cancelled."""
        try:
            while True:
                self._news.clear()
                await self.poll()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._wait_seconds()):
                        await self._news.wait()
        finally:
            await self.close()

    async def poll(self) -> int:
        """Start the checks that are due, as many as there is room for. Return their number."""
        return sum([await self._start_due(timer) for timer in self._timers if self._wait_of(timer) <= 0])

    async def drain(self) -> None:
        """Wait until no check is in progress."""
        while tasks := [task for tasks in self._checks.values() for task in tasks]:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Cancel the checks in progress. Their sessions are due again after their leases."""
        for tasks in self._checks.values():
            for task in tasks:
                task.cancel()
        await self.drain()

    def _wait_seconds(self) -> float:
        return max(0.0, min([_LONGEST_WAIT_SECONDS, *map(self._wait_of, self._timers)]))

    def _wait_of(self, timer: Timer) -> float:
        """Return the seconds until the queue of a timer is to be read; one if it has no room, and its checks go on."""
        if len(self._checks[timer.queue]) >= timer.at_once:
            return _RETRY_SECONDS
        rest = self._rests_until.get(timer.queue, 0.0) - asyncio.get_running_loop().time()
        return max(rest, self._schedule.due_in(timer.queue, timer.every_ms) / 1000)

    async def _start_due(self, timer: Timer) -> int:
        tasks = self._checks[timer.queue]
        leases: Sequence[Lease] = ()
        ready = False
        try:
            if ready := await timer.is_ready():
                room = timer.at_once - len(tasks)
                leases = await self._schedule.lease(timer.queue, room, timer.lease_ms, timer.every_ms)
        except SkerryError as error:
            ready = False
            _log.debug("cannot read which sessions are due for %s: %s", timer.queue, error)
        except Exception:
            ready = False
            _log.exception("reading which sessions are due for %s has failed; trying again", timer.queue)
        if not ready:
            self._rests_until[timer.queue] = asyncio.get_running_loop().time() + _RETRY_SECONDS
        for lease in leases:
            task = asyncio.get_running_loop().create_task(self._check(timer, lease))
            tasks.add(task)
            task.add_done_callback(self._ended)
        return len(leases)

    def _ended(self, task: asyncio.Task[None]) -> None:
        for tasks in self._checks.values():
            tasks.discard(task)
        self._news.set()

    async def _check(self, timer: Timer, lease: Lease) -> None:
        try:
            await self._schedule.done(lease, await timer.check(lease.session))
        except SkerryError as error:
            _log.debug("session %s cannot be checked yet for %s: %s", lease.session, timer.queue, error)
        except Exception:  # of one session: the others continue
            _log.exception("checking session %s for %s has failed", lease.session, timer.queue)
