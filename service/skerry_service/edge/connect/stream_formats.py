"""The formats of enveloped calls: Connect's streams, and gRPC-Web. They differ in headers and in how a call ends."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable

from skerry_service.edge.connect.codecs import MessageCodec
from skerry_service.edge.connect.connect_errors import end_of_stream, status_for
from skerry_service.edge.connect.unary_calls import require_known_version
from skerry_service.edge.framing.call_status import grpc_trailers
from skerry_service.edge.framing.deadlines import connect_timeout, grpc_timeout
from skerry_service.edge.framing.envelopes import END_STREAM, TRAILERS, envelope
from skerry_service.edge.framing.transport_refusals import MalformedCall
from skerry_service.edge.http.asgi import Headers

Decode = Callable[[bytes], bytes]
"""Returns the next part of a body as binary. Raises MalformedCall."""
_SUCCEEDED = envelope(b"grpc-status: 0\r\n", TRAILERS)
_BASE64_UNIT = re.compile(rb"[^=]+=*")


class StreamFormat(ABC):
    """How a protocol writes enveloped calls with one codec."""

    encoding_header: bytes
    """The header that names the compression of messages."""
    accept_header: bytes
    """The header with the compressions that the client accepts."""

    def __init__(self, codec: MessageCodec, media: str) -> None:
        self.codec = codec
        self.media = media.encode()

    @abstractmethod
    def timeout(self, headers: Headers) -> float | None:
        """Return the client's timeout in seconds, if it has one. Raises MalformedCall for invalid headers."""

    @abstractmethod
    def end(self, error: Exception | None) -> bytes:
        """Return the last envelope of a response. ``error``: ``None`` if the call succeeded."""

    def decoder(self) -> Decode:
        """Return the function that reads the parts of one body."""
        return bytes

    def encoded(self, data: bytes) -> bytes:
        """Return whole envelopes as the body contains them."""
        return data


class ConnectStreams(StreamFormat):
    """Connect's streams."""

    encoding_header, accept_header = b"connect-content-encoding", b"connect-accept-encoding"

    def timeout(self, headers: Headers) -> float | None:
        require_known_version(headers)
        return connect_timeout(headers.get(b"connect-timeout-ms"))

    def end(self, error: Exception | None) -> bytes:
        return envelope(end_of_stream(error, self.codec), END_STREAM)


class GrpcWeb(StreamFormat):
    """gRPC-Web, where unary calls are enveloped too."""

    encoding_header, accept_header = b"grpc-encoding", b"grpc-accept-encoding"

    def timeout(self, headers: Headers) -> float | None:
        return grpc_timeout(headers.get(b"grpc-timeout"))

    def end(self, error: Exception | None) -> bytes:
        if error is None:
            return _SUCCEEDED
        lines = [b"%b: %b\r\n" % trailer for trailer in grpc_trailers(status_for(error, self.codec))]
        return envelope(b"".join(lines), TRAILERS)


class GrpcWebText(GrpcWeb):
    """gRPC-Web in base64, for clients that cannot read binary bodies."""

    def decoder(self) -> Decode:
        return _Base64Reader().read

    def encoded(self, data: bytes) -> bytes:
        return b64encode(data)


class _Base64Reader:
    """Reads base64 that arrives in pieces. Padding may occur wherever the client has flushed."""

    def __init__(self) -> None:
        self._rest = b""

    def read(self, part: bytes) -> bytes:
        text = self._rest + part
        whole = len(text) // 4 * 4
        self._rest = text[whole:]
        try:
            return b"".join(b64decode(unit, validate=True) for unit in _BASE64_UNIT.findall(text[:whole]))
        except Base64Error:
            raise MalformedCall("The body is not base64.") from None
