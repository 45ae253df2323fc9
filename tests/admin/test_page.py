"""The operators' page as the operators' port serves it, and the requests of other sites that the port rejects."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.edge.admin import admin_page
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.wire import OPEN, Api, create
from tests.rest.web import Response, Web

LIST = "/skerry.admin.v1.AdminService/ListAllSessions"


@asynccontextmanager
async def served(valkey: EmbeddedServer, **settings: Any) -> AsyncIterator[tuple[Web, Web]]:
    """Run a server; yield its operators' port and its public one."""
    config = Config(port=0, http="127.0.0.1:0", admin="127.0.0.1:0", redis_url=valkey.url, **settings)
    async with running_server(config) as running, grpc.aio.insecure_channel(running.address) as channel:
        assert running.admin
        assert running.http
        api = Api(channel, running.address)
        yield Web(running.admin, api), Web(running.http, api)


async def ask(web: Web, verb: str, path: str, body: object = None, **headers: str) -> Response:
    """Send a request with that ``host`` header alone, and others with ``_`` for ``-``."""
    data = b"" if body is None else json.dumps(body).encode()
    fields: Mapping[str, str] = {"host": web.address} | {key.replace("_", "-"): one for key, one in headers.items()}
    if body is not None:
        fields = {"content-type": "application/json", "content-length": str(len(data)), **fields}
    lines = [f"{verb} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return await web.send("\r\n".join([*lines, "", ""]).encode() + data, head=verb == "HEAD")


async def test_the_port_serves_the_page_and_answers_its_calls(valkey: EmbeddedServer) -> None:
    async with served(valkey) as (operators, public):
        page = await ask(operators, "GET", "/admin")
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert (await ask(operators, "GET", "/admin/")).body == page.body
        assert (await ask(operators, "POST", "/admin", {})).status == 405
        assert (await ask(operators, "GET", "/")).reason == "HTTP_PATH_NOT_FOUND"
        sitting = await create(public.api, OPEN, OPEN)
        names, token = list[str](), ""
        while True:
            listed = await ask(operators, "POST", LIST, {"pageSize": 1000, "pageToken": token})
            names += [one["name"] for one in listed.json["sessions"]]
            if not (token := listed.json["nextPageToken"]):
                break
        assert sitting.name in names
        assert "set-cookie" not in page.headers | listed.headers
        assert "access-control-allow-origin" not in listed.headers


@pytest.mark.skipif(not (admin_page.FOLDER / "admin.html").exists(), reason="the page is not built: make page")
async def test_the_port_serves_what_the_page_loads_and_no_other_file(valkey: EmbeddedServer) -> None:
    async with served(valkey) as (operators, public):
        page = (await ask(operators, "GET", "/admin")).body.decode()
        named = re.findall(r'(?:src|href)="([^"]+)"', page)
        assert any(name.endswith(".js") for name in named)
        assert [name for name in named if not name.startswith("/admin/assets/")] == []
        for name in named:
            assert (await ask(operators, "GET", name)).headers["cache-control"].endswith("immutable")
            assert (await public.call("GET", name)).status == 404
        for name in ("/admin/admin.html", "/admin/assets/", "/admin/assets/../admin.html", "/admin/assets/%2e%2e/x"):
            assert (await ask(operators, "GET", name)).status == 404


async def test_the_public_port_has_neither_the_page_nor_its_calls(valkey: EmbeddedServer) -> None:
    async with served(valkey) as (_, public):
        for path in ("/admin", "/admin/", "/admin/assets/admin.js"):
            assert (await public.call("GET", path)).reason == "HTTP_PATH_NOT_FOUND"
        assert (await public.call("POST", LIST, {})).status == 404


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ({"host": "evil.example"}, 421, "HTTP_HOST_NOT_ALLOWED"),
        ({"host": "evil.example:50061"}, 421, "HTTP_HOST_NOT_ALLOWED"),
        ({"host": "127.0.0.1.evil.example"}, 421, "HTTP_HOST_NOT_ALLOWED"),
        ({"origin": "https://evil.example"}, 403, "HTTP_ORIGIN_NOT_ALLOWED"),
        ({"origin": "null"}, 403, "HTTP_ORIGIN_NOT_ALLOWED"),
        ({"origin": "http://127.0.0.1"}, 403, "HTTP_ORIGIN_NOT_ALLOWED"),  # another port is another site
        ({"sec_fetch_site": "cross-site"}, 403, "HTTP_ORIGIN_NOT_ALLOWED"),
        ({"sec_fetch_site": "same-site"}, 403, "HTTP_ORIGIN_NOT_ALLOWED"),
    ],
)
async def test_requests_that_another_site_can_cause_are_rejected(
    valkey: EmbeddedServer, headers: dict[str, str], status: int, reason: str
) -> None:
    async with served(valkey) as (operators, public):
        sitting = await create(public.api, OPEN, OPEN)
        end = "/skerry.admin.v1.AdminService/EndSession"
        for verb, path, body in (("POST", end, {"name": sitting.name}), ("POST", LIST, {}), ("GET", "/admin", None)):
            refused = await ask(operators, verb, path, body, **headers)
            assert (refused.status, refused.reason) == (status, reason)
        form = await ask(operators, "POST", end, {"name": sitting.name}, content_type="text/plain")
        assert form.status == 415  # a form of another site can send it without asking first
        got = await public.call("GET", f"/v1/{sitting.name}")
        assert got.json["session"]["state"] == "SESSION_STATE_LOBBY"


async def test_operators_reach_the_port_by_address_localhost_and_configured_names(valkey: EmbeddedServer) -> None:
    async with served(valkey, allowed_hosts=("ops.example",)) as (operators, _):
        port = operators.address.rpartition(":")[2]
        for host in (operators.address, f"localhost:{port}", f"[::1]:{port}", "Ops.Example", "ops.example:8443"):
            answer = await ask(operators, "POST", LIST, {}, host=host, origin=f"https://{host}")
            assert answer.status == 200, host
        assert (await ask(operators, "POST", LIST, {}, host="else.example")).status == 421


async def test_calls_of_the_page_need_a_key_of_operators_where_keys_are(valkey: EmbeddedServer, tmp_path: Path) -> None:
    path, ours, others = tmp_path / "keys", new_key("ops"), new_key("players")
    lines = [format_line(ours, "admin"), format_line(others, "play,host,watch,bots"), "* - host"]
    await asyncio.to_thread(path.write_text, "\n".join(lines))
    async with served(valkey, keys=path) as (operators, _):
        assert (await ask(operators, "GET", "/admin")).status == 200
        assert (await ask(operators, "POST", LIST, {})).json["code"] == "unauthenticated"
        assert (await ask(operators, "POST", LIST, {}, x_api_key=others)).json["code"] == "permission_denied"
        assert (await ask(operators, "POST", LIST, {}, x_api_key=ours)).status == 200
