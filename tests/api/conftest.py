"""Real servers over a real store, one for each test module."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import Api, served
from tests.store.servers import running_server

WEBHOOKS = ("127.0.0.1:9",)
"""No receiver listens there."""


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(valkey: EmbeddedServer) -> AsyncIterator[Api]:
    """A server."""
    async with served(valkey, webhooks_allow=WEBHOOKS) as api:
        yield api


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def replica(valkey: EmbeddedServer) -> AsyncIterator[Api]:
    """A second server over the same store."""
    async with served(valkey, webhooks_allow=WEBHOOKS) as api:
        yield api


@pytest.fixture
def unserved() -> Iterator[EmbeddedServer]:
    """A store without other servers, because each server advances the store clock and polls the sessions."""
    with running_server() as server:
        yield server
