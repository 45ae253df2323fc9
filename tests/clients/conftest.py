from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from skerry_client import Client
from skerry_service import local
from tests.clients.servers import ServerProcess


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    """One real server for all tests of a worker. A test that kills a server starts its own."""
    with TemporaryDirectory(prefix="skerry-test-") as folder:
        process = ServerProcess(Path(folder), http="127.0.0.1:0")
        process.start()
        yield process
        process.stop()


@pytest.fixture(params=["grpc", "connect", "local"])
def skerry(request: pytest.FixtureRequest) -> Iterator[Client]:
    """A client over each transport. All must behave alike."""
    if request.param == "local":
        with local.Client() as client:
            yield client
    else:
        with Client(request.getfixturevalue("server").address, transport=request.param) as client:
            yield client
