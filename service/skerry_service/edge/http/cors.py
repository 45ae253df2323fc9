"""Cross-origin requests: which pages of other origins may call, by configuration. By default none."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.edge.http.asgi import HeaderList, Headers

ANY = "*"
_ALLOWED_HEADERS = b"Accept, Authorization, Content-Type, Last-Event-ID, X-API-Key"
_EXPOSED_HEADERS = b"Retry-After"
_MAX_AGE = b"600"


class Cors:
    """The answer to every ``Origin``. Tokens travel in a header that pages set themselves, so no credentials are
    allowed: a page of any origin can do no more than its own user with curl."""

    def __init__(self, origins: Sequence[str]) -> None:
        self._origins = {origin.encode() for origin in origins}
        self._any = ANY in origins

    def headers(self, asked: Headers) -> HeaderList:
        """Return what every answer carries."""
        if not self._origins:
            return []
        if self._any:
            return [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", _EXPOSED_HEADERS)]
        vary = (b"vary", b"Origin")
        if (origin := asked.get(b"origin")) is None or origin not in self._origins:
            return [vary]
        allowed = (b"access-control-allow-origin", origin)
        return [vary, allowed, (b"access-control-expose-headers", _EXPOSED_HEADERS)]

    def preflight(self, asked: Headers, methods: Sequence[str]) -> HeaderList:
        """Return what the answer to OPTIONS carries besides, for a path with these methods."""
        allow: HeaderList = [(b"allow", ", ".join(methods).encode())]
        if b"access-control-request-method" not in asked or not self._origins:
            return allow
        return [
            *allow,
            (b"access-control-allow-methods", ", ".join(methods).encode()),
            (b"access-control-allow-headers", _ALLOWED_HEADERS),
            (b"access-control-max-age", _MAX_AGE),
        ]
