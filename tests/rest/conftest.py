"""Real servers over a real store, one for each module of tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from skerry_service.domain.limits import SessionLimits
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.rest.web import Web, served
from tests.store.servers import running_server


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def web(valkey: EmbeddedServer) -> AsyncIterator[Web]:
    """A server."""
    async with served(valkey, SessionLimits(kept_seats_ms=0), webhooks_allow=("127.0.0.1:9",)) as web:
        yield web
