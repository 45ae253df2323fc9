"""Pages beside the RPCs: ``/docs``, ``/openapi.json``, ``/protos.binpb``, ``/healthz``, ``/readyz``, and the web page.

``/docs`` is Swagger UI, whose files ``hatch_build.py`` puts beside this module. They are read at the first request, and
their Content-Security-Policy forbids requests to other hosts.
"""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path

import msgspec
from google.protobuf.descriptor import ServiceDescriptor

from skerry_service.domain.errors import StoreUnavailable
from skerry_service.edge.framing.compression import compress
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.rest import web_page_files
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


def pages(
    services: Sequence[ServiceDescriptor],
    is_ready: Callable[[], Awaitable[bool]],
    warnings: Callable[[], Sequence[str]],
) -> Pages:
    """Return the lookup of all pages by path.

    ``is_ready``: returns whether the server can answer calls; ``warnings``: returns problems with durability.
    """
    fixed: dict[str, Page] = {
        "/docs": _always(_docs),
        "/docs/start.js": _always(lambda: HttpAnswer(_START, media=b"text/javascript", cache=_CACHE_HOUR)),
        "/docs/swagger-ui.css": _always(lambda: _asset("swagger-ui.css", b"text/css")),
        "/docs/swagger-ui-bundle.js": _always(lambda: _asset("swagger-ui-bundle.js", b"text/javascript")),
        "/openapi.json": lambda: to_thread(_openapi, *services),
        "/protos.binpb": _always(_descriptor_set),
        **_health(is_ready, warnings),
    }

    def find(path: str) -> Page | None:
        if (page := fixed.get(path)) is not None:
            return page
        answer = web_page_files.find(path)
        return None if answer is None else _always(lambda: answer)

    return find


def health_pages(is_ready: Callable[[], Awaitable[bool]], warnings: Callable[[], Sequence[str]]) -> Pages:
    """Return the lookup of the health pages. The arguments are those of ``pages``."""
    return _health(is_ready, warnings).get


def _health(is_ready: Callable[[], Awaitable[bool]], warnings: Callable[[], Sequence[str]]) -> dict[str, Page]:
    return {
        "/healthz": _always(lambda: HttpAnswer(_status("alive", warnings()))),
        "/readyz": _readiness(is_ready, warnings),
    }


def _always(make: Callable[[], HttpAnswer]) -> Page:
    async def page() -> HttpAnswer:
        return make()

    return page


def _status(status: str, warnings: Sequence[str]) -> bytes:
    return msgspec.json.encode({"status": status, "warnings": warnings})


def _readiness(is_ready: Callable[[], Awaitable[bool]], warnings: Callable[[], Sequence[str]]) -> Page:
    async def page() -> HttpAnswer:
        try:
            ready = await is_ready()
        except StoreUnavailable:
            ready = False
        if ready:
            return HttpAnswer(_status("ready", warnings()))
        retry = [(b"retry-after", b"1")]
        return HttpAnswer(_status("not ready", warnings()), HTTPStatus.SERVICE_UNAVAILABLE, headers=retry)

    return page


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
