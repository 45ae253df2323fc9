"""Checks regularly whether the store answers, for health, metrics and the log."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import suppress

from skerry_service.domain.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.edge.grpc.health import HealthMethods
from skerry_service.sessions.store_port import Store
from skerry_service.store.diagnosis import counts
from skerry_service.store.redis_store import RedisStore
from skerry_service.telemetry.metrics import Metrics
from skerry_service.telemetry.outage import StoreOutageLog

PROBE_SECONDS = 2.0
_COUNTED_EVERY = 30
"""Probes from one count of sessions to the next: a count takes a command for each shard."""
_OVERDUE_MS = 15_000
"""A timer that is still unhandled after this time counts as overdue."""
_NO_SESSION = "0"
"""An id that no session has, so the request costs the store nothing."""


def root_cause(error: BaseException) -> str:
    """Return the message of the innermost cause of an error that has a message."""
    message = str(error)
    while (cause := error.__cause__) is not None:
        error, message = cause, str(cause) or message
    return message


async def monitor(store: RedisStore, health: HealthMethods, metrics: Metrics | None) -> None:
    """Report the server as healthy only while the store answers. Without the store, no call succeeds."""
    outage = StoreOutageLog(time.monotonic)
    for probes in itertools.count():
        problem = await _problem(store)
        outage.report(problem)
        if metrics is not None:
            metrics.store_up.set(problem is None)
            if problem is None and probes % _COUNTED_EVERY == 0:
                await _count(store, metrics)
        health.report(healthy=problem is None, durable=not store.warnings)
        await asyncio.sleep(PROBE_SECONDS)


async def _count(store: RedisStore, metrics: Metrics) -> None:
    with suppress(StoreUnavailable, StoreFull):
        stored, overdue = await counts(store, _OVERDUE_MS)
        metrics.stored.set(stored)
        metrics.overdue.set(overdue)


async def responds(store: Store) -> bool:
    """Return whether the store answers."""
    return await _problem(store) is None


async def _problem(store: Store) -> str | None:
    """Return why the store does not answer; ``None`` if it does."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            await store.tip(_NO_SESSION)
    except SkerryError as error:  # a full store can also reject reads
        return root_cause(error)
    except TimeoutError:
        return f"it has not answered for {PROBE_SECONDS:g} s"
    return None
