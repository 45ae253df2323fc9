"""``/mcp`` of the service: the tools over HTTP, with the limits and checks of every other path."""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from mcp import Client
from mcp.types import ImageContent, TextContent

from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.access.keyring import Keyring
from skerry_service.domain.errors import ApiKeyInvalid, LimitReached
from skerry_service.edge.agents_adapter import AgentsAdapter
from skerry_service.edge.http.asgi import HttpExchange
from skerry_service.edge.http.request_bodies import ClientGone
from skerry_service.wiring.agents import agents_adapter
from skerry_service.wiring.config import Config
from tests.agents.conftest import SECRET, limited_endpoint, limiter
from tests.agents.scripted_agent import Agent
from tests.rest.processes import running

LIST_TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running("--mcp", "--mcp-key", SECRET, "--cors-origin", "https://play.example") as (url, _):
        yield url


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.deep)])
async def test_an_agent_plays_a_game_over_http(mode: str, url: str) -> None:
    async with Client(f"{url}/mcp", mode=mode) as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        await agent.play()
        assert agent.look["state"] == "finished"
        assert not agent.saw_a_token()


def requested(url: str, verb: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """Make a request; return status and reason of the answer."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=20)
    connection.request(
        verb, "/mcp", body, {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
    )
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    found = json.loads(text) if text else {}
    details = found.get("error", {}).get("details", [{}])
    return response.status, details[0].get("reason", "") if details else ""


def test_requests_are_checked_like_all_others(url: str) -> None:
    body = json.dumps(LIST_TOOLS).encode()
    assert requested(url, "POST", body)[0] == 200
    assert requested(url, "POST", body, Origin="https://play.example")[0] == 200
    assert requested(url, "POST", body, Origin="https://evil.example") == (403, "HTTP_ORIGIN_NOT_ALLOWED")
    assert requested(url, "GET") == (405, "HTTP_METHOD_NOT_ALLOWED")
    assert requested(url, "DELETE") == (405, "HTTP_METHOD_NOT_ALLOWED")
    assert requested(url, "OPTIONS")[0] == 204
    assert requested(url, "POST", b"x" * 1_000_000) == (413, "HTTP_BODY_TOO_LARGE")
    assert requested(url, "POST", b"{nonsense")[0] == 400
    assert requested(url, "POST", b"[" * 10_000)[0] == 400
    assert requested(url, "POST", body, Content_Type="text/plain") == (415, "HTTP_MEDIA_TYPE_UNSUPPORTED")


@pytest.mark.deep
def test_without_the_setting_there_is_no_such_path() -> None:
    with running() as (url, _):
        assert requested(url, "POST", json.dumps(LIST_TOOLS).encode()) == (404, "HTTP_PATH_NOT_FOUND")


# ---------------------------------------------------------------- in this process


@asynccontextmanager
async def limited(keyring: Keyring | None = None, **limits: str) -> AsyncIterator[AgentsAdapter]:
    """Yield an adapter over a new endpoint with the same limits and API keys."""
    limits_of_both = limiter(**limits)
    endpoint = limited_endpoint(limits_of_both, keyring)
    async with agents_adapter(Config(mcp_key=SECRET), endpoint, limits_of_both, keyring) as adapter:
        yield adapter


@pytest.fixture
async def adapter() -> AsyncIterator[AgentsAdapter]:
    async with limited() as adapter:
        yield adapter


class Request:
    """A POST whose sender can leave. ``address``: the sender's; ``key``: its API key."""

    def __init__(
        self, message: dict[str, Any], version: str, address: str = "192.0.2.1", key: str | None = None
    ) -> None:
        self._body: bytes | None = json.dumps(message).encode()
        self.left = asyncio.Event()
        headers = {
            b"content-type": b"application/json",
            b"accept": b"application/json, text/event-stream",
            b"mcp-protocol-version": version.encode(),
            b"mcp-method": message["method"].encode(),
            b"mcp-name": message["params"]["name"].encode(),
        }
        headers |= {b"x-api-key": key.encode()} if key else {}
        scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "client": (address, 5)}
        self.call = HttpExchange(scope | {"headers": list(headers.items())}, headers, self._receive, self._send, [])

    async def _receive(self) -> MutableMapping[str, Any]:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        raise AssertionError("the adapter returns its answer")


def tool_call(tool: str, version: str = "2025-06-18", **arguments: Any) -> Request:
    return Request(tool_message(tool, version, arguments), version)


