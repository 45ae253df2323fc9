"""Requests in protobuf's wire format."""

from __future__ import annotations

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from skerry_service.domain.errors import InvalidField
from skerry_service.domain.languages.phrases import phrase, verbatim

M = TypeVar("M", bound=Message)


def parse_message(kind: type[M], data: bytes) -> M:
    """Return the message in these bytes. Raises InvalidField."""
    try:
        return kind.FromString(data)
    except DecodeError:
        raise InvalidField("request", phrase("field-not-protobuf", message=verbatim(kind.DESCRIPTOR.name))) from None
