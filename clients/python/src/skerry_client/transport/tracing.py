"""OpenTelemetry spans of calls. The service continues them, so that a trace leads from a program to the store.

Clients make spans if the program has imported OpenTelemetry. Otherwise they do not import it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractContextManager, aclosing, contextmanager
from ssl import SSLContext
from typing import TYPE_CHECKING

import grpc
from google.protobuf.message import Message

from skerry_client.errors import SkerryError
from skerry_client.transport.call_headers import NO_HEADERS, CallHeaders, Metadata
from skerry_client.transport.connect_exchange import ConnectExchange
from skerry_client.transport.connect_transport import ConnectTransport
from skerry_client.transport.grpc_transport import SERVICE, GrpcExchange, GrpcTransport
from skerry_client.transport.rpcs import A, Method, Q
from skerry_client.transport.tls import TlsCredentials
from skerry_client.version import __version__

if TYPE_CHECKING:
    from opentelemetry.trace import Span


def grpc_transport_to(
    server: str, credentials: grpc.ChannelCredentials | None, headers: CallHeaders = NO_HEADERS
) -> GrpcTransport:
    """Return a transport over gRPC, which makes spans if this program has imported OpenTelemetry."""
    transport = TracedGrpcTransport if _traced() else GrpcTransport
    return transport(server, credentials, headers)


def connect_transport_to(
    server: str,
    credentials: TlsCredentials | SSLContext | None,
    headers: CallHeaders = NO_HEADERS,
) -> ConnectTransport:
    """Return a transport over Connect, likewise. Raises ValueError."""
    transport = TracedConnectTransport if _traced() else ConnectTransport
    return transport(server, credentials, headers)


def _traced() -> bool:
    return "opentelemetry.trace" in sys.modules


class _Spans:
    """A span for each attempt at a call and each stream. Spans have no tokens and no messages."""

    def __init__(self) -> None:
        from opentelemetry import propagate, trace  # noqa: PLC0415 - an extra, imported by the program before

        self._trace = trace
        self._inject = propagate.inject
        self._tracer = trace.get_tracer("skerry_client", __version__)

    def with_trace(self, metadata: Metadata | None, span: Span | None = None) -> Metadata:
        """Return the metadata with the trace of a span, by default the current one."""
        headers = dict(metadata or ())
        self._inject(headers, None if span is None else self._trace.set_span_in_context(span))
        return tuple(headers.items())

    def begin(self, rpc: str) -> Span:
        attributes = {"rpc.service": SERVICE, "rpc.method": rpc}
        return self._tracer.start_span(f"{SERVICE}/{rpc}", kind=self._trace.SpanKind.CLIENT, attributes=attributes)

    @contextmanager
    def during(self, rpc: str) -> Generator[Span, None, None]:
        """Make a span for the block. A failed call adds the error's class to the span, but not its text."""
        span = self.begin(rpc)
        try:
            yield span
        except SkerryError as error:
            span.set_attribute("error.type", type(error).__name__)
            span.set_status(self._trace.StatusCode.ERROR)
            raise
        finally:
            span.end()

    def within(self, span: Span) -> AbstractContextManager[Span]:
        return self._trace.use_span(span, record_exception=False, set_status_on_exception=False)


class TracedGrpcTransport(GrpcTransport):
    """The transport over gRPC, with spans."""

    def __init__(
        self,
        server: str,
        credentials: grpc.ChannelCredentials | None = None,
        headers: CallHeaders = NO_HEADERS,
    ) -> None:
        super().__init__(server, credentials, headers)
        self._spans = _Spans()

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        with self._spans.during(method.name) as span, self._spans.within(span):
            return await super().call(method, request, token, timeout)

    async def _stream(
        self, rpc: str, request: Message, response: type[A], metadata: Metadata | None
    ) -> AsyncGenerator[A, None]:
        # The span is not the current one, because the reader does other work between two messages.
        with self._spans.during(rpc) as span:
            traced = self._spans.with_trace(metadata, span)
            async with aclosing(super()._stream(rpc, request, response, traced)) as messages:
                async for message in messages:
                    yield message

    def _exchange(self, cell: str) -> GrpcExchange:
        span = self._spans.begin("Play")
        with self._spans.within(span):
            exchange = super()._exchange(cell)
        exchange.on_end(span.end)
        return exchange

    def _metadata(self, token: str | None, cell: str) -> Metadata:
        return self._spans.with_trace(super()._metadata(token, cell))


class TracedConnectTransport(ConnectTransport):
    """The transport over Connect, with spans."""

    def __init__(
        self,
        server: str,
        credentials: TlsCredentials | SSLContext | None = None,
        headers: CallHeaders = NO_HEADERS,
    ) -> None:
        super().__init__(server, credentials, headers)
        self._spans = _Spans()

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        with self._spans.during(method.name) as span, self._spans.within(span):
            return await super().call(method, request, token, timeout)

    async def _stream(
        self, rpc: str, request: Message, response: type[A], metadata: Metadata
    ) -> AsyncGenerator[A, None]:
        with self._spans.during(rpc) as span:  # not the current one, as above
            traced = self._spans.with_trace(metadata, span)
            async with aclosing(super()._stream(rpc, request, response, traced)) as messages:
                async for message in messages:
                    yield message

    def _exchange(self, cell: str) -> ConnectExchange:
        span = self._spans.begin("Play")
        with self._spans.within(span):
            exchange = super()._exchange(cell)
        exchange.on_end(span.end)
        return exchange

    def _metadata(self, token: str | None, cell: str) -> Metadata:
        return self._spans.with_trace(super()._metadata(token, cell))
