"""Prometheus metrics, on a port of their own. No label holds an id, a name or an address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from prometheus_client import CollectorRegistry, Gauge, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from skerry_service.telemetry.call_observers import Call, ReadAddress
from skerry_service.telemetry.fast_counters import FastCounter, FastHistogram
from skerry_service.telemetry.match_metrics import MatchMetrics
from skerry_service.telemetry.store_metrics import StoreMetrics

_METHOD = ("grpc_service", "grpc_method", "grpc_type")
_BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_WAIT_BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_LIMITS = "skerry_limits_reached", "How often each limit was reached, also in shadow mode."
_CACHE_BYTES = "skerry_cache_bytes", "Size of a cache in this process, as estimated from its entries."
_CACHE_ENTRIES = "skerry_cache_entries", "Entries of the caches of small values in this process."
_Kind = Callable[..., CounterMetricFamily | GaugeMetricFamily]
_ALARMING = ("INTERNAL", "SESSION_DAMAGED", "STORE_FULL")
"""Reasons that alerts watch. They are exposed before their first rejection."""
_WEBHOOK_RESULTS = ("delivered", "failed", "given_up")
_TYPES: Mapping[bool, str] = {False: "unary", True: "stream"}


class Metrics:
    """The metrics of one process. Calls over HTTP and gRPC count together, under the names of gRPC's metrics."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._started = FastCounter("grpc_server_started", "Calls that started.", _METHOD, registry)
        self._ended = FastCounter("grpc_server_handled", "Calls that ended.", (*_METHOD, "grpc_code"), registry)
        help_text = "Duration of unary calls."
        self._durations = FastHistogram("grpc_server_handling_seconds", help_text, _METHOD, _BUCKETS, registry)
        help_text = "How long unary calls waited for the event loop before their handler began."
        self._call_waits = FastHistogram("skerry_call_wait_seconds", help_text, (), _BUCKETS, registry)
        help_text = "Time from the arrival of an act in a Play stream to its response."
        self._acts = FastHistogram("skerry_play_act_seconds", help_text, (), _BUCKETS, registry)
        help_text = "How late the event loop was, four times a second."
        self._lags = FastHistogram("skerry_event_loop_lag_seconds", help_text, (), _BUCKETS, registry)
        self._lags.add(0.0)  # so that Prometheus sees the first stall as an increase
        self._streams = Gauge("skerry_open_streams", "Open streams.", registry=registry)
        self._refused = FastCounter("skerry_refused", "Rejected requests, by reason.", ("reason",), registry)
        for reason in _ALARMING:
            self._refused.start_at_zero(reason)
        self._changes = FastCounter("skerry_changes", "Stored changes to sessions.", ("game",), registry)
        self._moves = FastCounter("skerry_moves", "Stored moves.", ("game", "by"), registry)
        self._phases = FastCounter("skerry_sessions", "Sessions that entered a phase.", ("game", "phase"), registry)
        help_text = "Duration of commits to the store, by result."
        self._commits = FastHistogram("skerry_commit_seconds", help_text, ("result",), _BUCKETS, registry)
        self.store = StoreMetrics(registry)
        self.deciding = Gauge("skerry_bot_decisions", "Decisions that bots have to make here.", registry=registry)
        help_text = "Bot decisions that wait for a process."
        self.waiting_bots = Gauge("skerry_bot_decisions_waiting", help_text, registry=registry)
        help_text = "How long bot decisions waited for a process."
        self._bot_waits = FastHistogram("skerry_bot_wait_seconds", help_text, ("table",), _WAIT_BUCKETS, registry)
        self._archived = FastCounter("skerry_archived_sessions", "Sessions moved to the archive.", ("game",), registry)
        self._archive_reads = FastCounter(
            "skerry_archive_reads", "Reads of the archive, by result.", ("result",), registry
        )
        help_text = "Attempts to deliver webhooks, by result."
        self._webhooks = FastCounter("skerry_webhook_attempts", help_text, ("result",), registry)
        for result in _WEBHOOK_RESULTS:
            self._webhooks.start_at_zero(result)
        self.matching = MatchMetrics(registry)
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def started(self, call: Call) -> None:
        """Count a call that started."""
        self._started.add(call.service, call.rpc, _TYPES[call.streaming])
        if call.streaming:
            self._streams.inc()

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Count a call that ended, and record its duration."""
        grpc_type = _TYPES[call.streaming]
        self._ended.add(call.service, call.rpc, grpc_type, code)
        if call.streaming:
            self._streams.dec()
        else:
            self._durations.add(call.seconds(), call.service, call.rpc, grpc_type)
            self._call_waits.add(call.waited_ns / 1e9)
        if reason:
            self._refused.add(reason)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Count a request that never became a call."""
        self._refused.add(reason)

    def refused_in_stream(self, reason: str) -> None:
        """Count a rejected message of a stream."""
        self._refused.add(reason)

    def acted_in_stream(self, seconds: float) -> None:
        """Record how long an act in a stream took."""
        self._acts.add(seconds)

    def record_lag(self, seconds: float) -> None:
        """Record how late the event loop was."""
        self._lags.add(seconds)

    def count_webhook(self, result: str) -> None:
        """Count an attempt to deliver a webhook, by its result."""
        self._webhooks.add(result)

    def count_change(self, game: str, moves: Iterable[str]) -> None:
        """Count a change to a session, and its moves. ``moves``: for each, who made it (``by``)."""
        self._changes.add(game)
        for by in moves:
            self._moves.add(game, by)

    def count_phases(self, game: str, phases: Iterable[str]) -> None:
        """Count the phases that a session entered."""
        for phase in phases:
            self._phases.add(game, phase)

    def count_commit(self, result: str, seconds: float) -> None:
        """Record the duration of a commit, by its result."""
        self._commits.add(seconds, result)

    def count_bot_wait(self, seconds: float, has_players: bool) -> None:
        """Record how long a bot's decision waited, and whether players sit at its table."""
        self._bot_waits.add(seconds, "players" if has_players else "bots")

    def count_archived(self, game: str) -> None:
        """Count a session that moved to the archive."""
        self._archived.add(game)

    def count_archive_read(self, result: str) -> None:
        """Count a read of the archive, by its result."""
        self._archive_reads.add(result)

    def add_limits(self, reached: Callable[[], Mapping[str, int]]) -> None:
        """Expose how often limits were reached. ``reached``: returns the counts by name."""
        self.registry.register(_OnDemand(CounterMetricFamily, _LIMITS, "limit", reached))

    def add_caches(self, sizes: Callable[[], Mapping[str, int]], entries: Callable[[], Mapping[str, int]]) -> None:
        """Expose the bytes of the large caches, and the entries of the small ones, each by its name."""
        self.registry.register(_OnDemand(GaugeMetricFamily, _CACHE_BYTES, "cache", sizes))
        self.registry.register(_OnDemand(GaugeMetricFamily, _CACHE_ENTRIES, "cache", entries))

    def add_damage(self, found: Callable[[], int]) -> None:
        """Expose how many damaged sessions and entries of indexes were found. ``found``: returns the number."""
        help_text = "Damaged sessions and index entries that this process has found."
        Gauge("skerry_damaged_sessions", help_text, registry=self.registry).set_function(found)

    def add_archive_state(self, is_up: Callable[[], bool]) -> None:
        """Expose whether the archive answered its last request."""
        gauge = Gauge("skerry_archive_up", "1 if the archive answered its last request.", registry=self.registry)
        gauge.set_function(lambda: float(is_up()))

    def add_certificate_expiry(self, ends_at: Callable[[], datetime]) -> None:
        """Expose when the certificate in force expires."""
        help_text = "When the TLS certificate in force expires, in seconds since 1970."
        gauge = Gauge("skerry_tls_certificate_end_timestamp_seconds", help_text, registry=self.registry)
        gauge.set_function(lambda: ends_at().timestamp())

    def serve(self, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Serve ``GET /metrics`` from a thread. Return the port and a function that stops it. Raises OSError."""
        server, thread = start_http_server(port, host, self.registry)

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return server.server_port, stop


class _OnDemand(Collector):
    """A family of metrics with one label, read at each scrape."""

    def __init__(
        self, kind: _Kind, name_and_help: tuple[str, str], label: str, read: Callable[[], Mapping[str, int]]
    ) -> None:
        self._kind, self._named, self._label = kind, name_and_help, label
        self._read = read

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        family = self._kind(*self._named, labels=[self._label])
        for name, value in sorted(self._read().items()):
            family.add_metric([name], value)
        yield family
