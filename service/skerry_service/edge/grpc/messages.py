"""The messages in the body of a gRPC call."""

from __future__ import annotations

from collections import deque

from google.rpc import code_pb2

from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.edge.framing.compression import compress, unpacked
from skerry_service.edge.framing.envelopes import COMPRESSED, PREFIX_BYTES, EnvelopeReader, envelope
from skerry_service.edge.framing.transport_refusals import MalformedCall, TransportRefusal, WrongMessageCount

_SMALLEST_COMPRESSED = 1024
"""Bytes. Compressing a smaller message takes longer than sending it."""
_LEVEL = 1


class RequestOverdue(TransportRefusal):
    """The request did not arrive in time."""

    code, reason = code_pb2.DEADLINE_EXCEEDED, "RPC_TOO_SLOW"

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The request was not complete after {seconds:g} seconds. Send it faster.")


def compressed_envelope(message: bytes) -> bytes:
    """Return a message in its envelope, compressed if it is large."""
    if len(message) < _SMALLEST_COMPRESSED:
        return envelope(message)
    return envelope(compress(message, _LEVEL), COMPRESSED)


def only_message(body: bytes, *, declares_gzip: bool) -> bytes:
    """Return the message of a body that must have exactly one. Raises TransportRefusal."""
    if body[:1] == b"\0" and int.from_bytes(body[1:PREFIX_BYTES], "big") == len(body) - PREFIX_BYTES:
        return body[PREFIX_BYTES:]
    reader = MessageReader(declares_gzip=declares_gzip)
    reader.feed(body)
    if not reader:
        reader.require_whole()
        raise WrongMessageCount
    message, _ = reader.take()
    reader.require_whole()
    if reader:
        raise WrongMessageCount
    return message


class MessageReader:
    """Splits the body of a call into messages."""

    __slots__ = ("_declared", "_envelopes", "_reader")

    def __init__(self, *, declares_gzip: bool) -> None:
        """``declares_gzip``: whether a header names gzip as the compression of the messages."""
        self._declared = b"gzip" if declares_gzip else None
        self._reader = EnvelopeReader(LARGEST_REQUEST)
        self._envelopes: deque[tuple[int, bytes]] = deque()

    def feed(self, data: bytes) -> None:
        """Add a part of the body. Raises MessageTooLarge."""
        self._reader.feed(data)
        while (found := self._reader.next()) is not None:
            self._envelopes.append(found)

    def require_whole(self) -> None:
        """Raise MalformedCall if the body so far ends inside a message."""
        if not self._reader.is_empty:
            raise MalformedCall("The body of the call ends inside a message.")

    def __bool__(self) -> bool:
        return bool(self._envelopes)

    def take(self) -> tuple[bytes, int]:
        """Return the next message, and its bytes in the body. Raises TransportRefusal; IndexError if there is none."""
        flags, data = self._envelopes.popleft()
        if flags & ~COMPRESSED:
            raise MalformedCall("An envelope has an unknown flag.")
        message = unpacked(data, marked=bool(flags), declared=self._declared, limit=LARGEST_REQUEST)
        return message, PREFIX_BYTES + len(data)
