"""Pages beside the RPCs: ``/docs``, ``/openapi.json``, ``/protos.binpb``, ``/sentences``, ``/healthz``, ``/readyz``.

``/docs`` is Swagger UI, whose files ``hatch_build.py`` puts beside this module. They are read at the first request, and
their Content-Security-Policy forbids requests to other hosts.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Protocol

import msgspec
from google.protobuf.descriptor import ServiceDescriptor

from skerry_games.languages.catalogues import languages
from skerry_games.languages.fluent_file import fluent_file
from skerry_service.edge.framing.compression import compress
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.rest.descriptor_set import descriptor_set
from skerry_service.edge.rest.openapi.document import describe_services
from skerry_service.edge.rest.rest_app import Page, Pages

_SWAGGER_UI = Path(__file__).with_name("swagger_ui")
_BEST = 9
_CACHE_MINUTE = b"public, max-age=60"
_CACHE_HOUR = b"public, max-age=3600"
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""``unsafe-inline`` for styles only: Swagger UI sets them in its elements."""
_PAGE = b"""<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Skerry: the API</title>
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <link rel="icon" href="data:,">
</head>
<body>
  <div id="api"></div>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/start.js"></script>
</body>
</html>
"""
_START = b"""/* Swagger UI takes seconds to resolve the messages of all games when an operation is opened. This function
   is fast. Recursive and deep schemas stay references. */
const resolve = (api, part, above = []) => {
  if (Array.isArray(part)) return part.map((one) => resolve(api, one, above));
  if (part === null || typeof part !== "object") return part;
  const ref = part["$ref"];
  if (ref === undefined) {
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, resolve(api, one, above)]));
  }
  if (above.includes(ref) || above.length === 8) return part;
  const target = ref.slice(2).split("/").reduce((at, name) => at[name], api);
  const {"$ref": _, ...beside} = part;
  return {...resolve(api, target, [...above, ref]), ...beside};
};
const quick = () => ({statePlugins: {spec: {wrapActions: {
  requestResolvedSubtree: (_, {specActions, specSelectors}) => (path) => {
    const api = specSelectors.specJson().toJS();
    specActions.updateResolvedSubtree(path, resolve(api, path.reduce((at, name) => at[name], api)));
  },
}}}});
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [quick],
});
"""


class Problem(Protocol):
    """Why the server is not ready."""

    @property
    def reason(self) -> str:
        """A word for programs, such as ``NOREPLICAS``."""

    @property
    def sentence(self) -> str:
        """The reason for people. Public ports show it, so it contains no address."""


class _Stopping:
    reason = "SHUTTING_DOWN"
    sentence = "The server is stopping."


STOPPING: Problem = _Stopping()
"""Why a server that stops is not ready."""


class HealthStatus(msgspec.Struct, omit_defaults=True):
    """The body of the health pages."""

    status: str
    """``alive``, ``ready`` or ``not ready``."""
    warnings: Sequence[str]
    """Why the store may lose acknowledged changes; empty: it does not."""
    reason: str = ""
    """Why the server is not ready."""
    problem: str = ""
    """That reason as a sentence."""


def pages(
    services: Sequence[ServiceDescriptor],
    problem: Callable[[], Problem | None],
    warnings: Callable[[], Sequence[str]],
    others: Pages,
) -> Pages:
    """Return the lookup of all pages by path.

    ``problem``: returns why the server is not ready; ``warnings``: returns problems with durability; ``others``: finds
    the pages for browsers.
    """
    fixed: dict[str, Page] = {
        "/docs": _always(_docs),
        "/docs/start.js": _always(lambda: HttpAnswer(_START, media=b"text/javascript", cache=_CACHE_HOUR)),
        "/docs/swagger-ui.css": _always(lambda: _asset("swagger-ui.css", b"text/css")),
        "/docs/swagger-ui-bundle.js": _always(lambda: _asset("swagger-ui-bundle.js", b"text/javascript")),
        "/openapi.json": lambda _: to_thread(_openapi, *services),
        "/protos.binpb": _always(_descriptor_set),
        **{f"/sentences/{language}.ftl": _sentences_page(language) for language in languages()},
        **_health(problem, warnings),
    }

    return lambda path: fixed.get(path) or others(path)


def health_pages(problem: Callable[[], Problem | None], warnings: Callable[[], Sequence[str]]) -> Pages:
    """Return the lookup of the health pages. The arguments are those of ``pages``."""
    return _health(problem, warnings).get


def _health(problem: Callable[[], Problem | None], warnings: Callable[[], Sequence[str]]) -> dict[str, Page]:
    return {
        "/healthz": _always(lambda: _status("alive", warnings())),
        "/readyz": _always(lambda: _readiness(problem(), warnings())),
    }


def _always(make: Callable[[], HttpAnswer]) -> Page:
    async def page(call: HttpExchange) -> HttpAnswer:
        return make()

    return page


def _status(status: str, warnings: Sequence[str]) -> HttpAnswer:
    return HttpAnswer(msgspec.json.encode(HealthStatus(status, warnings)))


def _readiness(problem: Problem | None, warnings: Sequence[str]) -> HttpAnswer:
    if problem is None:
        return _status("ready", warnings)
    body = msgspec.json.encode(HealthStatus("not ready", warnings, problem.reason, problem.sentence))
    return HttpAnswer(body, HTTPStatus.SERVICE_UNAVAILABLE, headers=[(b"retry-after", b"1")])


def _docs() -> HttpAnswer:
    policy = [(b"content-security-policy", _POLICY), (b"referrer-policy", b"no-referrer")]
    return HttpAnswer(_PAGE, media=b"text/html; charset=utf-8", headers=policy, cache=_CACHE_HOUR)


@cache
def _asset(name: str, media: bytes) -> HttpAnswer:
    data = (_SWAGGER_UI / name).read_bytes()
    return HttpAnswer(data, media=media + b"; charset=utf-8", cache=_CACHE_HOUR, compressed=compress(data, _BEST))


@cache
def _openapi(*services: ServiceDescriptor) -> HttpAnswer:
    """Return the API description. Building it is slow, and plays a game in an event loop of its own."""
    data = msgspec.json.encode(describe_services(*services))
    return HttpAnswer(data, cache=_CACHE_MINUTE, compressed=compress(data, _BEST))


@cache
def _descriptor_set() -> HttpAnswer:
    data = descriptor_set()
    return HttpAnswer(data, media=b"application/protobuf", cache=_CACHE_MINUTE, compressed=compress(data, _BEST))


def _sentences_page(language: str) -> Page:
    """Return the page of a language. Writing it takes a tenth of a second."""
    return lambda _: to_thread(_sentences, language)


@cache
def _sentences(language: str) -> HttpAnswer:
    """Return the messages of a language, of which sentences are made."""
    data = fluent_file(language).encode()
    return HttpAnswer(data, media=b"text/plain; charset=utf-8", cache=_CACHE_MINUTE, compressed=compress(data, _BEST))
