"""One connection at a time, byte by byte: requests ahead of their answers, long heads, and how a connection ends."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.edge.http import request_limits
from skerry_service.edge.http1 import http1_protocol
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from tests.api.wire import OPEN, create, sit_down
from tests.rest.web import Response, Web, connection, events, read_response, request, served

pytestmark = pytest.mark.asyncio(loop_scope="module")

JSON = {"content-type": "application/json"}
HEALTH = request("GET", "/healthz", {})
CHUNKED = request("POST", "/v1/sessions", JSON | {"transfer-encoding": "chunked"})
NONSENSE = b"nonsense\r\n\r\n"


def posted(body: object) -> bytes:
    data = json.dumps(body).encode()
    return request("POST", "/v1/sessions", JSON | {"content-length": str(len(data))}) + data


async def answers(web: Web, *parts: bytes) -> list[Response]:
    """Send the parts one after the other; return every answer until the connection ends."""
    found: list[Response] = []
    async with asyncio.timeout(30), connection(web.address) as (reader, writer):
        for part in parts:
            writer.write(part)
            await writer.drain()
        with suppress(asyncio.IncompleteReadError):
            while True:
                found.append(await read_response(reader))
    return found


@pytest.mark.parametrize("apart", [False, True], ids=["in one segment", "apart"])
@pytest.mark.parametrize("bad", [NONSENSE, b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n"])
async def test_what_came_whole_is_answered_before_what_is_malformed_ends_the_connection(
    web: Web, bad: bytes, apart: bool
) -> None:
    good = [posted({"game": "kreta", "seats": [{}, {}]}), HEALTH, HEALTH]
    sent = [*good, bad] if apart else [b"".join([*good, bad])]
    found = await answers(web, *sent)
    assert [answer.status for answer in found] == [200, 200, 200, 400]
    assert found[0].json["session"]["name"]
    assert (found[-1].reason, found[-1].headers["connection"]) == ("HTTP_MALFORMED", "close")


async def test_a_request_whose_body_turns_out_malformed_is_not_carried_out(web: Web) -> None:
    found = await answers(web, HEALTH + CHUNKED + b"2\r\n{}\r\nzz\r\n")
    assert [(answer.status) for answer in found] == [200, 400]
    assert found[1].reason == "HTTP_MALFORMED"


async def test_nothing_behind_what_is_malformed_is_carried_out(web: Web) -> None:
    sitting = await sit_down(web.api)
    leave = request("POST", f"/v1/{sitting.name}:leave", {"authorization": f"Bearer {sitting.seats[0]}"})
    found = await answers(web, HEALTH + NONSENSE + leave)
    assert [answer.status for answer in found] == [200, 400]
    assert (await web.call("GET", f"/v1/{sitting.name}")).json["session"]["seats"][0]["occupant"] == "OCCUPANT_PLAYER"


async def test_a_stream_goes_on_when_something_malformed_follows_it(web: Web) -> None:
    sitting = await create(web.api, OPEN, OPEN)
    async with events(web, sitting.name) as stream:
        assert await stream.next()
        stream.writer.write(NONSENSE)
        for name in ("Ada", "Bob"):
            await web.api.stub.JoinSession(pb.JoinSessionRequest(name=sitting.name, display_name=name))
            assert (event := await stream.next()) and event.name == "message"


@pytest.mark.parametrize("apart", [False, True], ids=["in one segment", "apart"])
@pytest.mark.parametrize("asked", ["h2c", "websocket"])
async def test_who_offers_another_protocol_is_answered_as_if_not(web: Web, asked: str, apart: bool) -> None:
    """As curl does with ``--http2``, and Java's client for each request of a connection that begins."""
    upgrade = {"connection": "Upgrade, HTTP2-Settings", "upgrade": asked, "http2-settings": "AAEAAEAAAAIAAAAB"}
    body = json.dumps({"game": "kreta", "seats": [{}, {}]}).encode()
    length = {"content-length": str(len(body))}
    chunks = b"%x\r\n%b\r\n0\r\nx: y\r\n\r\n" % (len(body), body)
    sent = [
        *(request("POST", "/v1/sessions", JSON | length | upgrade), body),
        *(request("POST", "/v1/sessions", JSON | {"transfer-encoding": "chunked"} | upgrade), chunks),
        *(request("GET", "/v1/games/chess", upgrade), HEALTH, NONSENSE),
    ]
    found = await answers(web, *(sent if apart else [b"".join(sent)]))
    assert [answer.status for answer in found] == [200, 200, 404, 200, 400]
    assert found[0].json["session"]["game"] == found[1].json["session"]["game"] == "kreta"


