"""The value of the ``Date`` header, which every response has, over every version of HTTP."""

from __future__ import annotations

import time
from email.utils import formatdate

_dates: dict[int, bytes] = {}
"""The date of the current second."""


def http_date() -> bytes:
    """Return the current time in the form of HTTP."""
    now = int(time.time())
    date = _dates.get(now)
    if date is None:
        _dates.clear()
        date = _dates[now] = formatdate(now, usegmt=True).encode()
    return date
