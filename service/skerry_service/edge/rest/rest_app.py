"""The adapter of REST: finds the route, builds the request, calls the endpoint, returns the response."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, nullcontext
from http import HTTPStatus
from typing import Any

from google.protobuf.message import Message

from skerry_service.api.endpoint import Endpoint
from skerry_service.api.pictures.pictures import MEDIA_TYPES
from skerry_service.edge.http.asgi import Headers, HttpExchange
from skerry_service.edge.http.disconnects import cancelled_when_gone
from skerry_service.edge.http.http_answers import EVENT_STREAM, JSON, PLAIN_TEXT, HttpAnswer, accepts
from skerry_service.edge.http.http_callers import peer_of_request, token_of_request
from skerry_service.edge.http.http_refusals import MethodNotAllowed, NotAcceptable
from skerry_service.edge.rest import event_streams
from skerry_service.edge.rest.conditional_reads import make_conditional
from skerry_service.edge.rest.http_requests import build, read_body
from skerry_service.edge.rest.idempotency_keys import apply_idempotency_key
from skerry_service.edge.rest.routes import Route, Routes
from skerry_service.wire.json_writer import MAX_CACHED_BYTES, cached_json, write_json
from skerry_service.wire.serialized import Serialized

Page = Callable[[HttpExchange], Awaitable[HttpAnswer]]
Pages = Callable[[str], Page | None]
"""Finds the page at a path."""
_NO_SCRIPTS = (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; sandbox")
"""For files that a browser can open as pages: an SVG may contain scripts. Pictures contain none; this makes sure."""
_PAGE_METHODS = ["GET", "HEAD", "OPTIONS"]


class RestApp:
    """The RPCs and pages of one server. ``endpoints``: one for each service. ``pages`` takes precedence over routes."""

    def __init__(self, endpoints: Sequence[Endpoint], pages: Pages) -> None:
        self.routes = Routes(*(endpoint.service for endpoint in endpoints))
        self._endpoints = {endpoint.service.full_name: endpoint for endpoint in endpoints}
        self._pages = pages

    async def __call__(self, call: HttpExchange) -> HttpAnswer | None:
        """Return the response; ``None`` if a stream was sent instead. Raises the errors of ``Adapter``."""
        verb, path = call.scope["method"], call.scope["raw_path"].decode("ascii")
        page = self._pages(path)
        if verb == "OPTIONS":
            return self._options(path, page)
        if page is not None:
            if verb not in _PAGE_METHODS:
                raise MethodNotAllowed(verb, _PAGE_METHODS)
            return await page(call)
        route, values = self.routes.find(verb, path)
        streaming, endpoint = route.rpc.server_streaming, self._endpoints[route.rpc.containing_service.full_name]
        media = EVENT_STREAM if streaming else _media_of(route, call.headers)
        _require_accepted(call.headers, media)
        body = await read_body(call, expected=bool(route.body))

        requests: list[Message] = []

        def read() -> tuple[Message, str | None]:
            request = build(route, values, call.scope["query_string"], body)
            apply_idempotency_key(request, call)
            if streaming:
                event_streams.resume(request, call.headers)
            requests.append(request)
            return request, token_of_request(call)

        if streaming:
            return await self._stream(endpoint.messages(route.rpc.name, read, lambda: peer_of_request(call)), call)
        # Only calls that return files, which take long to draw, end with their callers: others may write.
        async with cancelled_when_gone(call.receive) if route.extension else nullcontext():
            answer = await endpoint.answer(route.rpc.name, read, lambda: peer_of_request(call))
        encoded = await _encoded(answer, route, media)
        return make_conditional(encoded, route.rpc.name, requests[0], answer, call.headers)

    def _options(self, path: str, page: Page | None) -> HttpAnswer:
        methods = _PAGE_METHODS if page is not None else self.routes.allowed(path)
        if not methods:
            self.routes.find("OPTIONS", path)
        return HttpAnswer(status=HTTPStatus.NO_CONTENT, allowed=methods)

    async def _stream(self, opened: event_streams.Messages, call: HttpExchange) -> HttpAnswer | None:
        async with aclosing(opened) as messages:
            first = await event_streams.first_message(messages, call.headers)
            if first is None:
                return event_streams.completed_answer()
            if call.scope["method"] == "HEAD":
                return HttpAnswer(media=EVENT_STREAM)
            await event_streams.send_stream(first, messages, call)
        return None


async def _encoded(answer: Serialized[Any], route: Route, media: bytes) -> HttpAnswer:
    """Return an answer in a media type."""
    if route.extension:
        message = answer.message
        return HttpAnswer(message.data, media=message.media_type.encode(), headers=[_NO_SCRIPTS])
    if media == PLAIN_TEXT:
        return HttpAnswer(answer.message.text.encode(), media=PLAIN_TEXT + b"; charset=utf-8")
    return HttpAnswer(await _as_json(answer, route))


async def _as_json(answer: Serialized[Any], route: Route) -> bytes:
    """Return an answer as JSON. Answers to GET are cached: clients poll them until they change."""
    if route.response_body:
        return await write_json(getattr(answer.message, route.response_body))
    if route.verb == "GET" and len(packed := answer.serialized()) <= MAX_CACHED_BYTES:
        return cached_json(route.rpc.output_type, packed)
    return await write_json(answer.message)


def _media_of(route: Route, headers: Headers) -> bytes:
    """Return the media type of the response: of a file, or ``PLAIN_TEXT`` for a text if the client accepts no JSON."""
    if route.extension:
        return MEDIA_TYPES[route.extension].encode()
    header = headers.get(b"accept", b"")
    has_text = "text" in route.rpc.output_type.fields_by_name
    return PLAIN_TEXT if has_text and accepts(header, PLAIN_TEXT) and not accepts(header, JSON) else JSON


def _require_accepted(headers: Headers, media: bytes) -> None:
    if (header := headers.get(b"accept")) is not None and header != b"*/*" and not accepts(header, media):
        raise NotAcceptable(media.decode())
