"""The requests that a page of another site could cause, and that a port for operators must reject.

A page of any site can send requests to an address that its visitor reaches, such as loopback. Its ``Origin`` then names
another host than ``Host`` does. With DNS rebinding both name a host of that site, so ``Host`` must be an address,
``localhost`` or a configured name.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.http.http_refusals import HostNotAllowed, OriginNotAllowed

_Answers = Callable[[HttpExchange], Awaitable[HttpAnswer | None]]
_ADDRESS = re.compile(rb"localhost|[0-9.]+|\[[0-9a-f:.]+\]")
"""What DNS cannot point at another machine."""
_PORT = re.compile(rb":[0-9]*$")
_OWN_SITES = (b"same-origin", b"none")
"""Values of ``Sec-Fetch-Site``: a request of this page, or of its user, as by a bookmark."""


class SameSite:
    """Rejects requests that another site could cause."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """``names``: hosts beside addresses and ``localhost``, without ports."""
        self._names = {name.lower().encode("ascii") for name in names}

    def guarded(self, answers: _Answers) -> _Answers:
        """Return an adapter that checks each request before ``answers`` receives it."""

        async def guarded(call: HttpExchange) -> HttpAnswer | None:
            self.require(call)
            return await answers(call)

        return guarded

    def require(self, call: HttpExchange) -> None:
        """Raise HostNotAllowed or OriginNotAllowed if another site could have caused the request."""
        hosts = [value.lower() for name, value in call.scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._is_own(_PORT.sub(b"", hosts[0])):
            raise HostNotAllowed(b", ".join(hosts).decode("latin-1"))
        origin = call.headers.get(b"origin")
        if origin is not None and origin.partition(b"://")[2].lower() != hosts[0]:
            raise OriginNotAllowed(origin.decode("latin-1"))
        site = call.headers.get(b"sec-fetch-site", b"none")
        if site not in _OWN_SITES:
            raise OriginNotAllowed(site.decode("latin-1"))

    def _is_own(self, name: bytes) -> bool:
        return name in self._names or _ADDRESS.fullmatch(name) is not None
