"""The table in the browser as it is served: its page, its files, and what stands there where it was not built."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from skerry_service.cli.app import _announce
from skerry_service.edge.rest import web_page_files
from skerry_service.wiring.server import RunningServer
from tests.rest.web import Web

pytestmark = pytest.mark.asyncio(loop_scope="module")

built = pytest.mark.skipif(
    not (web_page_files.FOLDER / "index.html").exists(), reason="the page is not built: make page"
)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder without a page instead of the real one."""
    caches = (web_page_files._assets, web_page_files._root_files, web_page_files._index, web_page_files._asset)
    for cached in caches:
        cached.cache_clear()
    monkeypatch.setattr(web_page_files, "FOLDER", tmp_path)
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


@built
async def test_the_page_stands_at_the_root_and_at_each_session(web: Web) -> None:
    root = await web.call("GET", "/")
    assert (root.status, root.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert root.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in root.headers["content-security-policy"]
    assert "unsafe" not in root.headers["content-security-policy"]
    missing = await web.call("GET", "/sessions/aaaaaaaaaaaaaaaa")
    assert (missing.status, missing.body) == (404, root.body)  # the page says that the session does not exist
    assert missing.headers["content-security-policy"] == root.headers["content-security-policy"]
    assert (await web.call("HEAD", "/")).status == 200
    assert (await web.call("POST", "/", {})).status == 405


@built
async def test_what_the_page_names_is_there_and_kept_for_good(web: Web) -> None:
    page = (await web.call("GET", "/")).body.decode()
    named = [name for name in re.findall(r'(?:src|href)="([^"]+)"', page) if name.startswith("/assets/")]
    assert any(name.endswith(".js") for name in named)
    for name in named:
        asset = await web.call("GET", name, headers={"accept-encoding": "gzip"})
        assert (asset.status, asset.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
        if asset.headers.get("content-encoding") == "gzip":
            assert gzip.decompress(asset.body) == (await web.call("GET", name)).body


@built
async def test_the_page_can_be_installed(web: Web) -> None:
    assert "manifest-src 'self'" in (await web.call("GET", "/")).headers["content-security-policy"]
    manifest = await web.call("GET", "/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    assert manifest.json["scope"] == "/"
    for name, media in [
        ("/sw.js", "text/javascript; charset=utf-8"),
        *((icon["src"], "image/png") for icon in manifest.json["icons"]),
    ]:
        file = await web.call("GET", name)
        assert (file.status, file.headers["content-type"], file.headers["cache-control"]) == (200, media, "no-cache")
    assert (await web.call("GET", "/icon-x.png")).status == 404


@built
async def test_the_page_names_no_other_host(web: Web) -> None:
    for name in web_page_files._assets():
        if name.endswith((".js", ".css")):
            text = (await web.call("GET", f"/assets/{name}")).body.decode()
            hosts = set(re.findall(r"https?://([\w.-]+)", text))
            # The names of SVG and its like; where the client would look by default.
            assert hosts <= {"www.w3.org", "127.0.0.1"}, name


@pytest.mark.parametrize(
    "path", ["/assets/", "/assets/nothing.js", "/assets/../web_page_files.py", "/assets/%2e%2e/x", "/x"]
)
async def test_nothing_else_is_there(web: Web, path: str) -> None:
    assert (await web.call("GET", path)).status == 404


async def test_where_the_page_was_not_built_it_says_so(elsewhere: Path, web: Web) -> None:
    page = await web.call("GET", "/")
    assert (page.status, b"make page" in page.body) == (200, True)
    for path in ("/assets/x.js", "/sw.js"):
        assert (await web.call("GET", path)).status == 404


async def test_files_beside_the_page_are_found_by_their_names_alone(elsewhere: Path, web: Web) -> None:
    (elsewhere / "icon-x.png").write_bytes(b"a picture")
    assert (await web.call("GET", "/icon-x.png")).body == b"a picture"
    assert (await web.call("GET", "/icon-y.png")).status == 404
    assert (await web.call("GET", f"/icon-{'x' * 300}.png")).status == 404  # longer than a name can be


async def test_the_start_names_the_page_where_there_is_one(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "Play in the browser: http://127.0.0.1:8080/\n"
    running = RunningServer(
        "127.0.0.1:50051", "127.0.0.1:8080", None, "a folder", (), asyncio.get_running_loop().create_future()
    )
    _announce(running)
    assert line not in capsys.readouterr().out
    (elsewhere / "index.html").write_text("<!doctype html>")
    _announce(running)
    assert line in capsys.readouterr().out
    _announce(replace(running, http=None))
    assert line not in capsys.readouterr().out
