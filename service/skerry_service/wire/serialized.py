"""Responses as serialized messages. Most transports need only the bytes, and parsing costs as much as writing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
Encode = Callable[["Serialized[Any]"], bytes]


class Serialized(Generic[M]):
    """A response, or one message of a stream, as serialized protobuf. All its receivers share the object."""

    __slots__ = ("_encodings", "_kind", "_message", "_wire")

    def __init__(self, kind: type[M], wire: bytes) -> None:
        self._kind = kind
        self._wire = wire
        self._message: M | None = None
        self._encodings: dict[Encode, bytes] | None = None

    @property
    def message(self) -> M:
        """The message, parsed once. All receivers share it, so do not change it."""
        if self._message is None:
            self._message = self._kind.FromString(self._wire)
        return self._message

    def serialized(self) -> bytes:
        """Return the serialized message."""
        return self._wire

    def encoded_with(self, encode: Encode) -> bytes:
        """Return ``encode(self)``, computed once per function for all receivers."""
        if self._encodings is None:
            self._encodings = {}
        encoded = self._encodings.get(encode)
        if encoded is None:
            encoded = self._encodings[encode] = encode(self)
        return encoded


def serialize(message: M) -> Serialized[M]:
    """Return a message in serialized form."""
    return Serialized(type(message), message.SerializeToString())
