"""A real store; the tests of calls run over each transport."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.transports import parametrize, transport
from tests.store.servers import running_server

__all__ = ["transport"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of calls over each transport."""
    if metafunc.module.__name__.endswith("test_banned_calls"):
        parametrize(metafunc, ("connect", "grpc-web"))


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server
