"""Real servers over a real store, one for each test module."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.transports import parametrize, transport
from tests.api.wire import Api, served
from tests.store.servers import running_server

__all__ = ["transport"]

WEBHOOKS = ("127.0.0.1:9",)
"""No receiver listens there."""

_BINARY = ("connect", "grpc-web")
_ALL = (*_BINARY, "connect-json")
OVER_HTTP = {
    **dict.fromkeys(("test_act", "test_face_down", "test_once", "test_past", "test_races"), _ALL),
    **dict.fromkeys(("test_again", "test_listing", "test_malformed", "test_matchmaking", "test_observe"), _BINARY),
    **dict.fromkeys(("test_refusals", "test_reserved", "test_tokens"), _BINARY),
}
"""The modules whose tests `make test-deep` also runs over Connect and gRPC-Web."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests over each transport."""
    parametrize(metafunc, OVER_HTTP.get(metafunc.module.__name__.rpartition(".")[2], ()))


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(valkey: EmbeddedServer, transport: str) -> AsyncIterator[Api]:
    """A server."""
    async with served(valkey, webhooks_allow=WEBHOOKS) as api:
        yield api


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def replica(valkey: EmbeddedServer, transport: str) -> AsyncIterator[Api]:
    """A second server over the same store."""
    async with served(valkey, webhooks_allow=WEBHOOKS) as api:
        yield api


@pytest.fixture
def unserved() -> Iterator[EmbeddedServer]:
    """A store without other servers, because each server advances the store clock and polls the sessions."""
    with running_server() as server:
        yield server
