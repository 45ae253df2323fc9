"""Matchmaking by three replicas on one Redis, one of which is killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.ticket_clients import TicketClient
from tests.api.wire import Api, refused

from .processes import Service
from .test_external_redis import redis

pytestmark = pytest.mark.deep

__all__ = ["redis"]


@pytest.fixture
async def replicas(folder: Path, redis: EmbeddedServer) -> AsyncIterator[list[Service]]:
    services = [Service(folder / str(number), redis_url=redis.url) for number in range(3)]
    try:
        await asyncio.gather(*(one.start() for one in services))
        yield services
    finally:
        await asyncio.gather(*(one.close() for one in services))


async def test_tickets_of_a_killed_replica_never_get_a_seat(replicas: list[Service]) -> None:
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(grpc.aio.insecure_channel(one.address)) for one in replicas]
        first, second, third = (Api(channel) for channel in channels)
        ghost = await TicketClient(first, "Ghost", confirms=False).waits()
        waiting = await TicketClient(second, "Ada", confirms=False).waits()
        offered = await waiting.offered()
        await ghost.offered()
        await replicas[0].kill()
        with pytest.raises(grpc.aio.AioRpcError):
            await ghost.finds()
        bob = await TicketClient(third, "Bob").waits()
        with refused("FAILED_PRECONDITION", "PROPOSAL_EXPIRED"):  # the killed replica was the matcher too
            await waiting.confirm(offered)
        while (message := waiting.messages[-1]) == offered or not message.HasField("proposal"):
            await waiting.receives(len(waiting.messages) + 1)
        await waiting.confirm(message)
        found = await asyncio.gather(waiting.finds(), bob.finds())
        assert {seat.display_name for seat in found[0].session.seats} == {"Ada", "Bob"}
        again = await TicketClient(second, "Ghost", request_id=ghost.request.request_id).waits()
        assert again.messages[0] == pb.FindMatchResponse(ticket=ghost.request.request_id), "it waits as a new ticket"
        await again.hangs_up()
