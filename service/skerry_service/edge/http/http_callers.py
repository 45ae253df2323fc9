"""The callers of HTTP requests: tokens, API keys and origins, from the headers."""

from __future__ import annotations

from skerry_service.access.client_addresses import API_KEY, FORWARDED_FOR, FORWARDING, TRACEPARENT, Peer
from skerry_service.api.request_checks import token_of
from skerry_service.edge.http.asgi import HttpExchange

_FORWARDED_FOR = FORWARDED_FOR.encode()
_TRACEPARENT = TRACEPARENT.encode()
_API_KEY = API_KEY.encode()
_FORWARDING = frozenset(name.encode() for name in FORWARDING)


def token_of_request(call: HttpExchange) -> str | None:
    """Return the bearer token of a request; ``None`` without one. Raises TokenInvalid."""
    if b"authorization" not in call.headers:
        return None
    return token_of([value for name, value in call.scope["headers"] if name == b"authorization"])


def peer_of_request(call: HttpExchange) -> Peer:
    """Return the origin of a request."""
    client = call.scope.get("client")
    forwarded_for = tuple(value.decode("latin-1") for name, value in call.scope["headers"] if name == _FORWARDED_FOR)
    forwarded = bool(forwarded_for) or not _FORWARDING.isdisjoint(call.headers)
    trace = call.headers.get(_TRACEPARENT, b"").decode("latin-1")
    keys = ()
    if _API_KEY in call.headers:
        keys = tuple(value.decode("latin-1") for name, value in call.scope["headers"] if name == _API_KEY)
    return Peer(client[0] if client else None, "", forwarded_for, forwarded, trace, keys)
