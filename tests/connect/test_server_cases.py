"""The cases of a server, from the protocol references of Connect and gRPC-Web: by protocol, codec and compression."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from google.rpc import code_pb2

from skerry.v1 import service_pb2 as pb
from skerry_service.api.error_table import TABLE
from skerry_service.api.requests.request_checks import LARGEST_REQUEST
from skerry_service.domain import errors
from skerry_service.edge.http.http_answers import STATUS_OF
from tests.api.test_errors import EXAMPLES
from tests.connect.asgi_client import NAME, Form, Script, app_of, ask, call, path_of, read, session, updates

pytestmark = pytest.mark.asyncio

COMPRESSIONS = (False, True)
STREAMS = [
    Form(*kind, compressed)
    for kind in (("connect", "proto"), ("connect", "json"), ("web", "proto"), ("web", "json"), ("web-text", "proto"))
    for compressed in COMPRESSIONS
]
UNARY = [*STREAMS, *(Form("get", codec, compressed) for codec, compressed in product(("proto", "json"), COMPRESSIONS))]
CONNECT, JSON, WEB, TEXT = Form("connect"), Form("connect", "json"), Form("web"), Form("web-text")


def padded(form: Form, size: int) -> pb.GetSessionRequest:
    """Return a request that has this size in the form's codec."""
    bare = len(Form("connect", form.codec).packed(pb.GetSessionRequest(name="x"))) - 1
    name = "x" * (size - bare)
    while len(Form("connect", form.codec).packed(pb.GetSessionRequest(name=name))) > size:
        name = name[:-1]  # the length of a longer name takes more bytes in protobuf
    return pb.GetSessionRequest(name=name)


@pytest.mark.parametrize("form", UNARY, ids=str)
async def test_a_unary_call_is_answered(form: Form) -> None:
    script = Script(session())
    outcome = await call(form, script, "GetSession", pb.GetSessionRequest(name=NAME), authorization="Bearer t0k3n")
    assert (outcome.status, outcome.code, outcome.messages) == (200, "", [session()])
    assert (script.requests, script.tokens) == ([pb.GetSessionRequest(name=NAME)], ["t0k3n"])


@pytest.mark.parametrize("form", UNARY, ids=str)
async def test_an_empty_message_is_a_message(form: Form) -> None:
    script = Script(pb.GetSessionResponse())
    outcome = await call(form, script, "GetSession", pb.GetSessionRequest())
    assert (outcome.code, outcome.messages) == ("", [pb.GetSessionResponse()])
    assert script.requests == [pb.GetSessionRequest()]


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("form", STREAMS, ids=str)
async def test_a_stream_has_all_messages_and_an_end(form: Form, count: int) -> None:
    script = Script(*updates(count))
    outcome = await call(form, script, "Observe", pb.ObserveRequest(name=NAME))
    assert (outcome.code, outcome.messages) == ("", updates(count))
    assert script.requests == [pb.ObserveRequest(name=NAME)]
    assert outcome.headers["content-type"] == form.media


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("form", STREAMS, ids=str)
async def test_an_error_ends_a_stream_after_its_messages(form: Form, count: int) -> None:
    script = Script(*updates(count), error=errors.SequenceAhead(9, 5))
    outcome = await call(form, script, "Observe", pb.ObserveRequest(name=NAME))
    assert (outcome.messages, outcome.code, outcome.reason) == (updates(count), "out_of_range", "SEQUENCE_AHEAD")


def errors_by_code() -> Iterator[Any]:
    """Yield an error of each code."""
    seen = set()
    for error in EXAMPLES:
        code, _ = TABLE[type(error)]
        if code not in seen:
            seen.add(code)
            yield pytest.param(error, code, id=code_pb2.Code.Name(code).lower())
    yield pytest.param(RuntimeError("the deck is on the table"), code_pb2.INTERNAL, id="internal")


@pytest.mark.parametrize("form", [CONNECT, JSON, Form("get", "json"), WEB, TEXT], ids=str)
@pytest.mark.parametrize(("error", "code"), list(errors_by_code()))
async def test_each_code_of_an_error_is_reported(form: Form, error: Exception, code: int) -> None:
    name = code_pb2.Code.Name(code).lower()
    unary = await call(form, Script(error=error), "GetSession", pb.GetSessionRequest(name=NAME))
    assert (unary.code, unary.messages) == (name, [])
    assert unary.reason
    assert "deck" not in unary.message
    assert unary.status == (STATUS_OF[code] if form.protocol in ("connect", "get") else 200)
    if form.protocol != "get":
        streamed = await call(form, Script(error=error), "Observe", pb.ObserveRequest(name=NAME))
        assert (streamed.code, streamed.reason, streamed.message) == (name, unary.reason, unary.message)
        assert streamed.status == 200


