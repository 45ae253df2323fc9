"""As many connections as a client can open: both ports answer those who are there, and the store may die meanwhile."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from skerry_service.wiring.file_descriptors import RESERVED

from .driver import Api, connect, new_table
from .processes import Service, kill_process, until

SOFT, HARD = 64, 512
MOST = (HARD - RESERVED) // 2


@pytest.fixture
async def service(folder: Path) -> AsyncIterator[Service]:
    """A server that begins with few descriptors and may have some more."""
    server = Service(folder, "--http", "127.0.0.1:0", descriptors=(SOFT, HARD))
    try:
        await server.start()
        yield server
    finally:
        await server.close()


@contextmanager
def connections(address: str, count: int) -> Iterator[list[socket.socket]]:
    """Hold so many connections open that say nothing."""
    host, _, port = address.rpartition(":")
    with ExitStack() as stack:
        yield [stack.enter_context(socket.create_connection((host, int(port)))) for _ in range(count)]


@pytest.mark.deep
async def test_idle_connections_leave_descriptors_for_the_store_and_the_calls_under_way(
    service: Service, client: Api
) -> None:
    assert service.descriptor_limit() == HARD
    table = await new_table(client, seed=31)
    seat = (await table.to_act())[0]
    before = service.descriptors()
    with connections(service.address, HARD), connections(service.http.removeprefix("http://"), HARD) as over_http:
        await until(lambda: service.descriptors() > before + MOST)
        await asyncio.sleep(0.5)
        assert service.descriptors() <= before + 2 * MOST
        await kill_process(await service.store_pid())
        await table.act(seat)
        over_http[-1].settimeout(30)
        over_http[-1].sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert over_http[-1].recv(1000).startswith(b"HTTP/1.1 200 "), "older connections have made room"
        await until(lambda: f"of {HARD} file descriptors are in use" in service.errors.read_text())
    await until(lambda: service.descriptors() < before + MOST // 2)
    async with connect(service.address) as newcomer:
        await new_table(newcomer, seed=32)
    await table.play()
    assert "Traceback" not in service.errors.read_text()
