"""Crowds that look for seats at three replicas on one Redis, one of which is killed meanwhile.

Every player keeps trying under one request id, at another replica when one is gone. In the end each has a seat of its
own, and every seat of their sessions has its player.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from uuid import UUID

import grpc

from skerry.v1 import service_pb2 as pb
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.api.wire import Api
from tests.faults.processes import Service
from tests.faults.suite.kinds import Asked, Kind, Outcome, Row, complaints

PLAYERS = 400
REPLICAS = 3
_SORT = f"a replica killed while {PLAYERS} players look for seats"
_LATEST_SECONDS = 1.5
"""Latest time of a kill after the players have arrived."""
_PATIENCE = 60.0
_AGAIN_SECONDS = 0.2


async def run(asked: Asked) -> Outcome:
    """Kill the replicas by turns, each under another crowd."""
    row, random, until = Row(_SORT), Random(asked.seed), monotonic() + asked.seconds
    outcome = Outcome(rows=[row])
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        redis = EmbeddedServer(Path(name) / "redis")
        await redis.start()
        services = [Service(Path(name) / str(number), redis_url=redis.url) for number in range(REPLICAS)]
        try:
            await asyncio.gather(*(service.start() for service in services))
            async with AsyncExitStack() as stack:
                apis = [
                    Api(await stack.enter_async_context(grpc.aio.insecure_channel(service.address)))
                    for service in services
                ]
                while not row.tried or monotonic() < until:
                    found = await _seat_crowd(apis, services[row.tried % REPLICAS], random)
                    outcome.lost += _wrong(found)
                    row.survived += len(found) == PLAYERS
                    row.tried += 1
        finally:
            await asyncio.gather(*(service.close() for service in services))
            await redis.stop()
        for service in services:
            outcome.findings += complaints(service.errors)
    outcome.received = f"{row.tried * PLAYERS:,} players looked for seats"
    return outcome


async def _seat_crowd(apis: list[Api], victim: Service, random: Random) -> list[pb.FindMatchResponse]:
    """Let a crowd arrive, kill a replica and start it again. Return the seats that were found."""
    tickets = [str(UUID(int=random.getrandbits(128), version=4)) for _ in range(PLAYERS)]
    looking = [asyncio.create_task(_seat(apis, number, ticket)) for number, ticket in enumerate(tickets)]
    await asyncio.sleep(random.uniform(0, _LATEST_SECONDS))
    await victim.kill()
    done, pending = await asyncio.wait(looking, timeout=_PATIENCE)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    await victim.start()
    return [task.result() for task in done]


async def _seat(apis: list[Api], number: int, ticket: str) -> pb.FindMatchResponse:
    seats = 2 if number % 2 else 4
    request = pb.FindMatchRequest(game="kreta", display_name=f"Player {number}", seats=[seats], request_id=ticket)
    attempt = number
    while True:
        stub = apis[attempt % REPLICAS].stub
        with suppress(grpc.aio.AioRpcError):
            async for message in stub.FindMatch(request):
                if message.HasField("seat"):
                    return message
                if message.HasField("proposal") and not message.heartbeat:
                    confirmation = pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id)
                    with suppress(grpc.aio.AioRpcError):  # the stream reports what follows
                        await stub.ConfirmMatch(confirmation)
        attempt += 1
        await asyncio.sleep(_AGAIN_SECONDS)


def _wrong(found: list[pb.FindMatchResponse]) -> int:
    """Return how many seats have two players, or none."""
    held = Counter((message.session.name, message.seat) for message in found)
    seats = {message.session.name: len(message.session.seats) for message in found}
    return sum(count - 1 for count in held.values()) + sum(seats.values()) - len(held)


CROWDS = Kind("crowds", "matchmaking", run)