async def test_an_error_says_when_to_retry() -> None:
    script = Script(error=errors.ShuttingDown())
    outcome = await call(CONNECT, script, "GetSession", pb.GetSessionRequest())
    assert (outcome.status, outcome.code, outcome.headers["retry-after"]) == (503, "unavailable", "1")
    assert b'"type":"google.rpc.RetryInfo"' in outcome.body


async def test_a_client_without_a_token_is_asked_for_one() -> None:
    outcome = await call(CONNECT, Script(error=errors.TokenMissing()), "GetSession", pb.GetSessionRequest())
    assert (outcome.status, outcome.headers["www-authenticate"]) == (401, "Bearer")


async def test_errors_spell_fields_as_the_codec_does() -> None:
    error = errors.InvalidField("request_id", "Send a UUID.")
    for form, field in (
        (CONNECT, "request_id"),
        (JSON, "requestId"),
        (WEB, "request_id"),
        (Form("web", "json"), "requestId"),
    ):
        outcome = await call(form, Script(error=error), "GetSession", pb.GetSessionRequest())
        assert (outcome.message, outcome.info) == (f"{field}: Send a UUID.", {"field": field})


# ---------------------------------------------------------------- sizes


@pytest.mark.parametrize("form", [form for form in UNARY if form.protocol != "get"], ids=str)
async def test_a_request_may_have_the_limit_and_not_more(form: Form) -> None:
    script = Script(session())
    assert (await call(form, script, "GetSession", padded(form, LARGEST_REQUEST))).code == ""
    refused = await call(form, script, "GetSession", padded(form, LARGEST_REQUEST + 10))
    assert (refused.code, len(script.requests)) == ("resource_exhausted", 1)


@pytest.mark.parametrize("form", STREAMS, ids=str)
async def test_the_request_of_a_stream_has_the_same_limit(form: Form) -> None:
    name = padded(form, LARGEST_REQUEST).name
    assert (await call(form, Script(), "Observe", pb.ObserveRequest(name=name))).code == ""
    refused = await call(form, Script(), "Observe", pb.ObserveRequest(name=f"{name}0123456789"))
    assert refused.code == "resource_exhausted"


@pytest.mark.parametrize("form", [CONNECT, WEB, TEXT], ids=str)
async def test_a_small_body_that_unpacks_to_a_large_message_is_rejected(form: Form) -> None:
    bomb = pb.GetSessionRequest(name="x" * 50_000_000)
    refused = await call(Form(form.protocol, "proto", compressed=True), Script(), "GetSession", bomb)
    assert refused.code == "resource_exhausted"


@pytest.mark.parametrize("form", [CONNECT, WEB], ids=str)
async def test_a_message_that_announces_a_large_length_is_rejected(form: Form) -> None:
    body = (0).to_bytes(1, "big") + (2**32 - 1).to_bytes(4, "big") + b"x"
    refused = read(
        form, "Observe", await ask(app_of(Script()), "POST", path_of("Observe"), {"content-type": form.media}, body)
    )
    assert refused.code == "resource_exhausted"


# ---------------------------------------------------------------- timeouts


@pytest.mark.parametrize("rpc", ["GetSession", "Observe", "Play"])
@pytest.mark.parametrize("form", [CONNECT, JSON, WEB, TEXT], ids=str)
async def test_a_call_ends_with_its_timeout(form: Form, rpc: str) -> None:
    async def play(receive: Any, _token: object, _reader: object) -> Any:
        while await receive() is not None:
            pass
        await asyncio.Event().wait()
        yield b""

    script = Script(waits=True, play=play)
    timeout = {"connect_timeout_ms": "20"} if form.protocol == "connect" else {"grpc_timeout": "20m"}
    outcome = await call(form, script, rpc, REQUESTS[rpc], **timeout)
    assert (outcome.code, outcome.messages) == ("deadline_exceeded", [])
    assert outcome.status == (504 if form.protocol == "connect" and rpc == "GetSession" else 200)


REQUESTS: dict[str, Any] = {
    "GetSession": pb.GetSessionRequest(name=NAME),
    "Observe": pb.ObserveRequest(name=NAME),
    "Play": pb.PlayRequest(),
}


@pytest.mark.parametrize("rpc", ["GetSession", "Observe"])
@pytest.mark.parametrize(
    ("form", "sent"),
    [
        *((CONNECT, sent) for sent in ("", "-1", "1.5", "soon", "12345678901")),
        *((WEB, sent) for sent in ("", "5", "-1S", "5s", "123456789S")),
    ],
    ids=str,
)
async def test_a_malformed_timeout_is_an_error(form: Form, sent: str, rpc: str) -> None:
    header = {"connect_timeout_ms": sent} if form.protocol == "connect" else {"grpc_timeout": sent}
    outcome = await call(form, Script(), rpc, REQUESTS[rpc], **header)
    assert (outcome.code, outcome.reason) == ("invalid_argument", "RPC_MALFORMED")


