"""A server dies while it tells a receiver; another one, which comes later, tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry.v1 import service_pb2 as api
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.webhooks.webhook_dispatcher import LEASE_MS
from tests.webhooks.receivers import GOOD, receiving

from .driver import connect, new_table
from .processes import Service, ask


@pytest.mark.deep
async def test_a_turn_is_delivered_after_the_delivering_server_was_killed(folder: Path) -> None:
    redis = EmbeddedServer(folder / "redis")
    await redis.start()
    async with receiving() as receiver:
        receiver.answer = lambda: None
        allow = {"SKERRY_WEBHOOKS_ALLOW": f"127.0.0.1:{receiver.port}"}
        one, two = (Service(folder / name, redis_url=redis.url, environment=allow) for name in ("one", "two"))
        try:
            await one.start()
            async with connect(one.address) as client:
                table = await new_table(client, seed=7)
                secrets = [
                    (
                        await client.call("SetWebhook", api.SetWebhookRequest(name=table.name, url=receiver.url), token)
                    ).secret
                    for token in table.tokens
                ]
                (seat, *_) = await table.to_act()
            await receiver.has(1)
            await one.kill()
            receiver.answer = lambda: GOOD
            age = int(await ask(redis.url, "HGET", redis_keys.STORE.decode(), "a"))
            await ask(redis.url, "HSET", redis_keys.STORE.decode(), "a", age + LEASE_MS)
            await two.start()
            again = await receiver.has(2)
            assert again.event == ("seat.turn", seat)
            assert again.id == receiver.requests[0].id
            assert again.is_signed_with(secrets[seat])
            assert not any(secret in server.errors.read_text() for secret in secrets for server in (one, two))
        finally:
            await one.close()
            await two.close()
            await redis.stop()