async def test_a_body_is_never_read_as_a_request(web: Web) -> None:
    sitting = await sit_down(web.api)
    leave = request("POST", f"/v1/{sitting.name}:leave", {"authorization": f"Bearer {sitting.seats[0]}"})
    head = JSON | {"content-length": str(len(leave)), "connection": "upgrade", "upgrade": "h2c"}
    found = await answers(web, request("POST", "/v1/sessions", head), leave, NONSENSE)
    assert [answer.reason for answer in found] == ["INVALID_FIELD", "HTTP_MALFORMED"]
    assert (await web.call("GET", f"/v1/{sitting.name}")).json["session"]["seats"][0]["occupant"] == "OCCUPANT_PLAYER"


async def test_who_asks_whether_to_go_on_with_a_body_and_is_answered_has_to_connect_anew(web: Web) -> None:
    """With the answer it need not send the body any more, and then what comes next would be read as that."""
    head = request("POST", "/v1/nothing", {"expect": "100-continue", "content-length": str(len(HEALTH))})
    (refused,) = await answers(web, head)
    assert (refused.status, refused.headers["connection"]) == (404, "close")
    found = await answers(web, head + HEALTH + HEALTH + NONSENSE)
    assert [answer.status for answer in found] == [404, 200, 400], "who has sent it goes on"


@pytest.mark.parametrize("target", ["test:443", "/v1/games"])
async def test_there_are_no_tunnels(web: Web, target: str) -> None:
    (refused,) = await answers(web, request("CONNECT", target, {}) + HEALTH)
    assert (refused.status, refused.reason) == (400, "HTTP_MALFORMED")


async def test_trailers_are_no_headers(web: Web) -> None:
    """A proxy that removes or sets a header may let a trailer of that name pass."""
    sitting = await sit_down(web.api)
    leave = request("POST", f"/v1/{sitting.name}:leave", JSON | {"transfer-encoding": "chunked"})
    trailer = f"2\r\n{{}}\r\n0\r\nauthorization: Bearer {sitting.seats[0]}\r\n\r\n".encode()
    (refused, _) = await answers(web, leave + trailer + NONSENSE)
    assert (refused.status, refused.reason) == (401, "TOKEN_MISSING")


@pytest.mark.parametrize(
    "before",
    [HEALTH, HEALTH + b"\r\n", request("GET", "/v1/games", {"content-length": "2"})],
    ids=["nothing", "a blank line", "a body that came after its answer"],
)
async def test_a_connection_on_which_nothing_is_asked_is_closed(
    valkey: EmbeddedServer, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    monkeypatch.setattr(request_limits, "KEEP_ALIVE_SECONDS", 0.2)
    async with served(valkey) as web, asyncio.timeout(30), connection(web.address) as (reader, writer):
        writer.write(before)
        await read_response(reader)
        writer.write(b"\r\n")
        assert await reader.read() == b""


@pytest.mark.parametrize("count", [http1_protocol.MAX_PIPELINED + 1, 5000])
async def test_as_many_requests_may_be_ahead_as_are_promised_and_more_end_the_connection(web: Web, count: int) -> None:
    found = await answers(web, HEALTH * count + (NONSENSE if count < 5000 else b""))
    assert [answer.status for answer in found[:-1]] == [200] * (http1_protocol.MAX_PIPELINED + 1)
    last = found[-1]
    assert (last.status, last.reason) == ((400, "HTTP_MALFORMED") if count < 5000 else (429, "HTTP_TOO_FAR_AHEAD"))


async def test_bodies_ahead_are_bounded_all_together(web: Web) -> None:
    large = request("POST", "/v1/sessions", JSON | {"content-length": "40000"}) + b"{" + b" " * 39_999
    found = await answers(web, HEALTH + large * 3)
    assert [answer.reason for answer in found[1:]] == ["INVALID_FIELD", "HTTP_TOO_FAR_AHEAD"]


@pytest.mark.parametrize("size", [9000, 300_000])
@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: ",
        b"GET /healthz HTTP/1.1\r\nhost: x\r\nx",
        CHUNKED + b"2\r\n{}\r\n0\r\nx: ",
        CHUNKED + b"2;x=",
        b"\r\n" * 5000,
    ],
    ids=["value", "name", "trailer", "extension", "blank lines"],
)
async def test_a_long_head_of_any_kind_is_refused_by_its_raw_bytes(web: Web, head: bytes, size: int) -> None:
    """Nothing here comes to its end: what is counted is what was sent."""
    (refused,) = await answers(web, head + b"y" * size)
    assert (refused.status, refused.reason) == (431, "HTTP_HEADERS_TOO_LARGE")


