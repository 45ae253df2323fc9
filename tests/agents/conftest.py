"""The tools over a service in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from typing import Any

import pytest
from mcp import Client

from skerry_client.calls import Calls
from skerry_service.access.client_addresses import Peer
from skerry_service.access.gcra import Taken
from skerry_service.access.keyring import Keyring
from skerry_service.access.quotas import LimitSettings
from skerry_service.access.rate_limiter import RateLimiter
from skerry_service.agents.agent_server import agent_server
from skerry_service.agents.sealed_handles import SealedHandles
from skerry_service.api.endpoint import Endpoint, sessions_endpoint
from skerry_service.in_process import InProcessTransport
from skerry_service.local import LocalTransport
from skerry_service.sessions.memory_store import MemoryStore
from skerry_service.sessions.service import Sessions

SECRET = "a secret of at least thirty-two characters"


class Replicas:
    """Servers of the tools with one store."""

    def __init__(self, transport: InProcessTransport) -> None:
        self.calls = Calls(transport, timeout=10, retry_for=0, silence=inf)

    @asynccontextmanager
    async def client(self, secret: str | None = SECRET) -> AsyncIterator[Client]:
        """Connect to a new replica with that secret, in memory."""
        async with Client(agent_server(lambda request: self.calls, SealedHandles(secret))) as client:
            yield client


@pytest.fixture
def replicas() -> Replicas:
    return Replicas(LocalTransport())


class Uncounted:
    """Counters that replicas share, without a store."""

    async def take(self, kind: str, keyed: Any) -> Taken:
        """Count nothing."""
        return Taken(None, [0] * len(keyed))


def limiter(**limits: str) -> RateLimiter:
    """Return a limiter whose clock stands still, with changed limits."""
    settings = LimitSettings()
    for name, text in limits.items():
        settings = settings.with_limit(name, text)
    return RateLimiter(settings, Uncounted(), lambda: 0)


def limited_endpoint(limits: RateLimiter, keyring: Keyring | None = None) -> Endpoint:
    """Return an endpoint with a new store."""
    return sessions_endpoint(Sessions(MemoryStore(), clock_ms=lambda: 1), limits, keyring=keyring)


def limited_replicas(**limits: str) -> Replicas:
    """Return servers whose callers have one address, with changed limits."""
    return Replicas(InProcessTransport(limited_endpoint(limiter(**limits)), lambda: Peer("192.0.2.1")))
