"""Compression of messages with gzip."""

from __future__ import annotations

import gzip
import zlib

from skerry_service.edge.framing.transport_refusals import (
    GZIP,
    IDENTITY,
    EncodingUndeclared,
    EncodingUnsupported,
    MalformedCall,
    MessageTooLarge,
)

SMALLEST_COMPRESSED = 8 * 1024
"""Bytes. Compressing a smaller message, such as a move, takes longer than sending it."""
_LEVEL = 5
_WITH_GZIP_HEADER = 31


def compress(data: bytes, level: int = _LEVEL) -> bytes:
    """Return the data compressed with gzip. Equal data gives equal bytes."""
    return gzip.compress(data, level, mtime=0)


def is_compressed(declared: bytes | None) -> bool:
    """Return whether a header declares gzip. Raises EncodingUnsupported for any other compression."""
    if declared is None or declared == IDENTITY.encode():
        return False
    if declared.strip().lower() != GZIP.encode():
        raise EncodingUnsupported(declared)
    return True


def decompress(data: bytes, limit: int) -> bytes:
    """Return the data without its compression, which must be gzip. An empty message is never compressed.

    ``limit``: the most bytes of the result. Raises MessageTooLarge without unpacking more, and MalformedCall.
    """
    if not data:
        return data
    unpacking = zlib.decompressobj(_WITH_GZIP_HEADER)
    try:
        unpacked = unpacking.decompress(data, limit + 1)
    except zlib.error:
        raise MalformedCall("The message is not valid gzip.") from None
    if len(unpacked) > limit:
        raise MessageTooLarge(limit)
    if not unpacking.eof or unpacking.unused_data:
        raise MalformedCall("The message is not valid gzip.")
    return unpacked


def unpacked(data: bytes, *, marked: bool, declared: bytes | None, limit: int) -> bytes:
    """Return an enveloped message without its compression.

    ``marked``: whether its flags say that it is compressed; ``declared``: the header that names the compression.
    """
    if not marked:
        return data
    if not is_compressed(declared):
        raise EncodingUndeclared
    return decompress(data, limit)