def tool_message(tool: str, version: str, arguments: dict[str, Any]) -> dict[str, Any]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize("version", ["2026-07-28", "2025-06-18"])
async def test_a_wait_ends_when_its_sender_leaves_and_holds_up_nobody(version: str, adapter: AgentsAdapter) -> None:
    arguments = {"game": "kreta", "name": "Ada", "opponents": "players"}
    started = await adapter(tool_call("start_table", version, **arguments).call)
    handle = json.loads(started.body)["result"]["structuredContent"]["handle"]
    idle = asyncio.all_tasks()
    waits = [tool_call("wait_for_turn", version, handle=handle, seconds=50) for _ in range(5)]
    tasks = [asyncio.create_task(adapter(wait.call)) for wait in waits]
    look = await adapter(tool_call("look", version, handle=handle).call)
    assert json.loads(look.body)["result"]["structuredContent"]["state"] == "lobby"
    assert not any(task.done() for task in tasks)
    for wait in waits:
        wait.left.set()
    for task in tasks:
        with pytest.raises(ClientGone):
            await task
    for task in asyncio.all_tasks() - idle - set(tasks):  # the SDK's own, which end with the request
        await asyncio.wait({task})


async def test_a_method_without_support_is_refused_and_leaves_no_task(adapter: AgentsAdapter) -> None:
    version = "2026-07-28"
    params = tool_message("", version, {})["params"] | {"notifications": {}}
    idle = asyncio.all_tasks()
    message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}
    answer = await adapter(Request(message, version).call)
    assert answer.status == 404
    assert json.loads(answer.body)["error"]["message"] == "Method not found"
    for task in asyncio.all_tasks() - idle:  # the SDK's own, which end with the request
        await asyncio.wait({task})


async def games_listed(adapter: AgentsAdapter, address: str = "192.0.2.1", key: str | None = None) -> str:
    """Call list_games, which makes one read; return the text of its result."""
    version = "2025-06-18"
    answer = await adapter(Request(tool_message("list_games", version, {}), version, address, key).call)
    text: str = json.loads(answer.body)["result"]["content"][0]["text"]
    return text


async def test_requests_and_the_calls_of_their_tools_count_for_their_sender() -> None:
    async with limited(read="3/1h") as adapter:
        assert "kreta" in await games_listed(adapter)
        assert "(LIMIT_REACHED)" in await games_listed(adapter)  # a request and its first call are within the limit
        with pytest.raises(LimitReached):
            await games_listed(adapter)
        assert "kreta" in await games_listed(adapter, "192.0.2.2")


async def test_the_calls_of_tools_need_the_api_key_of_the_request(tmp_path: Path) -> None:
    key = new_key("reader")
    (tmp_path / "keys").write_text(format_line(key, "watch"))
    async with limited(Keyring(tmp_path / "keys")) as adapter:
        assert "kreta" in await games_listed(adapter, key=key)
        assert "(API_KEY_MISSING)" in await games_listed(adapter)


async def test_requests_count_for_their_api_key_if_it_has_limits(tmp_path: Path) -> None:
    key = new_key("reader")
    (tmp_path / "keys").write_text(f"{format_line(key, 'watch', ('read=4/1h',))}\n*  -  watch")
    async with limited(Keyring(tmp_path / "keys"), read="2/1h") as adapter:
        for address in ("192.0.2.1", "192.0.2.2"):
            assert "kreta" in await games_listed(adapter, address, key)
        with pytest.raises(LimitReached, match="for one API key"):
            await games_listed(adapter, "192.0.2.3", key)
        assert "kreta" in await games_listed(adapter)
        with pytest.raises(LimitReached, match="for one address"):
            await games_listed(adapter)
        with pytest.raises(ApiKeyInvalid):
            await games_listed(adapter, key=new_key("reader"))


async def test_a_look_has_a_picture_on_request(url: str) -> None:
    pytest.importorskip("svg2png_py")  # an extra, without wheels for some processors
    async with Client(f"{url}/mcp") as client:
        agent = Agent(client)
        await agent.sit("start_table", game="kreta", name="Ada")
        result = await client.call_tool("look", {"handle": agent.handle, "picture": True})
        text, picture = result.content
        assert isinstance(text, TextContent)
        assert isinstance(picture, ImageContent)
        assert picture.mime_type == "image/png"
        assert b64decode(picture.data).startswith(b"\x89PNG")
