"""What no client should send over Connect and gRPC-Web: malformed bodies, other media types, methods and paths."""

from __future__ import annotations

from base64 import b64encode

import pytest

from skerry_service.edge.framing.envelopes import envelope
from tests.connect.asgi_client import Form, Outcome, Script, app_of, ask, path_of, read, session, updates

pytestmark = pytest.mark.asyncio

CONNECT, JSON, WEB, TEXT = Form("connect"), Form("connect", "json"), Form("web"), Form("web-text")


async def post(form: Form, rpc: str, body: bytes, **headers: str) -> Outcome:
    """Send a body to an RPC as it is."""
    lines = {"content-type": form.media} | {name.replace("_", "-"): value for name, value in headers.items()}
    return read(form, rpc, await ask(app_of(Script(session(), *updates())), "POST", path_of(rpc), lines, body))


EMPTY = envelope(b"")
UNEXPECTED = [
    *(
        (form, rpc, body, {}, code)
        for form, rpc in ((CONNECT, "Observe"), (WEB, "GetSession"), (WEB, "Observe"), (TEXT, "Observe"))
        for body, code in (
            (b"", "unimplemented"),
            (EMPTY + EMPTY, "unimplemented"),
            (EMPTY[:3], "invalid_argument"),
            (envelope(b"\n\x01x")[:-1], "invalid_argument"),
            (envelope(b"", 2), "invalid_argument"),
            (envelope(b"", 0x80), "invalid_argument"),
            (envelope(b"x", 1), "internal"),
            (envelope(b"not protobuf"), "invalid_argument"),
        )
    ),
    *(
        (form, "Observe", envelope(b"not gzip", 1), {header: "gzip"}, "invalid_argument")
        for form, header in ((CONNECT, "connect_content_encoding"), (WEB, "grpc_encoding"))
    ),
    *(
        (form, "Observe", EMPTY, {header: "br"}, "unimplemented")
        for form, header in ((CONNECT, "connect_content_encoding"), (WEB, "grpc_encoding"))
    ),
    *(
        (form, "Observe", envelope(b"x", 1), {header: "identity"}, "internal")
        for form, header in ((CONNECT, "connect_content_encoding"), (WEB, "grpc_encoding"))
    ),
    (CONNECT, "Observe", EMPTY, {"connect_protocol_version": "2"}, "invalid_argument"),
]


@pytest.mark.parametrize(("form", "rpc", "body", "headers", "code"), UNEXPECTED)
async def test_an_unexpected_body_is_an_error(
    form: Form, rpc: str, body: bytes, headers: dict[str, str], code: str
) -> None:
    sent = b64encode(body) if form is TEXT else body
    outcome = await post(form, rpc, sent, **headers)
    assert (outcome.status, outcome.code, outcome.messages) == (200, code, [])


@pytest.mark.parametrize("body", [b"!!!!", b"AAA", b"AA=A"])
async def test_text_that_is_not_base64_is_an_error(body: bytes) -> None:
    assert (await post(TEXT, "Observe", body)).code in ("invalid_argument", "unimplemented")


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"not protobuf", {}, 400, "invalid_argument"),
        (b"", {"connect_protocol_version": "2"}, 400, "invalid_argument"),
        (b"", {"content_encoding": "br"}, 501, "unimplemented"),
        (b"not gzip", {"content_encoding": "gzip"}, 400, "invalid_argument"),
        (b"", {"content_encoding": "identity"}, 200, ""),
        (b"", {"content_encoding": "gzip"}, 200, ""),
        (b"", {"connect_protocol_version": "1"}, 200, ""),
    ],
)
async def test_an_unexpected_unary_body_is_an_error(
    body: bytes, headers: dict[str, str], status: int, code: str
) -> None:
    lines = {"content-type": "application/proto"} | {name.replace("_", "-"): one for name, one in headers.items()}
    sent = await ask(app_of(Script(session())), "POST", path_of("GetSession"), lines, body)
    outcome = read(CONNECT, "GetSession", sent)
    assert (outcome.status, outcome.code) == (status, code)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"null", b'{"name": 1}', b'{"name":"a","name":"b"}', b'{"nom":"a"}']
)
async def test_malformed_json_is_an_error(body: bytes) -> None:
    sent = await ask(app_of(Script()), "POST", path_of("GetSession"), {"content-type": "application/json"}, body)
    assert (sent.status, read(JSON, "GetSession", sent).code) == (400, "invalid_argument")


@pytest.mark.parametrize(
    "media",
    [
        "", "image/jpeg", "application/foo", "application/connect+proto", "application/grpc", "application/grpc+proto",
        "application/grpc-web+foo", "application/json; charset=latin-1",
    ],
)  # fmt: skip
async def test_a_unary_call_with_another_media_type_is_rejected(media: str) -> None:
    outcome = await ask(
        app_of(Script()), "POST", path_of("GetSession"), {"content-type": media} if media else {}, b"{}"
    )
    assert (outcome.status, read(JSON, "GetSession", outcome).reason) == (415, "HTTP_MEDIA_TYPE_UNSUPPORTED")


@pytest.mark.parametrize("media", ["application/json", "application/proto", "application/connect+foo", "text/plain"])
async def test_a_stream_with_another_media_type_is_rejected(media: str) -> None:
    outcome = await ask(app_of(Script()), "POST", path_of("Observe"), {"content-type": media}, b"{}")
    assert outcome.status == 415


@pytest.mark.parametrize(
    "media", ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']
)
async def test_a_media_type_may_be_written_in_other_ways(media: str) -> None:
    outcome = await ask(app_of(Script(session())), "POST", path_of("GetSession"), {"content-type": media}, b"{}")
    assert outcome.status == 200


@pytest.mark.parametrize("verb", ["DELETE", "PUT", "PATCH", "HEAD", "TRACE"])
@pytest.mark.parametrize("rpc", ["GetSession", "Observe", "Act"])
async def test_another_method_is_rejected(verb: str, rpc: str) -> None:
    outcome = await ask(app_of(Script()), verb, path_of(rpc), {"content-type": "application/proto"})
    assert outcome.status == 405
    assert outcome.headers["allow"] == ("GET, OPTIONS, POST" if rpc == "GetSession" else "OPTIONS, POST")


@pytest.mark.parametrize("path", ["/skerry.v1.SkerryService/Nothing", "/skerry.v1.Nothing/Act", "/act"])
@pytest.mark.parametrize("media", ["application/proto", "application/grpc-web", "application/connect+proto"])
async def test_an_unknown_rpc_is_not_found(path: str, media: str) -> None:
    """Clients read this status as ``unimplemented``."""
    outcome = await ask(app_of(Script()), "POST", path, {"content-type": media})
    assert outcome.status == 404
