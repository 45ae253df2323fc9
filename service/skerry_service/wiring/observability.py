"""Metrics, logs and traces of a process, as far as its settings ask for them."""

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
from skerry_service.edge.listening.listening_sockets import address_of
from skerry_service.sessions.loader import damage_found
from skerry_service.sessions.service import Sessions
from skerry_service.store.redis_store import RedisStore
from skerry_service.telemetry.access_log import AccessLog
from skerry_service.telemetry.call_observers import CallObserver, CallObservers
from skerry_service.telemetry.call_rate import CallRate
from skerry_service.telemetry.event_loop import EVENT_LOOP
from skerry_service.telemetry.metrics import Metrics
from skerry_service.telemetry.rejected_callers import RejectedCallers
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.wiring import change_counts
from skerry_service.wiring.caches import large_caches, small_caches
from skerry_service.wiring.config import Config
from skerry_service.wiring.setting_kinds import split_address
from skerry_service.wiring.taps import TRIPS, tap_changes, tap_trip

if TYPE_CHECKING:
    from skerry_service.telemetry.tracing import Tracing


@dataclass(frozen=True)
class Observability:
    """The metrics and traces of a process, and the observers of its calls."""

    metrics: Metrics | None
    tracing: Tracing | None
    call_observers: CallObservers
    rejected: RejectedCallers
    """The callers that were rejected, if operators are served."""
    rate: CallRate | None
    """``None``: operators are not served, so nothing counts calls."""

    def store_at(self, url: str, **options: Any) -> RedisStore:
        """Return the store at that URL, with taps on its trips. Raises ValueError if the URL is invalid."""
        store = RedisStore(url, **options)
        if self.tracing is not None:
            for trip in TRIPS:
                tap_trip(store, trip, self.tracing.trip)
        if (metrics := self.metrics) is not None:
            tap_trip(store, "commit", lambda _, result, seconds: metrics.count_commit(result, seconds))
        return store

    def tap(self, sessions: Sessions) -> None:
        """Add the steps of each change to the traces."""
        if self.tracing is not None:
            tap_changes(sessions.committer, self.tracing)

    def watch_event_loop(self, stack: AsyncExitStack) -> None:
        """Measure how late the event loop is, until the stack unwinds. The start itself stops it for a while."""
        stack.callback(EVENT_LOOP.start(self.metrics.record_lag if self.metrics else lambda seconds: None))

    def count(self, sessions: Sessions, worker: BotWorker, certificates: Certificates | None) -> None:
        """Feed the metrics that are not about calls."""
        metrics = self.metrics
        if metrics is None:
            return

        def changed(before: Table | None, change: Change) -> None:
            table = change.table
            metrics.count_change(table.game.id, change_counts.moves(change))
            if before is None or before.record is not table.record:  # most moves leave the record as it is
                metrics.count_phases(table.game.id, change_counts.phases(before, table))

        sessions.count(changed)
        sessions.matchmaker.observers.append(metrics.matching)
        metrics.deciding.set_function(lambda: worker.busy)
        metrics.waiting_bots.set_function(lambda: worker.slots.waiting)
        worker.slots.on_wait = metrics.count_bot_wait
        metrics.add_damage(damage_found)
        metrics.add_caches(lambda: large_caches(sessions), small_caches)
        if certificates is not None:
            metrics.add_certificate_expiry(lambda: certificates.value.ends_at)

    def serve(self, address: str | None, limiter: RateLimiter, stack: AsyncExitStack) -> str | None:
        """Serve the metrics until the stack unwinds, and return their address. Raises OSError."""
        if address is None or self.metrics is None:
            return None
        self.metrics.add_limits(lambda: limiter.refused)
        host, port = split_address(address)
        try:
            port, stop = self.metrics.serve(host.strip("[]"), port)
        except OSError as error:
            raise OSError(f"cannot listen on {address} for metrics: {error.strerror}") from error
        stack.push_async_callback(asyncio.to_thread, stop)
        return address_of(host, port)


def observability(config: Config, clock_ms: Callable[[], int], stack: AsyncExitStack) -> Observability:
    """Return what the settings ask for; the stack closes it. Raises OSError if a log or OpenTelemetry is missing."""
    metrics = Metrics() if config.metrics else None
    tracing = _tracing(stack) if config.traces else None
    # Tracing comes first: the others read the trace that it sets.
    observers: list[CallObserver] = [observer for observer in (tracing, metrics) if observer is not None]
    if config.access_log is not None:
        observers.append(_access_log(config.access_log, clock_ms, stack))
    rejected, rate = RejectedCallers(clock_ms), CallRate() if config.admin is not None else None
    if rate is not None:
        observers += (rejected, rate)
    return Observability(metrics, tracing, CallObservers(observers), rejected, rate)


def _tracing(stack: AsyncExitStack) -> Tracing:
    try:
        from skerry_service.telemetry import tracing  # noqa: PLC0415 - an extra, which takes a tenth of a second
    except ModuleNotFoundError as error:
        raise OSError(
            "SKERRY_TRACES is 1 but OpenTelemetry is not installed. Run: pip install 'skerry-service[otel]'"
        ) from error
    traces = tracing.from_environment(skerry_service.__version__)
    stack.push_async_callback(traces.close)
    return traces


def _access_log(path: str, clock_ms: Callable[[], int], stack: AsyncExitStack) -> AccessLog:
    try:
        log = AccessLog(path, clock_ms)
    except OSError as error:
        raise OSError(f"cannot write the access log {path}: {error.strerror}") from error
    stack.callback(log.close)
    return log
