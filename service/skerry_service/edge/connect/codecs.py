"""The codecs of messages: protobuf's wire format, and JSON."""

from __future__ import annotations

from typing import Any, Protocol

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from skerry_service.edge.framing.wire_messages import parse_message
from skerry_service.wire.json_reader import fill, parse_json
from skerry_service.wire.json_writer import LARGE, MAX_CACHED_BYTES, cached_json, to_json, write_in_thread
from skerry_service.wire.serialized import Serialized


class MessageCodec(Protocol):
    """Reads requests and writes responses."""

    name: str
    """Its name in media types: ``proto`` in ``application/connect+proto``."""
    names_fields_in_json: bool
    """Whether clients write ``expectedSequence`` instead of ``expected_sequence``. Errors do as the client does."""

    def read(self, kind: type[Message], data: bytes) -> Message:
        """Return a request. Raises InvalidField, UnknownField."""

    async def write(self, message: Serialized[Any], polled: Descriptor | None = None) -> bytes:
        """Return a response, or a message of a stream. ``polled``: its type, if clients read it until it changes."""


class ProtoCodec:
    """Protobuf's wire format."""

    name = "proto"
    names_fields_in_json = False

    def read(self, kind: type[Message], data: bytes) -> Message:
        return parse_message(kind, data)

    async def write(self, message: Serialized[Any], polled: Descriptor | None = None) -> bytes:
        return message.serialized()


class JsonCodec:
    """JSON by the protobuf JSON mapping."""

    name = "json"
    names_fields_in_json = True

    def read(self, kind: type[Message], data: bytes) -> Message:
        request = kind()
        fill(request, parse_json(data))
        return request

    async def write(self, message: Serialized[Any], polled: Descriptor | None = None) -> bytes:
        size = len(packed := message.serialized())
        if polled is not None and size <= MAX_CACHED_BYTES:
            return cached_json(polled, packed)
        if size >= LARGE:
            return await write_in_thread(_as_json, message)
        return _as_json(message)


def _as_json(message: Serialized[Any]) -> bytes:
    """Return the JSON of a message, computed once for all receivers."""
    return message.encoded_with(_encode)


def _encode(message: Serialized[Any]) -> bytes:
    return to_json(message.message)


PROTO, JSON = ProtoCodec(), JsonCodec()
