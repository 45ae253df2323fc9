"""Enveloped messages: a byte of flags, the length in four bytes, and the message."""

from __future__ import annotations

from struct import Struct

from skerry_service.edge.framing.transport_refusals import MessageTooLarge

COMPRESSED = 0b1
"""The flag of a compressed message."""
END_STREAM = 0b10
"""The flag of the last envelope of a Connect stream. It holds the error instead of a message."""
TRAILERS = 0b1000_0000
"""The flag of the last envelope of a gRPC-Web response. It holds trailers instead of a message."""
_PREFIX = Struct(">BI")
PREFIX_BYTES = _PREFIX.size
"""The size of an envelope without its message."""


def envelope(message: bytes, flags: int = 0) -> bytes:
    """Return a message in its envelope."""
    return _PREFIX.pack(flags, len(message)) + message


class EnvelopeReader:
    """Takes enveloped messages out of data that arrives in pieces."""

    def __init__(self, limit: int) -> None:
        """``limit``: the most bytes of a message."""
        self._limit = limit
        self._data = bytearray()

    def feed(self, data: bytes) -> None:
        """Add data."""
        self._data += data

    def next(self) -> tuple[int, bytes] | None:
        """Return the flags and the bytes of the next message; ``None`` until it is complete.

        Raises MessageTooLarge as soon as the length is known.
        """
        if len(self._data) < PREFIX_BYTES:
            return None
        flags, length = _PREFIX.unpack_from(self._data)
        if length > self._limit:
            raise MessageTooLarge(self._limit)
        end = PREFIX_BYTES + length
        if len(self._data) < end:
            return None
        message = bytes(self._data[PREFIX_BYTES:end])
        del self._data[:end]
        return flags, message

    @property
    def is_empty(self) -> bool:
        """Whether no part of a message is left."""
        return not self._data
