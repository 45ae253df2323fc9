"""The lines of a response's head."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from http import HTTPStatus

from skerry_service.edge.http.http_dates import http_date

_LINE_CACHE_SIZE = 1024
_NOT_IN_NAME = re.compile(rb'[\x00-\x20\x7f()<>@,;:\\"/\[\]?={}]')
_NOT_IN_VALUE = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


@cache
def status_line(status: int) -> bytes:
    """Return the first line of a response."""
    return b"HTTP/1.1 %d %b\r\n" % (status, HTTPStatus(status).phrase.encode())


@lru_cache(_LINE_CACHE_SIZE)
def header_line(header: tuple[bytes, bytes]) -> bytes:
    """Return the line of a header. Raises ValueError for characters that could end it."""
    name, value = header
    if _NOT_IN_NAME.search(name) or _NOT_IN_VALUE.search(value):
        raise ValueError(f"{name!r}: {value!r} is not a header")
    return b"%b: %b\r\n" % (name.lower(), value)


def date_line() -> bytes:
    """Return the line with the current time."""
    return b"date: %b\r\n" % http_date()
