"""What is noted of a process's work, as far as its settings want it: counters, lines of logs, traces."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import skerry_service
from skerry_service.access.certificates import Certificates
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.domain.table import Change, Table
from skerry_service.edge.http.http_server import address_of
from skerry_service.sessions.service import Sessions
from skerry_service.store.redis_store import RedisStore
from skerry_service.telemetry.access_log import AccessLog
from skerry_service.telemetry.call_observers import CallObserver, CallObservers
from skerry_service.telemetry.metrics import Metrics
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.wiring import change_counts
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address
from skerry_service.wiring.taps import TRIPS, tap_changes, tap_trip

if TYPE_CHECKING:
    from skerry_service.telemetry.tracing import Tracing


@dataclass(frozen=True)
class Observability:
    """Who is told, and by whom."""

    metrics: Metrics | None
    tracing: Tracing | None
    watchers: CallObservers
    """Of calls."""

    def store_at(self, url: str, **of_ours: Any) -> RedisStore:
        """Return the store at that address. Raises ValueError if it is none."""
        store = RedisStore(url, **of_ours)
        if self.tracing is not None:
            for trip in TRIPS:
                tap_trip(store, trip, self.tracing.trip)
        if (metrics := self.metrics) is not None:
            tap_trip(store, "commit", lambda _, result, seconds: metrics.count_commit(result, seconds))
        return store

    def tap(self, sessions: Sessions) -> None:
        """Let the traces show the steps of each change."""
        if self.tracing is not None:
            tap_changes(sessions.changes, self.tracing)

    def count(self, sessions: Sessions, worker: BotWorker, certificates: Certificates | None) -> None:
        """Let the metrics know of everything that is no call."""
        metrics = self.metrics
        if metrics is None:
            return

        def changed(before: Table | None, change: Change) -> None:
            table = change.table
            metrics.count_change(table.game.id, change_counts.moves(change))
            if before is None or before.record is not table.record:  # most moves change nothing of it
                metrics.count_phases(table.game.id, change_counts.phases(before, table))

        sessions.count(changed)
        metrics.deciding.set_function(lambda: worker.busy)
        if certificates is not None:
            metrics.add_certificate_expiry(lambda: certificates.value.ends_at)

    def serve(self, address: str | None, gate: RateLimiter, stack: AsyncExitStack) -> str | None:
        """Serve the counters until the stack unwinds; return where. Raises OSError."""
        if address is None or self.metrics is None:
            return None
        self.metrics.add_limits(lambda: gate.refused)
        host, port = split_address(address)
        try:
            port, stop = self.metrics.serve(host.strip("[]"), port)
        except OSError as error:
            raise OSError(f"cannot listen on {address} for metrics: {error.strerror}") from error
        stack.push_async_callback(asyncio.to_thread, stop)
        return address_of(host, port)


def observability(config: Config, clock_ms: Callable[[], int], stack: AsyncExitStack) -> Observability:
    """Return who is to be told; the stack closes what they write to. Raises OSError for what cannot be had."""
    metrics = Metrics() if config.metrics else None
    tracing = _tracing(stack) if config.traces else None
    watchers: list[CallObserver] = [
        one for one in (tracing, metrics) if one is not None
    ]  # who knows the trace goes first
    if config.access_log is not None:
        watchers.append(_access_log(config.access_log, clock_ms, stack))
    return Observability(metrics, tracing, CallObservers(watchers))


def _tracing(stack: AsyncExitStack) -> Tracing:
    try:
        from skerry_service.telemetry import tracing  # noqa: PLC0415 - an extra, which takes a tenth of a second
    except ModuleNotFoundError as error:
        raise OSError(
            "SKERRY_TRACES is 1, and OpenTelemetry is not installed: pip install 'skerry-service[otel]'"
        ) from error
    told = tracing.from_environment(skerry_service.__version__)
    stack.push_async_callback(told.close)
    return told


def _access_log(path: str, clock_ms: Callable[[], int], stack: AsyncExitStack) -> AccessLog:
    try:
        log = AccessLog(path, clock_ms)
    except OSError as error:
        raise OSError(f"cannot write the access log {path}: {error.strerror}") from error
    stack.callback(log.close)
    return log
