"""Servers with limits, and callers for tests of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc

from skerry.v1 import service_pb2 as pb
from skerry_service.access.quotas import LimitSettings
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import OPEN, Refusal, refusal_of
from tests.rest.web import Web
from tests.rest.web import served as web_served
from tests.store.servers import ask

NEW = pb.CreateSessionRequest(game="kreta", seats=[OPEN, OPEN])


def limits(mode: Any = "on", **named: str) -> LimitSettings:
    """Return settings with these limits and no others, for callers on this machine too."""
    settings = LimitSettings(mode=mode, local=True, proxies=("127.0.0.1",))
    for quota in settings.quotas.values():
        for limit in quota.limits:
            settings = settings.with_limit(limit.name, named.pop(limit.name, "off"))
    for name in settings.concurrency:
        settings = settings.with_limit(name, named.pop(name, "off"))
    assert not named
    return settings


@asynccontextmanager
async def limited(valkey: EmbeddedServer, **named: Any) -> AsyncIterator[Web]:
    """Run a server with these limits over a store that has counted nothing."""
    await ask(valkey, "FLUSHALL")
    async with web_served(valkey, quotas=limits(**named)) as web:
        yield web


def address(number: int) -> tuple[tuple[str, str], ...]:
    """Return what the proxy that is trusted says of one of many callers."""
    return (("x-forwarded-for", f"198.51.100.{number}"),)


async def outcome_of(call: Any) -> Refusal | None:
    """Return how a call was refused, or ``None``."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return refusal_of(error)
    return None
