"""Attacks by what is sent on a connection, and by how many there are."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import ExitStack, suppress

import grpc

from skerry.v1 import service_pb2 as pb
from tests.api.wire import OPEN, Api, create
from tests.attacks.ground import MIB, Ground, attack

HEALTH = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
LARGE = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n"
BEGUN = b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
HEADS = {
    "value": b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: ",
    "name": b"GET /healthz HTTP/1.1\r\nhost: x\r\nx",
    "trailer": BEGUN + b"2\r\n{}\r\n0\r\nx: ",
}
_PART = 256 * 1024


async def connect(ground: Ground) -> socket.socket:
    """Open a connection that can hold little of what is answered."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.setblocking(False)
    await asyncio.get_running_loop().sock_connect(one, ground.http)
    return one


async def send(one: socket.socket, data: bytes) -> int:
    """Send until all is sent, nothing is taken for two seconds, or the connection ends; return the number of bytes."""
    loop, sent = asyncio.get_running_loop(), 0
    with suppress(ConnectionError, TimeoutError):
        while sent < len(data):
            async with asyncio.timeout(2):
                await loop.sock_sendall(one, data[sent : sent + _PART])
            sent += min(_PART, len(data) - sent)
    return sent


@attack("1.3 MiB of requests on each of 8 connections, no answer read", most=32, unit="MiB more memory")
async def requests_ahead(ground: Ground) -> float:
    with ExitStack() as stack:
        held = [stack.enter_context(await connect(ground)) for _ in range(8)]
        return await ground.growth(asyncio.gather(*(send(one, HEALTH * 40_000) for one in held)))


@attack("one header, header name, trailer of 64 MiB", most=8, unit="MiB of it taken")
async def one_long_head(ground: Ground) -> float:
    """What fills the buffers of both ends counts as taken."""
    most = 0
    for head in HEADS.values():
        with await connect(ground) as one:
            most = max(most, await send(one, head + b"y" * (64 * MIB)))
    return most / MIB


@attack(
    "2,000 idle connections, half to each port",
    most=95,
    unit="% of its descriptors",
    descriptors=(256, 1024),
)
async def idle_connections(ground: Ground) -> float:
    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(await connect(ground))
            host, _, port = ground.grpc.rpartition(":")
            stack.enter_context(socket.create_connection((host, int(port))))
        await asyncio.sleep(2)
        return 100 * ground.service.descriptors() / ground.service.descriptor_limit()


@attack("1,000 calls cancelled, connections reset, requests half sent", most=0, unit="lines on stderr")
async def everyday_rudeness(ground: Ground) -> float:
    async with grpc.aio.insecure_channel(ground.grpc) as channel:
        api = Api(channel)
        sitting = await create(api, OPEN, OPEN)
        for _ in range(100):
            calls = [api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name)) for _ in range(4)]
            streams = [api.stub.Observe(pb.ObserveRequest(name=sitting.name)) for _ in range(2)]
            await asyncio.sleep(0.001)
            for call in (*calls, *streams):
                call.cancel()
            await reset(ground, LARGE * 16, BEGUN + b"2\r\n{", HEALTH[:20])
            await reset(ground, f"GET /v1/{sitting.name}:observe HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    await asyncio.sleep(1)
    return len(ground.service.errors.read_text().splitlines())


async def reset(ground: Ground, *requests: bytes) -> None:
    """Send each on a connection of its own and reset that, now and then before it is answered."""
    for number, request in enumerate(requests):
        with await connect(ground) as one:
            await send(one, request)
            await asyncio.sleep(0.002 * number)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
