"""When a certificate ends, read from the certificate itself: RFC 5280 puts it behind a few other values of DER."""

from __future__ import annotations

import re
import ssl
from binascii import Error as NotBase64
from datetime import UTC, datetime

_FIRST = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
_CONTEXT_0 = 0xA0
_UTC_TIME, _GENERALIZED_TIME = 0x17, 0x18
_PIVOT = 50
"""A year of two digits is of this century below it, of the last one otherwise."""


def ends_at(pem: bytes) -> datetime:
    """Return the end of the validity of the first certificate in a PEM file. Raises ValueError if there is none."""
    found = _FIRST.search(pem)
    if found is None:
        raise ValueError("it holds no certificate in PEM form")
    try:
        der = ssl.PEM_cert_to_DER_cert(found[0].decode("ascii"))
        _, certificate, _ = _value(der)
        _, signed, _ = _value(certificate)
        kind, _, rest = _value(signed)
        # version (which may be absent), serial number, algorithm, issuer, validity
        for _ in range(3 if kind == _CONTEXT_0 else 2):
            _, _, rest = _value(rest)
        _, validity, _ = _value(rest)
        _, _, rest = _value(validity)
        kind, text, _ = _value(rest)
        return _time(kind, text.decode("ascii"))
    except (IndexError, UnicodeDecodeError, NotBase64, ValueError):
        raise ValueError("its first certificate cannot be read") from None


def _value(der: bytes) -> tuple[int, bytes, bytes]:
    """Return the tag and the content of the first value, and what stands behind it."""
    tag, length, start = der[0], der[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(der[2:start], "big")
    if len(der) < start + length:
        raise ValueError("a value is cut off")
    return tag, der[start : start + length], der[start + length :]


def _time(kind: int, text: str) -> datetime:
    if kind == _UTC_TIME:
        text = f"{'20' if int(text[:2]) < _PIVOT else '19'}{text}"
    elif kind != _GENERALIZED_TIME:
        raise ValueError("it is no time")
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
