"""Traces (OpenTelemetry): a span for each call at the front door, one for each step of it and each trip to the store.

Nothing else of the service imports OpenTelemetry, which is an extra, and this only where traces are wanted. Where they
go and how many are kept is set by OpenTelemetry's own variables, ``OTEL_...``.

A span holds what ``about`` tells of a call, and how it ended: no token, no name, no move, no seed.
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
"""The steps of a call that changes something, in this order; again from the first one if another replica was faster."""
_NAME = "skerry"
_UNNAMED = "unknown_service"
_OTLP = "otlp"
_GROUP = "opentelemetry_traces_exporter"
_PROTOCOLS = {"grpc": "otlp_proto_grpc", "http/protobuf": "otlp_proto_http"}
_OURS = frozenset(("UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"))
"""Codes that are the service's failure, not the caller's mistake: so OpenTelemetry's conventions for RPC have it."""
_STORES = frozenset(("commit", "create"))
_ANSWERED = frozenset(("ok", "stored", "conflict", "duplicate", "gone"))
"""What comes of a trip at which nothing failed."""
_CLOSE_SECONDS = 5.0
_PARENTS = TraceContextTextMapPropagator()
_NO_PARENT = Context()


class _Traced:
    """A call under way, and the step that it is at."""

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
        """Begin a step, which ends the one before."""
        if self._step is not None:
            self._step.end()
        self._step = self._tracer.start_span(name, self._context)
        self._step_context = trace.set_span_in_context(self._step, Context())

    def trip(self, name: str, result: str, seconds: float) -> None:
        """Note a trip to the store that has just come to its end."""
        end_ns = time.time_ns()
        attributes = {"db.system.name": "redis", "db.operation.name": name, "skerry.result": result}
        span = self._tracer.start_span(
            f"redis {name}",
            self._step_context,
            kind=SpanKind.CLIENT,
            attributes=attributes,
            start_time=end_ns - int(seconds * 1e9),
        )
        if result not in _ANSWERED:
            span.set_status(StatusCode.ERROR, result)
        span.end(end_ns)
        if name in _STORES and self._step is not None:
            self.step(RESPOND if result == "stored" else READ)

    def child(self, name: str) -> _Traced:
        """Begin a part of a stream that has steps of its own."""
        return _Traced(self._tracer, self._tracer.start_span(name, self._context), streaming=False)

    def end(self) -> None:
        """End the step and the span."""
        self.ended = True
        if self._step is not None:
            self._step.end()
        self.span.end()


_UNDER_WAY: ContextVar[_Traced | None] = ContextVar("_UNDER_WAY", default=None)


class Tracing:
    """A ``Watcher`` that makes spans, and what ``sessions`` and ``store`` tell of steps and trips."""

    def __init__(self, provider: TracerProvider) -> None:
        """``provider``: is closed with this."""
        self._provider = provider
        self._tracer = provider.get_tracer(_NAME)

    # ------------------------------------------------------------ calls

    def started(self, call: Call) -> None:
        """Begin a span: a part of the caller's trace, if it says that it has one."""
        sent = call.origin.traceparent
        parent = _PARENTS.extract({"traceparent": sent}, _NO_PARENT) if sent else _NO_PARENT
        attributes = {"rpc.service": call.service, "rpc.method": call.rpc}
        span = self._tracer.start_span(
            f"{call.service}/{call.rpc}", parent, kind=SpanKind.SERVER, attributes=attributes
        )
        context = span.get_span_context()
        if context.is_valid:  # not where OTEL_SDK_DISABLED says so
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
        if code in _OURS:
            traced.span.set_status(StatusCode.ERROR, reason or code)
        traced.end()

    def refused(self, caller: ReadAddress, code: str, reason: str) -> None:
        """Make no span of what was no call."""

    def refused_in_stream(self, reason: str) -> None:
        """Add nothing to the span of the stream, which goes on."""

    # ------------------------------------------------------------ within a call

    def trip(self, name: str, result: str, seconds: float) -> None:
        """Note a trip to the store, if it was made for a call."""
        if traced := _traced():
            traced.trip(name, result, seconds)

    def step(self, name: str) -> None:
        """Begin a step of the call, if this is done for one."""
        traced = _traced()
        if traced is not None and not traced.streaming:
            traced.step(name)

    @contextmanager
    def change(self, session: str) -> Generator[None, None, None]:
        """Make a change to a session within a stream a span of its own. A unary call is one already."""
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
        """Send what is left, for a few seconds at most: whoever takes the spans may be away."""
        closing = threading.Thread(target=self._provider.shutdown, name="skerry-traces", daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, _CLOSE_SECONDS)


def _traced() -> _Traced | None:
    """Return the call that this is done for: made by this task, or a stream on whose behalf it runs."""
    traced = _UNDER_WAY.get()
    if traced is None or traced.ended:
        return None
    return traced if traced.streaming or traced.task is asyncio.current_task() else None


# ---------------------------------------------------------------- from the environment


def from_environment(version: str) -> Tracing:
    """Return who makes traces as the ``OTEL_...`` variables of this process say. Raises OSError, in a sentence.

    ``version``: of the service.
    """
    senders = exporters()
    try:
        provider = TracerProvider(resource=_resource(version), shutdown_on_exit=False)
        for exporter in senders:
            provider.add_span_processor(BatchSpanProcessor(exporter))
    except ValueError as error:  # numbers of OTEL_BSP_... or OTEL_SPAN_...
        raise OSError(f"a variable OTEL_... of traces is not understood: {error}") from error
    return Tracing(provider)


def exporters() -> Sequence[SpanExporter]:
    """Return who sends spans, by ``OTEL_TRACES_EXPORTER``: what is installed under those names. Raises OSError."""
    wanted = (name.strip() for name in (os.environ.get(OTEL_TRACES_EXPORTER) or _OTLP).split(","))
    return [_exporter(name) for name in wanted if name not in ("", "none")]


def _exporter(name: str) -> SpanExporter:
    if name == _OTLP:
        protocol = os.environ.get(OTEL_EXPORTER_OTLP_TRACES_PROTOCOL) or os.environ.get(OTEL_EXPORTER_OTLP_PROTOCOL)
        name = _PROTOCOLS.get(protocol or "grpc", f"{_OTLP} over {protocol}")
    for point in entry_points(group=_GROUP, name=name):
        try:
            made: SpanExporter = point.load()()
        except Exception as error:  # it reads variables of its own
            raise OSError(f"the exporter {name} of traces cannot be used: {error}") from error
        return made
    raise OSError(f"nothing that is installed exports traces as {name}: see OTEL_TRACES_EXPORTER")


def _resource(version: str) -> Resource:
    """Return what all spans say of this process. Its name is ours unless it was given one."""
    resource = Resource.create({SERVICE_VERSION: version})
    unnamed = str(resource.attributes[SERVICE_NAME]).startswith(_UNNAMED)
    return resource.merge(Resource({SERVICE_NAME: _NAME})) if unnamed else resource
