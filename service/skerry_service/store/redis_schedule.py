"""The schedule in Redis: for each queue a few sorted sets of sessions by due time, the *shards*.

A lease is a due time in the future: the replica that moves the entry there has the lease. If it crashes, the entry
becomes due again. One script moves entries, and only those that are still where the caller has read them.

Shards spread the reads of all replicas over several keys, and over the servers of a cluster. A replica remembers for
each shard when the next entry is due, as far as it knows: by its own writes, and by its reads. So it reads a shard when
something is due, and otherwise seldom, for entries that other replicas have written.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic

from skerry_service.domain.errors import SkerryError
from skerry_service.sessions.schedule_port import QUEUES, Lease, Queue
from skerry_service.store import redis_keys
from skerry_service.store.call_router import Now, RunCommand, RunScript
from skerry_service.store.stored_values import session_of

PAUSE_MS = 250
"""The shortest time between two reads of a shard for what is due now, so that many entries are leased together."""
_FEW = 8
"""Entries of the first read of a shard. Most reads find nothing that is due, and need the next due time."""


class _Shard:
    """What a replica knows of a shard of a queue."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.read_at = -inf
        """When it was last read, in ms of the monotonic clock."""
        self.share = random.uniform(0.75, 1.0)
        """Of the interval between reads, so that shards and replicas take turns."""
        self.due = inf
        """The earliest due time that the replica knows of, as uptime in ms."""

    def has_more(self, uptime_ms: int) -> None:
        """Remember that entries are due that were not leased for lack of room, so that no pause is needed."""
        self.read_at, self.due = -inf, min(self.due, uptime_ms)

    def wait_ms(self, now_ms: float, uptime_ms: int, every_ms: int) -> float:
        """Return the ms until the next read. ``now_ms``: by the monotonic clock."""
        since = now_ms - self.read_at
        return max(min(every_ms * self.share - since, self.due - uptime_ms), PAUSE_MS - since)


class RedisSchedule:
    """A ``sessions.schedule_port.Schedule``."""

    def __init__(self, call: RunCommand, run: RunScript, uptime: Now, counted: Callable[[], int]) -> None:
        """``counted``: returns the uptime as this replica counts it, without asking the store."""
        self._call = call
        self._run = run
        self._uptime = uptime
        self._counted = counted
        self._shards = {queue: [_Shard(key) for key in redis_keys.shards(queue)] for queue in QUEUES}
        self._watchers: list[Callable[[], None]] = []

    def read_again(self) -> None:
        """Read all shards soon: a replica is gone, and only it may have known when some of their entries are due."""
        for shards in self._shards.values():
            for shard in shards:
                shard.read_at = -inf
        self._notify()

    def watch(self, watcher: Callable[[], None]) -> None:
        self._watchers.append(watcher)

    async def at(self, queue: Queue, session: str, after_ms: int, *, earlier: bool = True) -> None:
        due, shard = await self._uptime() + after_ms, self._shard(queue, session)
        await self._call("ZADD", shard.key, "LT" if earlier else "GT", due, session)
        self._expect(shard, due)

    async def lease(self, queue: Queue, most: int, ms: int, every_ms: int = 0) -> Sequence[Lease]:
        uptime, now = await self._uptime(), monotonic() * 1000
        shards = [one for one in self._shards[queue] if not every_ms or one.wait_ms(now, uptime, every_ms) <= 0]
        random.shuffle(shards)
        leases: list[Lease] = []
        failure: SkerryError | None = None
        pages = await asyncio.gather(*(self._due(shard, most, uptime) for shard in shards), return_exceptions=True)
        for shard, page in zip(shards, pages, strict=True):
            if isinstance(page, SkerryError):
                failure = page  # the other shards can be on other servers
            elif isinstance(page, BaseException):
                raise page
            elif page:
                due = page[: most - len(leases)]
                if len(page) > len(due):
                    shard.has_more(uptime)
                try:
                    leases += await self._take(queue, shard, due, uptime + ms) if due else ()
                except SkerryError as error:
                    failure = error
                    shard.has_more(uptime)
        if failure and not leases:
            raise failure
        return leases

    async def done(self, lease: Lease, again_ms: int | None = None) -> None:
        shard = self._shard(lease.queue, lease.session)
        due = None if again_ms is None else await self._uptime() + again_ms
        await self._run("schedule.lua", (shard.key,), lease.session, lease.until, "" if due is None else due)
        if due is not None:
            self._expect(shard, due)

    def due_in(self, queue: Queue, every_ms: int) -> float:
        if not every_ms:
            return 0.0
        uptime, now = self._counted(), monotonic() * 1000
        return max(0.0, min(shard.wait_ms(now, uptime, every_ms) for shard in self._shards[queue]))

    async def overdue(self, queue: Queue, late_ms: int) -> int:
        """Return how many sessions have been due for more than ``late_ms`` and are not leased."""
        late = await self._uptime() - late_ms
        counts = (self._call("ZCOUNT", shard.key, "-inf", late) for shard in self._shards[queue])
        return sum(await asyncio.gather(*counts))

    def _shard(self, queue: Queue, session: str) -> _Shard:
        return self._shards[queue][redis_keys.shard_of(session)]

    def _expect(self, shard: _Shard, due: int) -> None:
        if due < shard.due:
            shard.due = due
            self._notify()

    def _notify(self) -> None:
        for watcher in self._watchers:
            watcher()

    async def _due(self, shard: _Shard, most: int, uptime: int) -> Sequence[tuple[bytes, bytes]]:
        """Return up to ``most`` due entries of a shard, each with its score, and remember when the next one is due."""
        shard.read_at, shard.due = monotonic() * 1000, inf
        shard.share = random.uniform(0.75, 1.0)
        try:
            asked = min(most, _FEW)
            entries = await self._first(shard, asked)
            if len(entries) == asked < most and float(entries[-1][1]) <= uptime:
                asked = most
                entries = await self._first(shard, asked)
        except BaseException:
            shard.due = min(shard.due, uptime)
            raise
        due = [entry for entry in entries if float(entry[1]) <= uptime]
        if len(due) < len(entries):
            shard.due = min(shard.due, int(min(float(entries[len(due)][1]), 1e15)))
        elif len(entries) == asked:
            shard.has_more(uptime)
        return due

    async def _first(self, shard: _Shard, count: int) -> Sequence[tuple[bytes, bytes]]:
        reply = await self._call("ZRANGE", shard.key, 0, count - 1, "WITHSCORES")
        return tuple(zip(reply[::2], reply[1::2], strict=True))

    async def _take(
        self, queue: Queue, shard: _Shard, due: Sequence[tuple[bytes, bytes]], until: int
    ) -> Sequence[Lease]:
        """Move due entries to ``until``, and remove damaged ones. Return the leases of this replica."""
        sessions = [session_of(queue, entry) for entry, _ in due]
        words = [
            word
            for (entry, score), session in zip(due, sessions, strict=True)
            for word in (entry, score, "" if session is None else until)
        ]
        taken = await self._run("schedule.lua", (shard.key,), *words)
        found = zip(sessions, taken, strict=True)
        return [Lease(queue, session, until) for session, mine in found if mine and session is not None]
