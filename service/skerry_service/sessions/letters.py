"""Bytes as text for tokens and ids: letters and digits that may stand in any name or address."""

from __future__ import annotations

_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_PAIRS = [first + second for first in _LETTERS for second in _LETTERS]
"""Ten bits at a time: a tenth of what ``base64.b32encode`` takes, and a session that begins has a dozen of them."""


def base32(data: bytes) -> str:
    """Return RFC 4648's base 32 in small letters, without padding, of 10 or 16 bytes."""
    bits = len(data) * 8
    whole = -(-bits // 10) * 10
    number = int.from_bytes(data) << whole - bits
    return "".join([_PAIRS[number >> at & 1023] for at in range(whole - 10, -1, -10)])
