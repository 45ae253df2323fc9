"""Messages put together from parts that were written before: most of a view is what it was one move ago.

To merge a part's bytes into a message takes a tenth of the time that making the part anew, or copying it, would take.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from typing import Any, Protocol

_KEPT = 1 << 12


class _Message(Protocol):
    """A protobuf message: this package knows of protobuf in its codecs alone."""

    def SerializeToString(self) -> bytes:  # noqa: N802
        """Return the message in wire format."""


def serialized_item(whole: Callable[..., _Message], field: str) -> Callable[[Callable[..., Any]], Callable[..., bytes]]:
    """Let a function that makes an item of a repeated field return a ``whole`` with that item alone, in wire format.

    Joined in their order, such parts merge into a message as its items. The function's arguments are hashable, and
    equal ones share one part.
    """

    def decorate(make: Callable[..., Any]) -> Callable[..., bytes]:
        @lru_cache(maxsize=_KEPT)
        def write(*arguments: Hashable) -> bytes:
            return whole(**{field: [make(*arguments)]}).SerializeToString()

        return write

    return decorate


@cache
def message_field(whole: Callable[..., _Message], field: str) -> Callable[[bytes], bytes]:
    """Return what puts a message in wire format into a field: it returns a ``whole`` with that alone, likewise.

    In a repeated field it is one item.
    """
    one = whole()
    part = getattr(one, field)
    part.add() if hasattr(part, "add") else part.SetInParent()
    key = one.SerializeToString()[:-1]  # without the length, 0

    def put(written: bytes) -> bytes:
        return key + _varint(len(written)) + written

    return put


@cache
def int_field(whole: Callable[..., _Message], field: str) -> Callable[[int], bytes]:
    """Return what puts a positive number into a field: it returns a ``whole`` with that alone, in wire format."""
    key = whole(**{field: 1}).SerializeToString()[:-1]
    return lambda value: key + _varint(value)


@lru_cache(maxsize=_KEPT)
def _varint(number: int) -> bytes:
    """Return a number as protobuf writes lengths: seven bits a byte, the lowest first."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)
