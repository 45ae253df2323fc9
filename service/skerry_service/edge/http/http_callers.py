"""The callers of HTTP requests: tokens, API keys and origins, from the headers."""

from __future__ import annotations

import re
from collections.abc import Callable

from skerry_service.access.client_addresses import Peer, peer_of
from skerry_service.api.requests.request_checks import token_of
from skerry_service.edge.http.asgi import HttpExchange

_HOST = re.compile(r"(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.IGNORECASE)


def token_of_request(call: HttpExchange) -> str | None:
    """Return the bearer token of a request; ``None`` without one. Raises TokenInvalid."""
    if b"authorization" not in call.headers:
        return None
    return token_of([value for name, value in call.scope["headers"] if name == b"authorization"])


def peer_of_request(call: HttpExchange) -> Peer:
    """Return the origin of a request."""
    return peer_of(call.scope.get("client"), call.scope["headers"])


def origin_of_request(call: HttpExchange, is_proxy: Callable[[Peer], bool]) -> str | None:
    """Return the origin that the client named, such as ``https://play.example``; ``None`` if it is not valid.

    ``is_proxy``: whether the peer may report scheme and host, in ``X-Forwarded-Proto`` and ``X-Forwarded-Host``. The
    last values count: the trusted proxy wrote them.
    """
    scheme, host = call.scope["scheme"], call.headers.get(b"host", b"").decode("latin-1")
    if is_proxy(peer_of_request(call)):
        scheme = _last(call, b"x-forwarded-proto").lower() or scheme
        host = _last(call, b"x-forwarded-host") or host
    return f"{scheme}://{host.lower()}" if scheme in ("http", "https") and _HOST.fullmatch(host) else None


def _last(call: HttpExchange, name: bytes) -> str:
    return call.headers.get(name, b"").decode("latin-1").rpartition(",")[2].strip()
