from __future__ import annotations

from collections.abc import Iterator

import pytest

from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.store.servers import running_server


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedServer]:
    """The store of the module's servers."""
    with running_server() as server:
        yield server
