"""Sealed handles: what a language model holds instead of a seat token.

A handle contains the session and the token of one seat, encrypted and authenticated with AES-SIV (RFC 5297). Equal
seats have equal handles, so no nonce is needed and a handle stays short. Every process with the same secret opens it.
"""

from __future__ import annotations

import re
from base64 import b32decode, b32encode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from os import urandom

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from skerry_service.agents.tables import SeatKey

PREFIX = "seat_"
_KEY_BYTES = 64
_PURPOSE = b"skerry handles of seats, version 1"
_SESSION, _TOKEN = "sessions/", "skerry_seat_"
_TOKEN_BYTES, _SEAT_BYTES = 16, 26
_HANDLE = re.compile(rf"{PREFIX}([A-Za-z0-9_-]{{40,80}})")


class UnknownHandle(Exception):
    """The handle is not one of this server: it is malformed, changed, or was sealed with another secret."""


class SealedHandles:
    """Seals and opens handles. ``secret``: the one that all replicas share; ``None``: random, for this process."""

    def __init__(self, secret: str | None = None) -> None:
        material = secret.encode() if secret else urandom(_KEY_BYTES)
        self._cipher = AESSIV(HKDF(SHA512(), _KEY_BYTES, salt=None, info=_PURPOSE).derive(material))

    def seal(self, seat: SeatKey) -> str:
        """Return the handle of a seat: 61 characters, and more for the cell of its session."""
        own, _, cell = seat.session.removeprefix(_SESSION).partition(".")
        packed = _unpadded(seat.token.removeprefix(_TOKEN)) + _unpadded(own) + cell.encode()
        sealed = self._cipher.encrypt(packed, [_PURPOSE])
        return PREFIX + urlsafe_b64encode(sealed).decode().rstrip("=")

    def open(self, handle: str) -> SeatKey:
        """Return the seat of a handle. Raises UnknownHandle."""
        match = _HANDLE.fullmatch(handle.strip())
        if match is None:
            raise UnknownHandle
        try:
            sealed = urlsafe_b64decode(match[1] + "=" * (-len(match[1]) % 4))
            packed = self._cipher.decrypt(sealed, [_PURPOSE])
        except (Base64Error, InvalidTag, ValueError):
            raise UnknownHandle from None
        token, own, cell = packed[:_TOKEN_BYTES], packed[_TOKEN_BYTES:_SEAT_BYTES], packed[_SEAT_BYTES:].decode()
        return SeatKey(_SESSION + _base32(own) + (f".{cell}" if cell else ""), _TOKEN + _base32(token))


def _unpadded(text: str) -> bytes:
    """Return the bytes of a text in base 32, in lower case and without padding."""
    return b32decode(text.upper() + "=" * (-len(text) % 8))


def _base32(data: bytes) -> str:
    return b32encode(data).decode().lower().rstrip("=")
