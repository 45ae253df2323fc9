"""The schedule in memory, for the local client and for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from skerry_service.sessions.schedule_port import Lease, Queue


class MemorySchedule:
    """A ``schedule_port.Schedule`` over a dictionary."""

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        """``clock_ms``: the store's uptime in ms."""
        self._clock_ms = clock_ms
        self._due_at: dict[tuple[Queue, str], int] = {}
        self._watchers: list[Callable[[], None]] = []

    def watch(self, watcher: Callable[[], None]) -> None:
        self._watchers.append(watcher)

    async def at(self, queue: Queue, session: str, after_ms: int, *, earlier: bool = True) -> None:
        at = self._clock_ms() + after_ms
        self._set(queue, session, (min if earlier else max)(at, self._due_at.get((queue, session), at)))

    async def lease(self, queue: Queue, most: int, ms: int, every_ms: int = 0) -> Sequence[Lease]:
        now = self._clock_ms()
        due = [session for (one, session), at in self._due_at.items() if one == queue and at <= now][:most]
        for session in due:
            self._due_at[queue, session] = now + ms
        return [Lease(queue, session, now + ms) for session in due]

    async def done(self, lease: Lease, again_ms: int | None = None) -> None:
        if self._due_at.get((lease.queue, lease.session)) != lease.until:
            return
        if again_ms is None:
            del self._due_at[lease.queue, lease.session]
        else:
            self._set(lease.queue, lease.session, self._clock_ms() + again_ms)

    def due_in(self, queue: Queue, every_ms: int) -> float:
        times = [at for (one, _), at in self._due_at.items() if one == queue]
        return max(0, min(times, default=inf) - self._clock_ms())

    def _set(self, queue: Queue, session: str, at: int) -> None:
        self._due_at[queue, session] = at
        for watcher in self._watchers:
            watcher()
