"""The ASGI application of REST: finds the route, builds the request, calls the endpoint, writes the response."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from http import HTTPStatus
from typing import Any

from google.protobuf.message import Message

from skerry_service.access.client_addresses import API_KEY, FORWARDED_FOR, FORWARDING, TRACEPARENT, Peer
from skerry_service.api.endpoint import Endpoint
from skerry_service.api.request_checks import token_of
from skerry_service.edge.http.allowed_hosts import AllowedHosts
from skerry_service.edge.http.asgi import Headers, HttpExchange, Receive, Scope, Send
from skerry_service.edge.http.cors import Cors
from skerry_service.edge.http.http_answers import (
    EVENT_STREAM,
    JSON,
    HttpAnswer,
    accepts,
    code_and_reason,
    error_answer,
    send_answer,
)
from skerry_service.edge.http.http_refusals import HttpRefusal, MethodNotAllowed, NotAcceptable
from skerry_service.edge.rest import event_streams
from skerry_service.edge.rest.http_requests import ClientGone, build, read_body
from skerry_service.edge.rest.routes import Route, Routes
from skerry_service.wire.json_writer import MAX_CACHED_BYTES, cached_json, write_json
from skerry_service.wire.serialized import Serialized

Page = Callable[[], Awaitable[HttpAnswer]]
_FORWARDED_FOR = FORWARDED_FOR.encode()
_TRACEPARENT = TRACEPARENT.encode()
_API_KEY = API_KEY.encode()
_FORWARDING = frozenset(name.encode() for name in FORWARDING)
Pages = Callable[[str], Page | None]
"""Finds the page at a path."""
_PAGE_METHODS = ["GET", "HEAD", "OPTIONS"]


class RestApp:
    """The RPCs and pages of one server. ``endpoints``: one for each service.

    ``pages`` takes precedence over routes. ``origins`` and ``hosts``: see ``Cors`` and ``AllowedHosts``.
    """

    def __init__(
        self, endpoints: Sequence[Endpoint], pages: Pages, origins: Sequence[str] = (), hosts: Sequence[str] = ()
    ) -> None:
        self.routes = Routes(*(endpoint.service for endpoint in endpoints))
        self._endpoints = {endpoint.service.full_name: endpoint for endpoint in endpoints}
        self._reporting = endpoints[0]
        self._pages = pages
        self._cors = Cors(origins)
        self._hosts = AllowedHosts(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers: Headers = dict(scope["headers"])
        call = HttpExchange(scope, headers, receive, send, self._cors.headers(headers))
        try:
            answer = await self._answer(call)
        except ClientGone:
            return
        except HttpRefusal as refusal:
            self.refused(_peer(call), refusal)
            answer = error_answer(refusal)
        except Exception as error:
            answer = error_answer(error)
        if answer is not None:
            await send_answer(call, answer)

    def refused(self, peer: Peer, error: Exception) -> None:
        """Report a request that was rejected before its RPC was called."""
        self._reporting.refused(peer, *code_and_reason(error))

    async def _answer(self, call: HttpExchange) -> HttpAnswer | None:
        """Return the response; ``None`` if a stream was sent instead."""
        verb, path = call.scope["method"], call.scope["raw_path"].decode("ascii")
        self._hosts.require_allowed(call.scope["headers"], path)
        page = self._pages(path)
        if verb == "OPTIONS":
            return self._options(call.headers, path, page)
        if page is not None:
            if verb not in _PAGE_METHODS:
                raise MethodNotAllowed(verb, _PAGE_METHODS)
            return await page()
        route, values = self.routes.find(verb, path)
        streaming, endpoint = route.rpc.server_streaming, self._endpoints[route.rpc.containing_service.full_name]
        _require_accepted(call.headers, EVENT_STREAM if streaming else JSON)
        body = await read_body(call, expected=bool(route.body))

        def read() -> tuple[Message, str | None]:
            request = build(route, values, call.scope["query_string"], body)
            if streaming:
                event_streams.resume(request, call.headers)
            return request, _token(call)

        if streaming:
            return await self._stream(endpoint.messages(route.rpc.name, read, lambda: _peer(call)), call)
        return HttpAnswer(await _as_json(await endpoint.answer(route.rpc.name, read, lambda: _peer(call)), route))

    def _options(self, headers: Headers, path: str, page: Page | None) -> HttpAnswer:
        methods = _PAGE_METHODS if page is not None else self.routes.allowed(path)
        if not methods:
            self.routes.find("OPTIONS", path)
        return HttpAnswer(status=HTTPStatus.NO_CONTENT, headers=self._cors.preflight(headers, methods))

    async def _stream(self, opened: event_streams.Messages, call: HttpExchange) -> HttpAnswer | None:
        async with aclosing(opened) as messages:
            first = await event_streams.first_message(messages, call.headers)
            if first is None:
                return event_streams.completed_answer()
            if call.scope["method"] == "HEAD":
                return HttpAnswer(media=EVENT_STREAM)
            await event_streams.send_stream(first, messages, call)
        return None


async def _as_json(answer: Serialized[Any], route: Route) -> bytes:
    """Return an answer as JSON. Answers to GET are cached: clients poll them until they change."""
    if route.response_body:
        return await write_json(getattr(answer.message, route.response_body))
    if route.verb == "GET" and len(packed := answer.serialized()) <= MAX_CACHED_BYTES:
        return cached_json(route.rpc.output_type, packed)
    return await write_json(answer.message)


def _token(call: HttpExchange) -> str | None:
    if b"authorization" not in call.headers:
        return None
    return token_of([value for name, value in call.scope["headers"] if name == b"authorization"])


def _peer(call: HttpExchange) -> Peer:
    client = call.scope.get("client")
    forwarded_for = tuple(value.decode("latin-1") for name, value in call.scope["headers"] if name == _FORWARDED_FOR)
    forwarded = bool(forwarded_for) or not _FORWARDING.isdisjoint(call.headers)
    trace = call.headers.get(_TRACEPARENT, b"").decode("latin-1")
    keys = ()
    if _API_KEY in call.headers:
        keys = tuple(value.decode("latin-1") for name, value in call.scope["headers"] if name == _API_KEY)
    return Peer(client[0] if client else None, "", forwarded_for, forwarded, trace, keys)


def _require_accepted(headers: Headers, media: bytes) -> None:
    if (header := headers.get(b"accept")) is not None and header != b"*/*" and not accepts(header, media):
        raise NotAcceptable(media.decode())
