"""The messages of Connect's streams. Each follows its flags and its length; the last one has the result."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from struct import Struct

from google.protobuf.message import DecodeError

from skerry_client.errors import ConnectionLost, UnexpectedResponse
from skerry_client.transport.connect_errors import error_in_stream
from skerry_client.transport.grpc_transport import MAX_MESSAGE_BYTES
from skerry_client.transport.http_connections import BodyTooLarge
from skerry_client.transport.rpcs import A

_PREFIX = Struct(">BI")
_END = 0b10
"""The flag of the message that ends a stream."""


def enveloped(data: bytes) -> bytes:
    """Return a message with its flags and its length."""
    return _PREFIX.pack(0, len(data)) + data


async def messages_in(body: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yield the messages of a body. Raises the error with which the server ended it, ConnectionLost, BodyTooLarge."""
    data = bytearray()
    async with aclosing(body) as parts:
        async for part in parts:
            data += part
            while len(data) >= _PREFIX.size:
                flags, length = _PREFIX.unpack_from(data)
                if length > MAX_MESSAGE_BYTES:
                    raise BodyTooLarge
                end = _PREFIX.size + length
                if len(data) < end:
                    break
                message = bytes(data[_PREFIX.size : end])
                del data[:end]
                if flags & _END:
                    if (error := error_in_stream(message)) is not None:
                        raise error
                    return
                yield message
    raise ConnectionLost("the stream broke off")


def parsed(kind: type[A], data: bytes) -> A:
    """Return a message of that type. Raises UnexpectedResponse."""
    try:
        return kind.FromString(data)
    except DecodeError:
        raise UnexpectedResponse(f"the response is not of type {kind.DESCRIPTOR.name}") from None
