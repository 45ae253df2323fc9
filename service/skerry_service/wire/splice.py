"""Splices messages from serialized parts, because one move changes little of a view.

Concatenated serialized messages merge into one. Reusing the bytes of an unchanged part takes a tenth of the time of
building or copying it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

_CACHE_SIZE = 1 << 12


@cache
def message_field(whole: Callable[..., Any], field: str) -> Callable[[bytes], bytes]:
    """Return a function from a serialized message to a serialized ``whole`` with only this message in the field.

    If the field is repeated, the message is one item.
    """
    example = whole()
    value = getattr(example, field)
    value.add() if hasattr(value, "add") else value.SetInParent()
    key: bytes = example.SerializeToString()[:-1]  # without the length, 0

    def write(serialized: bytes) -> bytes:
        return key + _varint(len(serialized)) + serialized

    return write


@cache
def int_field(whole: Callable[..., Any], field: str) -> Callable[[int], bytes]:
    """Return a function from a positive number to a serialized ``whole`` with only this number in the field."""
    key: bytes = whole(**{field: 1}).SerializeToString()[:-1]
    return lambda value: key + _varint(value)


@lru_cache(maxsize=_CACHE_SIZE)
def _varint(number: int) -> bytes:
    """Return a number in protobuf's variable-length encoding: seven bits per byte, lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
