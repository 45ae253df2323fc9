"""Values in the fields of resources, serialized with msgpack."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct, msgpack

from skerry_service.domain.log import pack
from skerry_service.sessions.loader import report_damaged_entry
from skerry_service.sessions.resources.resource_port import FieldChange

T = TypeVar("T")


def reader_of(kind: type[T]) -> Callable[[bytes], T | None]:
    """Return a function that decodes a stored value, and returns ``None`` if it is damaged, which is logged once."""
    decode = msgpack.Decoder(kind).decode

    def read(packed: bytes) -> T | None:
        try:
            return decode(packed)
        except (ValueError, RecursionError):
            report_damaged_entry(f"resources ({kind.__name__})", packed)
            return None

    return read


def replacing(part: str, field: str, before: Struct | None, after: Struct | None) -> FieldChange:
    """Return the change of a field from one value to another. ``None``: absent."""
    packed = [None if one is None else pack(one) for one in (before, after)]
    return FieldChange(part, field.encode(), packed[1], packed[0])
