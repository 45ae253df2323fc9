"""A real store for the module's servers, and spans that are kept in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.store.servers import running_server

ATTRIBUTES = {
    *("rpc.service", "rpc.method", "rpc.response.status_code", "error.type"),
    *("db.system.name", "db.operation.name"),
    *("skerry.resource", "skerry.sequence", "skerry.request", "skerry.result"),
}
"""All that spans say."""


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What this process and the service export."""
    exporter = InMemorySpanExporter()
    program = TracerProvider()
    program.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: program)
    monkeypatch.setattr("skerry_service.telemetry.tracing.exporters", lambda: [exporter])
    yield exporter
    program.shutdown()
