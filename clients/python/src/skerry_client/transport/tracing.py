"""OpenTelemetry spans of calls. The service continues them, so that a trace leads from a program to the store.

Clients make spans if the program has imported OpenTelemetry. Otherwise they do not import it.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractContextManager, aclosing, contextmanager
from typing import TYPE_CHECKING

import grpc
from google.protobuf.message import Message

from skerry_client.errors import SkerryError
from skerry_client.transport.grpc_transport import SERVICE, GrpcExchange, GrpcTransport, Metadata
from skerry_client.transport.rpcs import A, Method, Q
from skerry_client.version import __version__

if TYPE_CHECKING:
    from opentelemetry.trace import Span


def transport_to(server: str, credentials: grpc.ChannelCredentials | None, api_key: str | None) -> GrpcTransport:
    """Return a transport, which makes spans if this program has imported OpenTelemetry."""
    transport = TracedTransport if "opentelemetry.trace" in sys.modules else GrpcTransport
    return transport(server, credentials, api_key)


class TracedTransport(GrpcTransport):
    """A transport with a span for each attempt at a call and each stream. Spans have no tokens and no messages."""

    def __init__(
        self, server: str, credentials: grpc.ChannelCredentials | None = None, api_key: str | None = None
    ) -> None:
        super().__init__(server, credentials, api_key)
        from opentelemetry import propagate, trace  # noqa: PLC0415 - an extra, imported by the program before

        self._trace = trace
        self._inject = propagate.inject
        self._tracer = trace.get_tracer("skerry_client", __version__)

    async def call(self, method: Method[Q, A], request: Q, token: str | None, timeout: float) -> A:
        with self._span(method.name) as span, self._within(span):
            return await super().call(method, request, token, timeout)

    async def _stream(
        self, rpc: str, request: Message, response: type[A], metadata: Metadata | None
    ) -> AsyncGenerator[A, None]:
        # The span is not the current one, because the reader does other work between two messages.
        with self._span(rpc) as span:
            headers = dict(metadata or ())
            self._inject(headers, self._trace.set_span_in_context(span))
            async with aclosing(super()._stream(rpc, request, response, tuple(headers.items()))) as messages:
                async for message in messages:
                    yield message

    def _exchange(self) -> GrpcExchange:
        span = self._begin("Play")
        with self._within(span):
            exchange = super()._exchange()
        exchange.on_end(span.end)
        return exchange

    def _metadata(self, token: str | None) -> Metadata | None:
        headers = dict(super()._metadata(token) or ())
        self._inject(headers)
        return tuple(headers.items())

    def _begin(self, rpc: str) -> Span:
        attributes = {"rpc.service": SERVICE, "rpc.method": rpc}
        return self._tracer.start_span(f"{SERVICE}/{rpc}", kind=self._trace.SpanKind.CLIENT, attributes=attributes)

    @contextmanager
    def _span(self, rpc: str) -> Generator[Span, None, None]:
        """Make a span for the block. A failed call adds the error's class to the span, but not its text."""
        span = self._begin(rpc)
        try:
            yield span
        except SkerryError as error:
            span.set_attribute("error.type", type(error).__name__)
            span.set_status(self._trace.StatusCode.ERROR)
            raise
        finally:
            span.end()

    def _within(self, span: Span) -> AbstractContextManager[Span]:
        return self._trace.use_span(span, record_exception=False, set_status_on_exception=False)
