"""Requests in protobuf's wire format."""

from __future__ import annotations

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from skerry_service.domain.errors import InvalidField

M = TypeVar("M", bound=Message)


def parse_message(kind: type[M], data: bytes) -> M:
    """Return the message in these bytes. Raises InvalidField."""
    try:
        return kind.FromString(data)
    except DecodeError:
        raise InvalidField("request", f"This is not a {kind.DESCRIPTOR.name} in protobuf's wire format.") from None
