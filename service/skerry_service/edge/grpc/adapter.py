"""gRPC on HTTP/2: finds the RPC of a stream, and refuses requests that are no calls."""

from __future__ import annotations

from collections.abc import Sequence

from google.rpc import code_pb2

from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.framing.call_status import call_status, grpc_trailers
from skerry_service.edge.framing.transport_refusals import TransportRefusal
from skerry_service.edge.grpc.calls import HEAD, HINTS, methods_of
from skerry_service.edge.http.request_limits import LARGEST_HEADERS, MAX_HEADERS
from skerry_service.edge.http2.engine import Headers
from skerry_service.edge.http2.http2_connection import Serve
from skerry_service.edge.http2.stream import Http2Stream, StreamHandler

_SHOWN = 200
_MEDIA = (b"application/grpc", b"application/grpc+proto")


class UnknownMethod(TransportRefusal):
    """The path of the call names no RPC."""

    code, reason = code_pb2.UNIMPLEMENTED, "RPC_UNKNOWN_METHOD"

    def __init__(self, path: bytes) -> None:
        super().__init__(f"The server has no method {path[:_SHOWN].decode('latin-1')}. Check the name of the service.")


class MetadataTooLarge(TransportRefusal):
    """The metadata of the call is too large."""

    code, reason = code_pb2.RESOURCE_EXHAUSTED, "RPC_METADATA_TOO_LARGE"

    def __init__(self) -> None:
        limits = f"{LARGEST_HEADERS} bytes and {MAX_HEADERS} entries"
        super().__init__(f"The metadata is too large. The limits are {limits}.")


class RefusedStream:
    """A stream that is answered already. Its body is discarded."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Http2Stream, headers: Headers) -> None:
        self._stream = stream
        stream.send_headers(headers, end=True)

    def received(self, data: bytes, *, ended: bool) -> None:
        """Discard a part of the body."""
        self._stream.consume(len(data))

    def request_overdue(self, seconds: float) -> None:
        """Do nothing: the stream has its response."""

    def closed(self) -> None:
        """Do nothing."""


class GrpcAdapter:
    """The RPCs of all services."""

    def __init__(self, endpoints: Sequence[Endpoint], other: Serve | None = None) -> None:
        """``endpoints``: one for each service; ``other``: serves requests that are not gRPC; ``None``: refuse them."""
        self._other = other
        self._methods = {path: method for endpoint in endpoints for path, method in methods_of(endpoint).items()}

    def serve(self, stream: Http2Stream, headers: Headers) -> StreamHandler:
        """Return the call of a stream."""
        named = dict(headers)
        if named.get(b"content-type", b"").partition(b";")[0].strip().lower() not in _MEDIA:
            if self._other is not None:
                return self._other(stream, headers)
            return RefusedStream(stream, ((b":status", b"415"), (b"accept-post", b"application/grpc")))
        if named.get(b":method") != b"POST":
            return RefusedStream(stream, ((b":status", b"405"), (b"allow", b"POST")))
        try:
            if len(headers) > MAX_HEADERS or stream.held > LARGEST_HEADERS:
                raise MetadataTooLarge
            path = named.get(b":path", b"")
            method = self._methods.get(path)
            if method is None:
                raise UnknownMethod(path)
            return method.call(stream, method, headers)
        except TransportRefusal as error:
            return RefusedStream(stream, (*HEAD, *grpc_trailers(call_status(error, HINTS))))
