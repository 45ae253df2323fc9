"""OpenTelemetry traces: a span for each call, with a span for each of its steps and each round trip to the store.

OpenTelemetry is an extra. Only this module imports it, and only if traces are enabled. The variables ``OTEL_...`` set
where spans go and how many are sampled.

A span contains the facts of ``call_facts`` and the result of the call: no token, player's name, move or seed.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.metadata import entry_points

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.environment_variables import OTEL_TRACES_EXPORTER
from opentelemetry.sdk.environment_variables import OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from skerry_service.telemetry.call_facts import request_of, resource_of, sequence_of
from skerry_service.telemetry.call_observers import Call, ReadAddress

READ, DECIDE, COMMIT, RESPOND = "read", "decide", "commit", "respond"
"""The steps of a call that changes a session, in order. They start again if another replica committed first."""
_NAME = "skerry"
_UNNAMED = "unknown_service"
_OTLP = "otlp"
_GROUP = "opentelemetry_traces_exporter"
_PROTOCOLS = {"grpc": "otlp_proto_grpc", "http/protobuf": "otlp_proto_http"}
_SERVER_ERRORS = frozenset(("UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"))
"""Codes of the service's failures, as OpenTelemetry's conventions for RPC define them. All others are the caller's."""
_COMMITS = frozenset(("commit", "create"))
_SUCCESSES = frozenset(("ok", "stored", "conflict", "duplicate", "gone"))
"""Results of round trips that did not fail."""
_CLOSE_SECONDS = 5.0
_PROPAGATOR = TraceContextTextMapPropagator()
_NO_PARENT = Context()


class _Traced:
    """The span of a call, and that of its current step."""

    __slots__ = ("_context", "_step", "_step_context", "_tracer", "ended", "span", "streaming", "task")

    def __init__(self, tracer: trace.Tracer, span: trace.Span, *, streaming: bool) -> None:
        self._tracer = tracer
        self.span = span
        self.streaming = streaming
        self.task = asyncio.current_task()
        self.ended = False
        self._context = self._step_context = trace.set_span_in_context(span, Context())
        self._step: trace.Span | None = None

    def step(self, name: str) -> None:
        """End the current step, and start the next one."""
        if self._step is not None:
            self._step.end()
        self._step = self._tracer.start_span(name, self._context)
        self._step_context = trace.set_span_in_context(self._step, Context())

    def trip(self, name: str, result: str, seconds: float) -> None:
        """Add a span for a round trip to the store that has just ended."""
        end_ns = time.time_ns()
        attributes = {"db.system.name": "redis", "db.operation.name": name, "skerry.result": result}
        span = self._tracer.start_span(
            f"redis {name}",
            self._step_context,
            kind=SpanKind.CLIENT,
            attributes=attributes,
            start_time=end_ns - int(seconds * 1e9),
        )
        if result not in _SUCCESSES:
            span.set_status(StatusCode.ERROR, result)
        span.end(end_ns)
        if name in _COMMITS and self._step is not None:
            self.step(RESPOND if result == "stored" else READ)

    def child(self, name: str) -> _Traced:
        """Start a part of a stream with steps of its own."""
        return _Traced(self._tracer, self._tracer.start_span(name, self._context), streaming=False)

    def end(self) -> None:
        """End the step and the span."""
        self.ended = True
        if self._step is not None:
            self._step.end()
        self.span.end()


_UNDER_WAY: ContextVar[_Traced | None] = ContextVar("_UNDER_WAY", default=None)


