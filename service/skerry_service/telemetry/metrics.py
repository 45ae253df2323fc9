"""Counters in Prometheus' text format, on a port of their own. No id, name or address is a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from prometheus_client import CollectorRegistry, Gauge, start_http_server
from prometheus_client.core import CounterMetricFamily
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from skerry_service.telemetry.call_observers import Call, ReadAddress
from skerry_service.telemetry.fast_counters import FastCounter, FastHistogram

_METHOD = ("grpc_service", "grpc_method", "grpc_type")
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_ALARMING = ("INTERNAL", "SESSION_DAMAGED", "STORE_FULL")
"""Reasons of which the first refusal is one too many: alerts go by them."""
_TYPES: Mapping[bool, str] = {False: "unary", True: "stream"}


class Metrics:
    """The counters of one process. Calls over HTTP count with those over gRPC: they are the same calls."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._begun = FastCounter("grpc_server_started", "Calls that came in.", _METHOD, registry)
        self._ended = FastCounter("grpc_server_handled", "Calls that ended.", (*_METHOD, "grpc_code"), registry)
        about = "How long unary calls took."
        self._took = FastHistogram("grpc_server_handling_seconds", about, _METHOD, _SECONDS, registry)
        self._streams = Gauge("skerry_open_streams", "Streams that are open.", registry=registry)
        self._refused = FastCounter("skerry_refused", "What was refused, by reason.", ("reason",), registry)
        for reason in _ALARMING:
            self._refused.begin(reason)
        self._changes = FastCounter("skerry_changes", "Committer to sessions that were stored.", ("game",), registry)
        self._moves = FastCounter("skerry_moves", "Moves that were stored.", ("game", "by"), registry)
        self._phases = FastCounter("skerry_sessions", "Sessions that came into a phase.", ("game", "phase"), registry)
        about = "How long the store took to commit, by what came of it."
        self._commits = FastHistogram("skerry_commit_seconds", about, ("result",), _SECONDS, registry)
        self.store_up = Gauge("skerry_store_up", "Whether the store answered last.", registry=self.registry)
        self.stored = Gauge("skerry_stored_sessions", "Sessions in the store.", registry=self.registry)
        self.overdue = Gauge(
            "skerry_overdue_sessions", "Sessions at which nobody looks though it is time to.", registry=self.registry
        )
        self.deciding = Gauge("skerry_bot_decisions", "Decisions that bots owe here.", registry=self.registry)
        self._archived = FastCounter(
            "skerry_archived_sessions", "Sessions that moved to the archive.", ("game",), registry
        )
        self._archive_reads = FastCounter(
            "skerry_archive_reads", "Sessions looked for in the archive.", ("result",), registry
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def started(self, call: Call) -> None:
        """Count a call that came in."""
        self._begun.add(call.service, call.rpc, _TYPES[call.streaming])
        if call.streaming:
            self._streams.inc()

    def ended(self, call: Call, code: str, reason: str) -> None:
        """Count a call that ended, and how long it took."""
        kind = _TYPES[call.streaming]
        self._ended.add(call.service, call.rpc, kind, code)
        if call.streaming:
            self._streams.dec()
        else:
            self._took.add(call.seconds(), call.service, call.rpc, kind)
        if reason:
            self._refused.add(reason)

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Count what never became a call."""
        self._refused.add(reason)

    def refused_in_stream(self, reason: str) -> None:
        """Count what was refused of a stream."""
        self._refused.add(reason)

    def count_change(self, game: str, moves: Iterable[str]) -> None:
        """Count a change to a session of that game, and by whom moves were made in it."""
        self._changes.add(game)
        for by in moves:
            self._moves.add(game, by)

    def count_phases(self, game: str, phases: Iterable[str]) -> None:
        """Count the phases into which a session of that game came."""
        for phase in phases:
            self._phases.add(game, phase)

    def count_commit(self, result: str, seconds: float) -> None:
        """Count a commit, by what the store made of it."""
        self._commits.add(seconds, result)

    def count_archived(self, game: str) -> None:
        """Count a session of that game that moved to the archive."""
        self._archived.add(game)

    def count_archive_read(self, result: str) -> None:
        """Count a session that was looked for in the archive, by what came of it."""
        self._archive_reads.add(result)

    def add_limits(self, reached: Callable[[], Mapping[str, int]]) -> None:
        """Count limits as well. ``reached``: how often each was, by name."""
        self.registry.register(_LimitsReached(reached))

    def add_archive_state(self, is_up: Callable[[], bool]) -> None:
        """Tell whether the archive answered last."""
        gauge = Gauge("skerry_archive_up", "Whether the archive answered last.", registry=self.registry)
        gauge.set_function(lambda: float(is_up()))

    def add_certificate_expiry(self, ends_at: Callable[[], datetime]) -> None:
        """Tell when the certificate that is in force ends."""
        help_text = "When the certificate of TLS that is in force ends, in seconds since 1970."
        gauge = Gauge("skerry_tls_certificate_end_timestamp_seconds", help_text, registry=self.registry)
        gauge.set_function(lambda: ends_at().timestamp())

    def serve(self, host: str, port: int) -> tuple[int, Callable[[], None]]:
        """Answer ``GET /metrics`` there, from a thread. Return the port, and what ends it. Raises OSError."""
        server, thread = start_http_server(port, host, self.registry)

        def stop() -> None:
            server.shutdown()
            server.server_close()
            thread.join()

        return server.server_port, stop


class _LimitsReached(Collector):
    """The gate's own counts, read when they are asked for."""

    def __init__(self, counts: Callable[[], Mapping[str, int]]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(
            "skerry_limits_reached", "How often limits were reached, in shadow mode too.", labels=["limit"]
        )
        for name, count in sorted(self._counts().items()):
            family.add_metric([name], count)
        yield family
