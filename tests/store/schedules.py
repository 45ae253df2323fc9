"""What a scheduler and an operator do with a store, once."""

from __future__ import annotations

from skerry_service.sessions.schedule_port import Queue
from skerry_service.sessions.store_port import Store
from skerry_service.store.redis_store import RedisStore
from skerry_service.timers.scheduler import Scheduler, Timer


async def expire_due(store: RedisStore, at_once: int = 1000) -> int:
    """Check up to so many sessions whose expiry is due. Return their number."""
    scheduler = Scheduler(store.schedule, [Timer("expiry", store.expire, every_ms=0, at_once=at_once)])
    checked = await scheduler.poll()
    await scheduler.drain()
    return checked


async def due(store: Store, queue: Queue = "timers", ms: int = 3_600_000) -> list[str]:
    """Lease the sessions that are due in a queue, and return them."""
    return [lease.session for lease in await store.schedule.lease(queue, 1000, ms)]


async def every_session(store: RedisStore) -> list[str]:
    """Return all sessions of a store."""
    cursor, found = await store.scan(0, 10)
    while cursor:
        cursor, page = await store.scan(cursor, 10)
        found = [*found, *page]
    return list(dict.fromkeys(found))
