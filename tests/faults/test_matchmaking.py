"""Three replicas on one Redis bring strangers together, and one of them is killed in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.match_seekers import Seeker
from tests.api.wire import Api

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


async def test_the_people_of_a_killed_replica_are_never_seated(replicas: list[Service]) -> None:
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(grpc.aio.insecure_channel(one.address)) for one in replicas]
        first, second, third = (Api(channel) for channel in channels)
        ghost = await Seeker(first, "Ghost", confirms=False).waits()
        waiting = await Seeker(second, "Ada", confirms=False).waits()
        offered = await waiting.offered()
        await ghost.offered()
        await replicas[0].kill()
        with pytest.raises(grpc.aio.AioRpcError):
            await ghost.finds()
        bob = await Seeker(third, "Bob").waits()
        await waiting.confirm(offered)
        while (message := waiting.messages[-1]) == offered or not message.HasField("proposal"):
            await waiting.hears(len(waiting.messages) + 1)
        await waiting.confirm(message)
        found = await asyncio.gather(waiting.finds(), bob.finds())
        assert {seat.display_name for seat in found[0].session.seats} == {"Ada", "Bob"}
        again = await Seeker(second, "Ghost", request_id=ghost.request.request_id).waits()
        assert again.messages[0] == pb.FindMatchResponse(ticket=ghost.request.request_id), "it waits like anybody else"
        await again.hangs_up()
