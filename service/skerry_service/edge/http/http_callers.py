"""The callers of HTTP requests: tokens, API keys and origins, from the headers."""

from __future__ import annotations

from skerry_service.access.client_addresses import Peer, peer_of
from skerry_service.api.request_checks import token_of
from skerry_service.edge.http.asgi import HttpExchange


def token_of_request(call: HttpExchange) -> str | None:
    """Return the bearer token of a request; ``None`` without one. Raises TokenInvalid."""
    if b"authorization" not in call.headers:
        return None
    return token_of([value for name, value in call.scope["headers"] if name == b"authorization"])


def peer_of_request(call: HttpExchange) -> Peer:
    """Return the origin of a request."""
    return peer_of(call.scope.get("client"), call.scope["headers"])
