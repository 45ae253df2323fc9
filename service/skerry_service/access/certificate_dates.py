"""The expiry date of a certificate, read from its DER encoding (RFC 5280, section 4.1)."""

from __future__ import annotations

import re
import ssl
from binascii import Error as NotBase64
from datetime import UTC, datetime

_FIRST = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_CONTEXT_0 = 0xA0
_UTC_TIME, _GENERALIZED_TIME = 0x17, 0x18
_PIVOT = 50
"""Two-digit years below it are 20YY, the others 19YY."""


def expiry_of(pem: bytes) -> datetime:
    """Return when the first certificate of a PEM file expires. Raises ValueError if it cannot be read."""
    found = _FIRST.search(pem)
    if found is None:
        raise ValueError("holds no certificate in PEM form")
    try:
        der = ssl.PEM_cert_to_DER_cert(found[0].decode("ascii"))
        _, certificate, _ = _read_value(der)
        _, signed, _ = _read_value(certificate)
        tag, _, rest = _read_value(signed)
        # version (optional), serial number, algorithm, issuer, validity
        for _ in range(3 if tag == _CONTEXT_0 else 2):
            _, _, rest = _read_value(rest)
        _, validity, _ = _read_value(rest)
        _, _, rest = _read_value(validity)
        tag, text, _ = _read_value(rest)
        return _read_time(tag, text.decode("ascii"))
    except (IndexError, UnicodeDecodeError, NotBase64, ValueError):
        raise ValueError("starts with a certificate that cannot be read") from None


def _read_value(der: bytes) -> tuple[int, bytes, bytes]:
    """Return the tag and the content of the first value, and the bytes after it."""
    tag, length, start = der[0], der[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(der[2:start], "big")
    if len(der) < start + length:
        raise ValueError("a value is cut off")
    return tag, der[start : start + length], der[start + length :]


def _read_time(tag: int, text: str) -> datetime:
    if tag == _UTC_TIME:
        text = f"{'20' if int(text[:2]) < _PIVOT else '19'}{text}"
    elif tag != _GENERALIZED_TIME:
        raise ValueError("not a time")
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
