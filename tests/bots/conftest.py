"""A real server with real bot processes for the tests of a module."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from skerry_client import AsyncClient
from tests.faults.processes import Service


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    server = Service(tmp_path_factory.mktemp("bots"))
    await server.start()
    try:
        yield server.address
    finally:
        await server.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(address: str) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(address, retry_for=60, timeout=60) as client:
        yield client
