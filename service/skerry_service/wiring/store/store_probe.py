"""Reports regularly whether the store accepts writes: to health, metrics and the log."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import suppress

from skerry_service.domain.errors import StoreFull, StoreUnavailable
from skerry_service.edge.grpc.health import HealthMethods
from skerry_service.store.diagnosis import amounts
from skerry_service.store.redis_store import RedisStore
from skerry_service.telemetry.outage import StoreOutageLog
from skerry_service.telemetry.store_metrics import StoreMetrics

PROBE_SECONDS = 1.0
_COUNTED_EVERY = 60
"""Probes from one count of sessions to the next: a count takes a command for each shard."""
_OVERDUE_MS = 15_000
"""A timer that is still unhandled after this time counts as overdue."""
_BACKLOG_MS = 600_000
"""A finished session that is still to be archived after this time counts as backlog."""


def root_cause(error: BaseException) -> str:
    """Return the message of the innermost cause of an error that has a message."""
    message = str(error)
    while (cause := error.__cause__) is not None:
        error, message = cause, str(cause) or message
    return message


async def monitor(store: RedisStore, health: HealthMethods, metrics: StoreMetrics | None) -> None:
    """Report the server as healthy only while writes succeed. A probe costs the store nothing."""
    outage = StoreOutageLog(time.monotonic)
    for probes in itertools.count():
        problem, problems = store.ticks.problem(), store.ticks.problems()
        outage.report("; ".join(map(str, problems)) or None)
        durable = not store.warnings
        if metrics is not None:
            metrics.record_writes([one.reason for one in problems])
            metrics.record_durability(store.epoch, durable=durable)
            if problem is None and probes % _COUNTED_EVERY == 0:
                await _count(store, metrics)
        health.report(healthy=problem is None, durable=durable)
        await asyncio.sleep(PROBE_SECONDS)


async def _count(store: RedisStore, metrics: StoreMetrics) -> None:
    with suppress(StoreUnavailable, StoreFull):
        metrics.record_amounts(*await amounts(store, _OVERDUE_MS, _BACKLOG_MS))
