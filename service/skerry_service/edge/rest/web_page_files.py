"""The files of the web page: the page, its assets at ``/assets/``, its service worker, manifest and icons.

``scripts/build_page.py`` builds it from ``clients/web`` into the folder ``web_page`` beside this module, and it is part
of the wheel. Without a build, the page says so. The names of assets contain hashes, so browsers cache them for good.
They revalidate the page itself and what lies beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path

from skerry_service.edge.framing.compression import SMALLEST_COMPRESSED, compress
from skerry_service.edge.http.asgi import HeaderList
from skerry_service.edge.http.http_answers import HttpAnswer

FOLDER = Path(__file__).with_name("web_page")
_BEST = 9
_IMMUTABLE = b"public, max-age=31536000, immutable"
_REVALIDATE = b"no-cache"
_HTML = b"text/html; charset=utf-8"
_MEDIA = {
    ".js": b"text/javascript; charset=utf-8",
    ".css": b"text/css; charset=utf-8",
    ".html": _HTML,
    ".svg": b"image/svg+xml",
    ".woff2": b"font/woff2",
    ".png": b"image/png",
    ".webmanifest": b"application/manifest+json",
}
_ROOT_FILES = re.compile(r"/(sw\.js|manifest\.webmanifest|icon-\w+\.png)")
"""The files that browsers look for beside the page. Their names stay the same, so browsers revalidate them."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
_TITLE = re.compile(rb"<title>[^<]*</title>")
_DESCRIPTION = re.compile(rb'<meta name="description"[^>]*>\s*')
_NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Skerry</title>
<h1>Skerry is running</h1>
<p>This installation does not include the web page. Build it with <code>make page</code>, which needs Node 20 or newer.
The <a href="docs">API</a> works without it.</p>
</html>
"""


def headers_of_page(embed_origins: Sequence[str]) -> HeaderList:
    """Return the headers of the page. ``embed_origins``: origins whose pages may show it in a frame."""
    return [
        (b"content-security-policy", (_POLICY + (" ".join(embed_origins) or "'none'")).encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
    ]


def page(headers: HeaderList, card: bytes | None = None, status: int = HTTPStatus.OK) -> HttpAnswer:
    """Return the page. ``card``: replaces its title and description (``link_cards``)."""
    plain, before, after = _index()
    body = plain if card is None else before + card + after
    return HttpAnswer(body, status, media=_HTML, headers=list(headers), cache=_REVALIDATE)


def find_asset(path: str) -> HttpAnswer | None:
    """Return the asset, or the file beside the page, at a path; ``None`` if there is none."""
    if path in _root_files():
        return _asset(path[1:])
    name = path.removeprefix("/assets/")
    return _asset(f"assets/{name}") if name != path and name in _assets() else None


def is_built() -> bool:
    """Return whether the web page is part of this installation."""
    return (FOLDER / "index.html").is_file()


@cache
def _root_files() -> frozenset[str]:
    """Return the paths of the files beside the page. No other file there can be requested."""
    return frozenset(path for file in FOLDER.glob("*") if _ROOT_FILES.fullmatch(path := f"/{file.name}"))


@cache
def _assets() -> frozenset[str]:
    """Return the names of the assets. No other file can be requested."""
    return frozenset(file.name for file in (FOLDER / "assets").glob("*") if file.suffix in _MEDIA)


@cache
def _index() -> tuple[bytes, bytes, bytes]:
    """Return the page, and its parts before and after a link card."""
    plain = (FOLDER / "index.html").read_bytes() if is_built() else _NOT_BUILT
    before, after = _TITLE.split(_DESCRIPTION.sub(b"", plain))
    return plain, before, after


@cache
def _asset(name: str) -> HttpAnswer:
    """Return a file by its path in the folder."""
    return read_file(FOLDER / name)


def read_file(file: Path) -> HttpAnswer:
    """Return a built file. Browsers keep those in a folder ``assets`` for good."""
    data = file.read_bytes()
    is_packed = file.suffix in (".woff2", ".png")
    packed = None if is_packed or len(data) < SMALLEST_COMPRESSED else compress(data, _BEST)
    cache = _IMMUTABLE if file.parent.name == "assets" else _REVALIDATE
    return HttpAnswer(data, media=_MEDIA[file.suffix], cache=cache, compressed=packed)
