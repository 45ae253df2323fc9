"""The host names that HTTP requests may use, by configuration. The default allows all.

This prevents DNS rebinding: a foreign page can point its own host name at this server and call it as the same origin,
but the ``Host`` header still has that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from skerry_service.edge.http.http_refusals import HostNotAllowed

_PROBES = (b"/healthz", b"/readyz")
"""Paths of health probes. They are called by address, and reveal nothing about games."""
_PORT = re.compile(rb":[0-9]*$")


class AllowedHosts:
    """The hosts that a request may name."""

    def __init__(self, names: Sequence[str]) -> None:
        """``names``: without ports, IPv6 addresses in brackets. Empty: all hosts are allowed."""
        self._names = {name.lower().encode("ascii") for name in names}

    def require_allowed(self, headers: Iterable[tuple[bytes, bytes]], path: bytes) -> None:
        """Raise HostNotAllowed unless the request names exactly one host and it is allowed."""
        if not self._names or path in _PROBES:
            return
        named = [value for name, value in headers if name == b"host"]
        if len(named) != 1 or _PORT.sub(b"", named[0].lower()) not in self._names:
            raise HostNotAllowed(b", ".join(named).decode("latin-1"))
