"""The tools over a service in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import pytest
from mcp import Client

from skerry_client.calls import Calls
from skerry_service.agents.agent_server import agent_server
from skerry_service.agents.sealed_handles import SealedHandles
from skerry_service.local import LocalTransport

SECRET = "a secret of at least thirty-two characters"


class Replicas:
    """Servers of the tools with one store."""

    def __init__(self) -> None:
        self.calls = Calls(LocalTransport(), timeout=10, retry_for=0, silence=inf)

    @asynccontextmanager
    async def client(self, secret: str | None = SECRET) -> AsyncIterator[Client]:
        """Connect to a new replica with that secret, in memory."""
        async with Client(agent_server(lambda request: self.calls, SealedHandles(secret))) as client:
            yield client


@pytest.fixture
def replicas() -> Replicas:
    return Replicas()
