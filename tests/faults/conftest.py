from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .driver import Api, connect
from .processes import Service


@pytest.fixture
async def folder() -> AsyncIterator[Path]:
    """A directory whose path is short enough for a socket."""
    with TemporaryDirectory(prefix="skerry-test-") as name:
        yield Path(name)


@pytest.fixture
async def service(folder: Path) -> AsyncIterator[Service]:
    """A server with a Valkey of its own, running."""
    server = Service(folder)
    try:
        await server.start()
        yield server
    finally:
        await server.close()


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Api]:
    """A client of the running server."""
    async with connect(service.address) as opened:
        yield opened