@pytest.mark.parametrize("unit", "HMSm")
async def test_a_timeout_has_one_of_the_units_of_grpc(unit: str) -> None:
    outcome = await call(WEB, Script(session()), "GetSession", REQUESTS["GetSession"], grpc_timeout=f"99999999{unit}")
    assert outcome.code == ""


# ---------------------------------------------------------------- GET


@pytest.mark.parametrize(
    "query",
    [
        "message=%7B%22name%22:%22games%22%7D&encoding=json",
        "encoding=json&message={%22name%22:%22games%22}&connect=v1&colour=red",
        "encoding=json&base64=1&message=eyJuYW1lIjoiZ2FtZXMifQ",
        "encoding=json&base64=1&message=eyJuYW1lIjoiZ2FtZXMifQ%3D%3D",
        "encoding=json&base64=0&message=%7B%22name%22:%22games%22%7D",
        "encoding=proto&base64=1&message=CgVnYW1lcw",
        "encoding=proto&base64=1&message=CgVnYW1lcw&compression=identity",
    ],
)
async def test_a_query_is_read_in_any_order(query: str) -> None:
    script = Script(session())
    outcome = await ask(app_of(script), "GET", path_of("GetSession"), query=query)
    assert (outcome.status, script.requests) == (200, [pb.GetSessionRequest(name="games")])


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("", 400, "invalid_argument"),
        ("encoding=json", 400, "invalid_argument"),
        ("message={}", 400, "invalid_argument"),
        ("encoding=json&message={}&message={}", 400, "invalid_argument"),
        ("encoding=json&message={}&connect=v2", 400, "invalid_argument"),
        ("encoding=proto&base64=1&message=*", 400, "invalid_argument"),
        ("encoding=proto&base64=1&message=A", 400, "invalid_argument"),
        ("encoding=proto&message=%FF%FE", 400, "invalid_argument"),
        ("encoding=json&message=%FF", 400, "invalid_argument"),
        ("encoding=json&message={}&compression=br", 501, "unimplemented"),
        ("encoding=yaml&message={}", 415, ""),
    ],
)
async def test_a_malformed_query_is_an_error(query: str, status: int, code: str) -> None:
    outcome = await ask(app_of(Script()), "GET", path_of("GetSession"), query=query)
    assert (outcome.status, read(JSON, "GetSession", outcome).code) == (status, code)


@pytest.mark.parametrize("rpc", ["Act", "CreateSession", "Observe", "Play", "FindMatch"])
async def test_a_call_with_side_effects_is_no_get(rpc: str) -> None:
    outcome = await ask(app_of(Script()), "GET", path_of(rpc), query="encoding=json&message={}")
    assert (outcome.status, outcome.headers["allow"]) == (405, "OPTIONS, POST")


# ---------------------------------------------------------------- compressed responses

LARGE = "x" * 20_000


@pytest.mark.parametrize("accepts", ["gzip", "br, gzip", "", "br"])
@pytest.mark.parametrize("form", [form for form in UNARY if not form.compressed], ids=str)
async def test_a_large_response_is_compressed_if_the_client_accepts_it(form: Form, accepts: str) -> None:
    header = "accept_encoding" if form.protocol in ("connect", "get") else "grpc_accept_encoding"
    outcome = await call(form, Script(session(LARGE)), "GetSession", REQUESTS["GetSession"], **{header: accepts})
    assert outcome.messages == [session(LARGE)]
    assert (len(outcome.body) < 2_000) == ("gzip" in accepts)


@pytest.mark.parametrize("form", [form for form in UNARY if form.compressed], ids=str)
async def test_a_client_that_sends_gzip_accepts_it(form: Form) -> None:
    outcome = await call(form, Script(session(LARGE)), "GetSession", REQUESTS["GetSession"])
    assert outcome.messages == [session(LARGE)]
    assert len(outcome.body) < 2_000


@pytest.mark.parametrize("form", [CONNECT, JSON, WEB, TEXT], ids=str)
async def test_only_large_messages_of_a_stream_are_compressed(form: Form) -> None:
    messages = [pb.ObserveResponse(epoch=LARGE), pb.ObserveResponse(epoch="small")]
    header = f"{'connect' if form.protocol == 'connect' else 'grpc'}_accept_encoding"
    outcome = await call(form, Script(*messages), "Observe", REQUESTS["Observe"], **{header: "gzip"})
    assert outcome.messages == messages
    assert outcome.headers["connect-content-encoding" if form.protocol == "connect" else "grpc-encoding"] == "gzip"
    assert len(outcome.body) < 4_000
