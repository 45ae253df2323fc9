"""What is wrong as HTTP: each a clear refusal in the form of every error, and the server lives on."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from skerry.v1 import service_pb2 as pb
from skerry_service.edge.http import request_limits
from skerry_service.edge.http.http_answers import accepts, accepts_gzip
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, create, sit_down
from tests.rest.web import Web, connection, read_response, request, served

pytestmark = pytest.mark.asyncio(loop_scope="module")

JSON = {"content-type": "application/json"}
CREATE = {"game": "kreta", "seats": [{}, {}]}
ORIGIN = "https://play.example"
APPS = ("capacitor://localhost", "ionic://localhost", "tauri://localhost", f"chrome-extension://{'abcdefgh' * 4}")


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _lives_on(web: Web) -> AsyncIterator[None]:
    yield
    assert (await web.call("GET", "/v1/games")).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v1/game",
        "/v1/games/",
        "/v2/games",
        "/v1/sessions/a:b",
        "/v1/sessions/a:act:act",
        "/v1//games",
        "/V1/games",
        "/v1/games/kreta/rules",
        "/docs/",
        "/docs/../etc/passwd",
        "/%2e%2e",
        "/v1/games/a:",
    ],
)
async def test_a_path_that_is_not_there_is_not_found(web: Web, path: str) -> None:
    for verb in ("GET", "POST", "OPTIONS"):
        refused = await web.call(verb, path, b"" if verb == "POST" else None)
        assert (refused.status, refused.reason) == (404, "HTTP_PATH_NOT_FOUND")


@pytest.mark.parametrize(
    ("verb", "path", "allow"),
    [
        ("POST", "/v1/games", "GET, HEAD, OPTIONS"),
        ("DELETE", "/v1/sessions", "GET, HEAD, OPTIONS, POST"),
        ("GET", "/v1/sessions/x:act", "OPTIONS, POST"),
        ("HEAD", "/v1/sessions/x:act", "OPTIONS, POST"),
        ("PATCH", "/v1/sessions/x", "GET, HEAD, OPTIONS"),
        ("POST", "/docs", "GET, HEAD, OPTIONS"),
        ("TRACE", "/healthz", "GET, HEAD, OPTIONS"),
    ],
)
async def test_an_unsupported_method_is_answered_with_the_allowed_ones(
    web: Web, verb: str, path: str, allow: str
) -> None:
    refused = await web.call(verb, path)
    assert (refused.status, refused.headers["allow"]) == (405, allow)
    assert verb == "HEAD" or (refused.reason, refused.metadata) == ("HTTP_METHOD_NOT_ALLOWED", {"allowed": allow})
    options = await web.call("OPTIONS", path)
    assert (options.status, options.headers["allow"], options.body) == (204, allow, b"")


async def test_a_body_has_to_be_announced_as_json(web: Web) -> None:
    data = json.dumps(CREATE).encode()
    for media in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "", "json"):
        refused = await web.call("POST", "/v1/sessions", data, headers={"content-type": media})
        assert (refused.status, refused.reason) == (415, "HTTP_MEDIA_TYPE_UNSUPPORTED")
    for media in ("application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'):
        assert (await web.call("POST", "/v1/sessions", data, headers={"content-type": media})).status == 200
    packed = await web.call("POST", "/v1/sessions", gzip.compress(data), headers={"content-encoding": "gzip"})
    assert (packed.status, packed.reason) == (415, "HTTP_MEDIA_TYPE_UNSUPPORTED")


async def test_a_call_that_has_a_body_needs_one_and_a_call_without_takes_none(web: Web) -> None:
    missing = await web.call("POST", "/v1/sessions")
    assert (missing.status, missing.reason) == (411, "HTTP_LENGTH_REQUIRED")
    sitting = await sit_down(web.api)
    assert (await web.call("POST", f"/v1/{sitting.name}:leave", b"", sitting.seats[0])).status == 200
    too_much = await web.call("GET", "/v1/games", {})
    assert (too_much.status, too_much.metadata) == (400, {"field": "body"})
    mixed = await web.call("POST", f"/v1/{sitting.name}:leave?requestId=1", {})
    assert (mixed.status, mixed.reason) == (400, "UNKNOWN_FIELD")


async def test_a_length_may_begin_with_zeros(web: Web) -> None:
    data, zeros = json.dumps(CREATE).encode(), "0" * 5000
    lines = JSON | {"content-length": f"{zeros}{len(data)}"}
    assert (await web.send(request("POST", "/v1/sessions", lines) + data)).status == 200
    assert (await web.send(request("GET", "/v1/games", {"content-length": zeros}))).status == 200


async def test_a_body_may_come_in_chunks(web: Web) -> None:
    data = json.dumps(CREATE).encode()
    chunks = b"".join(b"%x\r\n%b\r\n" % (1, data[at : at + 1]) for at in range(len(data)))
    head = request("POST", "/v1/sessions", JSON | {"transfer-encoding": "chunked"})
    assert (await web.send(head + chunks + b"0\r\n\r\n")).status == 200


@pytest.mark.parametrize("size", [65 * 1024, 900 * 1024, 5 * 1024 * 1024])
async def test_a_large_body_is_refused(web: Web, size: int) -> None:
    refused = await web.call("POST", "/v1/sessions", b" " * size)
    assert (refused.status, refused.reason, refused.metadata) == (413, "HTTP_BODY_TOO_LARGE", {"limit": "65536"})
    assert refused.headers["connection"] == "close"
    chunk = b"%x\r\n%b\r\n" % (60 * 1024, b" " * 60 * 1024)
    head = request("POST", "/v1/sessions", JSON | {"transfer-encoding": "chunked"})
    assert (await web.send(head + chunk * 30)).status == 413
    assert (await web.call("POST", "/v1/sessions", b"{" + b" " * (64 * 1024 - 2) + b"}")).reason == "INVALID_FIELD"


async def test_long_paths_and_large_headers_are_refused(web: Web) -> None:
    for path in ("/v1/sessions?pageToken=" + "x" * 9000, "/v1/sessions/" + "x" * 60_000):
        refused = await web.call("GET", path)
        assert (refused.status, refused.reason) == (414, "HTTP_URI_TOO_LONG")
    for headers in ({"x": "y" * 9000}, {f"x-{number}": "y" * 90 for number in range(100)}):
        refused = await web.call("GET", "/v1/games", headers=headers)
        assert (refused.status, refused.reason) == (431, "HTTP_HEADERS_TOO_LARGE")
    assert (await web.call("GET", "/v1/games", headers={"x": "y" * 8000})).status == 200


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\nnonsense\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /v1/games HTTP/1.1\r\nno colon\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
        b"GET /\xff HTTP/1.1\r\nhost: x\r\n\r\n",
        b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    ],
)
async def test_what_is_no_http_is_refused(web: Web, data: bytes) -> None:
    refused = await web.send(data)
    assert (refused.status, refused.reason) == (400, "HTTP_MALFORMED")


async def test_slow_headers_and_slow_bodies_are_not_waited_for(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "REQUEST_SECONDS", 0.2)
    head = request("POST", "/v1/sessions", JSON | {"content-length": "9"})
    for begun in (b"", head[:20], head + b"{"):
        refused = await web.send(begun)
        assert (refused.status, refused.reason) == (408, "HTTP_TOO_SLOW")
        assert refused.headers["connection"] == "close"
    async with connection(web.address) as (reader, writer):
        for _ in range(2):  # a connection that is used again is waited for anew
            writer.write(request("GET", "/v1/games", {}))
            assert (await read_response(reader)).status == 200
        writer.write(b"GET /v1")
        assert (await read_response(reader)).status == 408
        assert await reader.read() == b""


async def test_a_body_that_comes_after_its_answer_is_not_waited_for(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "REQUEST_SECONDS", 0.2)
    async with connection(web.address) as (reader, writer):
        writer.write(request("POST", "/v1/nothing", JSON | {"content-length": "1000000"}))
        assert (await read_response(reader)).status == 404
        writer.write(b"{")
        async with asyncio.timeout(10):
            assert (await read_response(reader)).status == 408


async def test_who_hangs_up_before_the_body_is_there_harms_nobody(web: Web) -> None:
    for _ in range(20):
        async with connection(web.address) as (_, writer):
            writer.write(request("POST", "/v1/sessions", JSON | {"content-length": "100"}) + b'{"ga')
            await writer.drain()


async def test_requests_that_come_at_once_are_answered_in_order(web: Web) -> None:
    paths = ["/v1/games", "/v1/games/kreta", "/v1/games/chess", "/healthz"]
    async with connection(web.address) as (reader, writer):
        writer.write(b"".join(request("GET", path, {}) for path in paths))
        assert [(await read_response(reader)).status for _ in paths] == [200, 200, 404, 200]


@pytest.mark.parametrize(
    "path",
    ["/v1/games", "/v1/games/kreta", "/v1/games/chess", "/docs", "/openapi.json", "/sentences/en.ftl", "/readyz"],
)
async def test_head_is_get_without_the_body(web: Web, path: str) -> None:
    get, head = await web.call("GET", path), await web.call("HEAD", path)
    assert head.status == get.status
    for name in ("content-type", "content-length", "cache-control"):
        assert head.headers[name] == get.headers[name]


async def test_head_of_a_stream_opens_none(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    head = await web.call("HEAD", f"/v1/{sitting.name}:observe", headers={"accept": "text/event-stream"})
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")


async def test_large_answers_are_compressed_for_those_who_can_read_them(web: Web) -> None:
    for path in ("/v1/games/kreta", "/openapi.json", "/sentences/de.ftl", "/docs/swagger-ui.css"):
        plain = await web.call("GET", path)
        packed = await web.call("GET", path, headers={"accept-encoding": "br, gzip"})
        assert "Accept-Encoding" in plain.headers["vary"] == packed.headers["vary"]
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
    small = await web.call("GET", "/v1/games", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in small.headers


async def test_what_a_client_accepts_is_weighed() -> None:
    for header, answer in (
        (b"", False),
        (b"gzip", True),
        (b"GZIP;q=0.5", True),
        (b"gzip;q=0", False),
        (b"*", True),
        (b"*;q=0", False),
        (b"*, gzip;q=0.0", False),
        (b"br", False),
        (b"gzip;q=x", False),
    ):
        assert accepts_gzip(header) is answer
    for header, answer in (
        (b"", True),
        (b"application/json", True),
        (b"text/html, */*;q=0.1", True),
        (b"text/html", False),
        (b"application/*", True),
        (b"application/json;q=0, */*", False),
    ):
        assert accepts(header, b"application/json") is answer


async def test_an_answer_that_the_client_cannot_read_is_refused(web: Web) -> None:
    refused = await web.call("GET", "/v1/games", headers={"accept": "text/html"})
    assert (refused.status, refused.reason, refused.metadata) == (
        406,
        "HTTP_NOT_ACCEPTABLE",
        {"offered": "application/json"},
    )
    sitting = await create(web.api, OPEN, OPEN)
    refused = await web.call("GET", f"/v1/{sitting.name}:observe", headers={"accept": "application/json"})
    assert (refused.status, refused.metadata) == (406, {"offered": "text/event-stream"})


async def test_no_page_of_another_origin_may_call_unless_it_is_configured(web: Web, valkey: EmbeddedServer) -> None:
    asking = {"origin": ORIGIN, "access-control-request-method": "POST"}
    for verb in ("GET", "OPTIONS"):
        answer = await web.call(verb, "/v1/games", headers=asking)
        assert [name for name in answer.headers if name.startswith("access-control")] == []
    async with served(valkey, cors_origins=(ORIGIN, "http://127.0.0.1:5173")) as configured:
        for path in ("/v1/games", "/v1/nothing", "/v1/sessions/x"):
            answer = await configured.call("GET", path, headers={"origin": ORIGIN})
            assert answer.headers["access-control-allow-origin"] == ORIGIN
            assert "Origin" in answer.headers["vary"]
            stranger = await configured.call("GET", path, headers={"origin": "https://evil.example"})
            assert "access-control-allow-origin" not in stranger.headers
            assert "Origin" in stranger.headers["vary"]
        preflight = await configured.call("OPTIONS", "/v1/sessions/x:act", headers=asking)
        assert (preflight.status, preflight.headers["access-control-allow-methods"]) == (204, "OPTIONS, POST")
        for header in ("Authorization", "Content-Type", "Last-Event-ID"):
            assert header in preflight.headers["access-control-allow-headers"]
        assert "access-control-allow-credentials" not in preflight.headers
    async with served(valkey, cors_origins=APPS) as for_apps:
        for origin in APPS:
            for path in ("/v1/sessions/x:act", "/skerry.v1.SkerryService/Act"):
                preflight = await for_apps.call("OPTIONS", path, headers=asking | {"origin": origin})
                assert (preflight.status, preflight.headers["access-control-allow-origin"]) == (204, origin), path
                assert "Authorization" in preflight.headers["access-control-allow-headers"]
        stranger = await for_apps.call("OPTIONS", "/v1/games", headers=asking | {"origin": "capacitor://evil"})
        assert "access-control-allow-origin" not in stranger.headers
    async with served(valkey, cors_origins=("*",)) as everybody:
        answer = await everybody.call("GET", "/v1/games", headers={"origin": "https://any.example"})
        assert answer.headers["access-control-allow-origin"] == "*"


async def test_the_process_is_alive_and_ready(web: Web) -> None:
    assert (await web.call("GET", "/healthz")).status == 200
    assert (await web.call("GET", "/readyz")).status == 200


async def test_a_message_of_the_longest_kind_is_still_read(web: Web) -> None:
    """What gRPC takes, HTTP takes: a request id, a seed, all options."""
    request_of = pb.CreateSessionRequest(game="kreta", seats=[OPEN] * 4, seed=bytes(32))
    request_of.request_id = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
    request_of.options.kreta.start_seat = 2
    made = await web.rpc("CreateSession", request_of)
    assert made.message("CreateSession") == await web.api.stub.CreateSession(request_of)
