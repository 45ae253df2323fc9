"""All replicas of a store for operators: their load as they announced it, and the mark by which one drains."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from skerry_service.store import redis_keys
from skerry_service.store.call_router import CallRouter
from skerry_service.store.replica_registry import Announcement, ReplicaFigures, entry_of, figures_of
from skerry_service.store.uptime import Uptime

_GONE_MS = 15_000
"""A replica that was silent for longer does not count as live (``uptime.lua``)."""
_MARK = b"1"


class ReplicaState(Struct, frozen=True):
    """A replica as the store knows it."""

    id: str
    announced: Announcement
    figures: ReplicaFigures | None
    """``None``: it announces none, as earlier builds."""
    draining: bool
    silent_ms: int
    """Time since its last announcement. One comes every four seconds."""


class ReplicaStates:
    """Reads the replicas when an operator asks, and marks one to drain. That one reads the mark with its next tick."""

    def __init__(self, calls: CallRouter, uptime: Uptime) -> None:
        self._calls = calls
        self._uptime = uptime

    async def all(self) -> Sequence[ReplicaState]:
        """Return the replicas that announced themselves in the last minute and have not stopped, the longest up first.

        Raises StoreUnavailable.
        """
        known = await self._calls.call("ZRANGE", redis_keys.REPLICAS, 0, -1, "WITHSCORES")
        entries = [
            (*entry, float(at))
            for packed, at in zip(known[::2], known[1::2], strict=True)
            if (entry := entry_of(packed))
        ]
        if not entries:
            return ()
        fields = [field(one) for one, _, _ in entries for field in (redis_keys.load_of, redis_keys.drain_of)]
        stored, now = await self._calls.call("HMGET", redis_keys.STORE, *fields), self._uptime.now()
        found = [
            ReplicaState(one, announced, figures_of(packed), mark is not None, max(0, int(now - at)))
            for (one, announced, at), packed, mark in zip(entries, stored[::2], stored[1::2], strict=True)
        ]
        return sorted(found, key=lambda one: (one.announced.started_ms, one.id))

    async def drain(self, replica: str) -> bool:
        """Mark a replica to drain; repeats are safe. Return whether it can read the mark. Raises StoreUnavailable."""
        found = next((one for one in await self.all() if one.id == replica), None)
        if found is None or found.figures is None or found.silent_ms > _GONE_MS:
            return False
        await self.mark(replica)
        return True

    async def mark(self, replica: str) -> None:
        """Note that a replica drains. Raises StoreUnavailable."""
        await self._calls.call("HSET", redis_keys.STORE, redis_keys.drain_of(replica), _MARK)
