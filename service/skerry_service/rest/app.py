"""The ASGI application: finds the route, makes the request, calls the method, writes the answer. Names no RPC."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from http import HTTPStatus

from google.protobuf.descriptor import ServiceDescriptor

from skerry_service.rest import streams
from skerry_service.rest.answers import EVENT_STREAM, JSON, Answer, accepts, refuse, send_answer
from skerry_service.rest.asgi import Exchange, Headers, Receive, Scope, Send
from skerry_service.rest.cors import Cors
from skerry_service.rest.json_writer import to_json
from skerry_service.rest.refusals import MethodNotAllowed, NotAcceptable
from skerry_service.rest.requests import ClientGone, build, read_body
from skerry_service.rest.routes import Routes
from skerry_service.rpc.checks import token_of
from skerry_service.rpc.methods import Methods, method_name

Page = Callable[[], Awaitable[Answer]]
_PAGE_METHODS = ["GET", "HEAD", "OPTIONS"]


class App:
    """One server's RPCs over HTTP, and its pages.

    ``require_open`` raises what new calls are refused with when the server is about to stop. ``pages`` are answered
    by their exact path.
    """

    def __init__(
        self,
        service: ServiceDescriptor,
        methods: Methods,
        require_open: Callable[[], None],
        pages: Mapping[str, Page],
        origins: Sequence[str] = (),
    ) -> None:
        self.routes = Routes(service)
        self._calls = {route.rpc.name: getattr(methods, method_name(route.rpc.name)) for route in self.routes.all}
        self._require_open = require_open
        self._pages = pages
        self._cors = Cors(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        asked: Headers = dict(scope["headers"])
        call = Exchange(scope, asked, receive, send, self._cors.headers(asked))
        try:
            answer = await self._answer(call)
        except ClientGone:
            return
        except Exception as error:
            answer = refuse(error)
        if answer is not None:
            await send_answer(call, answer)

    async def _answer(self, call: Exchange) -> Answer | None:
        """Return the answer, or ``None`` if a stream has been sent."""
        verb, path = call.scope["method"], call.scope["raw_path"].decode("ascii")
        page = self._pages.get(path)
        if verb == "OPTIONS":
            return self._options(call.asked, path, page)
        if page is not None:
            if verb not in _PAGE_METHODS:
                raise MethodNotAllowed(verb, _PAGE_METHODS)
            return await page()
        route, values = self.routes.find(verb, path)
        self._require_open()
        body = await read_body(call, wanted=bool(route.body))
        request = build(route, values, call.scope["query_string"], body)
        token = _token(call.asked)
        if not route.rpc.server_streaming:
            _require_accepted(call.asked, JSON)
            answer = await self._calls[route.rpc.name](request, token)
            return Answer(to_json(getattr(answer, route.response_body) if route.response_body else answer))
        _require_accepted(call.asked, EVENT_STREAM)
        streams.resume(request, call.asked)
        return await self._stream(self._calls[route.rpc.name](request, token), call)

    def _options(self, asked: Headers, path: str, page: Page | None) -> Answer:
        methods = _PAGE_METHODS if page is not None else self.routes.allowed(path)
        if not methods:
            self.routes.find("OPTIONS", path)
        return Answer(status=HTTPStatus.NO_CONTENT, headers=self._cors.preflight(asked, methods))

    async def _stream(self, opened: streams.Messages, call: Exchange) -> Answer | None:
        async with aclosing(opened) as messages:
            first = await streams.first_of(messages, call.asked)
            if first is None:
                return streams.no_more()
            if call.scope["method"] == "HEAD":
                return Answer(media=EVENT_STREAM)
            await streams.send_stream(first, messages, call)
        return None


def _token(asked: Headers) -> str | None:
    authorization = asked.get(b"authorization")
    return None if authorization is None else token_of(authorization.decode("latin-1"))


def _require_accepted(asked: Headers, media: bytes) -> None:
    if (header := asked.get(b"accept")) is not None and header != b"*/*" and not accepts(header, media):
        raise NotAcceptable(media.decode())
