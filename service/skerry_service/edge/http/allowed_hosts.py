"""The names under which the service may be called over HTTP, by configuration. By default any.

A page of somebody else's can have the name of its own host lead to this one, and would then be of the same origin as
what it calls. The name stands in ``Host`` all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from skerry_service.edge.http.http_refusals import HostNotAllowed

_PROBES = ("/healthz", "/readyz")
"""What those ask who know an address and no name, and what tells them nothing of any game."""
_PORT = re.compile(rb":[0-9]*$")


class AllowedHosts:
    """Which hosts a request may name."""

    def __init__(self, names: Sequence[str]) -> None:
        """``names``: without a port; an IPv6 address in brackets. None: all."""
        self._names = {name.lower().encode("ascii") for name in names}

    def require_allowed(self, headers: Iterable[tuple[bytes, bytes]], path: str) -> None:
        """Raise HostNotAllowed unless the request names exactly one host, and that one is allowed."""
        if not self._names or path in _PROBES:
            return
        named = [value for name, value in headers if name == b"host"]
        if len(named) != 1 or _PORT.sub(b"", named[0].lower()) not in self._names:
            raise HostNotAllowed(b", ".join(named).decode("latin-1"))
