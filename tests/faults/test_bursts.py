"""Thousands of clients that all come back at once, as after an outage: each is served, none is turned away unseen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from skerry.v1 import service_pb2 as api
from tests.benchmarks.http2 import Reader
from tests.benchmarks.watchers import OBSERVE

from .driver import Api, new_table
from .processes import PATIENCE, Service

pytestmark = pytest.mark.deep

STREAMS = 3000
"""More than gRPC lets wait by itself: it would cancel what comes on top."""
CONNECTIONS = 6


async def test_streams_that_open_at_once_all_receive_the_game(service: Service, client: Api) -> None:
    tables = [await new_table(client, seed) for seed in (301, 302)]
    host, _, port = service.address.rpartition(":")
    received, all_received = 0, asyncio.Event()

    def count(message: bytes) -> None:
        nonlocal received
        received += 1
        if received == STREAMS:
            all_received.set()

    def new_reader() -> Reader:
        return Reader(count, lambda: None)

    loop = asyncio.get_running_loop()
    readers = [(await loop.create_connection(new_reader, host, int(port)))[1] for _ in range(CONNECTIONS)]
    for number in range(STREAMS):
        request = api.ObserveRequest(name=tables[number % 2].name).SerializeToString()
        readers[number % CONNECTIONS].open(service.address, OBSERVE, request)
    waiting: asyncio.Future[Any] = asyncio.ensure_future(all_received.wait())
    done, _ = await asyncio.wait(
        [waiting, *(reader.broken for reader in readers)], timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED
    )
    for reader in readers:
        reader.close()
        reader.broken.cancel()
    assert done == {waiting}, f"{received} of them were told"
    await tables[0].play_acts(3)
    assert client.refusals == []
