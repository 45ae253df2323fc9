"""The calls about endpoints of applications: their secrets, their limits, and what a repeat does."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import msgpack

from skerry_service.domain.endpoints.webhook_endpoints import ROTATION_MS, WebhookEndpoint
from skerry_service.domain.errors import (
    ApiKeyMissing,
    InvalidField,
    LimitReached,
    NotAllowed,
    RequestIdReused,
    WebhookEndpointNotFound,
)
from skerry_service.domain.log import pack
from skerry_service.domain.record import WebhookEvent
from skerry_service.sessions.resources.resource_port import FieldChange
from skerry_service.sessions.resources.webhook_registry import ENDPOINTS_OF_KEY
from skerry_service.sessions.service import Sessions
from skerry_service.webhooks.webhook_dispatcher import MAX_PER_RECEIVER
from tests.sessions.stores import FaultyStore
from tests.sessions.tables import Clock, uuid

from .receivers import Receiver, receiving
from .replicas import EVERY, Replica, of_app, register, replica_with


async def test_old_and_new_secret_sign_for_a_day(replica: Replica, receiver: Receiver, store: FaultyStore) -> None:
    first = await register(replica, receiver.url)
    kept, second = await replica.sessions.endpoints.set("app", "main", receiver.url, EVERY, uuid(7), rotate=True)
    again = await replica.sessions.endpoints.set("app", "main", receiver.url, EVERY, uuid(7), rotate=True)
    assert again == (kept, second)
    assert second not in (None, first)
    await of_app(replica)
    await replica.deliver()
    assert all(one.is_signed_with(secret or "") for one in receiver.requests for secret in (first, second))
    receiver.requests.clear()
    store.now_ms += ROTATION_MS
    await of_app(replica)
    await replica.deliver()
    assert [one.is_signed_with(first) for one in receiver.requests] == [False] * len(receiver.requests)
    assert all(one.is_signed_with(second or "") for one in receiver.requests)


async def test_a_repeat_of_an_older_request_changes_nothing(replica: Replica, receiver: Receiver) -> None:
    """It is delayed somewhere, and would bring back the old URL, the old events and the old secret."""
    url, other = receiver.url, f"{receiver.url}&other"

    async def put(number: int, url: str, *, rotate: bool = False) -> tuple[WebhookEndpoint, str | None]:
        return await replica.sessions.endpoints.set("app", "main", url, EVERY, uuid(number), rotate=rotate)

    _, made = await put(1, url)
    _, second = await put(2, url, rotate=True)
    latest, third = await put(3, other, rotate=True)
    assert len({made, second, third}) == 3
    assert await put(1, url) == (latest, None)
    assert await put(2, url, rotate=True) == (latest, second)
    assert await put(3, other, rotate=True) == (latest, third)
    for changed in (put(3, url, rotate=True), put(2, url), put(1, url, rotate=True)):
        with pytest.raises(RequestIdReused):
            await changed


async def test_an_endpoint_that_an_earlier_version_stored_can_be_changed(
    replica: Replica, receiver: Receiver, store: FaultyStore
) -> None:
    """The stored bytes are shorter than those that this version writes, and damaged ones are neither."""
    await register(replica, receiver.url)
    (stored,) = await store.resources.read("webhooks", "endpoints", [b"app/main"])
    assert stored is not None
    for kept in (pack(msgpack.decode(stored)[:-1]), b"damaged"):
        (before,) = await store.resources.read("webhooks", "endpoints", [b"app/main"])
        assert await store.resources.change("webhooks", [FieldChange("endpoints", b"app/main", kept, before)])
        await register(replica, receiver.url, events=(WebhookEvent.END,))
        assert (await replica.sessions.endpoints.get("app", "main")).events == (WebhookEvent.END,)
    (before,) = await store.resources.read("webhooks", "endpoints", [b"app/main"])
    assert await store.resources.change("webhooks", [FieldChange("endpoints", b"app/main", b"damaged", before)])
    await replica.sessions.endpoints.delete("app", "main")
    assert await store.resources.read("webhooks", "endpoints", [b"app/main"]) == [None]


async def test_a_ping_is_sent_once_and_its_response_returned(replica: Replica, receiver: Receiver) -> None:
    secret = await register(replica, receiver.url)
    assert (await replica.sessions.endpoints.ping("app", "main")).status == 204
    (request,) = receiver.requests
    assert request.type == "webhook.ping"
    assert request.is_signed_with(secret)
    receiver.answer = lambda: b"nonsense\r\n\r\n"
    assert (await replica.sessions.endpoints.ping("app", "main")).failure == "no HTTP response"


async def test_a_ping_without_room_can_be_repeated_in_seconds(store: FaultyStore) -> None:
    async with receiving() as jammed:
        jammed.answer = lambda: None
        async with replica_with(store, f"127.0.0.1:{jammed.port}", timeout=600.0) as replica:
            await register(replica, jammed.url)
            ping = replica.sessions.endpoints.ping
            waiting = [asyncio.create_task(ping("app", "main")) for _ in range(MAX_PER_RECEIVER)]
            await jammed.has(MAX_PER_RECEIVER)
            with pytest.raises(LimitReached) as caught:
                await ping("app", "main")
            assert caught.value.retry_after == 2.0
            for one in waiting:
                one.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


async def test_who_may_set_endpoints_and_how_many(replica: Replica, receiver: Receiver, store: FaultyStore) -> None:
    endpoints = replica.sessions.endpoints
    with pytest.raises(ApiKeyMissing):
        await endpoints.set("", "main", receiver.url, EVERY, None)
    with pytest.raises(InvalidField):
        await endpoints.set("app", "main", "https://other.example/", EVERY, None)
    with pytest.raises(NotAllowed):
        await Sessions(store, clock_ms=Clock()).endpoints.set("app", "main", receiver.url, EVERY, None)
    for number in range(ENDPOINTS_OF_KEY):
        await register(replica, receiver.url, f"e{number}")
    with pytest.raises(LimitReached):
        await register(replica, receiver.url, "more")
    await register(replica, receiver.url, "e0")
    assert len(await endpoints.all("app")) == ENDPOINTS_OF_KEY
    assert await endpoints.all("other") == {}
    await endpoints.delete("app", "e0")
    await endpoints.delete("app", "e0")
    with pytest.raises(WebhookEndpointNotFound):
        await endpoints.get("app", "e0")
    await register(replica, receiver.url, "more")
