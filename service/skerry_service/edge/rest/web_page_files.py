"""The table in the browser, at ``/`` and at ``/sessions/{id}``, with the files that it is made of at ``/assets/``.

The page is built from ``clients/web`` (``scripts/build_page.py``) into the folder ``web_page`` beside this module, and
is part of the wheel. Where it was not built, ``/`` says so. The names of its files hold hashes of what is in them, so
browsers keep them for good; the page itself is asked for again each time.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from skerry_service.edge.http.asgi import HeaderList
from skerry_service.edge.http.http_answers import SMALLEST_COMPRESSED, HttpAnswer, compress

FOLDER = Path(__file__).with_name("web_page")
_BEST = 9
_FOR_GOOD = b"public, max-age=31536000, immutable"
_ASK_AGAIN = b"no-cache"
_HTML = b"text/html; charset=utf-8"
_MEDIA = {
    ".js": b"text/javascript; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".svg": b"image/svg+xml",
    ".woff2": b"font/woff2",
}
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: HeaderList = [
    (b"content-security-policy", _POLICY),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_SESSION = re.compile(r"/sessions/[^/]+/?")
_NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Skerry</title>
<h1>Skerry is running</h1>
<p>This installation does not include the web page. Build it with <code>make page</code>, which needs Node 20 or newer.
The <a href="docs">API</a> works without it.</p>
</html>
"""


def find(path: str) -> HttpAnswer | None:
    """Return what the page has at a path, or ``None`` if nothing of it is there."""
    if path == "/" or _SESSION.fullmatch(path):
        return _index()
    name = path.removeprefix("/assets/")
    return _asset(name) if name != path and name in _assets() else None


def is_built() -> bool:
    """Whether there is a page, and not only a word that there is none."""
    return (FOLDER / "index.html").is_file()


@cache
def _assets() -> frozenset[str]:
    """The names of the page's files. Nothing else in the folder, or outside it, can be asked for."""
    return frozenset(file.name for file in (FOLDER / "assets").glob("*") if file.suffix in _MEDIA)


@cache
def _index() -> HttpAnswer:
    page = (FOLDER / "index.html").read_bytes() if is_built() else _NOT_BUILT
    return HttpAnswer(page, media=_HTML, headers=_HEADERS, cache=_ASK_AGAIN)


@cache
def _asset(name: str) -> HttpAnswer:
    file = FOLDER / "assets" / name
    data = file.read_bytes()
    packed = compress(data, _BEST) if len(data) >= SMALLEST_COMPRESSED and file.suffix != ".woff2" else None
    return HttpAnswer(data, media=_MEDIA[file.suffix], cache=_FOR_GOOD, packed=packed)
