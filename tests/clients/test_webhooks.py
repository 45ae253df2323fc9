"""Webhook endpoints through the client, and the check of the requests that a real server sends."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import code_pb2

from skerry.v1 import session_pb2, webhook_pb2
from skerry_client import AsyncClient, Client, errors, webhooks
from skerry_client.transport import rpcs
from skerry_client.transport.choice import TransportName
from skerry_service import local
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.clients.servers import refusal, scripted
from tests.store.servers import ask
from tests.store.servers import running_server as running_store
from tests.webhooks.receivers import Receiver, receiving

KEY = new_key("island")
SECRET = "whsec_" + b64encode(b"k" * 24).decode()
OTHER = "whsec_" + b64encode(b"o" * 24).decode()


@pytest.fixture(scope="module")
def store() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_store() as server:
        yield server


@asynccontextmanager
async def island(store: EmbeddedServer, folder: Path) -> AsyncIterator[tuple[str, Receiver]]:
    """Run a server with one application, and its receiver. Yield the address of the server, and the receiver."""
    keys = folder / "keys"
    keys.write_text("\n".join((format_line(KEY, "play,host,watch,webhooks"), "* - play,host,watch")))
    await ask(store, "FLUSHALL")
    async with receiving() as receiver:
        allowed = (f"127.0.0.1:{receiver.port}",)
        async with running_server(Config(port=0, redis_url=store.url, keys=keys, webhooks_allow=allowed)) as running:
            yield running.address, receiver


async def sent(receiver: Receiver, kind: str, secret: str) -> webhook_pb2.WebhookPayload:
    """Wait for a request of that type, and return its checked payload."""
    count = 0
    while True:
        count += 1
        request = await receiver.has(count)
        if request.type == kind:
            event, payload = webhooks.verify(request.body, request.headers, secret)
            assert event == request.id
            return payload


@pytest.mark.parametrize("transport", ["connect", "grpc"])
async def test_an_application_manages_its_endpoint(
    store: EmbeddedServer, tmp_path: Path, transport: TransportName
) -> None:
    async with (
        island(store, tmp_path) as (address, receiver),
        AsyncClient(address, transport=transport, api_key=KEY) as skerry,
    ):
        endpoint, secret = await skerry.set_webhook_endpoint("main", receiver.url, events=["create", "end"])
        assert endpoint.name == "webhookEndpoints/main"
        assert list(endpoint.events) == [session_pb2.WEBHOOK_EVENT_END, session_pb2.WEBHOOK_EVENT_CREATE]
        assert await skerry.webhook_endpoint("webhookEndpoints/main") == endpoint
        assert list(await skerry.webhook_endpoints()) == [endpoint]
        assert (await skerry.ping_webhook_endpoint("main")).status == 204
        assert (await sent(receiver, "webhook.ping", secret)).data.session == ""

        table = await skerry.create("kreta", seats=2, labels={"event": "cup"})
        created = await sent(receiver, "session.create", secret)
        assert (created.data.session, dict(created.data.labels)) == (table.name, {"event": "cup"})

        again, unchanged = await skerry.set_webhook_endpoint("main", receiver.url)
        assert (len(again.events), unchanged) == (9, "")
        _, new = await skerry.set_webhook_endpoint("main", receiver.url, rotate_secret=True)
        receiver.requests.clear()
        assert await skerry.resend_webhooks("main", datetime.now(UTC) - timedelta(hours=1)) == 1
        for one in (secret, new):
            assert (await sent(receiver, "session.create", one)).data.session == table.name

        forged = webhook_pb2.ResendWebhooksRequest(name=endpoint.name, from_time=Timestamp(seconds=1), page_token="1-x")
        with pytest.raises(errors.InvalidField, match="no valid page token"):
            await skerry._calls.call(rpcs.RESEND_WEBHOOKS, forged)

        await skerry.delete_webhook_endpoint("main")
        with pytest.raises(errors.WebhookEndpointNotFound):
            await skerry.ping_webhook_endpoint("main")


@pytest.mark.parametrize("language", [None, "de"])
async def test_an_endpoint_has_a_language_of_its_own(
    store: EmbeddedServer, tmp_path: Path, language: str | None
) -> None:
    """Not that of the call that sets it."""
    async with (
        island(store, tmp_path) as (address, receiver),
        AsyncClient(address, api_key=KEY, language=language) as skerry,
    ):
        _, secret = await skerry.set_webhook_endpoint("main", receiver.url, events=["start", "end"], language="de")
        table = await skerry.create("kreta", seats=2)
        ada, _ = await table.join("Ada"), await table.join("Bob")
        started = await sent(receiver, "session.start", secret)
        assert started.data.picture == f"/v1/{table.name}/picture.svg?language=de"
        await ada.resign()
        assert (await sent(receiver, "session.end", secret)).data.outcome.reason == "Ada hat aufgegeben."
        for tag in ("german!", "de_AT", "d" * 36):
            with pytest.raises(errors.InvalidField) as caught:
                await skerry.set_webhook_endpoint("main", receiver.url, language=tag)
            assert str(caught.value) == "language: Send a language tag, for example de or de-AT."
            german = "Sende ein Sprachkürzel, zum Beispiel de oder de-AT."
            assert caught.value.localized_message == (german if language == "de" else None)
        with pytest.raises(errors.InvalidField) as caught:
            await skerry.set_webhook_endpoint("main", "https://other.example/", language="de")
        assert bool(caught.value.localized_message) == (language == "de")
        assert (await skerry.webhook_endpoint("main")).language == "de"


async def test_the_client_reads_all_pages_of_a_resend_and_waits_between_them() -> None:
    limited = refusal(code_pb2.RESOURCE_EXHAUSTED, "LIMIT_REACHED", retry_after=0.01)
    pages = [
        webhook_pb2.ResendWebhooksResponse(sessions=2, next_page_token="next"),
        limited,
        webhook_pb2.ResendWebhooksResponse(sessions=0, next_page_token="last"),
        webhook_pb2.ResendWebhooksResponse(sessions=3),
    ]
    async with scripted(ResendWebhooks=pages) as server, AsyncClient(server.address, api_key=KEY) as skerry:
        assert await skerry.resend_webhooks("main", datetime.now(UTC)) == 5
    requests = server.requests["ResendWebhooks"]
    assert [one.page_token for one in requests] == ["", "next", "next", "last"]
    assert len({(one.request_id, one.from_time.ToNanoseconds()) for one in requests}) == 1 and requests[0].request_id
    async with scripted(ResendWebhooks=[limited]) as server, AsyncClient(server.address, api_key=KEY) as skerry:
        with pytest.raises(errors.LimitReached):
            await skerry.resend_webhooks("main", datetime.now(UTC))


async def test_the_blocking_client_manages_endpoints(store: EmbeddedServer, tmp_path: Path) -> None:
    def manage(address: str, receiver: Receiver) -> str:
        with Client(address, api_key=KEY) as skerry:
            endpoint, secret = skerry.set_webhook_endpoint("second", receiver.url, language="de")
            assert endpoint.language == "de"
            assert skerry.webhook_endpoint("second") == endpoint
            assert endpoint in skerry.webhook_endpoints()
            assert skerry.ping_webhook_endpoint("second").status == 204
            assert skerry.resend_webhooks("second", datetime.now(UTC)) == 0
            skerry.delete_webhook_endpoint("second")
            with pytest.raises(errors.WebhookEndpointNotFound):
                skerry.webhook_endpoint("second")
        return secret

    async with island(store, tmp_path) as (address, receiver):
        secret = await asyncio.to_thread(manage, address, receiver)
        await sent(receiver, "webhook.ping", secret)


async def test_a_host_is_notified_of_a_rematch(store: EmbeddedServer, tmp_path: Path) -> None:
    async with island(store, tmp_path) as (address, receiver), AsyncClient(address) as skerry:
        table = await skerry.create("kreta", seats=2)
        ada, _ = await table.join("Ada"), await table.join("Bob")
        secret = await table.set_webhook(receiver.url, events=["rematch"])
        await ada.resign()
        again = await ada.rematch()
        assert (await sent(receiver, "session.rematch", secret)).data.rematch == again.name


async def test_without_a_key_there_are_no_endpoints(store: EmbeddedServer, tmp_path: Path) -> None:
    async with island(store, tmp_path) as (address, receiver), AsyncClient(address) as skerry:
        with pytest.raises(errors.ApiKeyMissing):
            await skerry.set_webhook_endpoint("main", receiver.url)


Call = Callable[[AsyncClient], Coroutine[Any, Any, object]]


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda of: of.webhook_endpoint(""), ValueError, "endpoint: Pass the id of a webhook endpoint; the string is"),
        (lambda of: of.set_webhook_endpoint("main", ""), ValueError, "url: Pass the URL that receives the events; the"),
        (lambda of: of.set_webhook_endpoint("main", "http://a", events=["won"]), ValueError, "events: Pass 'create', "),
        (lambda of: of.set_webhook_endpoint("main", "http://a", events="turn"), TypeError, "events: Pass a list of ev"),
        (lambda of: of.set_webhook_endpoint("main", "http://a", rotate_secret=1), TypeError, "rotate_secret: Pass Tru"),
        (
            lambda of: of.set_webhook_endpoint("main", "http://a", language=1),
            TypeError,
            "language: Pass a language tag",
        ),
        (lambda of: of.resend_webhooks("main", "2026"), TypeError, "from_time: Pass a datetime, not a str."),
        (
            lambda of: of.resend_webhooks("main", datetime.fromisoformat("2026-01-01")),
            ValueError,
            "from_time: Pass a datetime with a",
        ),
    ],
)
async def test_wrong_arguments_are_explained(call: Call, kind: type[Exception], message: str) -> None:
    async with local.AsyncClient() as skerry:
        with pytest.raises(kind) as caught:
            await call(skerry)
    assert str(caught.value).startswith(message)


def test_local_clients_have_no_endpoints() -> None:
    with local.Client() as skerry, pytest.raises(errors.SkerryError):
        skerry.webhook_endpoints()


BODY = json.dumps({"type": "seat.turn", "data": {"seat": 1, "newField": []}, "other": 1}).encode()


def signed(body: bytes = BODY, secret: str = SECRET, at: float | None = None, **changed: str) -> dict[str, str]:
    """Return the headers of a request, signed by the rules of docs/how-to/webhooks.md."""
    stamp = str(int(time.time() if at is None else at))
    digest = hmac.digest(b64decode(secret.removeprefix("whsec_")), f"msg_1.{stamp}.".encode() + body, "sha256")
    headers = {"id": "msg_1", "timestamp": stamp, "signature": "v1," + b64encode(digest).decode()} | changed
    return {f"webhook-{name}": value for name, value in headers.items()}


def test_a_request_of_a_newer_server_is_read() -> None:
    event, payload = webhooks.verify(BODY, signed(), SECRET)
    assert (event, payload.type, payload.data.seat) == ("msg_1", "seat.turn", 1)


def test_one_of_several_signatures_is_enough() -> None:
    new, old = signed()["webhook-signature"], signed(secret=OTHER)["webhook-signature"]
    both = signed(signature=f"v1a,{'x' * 86} {old} {new}")
    for secret in (SECRET, OTHER):
        assert webhooks.verify(BODY, both, secret)[0] == "msg_1"


def test_headers_may_be_in_upper_case_and_of_another_type() -> None:
    headers = Message()
    for name, value in signed().items():
        headers[name.title()] = value
    assert webhooks.verify(BODY, headers, SECRET)[0] == "msg_1"


def with_two_ids() -> Message:
    headers = Message()
    for name, value in (("webhook-id", "msg_2"), *signed().items()):
        headers.add_header(name, value)
    return headers


def without(name: str) -> dict[str, str]:
    return {other: value for other, value in signed().items() if other != name}


INVALID: list[tuple[bytes, Callable[[], Any], str]] = [
    (BODY + b" ", signed, "No signature in webhook-signature is valid for this body and secret."),
    (BODY, lambda: signed(secret=OTHER), "No signature"),
    (BODY, lambda: signed(id="msg_2"), "No signature"),
    (BODY, lambda: signed(timestamp="1"), "No signature"),
    (BODY, lambda: signed(timestamp="tomorrow"), "No signature"),
    (BODY, lambda: signed(signature=signed()["webhook-signature"].replace("v1,", "v2,")), "No signature"),
    (BODY, lambda: signed(signature="v1,Ä\udcff"), "No signature"),
    (BODY, lambda: signed(signature="v1, " * 20_000), "No signature"),
    (BODY, lambda: signed(signature=""), "The header webhook-signature is missing."),
    (BODY, lambda: without("webhook-id"), "The header webhook-id is missing."),
    (BODY, lambda: without("webhook-timestamp"), "The header webhook-timestamp is missing."),
    (BODY, dict[str, str], "The header webhook-id is missing."),
    (BODY, with_two_ids, "A header of the webhook came twice."),
    (BODY, lambda: signed(at=time.time() - 9_000), "The request is too old: "),
    (BODY, lambda: signed(at=time.time() + 9_000), "The request is too far in the future: "),
    (b"{", lambda: signed(b"{"), "The body is not a WebhookPayload: "),
    (b"\xff", lambda: signed(b"\xff"), "The body is not a WebhookPayload: "),
    (b"", lambda: signed(b""), "The body is not a WebhookPayload: "),
]


@pytest.mark.parametrize(("body", "headers", "message"), INVALID)
def test_an_invalid_request_is_refused_with_its_fault(body: bytes, headers: Callable[[], Any], message: str) -> None:
    with pytest.raises(webhooks.WebhookInvalid) as caught:
        webhooks.verify(body, headers(), SECRET)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("stamp", ["-5", "1e9", "\u0661\u0662", "9" * 13])
def test_a_signed_timestamp_must_be_a_number(stamp: str) -> None:
    digest = hmac.digest(b"k" * 24, f"msg_1.{stamp}.".encode() + BODY, "sha256")
    with pytest.raises(webhooks.WebhookInvalid, match="webhook-timestamp is not a number of seconds since 1970"):
        webhooks.verify(BODY, signed(timestamp=stamp, signature="v1," + b64encode(digest).decode()), SECRET)


def test_the_tolerance_is_the_callers() -> None:
    assert webhooks.verify(BODY, signed(at=time.time() - 9_000), SECRET, tolerance=10_000)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_not Base64!", "whsec_a", "line\nbreak", 7])
def test_a_wrong_secret_is_the_programs_error_and_not_shown(secret: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="secret: Pass the secret of the webhook") as caught:
        webhooks.verify(BODY, signed(), secret)
    assert "not Base64" not in str(caught.value)


def test_the_body_must_be_bytes() -> None:
    with pytest.raises(TypeError, match="body: Pass the bytes of the body as received, not a str"):
        webhooks.verify(BODY.decode(), signed(), SECRET)  # type: ignore[arg-type]
