"""A server on HTTP/2 over a real store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import Api, served
from tests.store.servers import running_server


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(valkey: EmbeddedServer) -> AsyncIterator[Api]:
    """A server."""
    async with served(valkey, grpc="nghttp2", http="127.0.0.1:0") as api:
        yield api