async def test_a_long_trailer_that_ends_is_refused_and_its_request_is_not_carried_out(web: Web) -> None:
    (refused,) = await answers(web, CHUNKED + b"2\r\n{}\r\n0\r\nx: " + b"y" * 9000 + b"\r\n\r\n")
    assert (refused.status, refused.reason) == (431, "HTTP_HEADERS_TOO_LARGE")


async def test_who_goes_on_sending_behind_the_last_answer_is_cut_off(web: Web) -> None:
    async with asyncio.timeout(30), connection(web.address) as (reader, writer):
        writer.write(NONSENSE)
        assert (await read_response(reader)).status == 400
        with pytest.raises(ConnectionError):
            await send_without_end(writer)


async def send_without_end(writer: asyncio.StreamWriter) -> None:
    for _ in range(1000):
        writer.write(b"y" * 65536)
        await writer.drain()


async def test_two_tokens_are_refused_and_the_scheme_is_written_in_any_case(web: Web) -> None:
    sitting = await sit_down(web.api)
    head = f"GET /v1/{sitting.name} HTTP/1.1\r\nhost: x\r\n"
    line = f"authorization: bEARER {sitting.seats[1]}\r\n"
    once, twice, _ = await answers(web, f"{head}{line}\r\n{head}{line}{line}\r\n{NONSENSE.decode()}".encode())
    assert once.json["seat"] == 1
    assert (twice.status, twice.reason) == (401, "TOKEN_INVALID")


async def test_the_token_is_looked_at_before_the_move(web: Web) -> None:
    sitting = await sit_down(web.api)
    move = {"move": {"tenerife": {}}, "expectedSequence": "1"}
    for token, reason in (
        (sitting.seats[0], "MALFORMED_MOVE"),
        ("nonsense", "TOKEN_INVALID"),
        (sitting.host, "NOT_ALLOWED"),
        (None, "TOKEN_MISSING"),
    ):
        assert (await web.call("POST", f"/v1/{sitting.name}:act", move, token)).reason == reason


async def test_only_hosts_that_are_named_are_answered(valkey: EmbeddedServer) -> None:
    async with served(valkey, allowed_hosts=("play.example", "[::1]")) as named:
        for host in ("play.example", "PLAY.example:8080", "[::1]", "[::1]:80"):
            lines = f"user-agent: somebody\r\nhost: {host}\r\naccept: */*\r\n"
            assert (await answer_to(named, "/v1/games", lines)).status == 200
        for lines in ("host: evil.example\r\n", "host: play.example.evil\r\n", "", "host: play.example\r\n" * 2):
            refused = await answer_to(named, "/v1/games", lines)
            assert (refused.status, refused.reason) == (421, "HTTP_HOST_NOT_ALLOWED")
            assert (await answer_to(named, "/docs", lines)).status == 421
            assert (await answer_to(named, "/healthz", lines)).status == 200


async def answer_to(web: Web, path: str, lines: str) -> Response:
    return await web.send(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())


@pytest.mark.parametrize("host", ["play.example:80", "https://play.example", "::1", "*", "a b"])
async def test_a_host_that_is_none_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match="SKERRY_ALLOWED_HOSTS"):
        Config.from_environment({"SKERRY_ALLOWED_HOSTS": f"play.example,{host}"})


async def test_the_docs_keep_no_token_beyond_the_page(web: Web) -> None:
    """Swagger UI writes tokens into the browser's storage if it is asked to, and only then."""
    assert b"persistAuthorization" not in (await web.call("GET", "/docs/start.js")).body