class Tracing:
    """A ``CallObserver`` that creates spans. Taps on ``sessions`` and ``store`` report steps and round trips."""

    def __init__(self, provider: TracerProvider) -> None:
        """``provider``: closed together with this object."""
        self._provider = provider
        self._tracer = provider.get_tracer(_NAME)

    # ------------------------------------------------------------ calls

    def started(self, call: Call) -> None:
        """Start the span of a call, in the caller's trace if the call names one."""
        sent = call.peer().traceparent
        parent = _PROPAGATOR.extract({"traceparent": sent}, _NO_PARENT) if sent else _NO_PARENT
        attributes = {"rpc.service": call.service, "rpc.method": call.rpc}
        span = self._tracer.start_span(
            f"{call.service}/{call.rpc}", parent, kind=SpanKind.SERVER, attributes=attributes
        )
        context = span.get_span_context()
        if context.is_valid:  # invalid if OTEL_SDK_DISABLED is set
            call.trace = trace.format_trace_id(context.trace_id)
        if not span.is_recording():
            _UNDER_WAY.set(None)
            return
        call.traced = traced = _Traced(self._tracer, span, streaming=call.streaming)
        _UNDER_WAY.set(traced)
        if not call.streaming:
            traced.step(READ)

    def ended(self, call: Call, code: str, reason: str) -> None:
        """End the span of a call."""
        traced = call.traced
        if traced is None:
            return
        attributes: dict[str, str | int] = {"rpc.response.status_code": code}
        if reason:
            attributes["error.type"] = reason
        if resource := resource_of(call.request, call.answer):
            attributes["skerry.resource"] = resource
        if sequence := sequence_of(call.request, call.answer):
            attributes["skerry.sequence"] = sequence
        if request := request_of(call.request):
            attributes["skerry.request"] = request
        traced.span.set_attributes(attributes)
        if code in _SERVER_ERRORS:
            traced.span.set_status(StatusCode.ERROR, reason or code)
        traced.end()

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Do nothing: the request never became a call."""

    def refused_in_stream(self, reason: str) -> None:
        """Do nothing: the stream continues."""

    def acted_in_stream(self, seconds: float) -> None:
        """Do nothing: the change of the session has a span of its own."""

    # ------------------------------------------------------------ within a call

    def trip(self, name: str, result: str, seconds: float) -> None:
        """Add a round trip to the store to the span of its call, if it has one."""
        if traced := _traced():
            traced.trip(name, result, seconds)

    def step(self, name: str) -> None:
        """Start a step of the current call, if there is one."""
        traced = _traced()
        if traced is not None and not traced.streaming:
            traced.step(name)

    @contextmanager
    def change(self, session: str) -> Generator[None, None, None]:
        """Give a change within a stream a span of its own. A unary call has one already."""
        traced = _traced()
        if traced is None or not traced.streaming:
            yield
            return
        part = traced.child("change")
        part.span.set_attribute("skerry.resource", f"sessions/{session}")
        before = _UNDER_WAY.set(part)
        try:
            yield
        finally:
            _UNDER_WAY.reset(before)
            part.end()

    async def close(self) -> None:
        """Send the remaining spans, for a few seconds at most: the collector may be unreachable."""
        closing = threading.Thread(target=self._provider.shutdown, name="skerry-traces", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, _CLOSE_SECONDS)


def _traced() -> _Traced | None:
    """Return the current call: that of this task, or a stream that this task works for."""
    traced = _UNDER_WAY.get()
    if traced is None or traced.ended:
        return None
    return traced if traced.streaming or traced.task is asyncio.current_task() else None


# ---------------------------------------------------------------- from the environment


def from_environment(version: str) -> Tracing:
    """Return the tracing that the ``OTEL_...`` variables configure. Raises OSError, whose message is a sentence.

    ``version``: of the service.
    """
    found = exporters()
    try:
        provider = TracerProvider(resource=_resource(version), shutdown_on_exit=False)
        for exporter in found:
            provider.add_span_processor(BatchSpanProcessor(exporter))
    except ValueError as error:  # numbers of OTEL_BSP_... or OTEL_SPAN_...
        raise OSError(f"a variable OTEL_... for traces is invalid: {error}") from error
    return Tracing(provider)


def exporters() -> Sequence[SpanExporter]:
    """Return the installed exporters that ``OTEL_TRACES_EXPORTER`` names. Raises OSError."""
    names = (name.strip() for name in (os.environ.get(OTEL_TRACES_EXPORTER) or _OTLP).split(","))
    return [_exporter(name) for name in names if name not in ("", "none")]


def _exporter(name: str) -> SpanExporter:
    if name == _OTLP:
        protocol = os.environ.get(OTEL_EXPORTER_OTLP_TRACES_PROTOCOL) or os.environ.get(OTEL_EXPORTER_OTLP_PROTOCOL)
        name = _PROTOCOLS.get(protocol or "grpc", f"{_OTLP} over {protocol}")
    for point in entry_points(group=_GROUP, name=name):
        try:
            exporter: SpanExporter = point.load()()
        except Exception as error:  # it reads variables of its own
            raise OSError(f"the trace exporter {name} cannot be used: {error}") from error
        return exporter
    raise OSError(f"no trace exporter {name} is installed; install one, or change OTEL_TRACES_EXPORTER")


def _resource(version: str) -> Resource:
    """Return the attributes of this process. The service is named skerry unless OpenTelemetry's variables name it."""
    resource = Resource.create({SERVICE_VERSION: version})
    unnamed = str(resource.attributes[SERVICE_NAME]).startswith(_UNNAMED)
    return resource.merge(Resource({SERVICE_NAME: _NAME})) if unnamed else resource
