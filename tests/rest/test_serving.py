"""Serving HTTP: its settings, its mistakes, its end."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.cli.health_command import health_of
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.wire import OPEN, Api
from tests.faults.processes import Service, held
from tests.rest.processes import running
from tests.rest.web import Web, served
from tests.store.servers import ask, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_it_says_where_it_serves() -> None:
    with running() as (url, greeting):
        assert url.startswith("http://127.0.0.1:")
        assert greeting[1] == f"REST/JSON at {url} (try it at {url}/docs)\n"
    with running("--http", "[::1]:0") as (url, _):
        assert url.startswith("http://[::1]:")


async def test_without_an_address_nothing_is_served(valkey: EmbeddedServer) -> None:
    async with running_server(Config(port=0, redis_url=valkey.url)) as service:
        assert service.http is None


@pytest.mark.parametrize("host", ["::1", "[::1]"])
async def test_a_server_on_ipv6_answers(valkey: EmbeddedServer, host: str) -> None:
    async with running_server(Config(host=host, port=0, http="[::1]:0", redis_url=valkey.url)) as service:
        assert service.address.startswith("[::1]:")
        assert await health_of(service.address) == "serving"
        assert service.http is not None
        async with served(valkey) as other:
            web = Web(service.http, other.api)
            assert (await web.call("GET", "/v1/games")).status == 200


async def test_a_taken_port_is_named(valkey: EmbeddedServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(OSError, match=f"cannot listen on {address}; is another server there"):
            async with running_server(Config(port=0, http=address, redis_url=valkey.url)):
                pass


@pytest.mark.parametrize(
    "address", ["8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "::1:8080", "h:65536"]
)
async def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="SKERRY_HTTP must be HOST:PORT"):
        Config.from_environment({"SKERRY_HTTP": address})


EXTENSION = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
NO_ORIGINS = [
    "play.example",
    "https://play.example/",
    "https://",
    "null",
    "ftp://x",
    "*.example",
    "capacitor://play.example",
    "capacitor://localhost:1",
    "tauri://",
    "file://localhost",
    "chrome-extension://abc",
    EXTENSION.upper(),
    "https://a.example; script-src *",
]


@pytest.mark.parametrize("variable", ["SKERRY_CORS_ORIGINS", "SKERRY_EMBED_ORIGINS"])
@pytest.mark.parametrize("origin", NO_ORIGINS)
async def test_an_origin_that_no_browser_sends_is_refused(variable: str, origin: str) -> None:
    expected = (
        f"{variable} must be origins, .* capacitor://localhost, .* chrome-extension://ID.*, not '{re.escape(origin)}"
    )
    with pytest.raises(ValueError, match=expected):
        Config.from_environment({variable: f"https://one.example,{origin}"})


async def test_apps_have_origins_too() -> None:
    apps = ("capacitor://localhost", "ionic://localhost", "tauri://localhost", EXTENSION)
    config = Config.from_environment({"SKERRY_CORS_ORIGINS": ",".join(apps), "SKERRY_EMBED_ORIGINS": ",".join(apps)})
    assert config.cors_origins == config.embed_origins == apps


async def test_not_every_page_may_show_the_page_in_a_frame() -> None:
    with pytest.raises(ValueError, match="SKERRY_EMBED_ORIGINS must be origins"):
        Config.from_environment({"SKERRY_EMBED_ORIGINS": "*"})


async def test_settings_are_read_from_the_environment() -> None:
    config = Config.from_environment(
        {"SKERRY_HTTP": "0.0.0.0:80", "SKERRY_CORS_ORIGINS": "https://a.example,http://b:1"}
    )
    assert (config.http, config.cors_origins) == ("0.0.0.0:80", ("https://a.example", "http://b:1"))
    assert Config.from_environment({"SKERRY_HTTP": ""}).http is None


async def test_a_store_that_does_not_answer_makes_it_alive_and_not_ready(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skerry_service.store.health.write_health.PATIENCE_SECONDS", 0.2)
    information = await ask(valkey, "INFO", "server")
    pid = next(int(line.split(b":")[1]) for line in information.splitlines() if line.startswith(b"process_id"))
    async with served(valkey) as web:

        async def ready() -> bool:
            return (await web.call("GET", "/readyz")).status == 200

        async def is_away() -> bool:
            return not await ready()

        assert await ready()
        with held(pid):
            assert (await web.call("GET", "/healthz")).status == 200
            await until(is_away)
            away = await web.call("GET", "/readyz")
            assert (away.status, away.headers["retry-after"]) == (503, "1")
            problem = {"reason": "NO_ANSWER", "problem": "The store does not answer."}
            assert away.json == {"status": "not ready", "warnings": [], **problem}
        await until(ready)


async def test_a_call_under_way_is_answered_before_the_server_stops() -> None:
    """The store is held up, so that the call and SIGTERM meet; then it goes on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        service = Service(Path(folder), "--http", address)
        try:
            await service.start()
            async with grpc.aio.insecure_channel(service.address) as channel:
                await stop_during_a_call(service, Web(address, Api(channel)))
        finally:
            await service.close()


async def stop_during_a_call(service: Service, web: Web) -> None:
    with held(await service.store_pid()):
        call = asyncio.create_task(web.rpc("CreateSession", pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 2)))
        await asyncio.sleep(0.3)
        stopping = asyncio.create_task(service.terminate())
        refused = await web.call("GET", "/v1/games")
        while refused.status == 200:  # the signal is on its way
            refused = await web.call("GET", "/v1/games")
        assert not call.done()
        assert (refused.status, refused.reason) == (503, "SHUTTING_DOWN")
        assert refused.headers["retry-after"] == "1"
    assert (await call).status == 200
    assert await stopping == 0
    assert "Traceback" not in service.errors.read_text()


async def test_an_internal_error_is_logged_and_answered_without_its_cause(
    web: Web, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the seed is 17")

    monkeypatch.setattr("skerry_service.api.reading_methods.write_game", fail)
    with caplog.at_level(logging.ERROR):
        answer = await web.call("GET", "/v1/games")
    assert (answer.status, answer.reason) == (500, "INTERNAL")
    assert b"seed" not in answer.body
    assert "the seed is 17" in caplog.text
