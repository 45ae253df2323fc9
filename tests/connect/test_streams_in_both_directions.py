"""Play over Connect and gRPC-Web: half-duplex over HTTP/1.1, full-duplex over HTTP/2. And streams whose client goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.edge.connect.enveloped_requests import MOST_AT_ONCE
from skerry_service.edge.framing.envelopes import EnvelopeReader, envelope
from tests.connect.asgi_client import Event, Form, Script, app_of, ask, call, outcome_of, path_of, read, scope_of

pytestmark = pytest.mark.asyncio

CONNECT, JSON, WEB = Form("connect"), Form("connect", "json"), Form("web")
FORMS = [CONNECT, JSON, WEB, Form("web-text"), Form("connect", compressed=True)]


def request(handle: int) -> pb.PlayRequest:
    return pb.PlayRequest(detach=[handle])


def response(handle: int) -> pb.PlayResponse:
    return pb.PlayResponse(updates=[pb.PlayUpdate(handle=handle)])


async def echo(receive: Any, _token: object, _reader: object) -> AsyncGenerator[bytes, None]:
    """Answer each request as it comes."""
    while (received := await receive()) is not None:
        yield response(received.detach[0]).SerializeToString()


class Client:
    """A client that decides when it sends what."""

    def __init__(self, script: Script, rpc: str, form: Form, version: str) -> None:
        self.form, self.sent = form, list[Event]()
        self._incoming: asyncio.Queue[Event] = asyncio.Queue()
        self._outgoing: asyncio.Queue[Event] = asyncio.Queue()
        scope = scope_of("POST", path_of(rpc), {"content-type": form.media}, version=version)
        self.answering = asyncio.ensure_future(app_of(script)(scope, self._incoming.get, self._take))

    async def _take(self, event: Any) -> None:
        self.sent.append(event)
        await self._outgoing.put(event)

    def send(self, *messages: pb.PlayRequest | pb.ObserveRequest, last: bool = False) -> None:
        """Send messages; ``last``: and end the body."""
        body = b"".join(map(self.form.enveloped, messages))
        self._incoming.put_nowait({"type": "http.request", "body": body, "more_body": not last})

    def disconnect(self) -> None:
        self._incoming.put_nowait({"type": "http.disconnect"})

    async def receive(self) -> Event:
        """Return the next part of the response."""
        async with asyncio.timeout(30):
            return await self._outgoing.get()

    async def message(self) -> Any:
        """Return the next message of the response."""
        event = await self.receive()
        if event["type"] == "http.response.start":
            event = await self.receive()
        reader = EnvelopeReader(2**20)
        reader.feed(event["body"])
        found = reader.next()
        assert found is not None
        return pb.PlayResponse.FromString(found[1])


@pytest.mark.parametrize("version", ["1.1", "2"])
@pytest.mark.parametrize("form", FORMS, ids=str)
async def test_every_request_is_answered(form: Form, version: str) -> None:
    requests = [request(handle) for handle in range(1, 4)]
    outcome = await call(form, Script(play=echo), "Play", *requests, version=version)
    assert (outcome.code, outcome.messages) == ("", [response(handle) for handle in range(1, 4)])


@pytest.mark.parametrize("version", ["1.1", "2"])
async def test_requests_may_be_cut_anywhere(version: str) -> None:
    body = CONNECT.enveloped(request(1), request(2))
    parts = [body[at : at + 1] for at in range(len(body))]
    lines = {"content-type": CONNECT.media}
    sent = await ask(app_of(Script(play=echo)), "POST", path_of("Play"), lines, parts=parts, version=version)
    assert read(CONNECT, "Play", sent).messages == [response(1), response(2)]


async def test_over_http_2_a_request_is_answered_before_the_next_is_sent() -> None:
    client = Client(Script(play=echo), "Play", CONNECT, "2")
    for handle in (1, 2, 3):
        client.send(request(handle))
        assert await client.message() == response(handle)
    client.send(last=True)
    await client.answering
    assert read(CONNECT, "Play", outcome_of(client.sent)).code == ""


async def test_over_http_1_no_response_begins_before_the_last_request() -> None:
    client = Client(Script(play=echo), "Play", CONNECT, "1.1")
    client.send(request(1))
    client.send(request(2))
    for _ in range(20):
        await asyncio.sleep(0)
    assert client.sent == []
    client.send(last=True)
    await client.answering
    assert read(CONNECT, "Play", outcome_of(client.sent)).messages == [response(1), response(2)]


@pytest.mark.parametrize("version", ["1.1", "2"])
async def test_a_stream_without_requests_ends(version: str) -> None:
    outcome = await call(CONNECT, Script(play=echo), "Play", version=version)
    assert (outcome.code, outcome.messages) == ("", [])


@pytest.mark.parametrize("version", ["1.1", "2"])
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (envelope(b"x", 1), "internal"),
        (envelope(b"", 2), "invalid_argument"),
        (envelope(b"cut")[:-1], "invalid_argument"),
        (envelope(b"x" * (LARGEST_REQUEST + 1)), "resource_exhausted"),
    ],
)
async def test_malformed_framing_ends_the_stream(version: str, body: bytes, code: str) -> None:
    data, lines = CONNECT.enveloped(request(1)) + body, {"content-type": CONNECT.media}
    sent = await ask(app_of(Script(play=echo)), "POST", path_of("Play"), lines, data, version=version)
    outcome = read(CONNECT, "Play", sent)
    assert (len(outcome.messages), outcome.code) == (0 if version == "1.1" else 1, code)


@pytest.mark.parametrize("version", ["1.1", "2"])
async def test_a_malformed_request_ends_the_stream_after_the_requests_before_it(version: str) -> None:
    data, lines = CONNECT.enveloped(request(1)) + envelope(b"not protobuf"), {"content-type": CONNECT.media}
    sent = await ask(app_of(Script(play=echo)), "POST", path_of("Play"), lines, data, version=version)
    outcome = read(CONNECT, "Play", sent)
    assert (outcome.messages, outcome.code) == ([response(1)], "invalid_argument")


@pytest.mark.parametrize(
    "part",
    [CONNECT.enveloped(pb.PlayRequest(attach=[pb.PlayAttach(name="x" * 60_000)])), envelope(b"") * 1_000],
    ids=["large", "empty"],
)
async def test_over_http_1_all_requests_together_have_a_limit(part: bytes) -> None:
    parts = [part] * (MOST_AT_ONCE // len(part) + 1)
    lines = {"content-type": CONNECT.media}
    sent = await ask(app_of(Script(play=echo)), "POST", path_of("Play"), lines, parts=parts)
    assert read(CONNECT, "Play", sent).code == "resource_exhausted"
    assert sent.headers["connection"] == "close"


async def wait(receive: Any, _token: object, _reader: object) -> AsyncGenerator[bytes, None]:
    """Read all requests and never answer."""
    while await receive() is not None:
        pass
    await asyncio.Event().wait()
    yield b""


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("version", ["1.1", "2"])
async def test_a_stream_in_both_directions_ends_with_its_client(version: str, last: bool) -> None:
    client = Client(Script(play=wait), "Play", CONNECT, version)
    client.send(request(1), last=last)
    client.disconnect()
    async with asyncio.timeout(30):
        await client.answering
    assert client.sent == []


@pytest.mark.parametrize("form", [CONNECT, WEB], ids=str)
async def test_a_stream_ends_with_its_client(form: Form) -> None:
    script = Script(pb.ObserveResponse(sequence=1), waits=True)
    client = Client(script, "Observe", form, "1.1")
    client.send(pb.ObserveRequest(), last=True)
    while not client.sent or client.sent[-1]["type"] != "http.response.body":
        await client.receive()
    client.disconnect()
    async with asyncio.timeout(30):
        await client.answering
    assert script.cancelled.is_set()
    assert client.sent[-1]["more_body"], "the response has no end"
