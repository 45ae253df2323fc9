"""Whose call is counted behind a proxy and on this machine, over the wire."""

from __future__ import annotations

import logging

import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.access.quotas import LimitSettings
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from tests.api.wire import OPEN, create, refused
from tests.quotas.limited_servers import NEW, address, limits
from tests.rest.web import served as web_served
from tests.store.servers import ask

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_callers_on_this_machine_are_not_limited_unless_they_are_meant_to_be(valkey: EmbeddedServer) -> None:
    quotas = limits(create="1/10h", read="1/10h", connect="1/10h").quotas
    async with web_served(valkey, quotas=LimitSettings(quotas=quotas)) as web:
        for _ in range(5):
            await create(web.api, OPEN, OPEN)
            assert (await web.rpc("ListGames", pb.ListGamesRequest())).status == 200


async def test_nobody_is_believed_about_another_address_but_a_proxy_that_was_named(
    valkey: EmbeddedServer, caplog: pytest.LogCaptureFixture
) -> None:
    await ask(valkey, "FLUSHALL")
    quotas = limits(create="2/10h").quotas
    async with web_served(valkey, quotas=LimitSettings(quotas=quotas)) as web:
        with caplog.at_level(logging.WARNING):
            for number in range(2):
                await web.api.stub.CreateSession(NEW, metadata=address(number))
            with refused("RESOURCE_EXHAUSTED", "LIMIT_REACHED", limit="create"):
                await web.api.stub.CreateSession(NEW, metadata=address(9))
            assert (await web.rpc("CreateSession", NEW, forwarded="for=198.51.100.8")).status == 429
        received = [record.getMessage() for record in caplog.records if "SKERRY_TRUSTED_PROXIES" in record.getMessage()]
        assert len(received) == 1
        assert "127.0.0.1" in received[0]
        await create(web.api, OPEN, OPEN)


async def test_a_configuration_with_a_proxy_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="SKERRY_TRUSTED_PROXIES"):
        Config(quotas=LimitSettings(proxies=("nowhere",)))
