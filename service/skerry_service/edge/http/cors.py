"""Cross-origin requests (CORS): the origins whose pages may call the API, by configuration. The default allows none."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.edge.http.asgi import HeaderList, Headers

ANY = "*"
_ALLOWED_HEADERS = (
    b"Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-API-Key, "
    b"Skerry-Act-For, Skerry-Cell, Skerry-Identity, Skerry-Sentences, "
    b"Connect-Protocol-Version, Connect-Timeout-Ms, Connect-Accept-Encoding, Connect-Content-Encoding, "
    b"Grpc-Timeout, Grpc-Accept-Encoding, Grpc-Encoding, X-Grpc-Web, X-User-Agent, "
    b"Mcp-Protocol-Version, Mcp-Method, Mcp-Name"
)
_EXPOSED_HEADERS = b"ETag, RateLimit, RateLimit-Policy, Retry-After, Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin"
_MAX_AGE = b"600"


class Cors:
    """The CORS headers of responses. Credentials are never allowed: pages send tokens in a header that they set
    themselves, so a page of any origin can do no more than its user could with curl."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = {origin.encode() for origin in origins}
        self._any = ANY in origins

    def headers(self, request_headers: Headers) -> HeaderList:
        """Return the headers of every response."""
        if not self._origins:
            return []
        if self._any:
            return [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", _EXPOSED_HEADERS)]
        vary = (b"vary", b"Origin")
        if (origin := request_headers.get(b"origin")) is None or origin not in self._origins:
            return [vary]
        allowed = (b"access-control-allow-origin", origin)
        return [vary, allowed, (b"access-control-expose-headers", _EXPOSED_HEADERS)]

    def preflight(self, request_headers: Headers, methods: Sequence[str]) -> HeaderList:
        """Return the additional headers of the response to OPTIONS, for a path with these methods."""
        allow: HeaderList = [(b"allow", ", ".join(methods).encode())]
        if b"access-control-request-method" not in request_headers or not self._origins:
            return allow
        return [
            *allow,
            (b"access-control-allow-methods", ", ".join(methods).encode()),
            (b"access-control-allow-headers", _ALLOWED_HEADERS),
            (b"access-control-max-age", _MAX_AGE),
        ]
