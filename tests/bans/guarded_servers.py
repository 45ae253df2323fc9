"""Servers with the operators' port behind a proxy, so that a test has callers at many addresses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc

from skerry.admin.v1 import admin_pb2 as admin
from skerry.admin.v1 import admin_pb2_grpc
from skerry_service.access.quotas import LimitSettings
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.wiring.config import Config
from skerry_service.wiring.server import running_server
from tests.api.wire import Api, Metadata, Transport, refusal_of
from tests.rest.web import Web

if TYPE_CHECKING:
    from skerry.admin.v1.admin_pb2_grpc import AdminServiceAsyncStub as Stub

SECONDS = 5.0
"""Within which all replicas apply a ban, on a busy machine."""


@dataclass
class Guarded:
    """One server: its operators' port, its API and its HTTP port."""

    operators: Stub
    api: Api
    web: Web

    async def ban(self, seconds: int = 600, reason: str = "Spam.", **subject: Any) -> admin.Ban:
        """Ban a subject."""
        request = admin.CreateBanRequest(reason=reason, **subject)
        request.duration.FromSeconds(seconds)
        return (await self.operators.CreateBan(request)).ban

    async def lift(self, ban: admin.Ban) -> admin.Ban:
        """Lift a ban."""
        return (await self.operators.LiftBan(admin.LiftBanRequest(name=ban.name))).ban

    async def bans(self) -> list[admin.Ban]:
        """Return all bans."""
        return list((await self.operators.ListBans(admin.ListBansRequest())).bans)

    async def audit(self) -> list[admin.AuditEntry]:
        """Return the newest entries of the audit log."""
        return list((await self.operators.ListAuditEntries(admin.ListAuditEntriesRequest())).entries)


@asynccontextmanager
async def guarded(valkey: EmbeddedServer, **settings: Any) -> AsyncIterator[Guarded]:
    """Run a server that believes what the tests say of addresses."""
    quotas = LimitSettings(proxies=("127.0.0.1",))
    ports = {"port": 0, "http": "127.0.0.1:0", "admin": "127.0.0.1:0", "grpc": Transport.grpc}
    async with running_server(Config(redis_url=valkey.url, quotas=quotas, **{**ports, **settings})) as running:
        assert running.http
        assert running.admin
        async with (
            grpc.aio.insecure_channel(running.address) as channel,
            grpc.aio.insecure_channel(running.admin) as there,
        ):
            called = channel if Transport.over_http is None else Transport.over_http(running.http, channel)
            api = Api(called, running.address)
            yield Guarded(admin_pb2_grpc.AdminServiceStub(there), api, Web(running.http, api))


def at(address: str, *more: tuple[str, str]) -> Metadata:
    """Return the metadata of a call that the proxy forwards from an address."""
    return (("x-forwarded-for", address), *more)


async def comes_to(reason: str, call: Callable[[], Awaitable[Any]]) -> None:
    """Wait until a call is refused for a reason; an empty reason: until it is answered."""
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                await call()
                found = ""
            except grpc.aio.AioRpcError as error:
                found = refusal_of(error).reason
            if found == reason:
                return
            await asyncio.sleep(0.02)
