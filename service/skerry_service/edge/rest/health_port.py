"""The health port: ``/healthz`` and ``/readyz`` for probes, over plain HTTP and without API keys."""

from __future__ import annotations

from skerry_service.edge.http.asgi import HttpExchange, Receive, Scope, Send
from skerry_service.edge.http.http_answers import error_answer, send_answer
from skerry_service.edge.http.http_refusals import MethodNotAllowed, PathNotFound
from skerry_service.edge.rest.rest_app import Pages

_METHODS = ["GET", "HEAD"]


class HealthApp:
    """The ASGI application of the health port. ``pages``: its pages."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        verb, path = scope["method"], scope["raw_path"].decode("ascii")
        call, page = HttpExchange(scope, dict(scope["headers"]), receive, send, []), self._pages(path)
        if page is None:
            answer = error_answer(PathNotFound(path, "This port has only /healthz and /readyz."))
        elif verb not in _METHODS:
            answer = error_answer(MethodNotAllowed(verb, _METHODS))
        else:
            answer = await page(call)
        await send_answer(call, answer)
