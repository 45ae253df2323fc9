"""The operators' page at ``/admin``, and the RPCs that it calls, over Connect. Only the operators' port serves them.

``scripts/build_page.py`` builds the page from ``clients/web`` into the folder ``admin_page`` beside this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path

from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.connect.procedures import procedures_of
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.http_answers import HttpAnswer
from skerry_service.edge.http.http_app import HttpApp
from skerry_service.edge.http.http_refusals import MethodNotAllowed, PathNotFound
from skerry_service.edge.http.same_site import SameSite
from skerry_service.edge.rest.web_page_files import headers_of_page, read_file

FOLDER = Path(__file__).with_name("admin_page")
_PATHS = (b"/admin", b"/admin/")
_METHODS = ("GET", "HEAD")
_HEADERS = headers_of_page(())
_NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Skerry: operators</title>
<h1>This installation does not include the operators' page</h1>
<p>Build it with <code>make page</code>, which needs Node 20 or newer. <code>skerry admin</code> works without it.</p>
</html>
"""


def admin_app(endpoint: Endpoint, hosts: Sequence[str]) -> HttpApp:
    """Return the application of the operators' port. ``hosts``: names by which operators reach it."""
    site = SameSite(hosts)
    procedures = {path: site.guarded(procedure) for path, procedure in procedures_of((endpoint,)).items()}
    return HttpApp(procedures, site.guarded(_page), endpoint.refused)


async def _page(call: HttpExchange) -> HttpAnswer:
    path, verb = call.scope["raw_path"], call.scope["method"]
    found = _index() if path in _PATHS else _assets().get(path)
    if found is None:
        raise PathNotFound(path.decode("latin-1"), "This port serves /admin, and gRPC.")
    if verb not in _METHODS:
        raise MethodNotAllowed(verb, _METHODS)
    return found


@cache
def _index() -> HttpAnswer:
    file = FOLDER / "admin.html"
    if not file.is_file():
        return HttpAnswer(_NOT_BUILT, HTTPStatus.OK, media=b"text/html; charset=utf-8", headers=list(_HEADERS))
    page = read_file(file)
    page.headers += _HEADERS
    return page


@cache
def _assets() -> Mapping[bytes, HttpAnswer]:
    """Return the assets by path. No other file can be requested."""
    return {f"/admin/assets/{file.name}".encode(): read_file(file) for file in (FOLDER / "assets").glob("*")}
