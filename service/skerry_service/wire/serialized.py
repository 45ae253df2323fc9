"""Answers in wire format: most callers want nothing else, and a message costs as much to parse as it did to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
Write = Callable[["Serialized[Any]"], bytes]


class Serialized(Generic[M]):
    """What a call is answered with, or a stream tells, put together in wire format. Shared by all who are told it."""

    __slots__ = ("_encodings", "_kind", "_message", "_wire")

    def __init__(self, kind: type[M], wire: bytes) -> None:
        self._kind = kind
        self._wire = wire
        self._message: M | None = None
        self._encodings: dict[Write, bytes] | None = None

    @property
    def message(self) -> M:
        """The message, parsed once. Whoever changes it changes what others are told."""
        if self._message is None:
            self._message = self._kind.FromString(self._wire)
        return self._message

    def serialized(self) -> bytes:
        """Return the message in wire format."""
        return self._wire

    def encoded_with(self, write: Write) -> bytes:
        """Return the message as ``write`` writes it, written once however many are told it."""
        if self._encodings is None:
            self._encodings = {}
        written = self._encodings.get(write)
        if written is None:
            written = self._encodings[write] = write(self)
        return written


def serialize(message: M) -> Serialized[M]:
    """Return a message that is an answer as it is."""
    return Serialized(type(message), message.SerializeToString())
