"""Looks whether the store answers, for health, counters and the log."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from skerry_service.domain.errors import SkerryError, StoreFull, StoreUnavailable
from skerry_service.edge.grpc.grpc_server import GrpcServer
from skerry_service.sessions.store_port import Store
from skerry_service.store.diagnosis import counts
from skerry_service.store.redis_store import RedisStore
from skerry_service.telemetry.metrics import Metrics
from skerry_service.telemetry.outage import StoreOutageLog

PROBE_SECONDS = 2.0
_LATE_MS = 5_000
"""A session that nobody has looked at for so long after its time waits in vain."""
_PROBED = "0"
"""No session's id: asking for it costs the store nothing."""


def reason_of(error: BaseException) -> str:
    """Return the words of what an error was raised from in the first place."""
    words = str(error)
    while (cause := error.__cause__) is not None:
        error, words = cause, str(cause) or words
    return words


async def probe(store: RedisStore, server: GrpcServer, metrics: Metrics | None) -> None:
    """Report as healthy only while the store answers: without it no call can succeed."""
    outage = StoreOutageLog(time.monotonic)
    while True:
        why_not = await _trouble(store)
        outage.report(why_not)
        if metrics is not None:
            await _measure(store, metrics, up=why_not is None)
        await server.report(healthy=why_not is None, durable=not store.warnings)
        await asyncio.sleep(PROBE_SECONDS)


async def _measure(store: RedisStore, metrics: Metrics, *, up: bool) -> None:
    metrics.store_up.set(up)
    if up:
        with suppress(StoreUnavailable, StoreFull):
            there, overdue = await counts(store, _LATE_MS)
            metrics.stored.set(there)
            metrics.overdue.set(overdue)


async def answers(store: Store) -> bool:
    """Whether the store answers."""
    return await _trouble(store) is None


async def _trouble(store: Store) -> str | None:
    """Return why the store does not answer; ``None`` if it does."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            await store.tip(_PROBED)
    except SkerryError as error:  # a store that refuses to be read can be full, too
        return reason_of(error)
    except TimeoutError:
        return f"it has not answered for {PROBE_SECONDS:g} s"
    return None
