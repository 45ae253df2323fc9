"""An application's endpoint, over a real server and store: through a kill, 410, a rematch, and 400 sessions at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from skerry.v1 import service_pb2 as api
from skerry.v1 import service_pb2_grpc, webhook_pb2
from skerry_service.access.api_key_file import format_line, new_key
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.webhooks.webhook_dispatcher import LEASE_MS
from tests.webhooks.receivers import GOOD, Receiver, receiving

from .processes import Service, ask

KEY = new_key("island")
SENT = (("x-api-key", KEY),)
NAME = "webhookEndpoints/main"
GONE = b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n"
NEW = api.CreateSessionRequest(game="kreta", seats=[api.SeatSetup(), api.SeatSetup()])


@asynccontextmanager
async def island(folder: Path) -> AsyncIterator[tuple[Service, EmbeddedServer, Receiver]]:
    """Run a server with one application, its store and its receiver."""
    (folder / "keys").write_text(format_line(KEY, "play,host,webhooks"))
    redis = EmbeddedServer(folder / "redis")
    await redis.start()
    async with receiving() as receiver:
        environment = {"SKERRY_WEBHOOKS_ALLOW": f"127.0.0.1:{receiver.port}", "SKERRY_KEYS": str(folder / "keys")}
        service = Service(folder / "one", redis_url=redis.url, environment=environment)
        try:
            await service.start()
            yield service, redis, receiver
            assert KEY not in service.errors.read_text()
        finally:
            await service.close()
            await redis.stop()


@asynccontextmanager
async def stub_of(service: Service) -> AsyncIterator[service_pb2_grpc.SkerryServiceAsyncStub]:
    async with grpc.aio.insecure_channel(service.address) as channel:
        yield service_pb2_grpc.SkerryServiceStub(channel)


async def register(stub: service_pb2_grpc.SkerryServiceAsyncStub, receiver: Receiver) -> str:
    request = webhook_pb2.SetWebhookEndpointRequest(name=NAME, url=receiver.url)
    return (await stub.SetWebhookEndpoint(request, metadata=SENT)).secret


@pytest.mark.deep
async def test_events_are_delivered_after_the_server_was_killed_before_the_delivery(folder: Path) -> None:
    async with island(folder) as (service, redis, receiver):
        receiver.answer = lambda: None
        async with stub_of(service) as stub:
            secret = await register(stub, receiver)
            made = await stub.CreateSession(NEW, metadata=SENT)
            await receiver.has(1)
            await service.kill()
        receiver.answer = lambda: GOOD
        age = int(await ask(redis.url, "HGET", redis_keys.STORE.decode(), "a"))
        await ask(redis.url, "HSET", redis_keys.STORE.decode(), "a", age + LEASE_MS)
        await service.start()
        again = await receiver.has(2)
        assert (again.type, again.data["session"]) == ("session.create", made.session.name)
        assert again.id == receiver.requests[0].id
        assert again.is_signed_with(secret)


@pytest.mark.deep
async def test_four_hundred_sessions_at_once_send_one_event_each(folder: Path) -> None:
    async with island(folder) as (service, _, receiver), stub_of(service) as stub:
        await register(stub, receiver)
        made = await asyncio.gather(*(stub.CreateSession(NEW, metadata=SENT) for _ in range(400)))
        await receiver.has(400)
        assert {one.data["session"] for one in receiver.requests} == {one.session.name for one in made}
        assert len({one.id for one in receiver.requests}) == 400


async def test_an_application_follows_a_game_and_its_rematch_by_webhooks_alone(folder: Path) -> None:
    async with island(folder) as (service, _, receiver), stub_of(service) as stub:
        first = await register(stub, receiver)
        pinged = await stub.PingWebhookEndpoint(webhook_pb2.PingWebhookEndpointRequest(name=NAME), metadata=SENT)
        assert (pinged.status, receiver.requests.pop().type) == (204, "webhook.ping")
        request = webhook_pb2.SetWebhookEndpointRequest(name=NAME, url=receiver.url, rotate_secret=True)
        second = (await stub.SetWebhookEndpoint(request, metadata=SENT)).secret
        begin = api.CreateSessionRequest()
        begin.CopyFrom(NEW)
        begin.abandonment.on_resignation = 2  # type: ignore[assignment]
        name = (await stub.CreateSession(begin, metadata=SENT)).session.name
        joining = [api.JoinSessionRequest(name=name, display_name=one, player_id=one.lower()) for one in ("Ada", "Bob")]
        token, _ = [(await stub.JoinSession(one, metadata=SENT)).seat_token for one in joining]
        with_token = (*SENT, ("authorization", f"Bearer {token}"))
        await stub.ResignSession(api.ResignSessionRequest(name=name), metadata=with_token)
        again = await stub.RematchSession(api.RematchSessionRequest(name=name), metadata=with_token)

        def types(session: str) -> list[str]:
            return [one.type for one in receiver.requests if one.data["session"] == session]

        async with asyncio.timeout(20):
            while "seat.join" not in types(again.session.name) or "session.rematch" not in types(name):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert types(again.session.name) == ["session.create", "seat.join"]
        known = [one for one in types(name) if one != "seat.turn"]
        assert known == ["session.create", "seat.join", "seat.join", "session.start", "session.end", "session.rematch"]
        last = receiver.requests[-1]
        assert {one["playerId"] for one in last.data["players"]} <= {"ada", "bob"}
        assert all(one.is_signed_with(secret) for one in receiver.requests for secret in (first, second))
        receiver.answer = lambda: GONE
        await stub.CreateSession(NEW, metadata=SENT)
        reading = webhook_pb2.GetWebhookEndpointRequest(name=NAME)
        async with asyncio.timeout(20):
            while (await stub.GetWebhookEndpoint(reading, metadata=SENT)).endpoint.state != 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
