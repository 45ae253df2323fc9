"""The adapter of ``/mcp``: checks a request as those of the API, and passes it to the application of the tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from http import HTTPStatus
from typing import Any

from skerry_service.access.client_addresses import Peer
from skerry_service.edge.http.asgi import Asgi, HttpExchange
from skerry_service.edge.http.cors import ANY
from skerry_service.edge.http.disconnects import cancelled_when_gone
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.http.http_callers import peer_of_request
from skerry_service.edge.http.http_refusals import MediaTypeUnsupported, MethodNotAllowed, OriginNotAllowed
from skerry_service.edge.http.request_bodies import declared_length, receive_body

AGENTS_PATH = b"/mcp"
PEER = "skerry.peer"
"""The key of the caller's ``Peer`` in the scope of the application."""
_METHODS = ["OPTIONS", "POST"]
_MEDIA = b"application/json"


class AgentsAdapter:
    """An adapter of ``HttpApp``. Every request is a POST with one JSON response, so any replica answers it."""

    def __init__(self, app: Asgi, admit: Callable[[Peer], Awaitable[None]], origins: Sequence[str]) -> None:
        """``admit``: counts a request; raises LimitReached, ApiKeyInvalid. ``origins``: whose pages may send any."""
        self._app = app
        self._admit = admit
        self._origins = frozenset(origins)

    async def __call__(self, call: HttpExchange) -> HttpAnswer:
        """Return the response. Raises the errors of ``Adapter``."""
        verb = call.scope["method"]
        if verb == "OPTIONS":
            return HttpAnswer(status=HTTPStatus.NO_CONTENT, allowed=_METHODS)
        if verb != "POST":
            raise MethodNotAllowed(verb, _METHODS)
        self._require_origin(call)
        _require_json(call)
        peer = peer_of_request(call)
        await self._admit(peer)
        body = await receive_body(call.receive, declared_length(call.headers) or 0)
        async with cancelled_when_gone(call.receive):
            return await self._answer({**call.scope, PEER: peer}, body)

    def _require_origin(self, call: HttpExchange) -> None:
        """Raise OriginNotAllowed for a page of another site. It could reach this server by DNS rebinding."""
        origin = call.headers.get(b"origin")
        if origin is not None and ANY not in self._origins and origin.decode("latin-1") not in self._origins:
            raise OriginNotAllowed(origin.decode("latin-1"))

    async def _answer(self, scope: MutableMapping[str, Any], body: bytes) -> HttpAnswer:
        parts = [{"type": "http.request", "body": body, "more_body": False}]
        answer = HttpAnswer(media=_MEDIA)

        async def receive() -> MutableMapping[str, Any]:
            # After the body, the application would take a disconnect for the end of the request. `cancelled_when_gone`
            # ends it when the client has left.
            return parts.pop() if parts else await asyncio.get_running_loop().create_future()

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.media = dict(message["headers"]).get(b"content-type", _MEDIA)
            else:
                answer.body += message.get("body", b"")

        await self._app(scope, receive, send)
        return answer


def _require_json(call: HttpExchange) -> None:
    media = call.headers.get(b"content-type", b"")
    if media.lower().partition(b";")[0].strip() != _MEDIA or b"content-encoding" in call.headers:
        raise MediaTypeUnsupported(media.decode("latin-1"))
