"""Attacks by the bytes sent on a connection, and by the number of connections."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import ExitStack, suppress

import grpc

from skerry.v1 import service_pb2 as pb
from tests.api.wire import OPEN, Api, create
from tests.attacks.target import MIB, Target, attack

HEALTH = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
LARGE = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n"
UNFINISHED = (
    b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
)
HEADS = {
    "value": b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: ",
    "name": b"GET /healthz HTTP/1.1\r\nhost: x\r\nx",
    "trailer": UNFINISHED + b"2\r\n{}\r\n0\r\nx: ",
}
_PART = 256 * 1024


async def connect(target: Target) -> socket.socket:
    """Open a connection with a small receive buffer."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, target.http)
    return connection


async def send(connection: socket.socket, data: bytes) -> int:
    """Send until all is sent, the connection ends or accepts nothing for two seconds; return the number of bytes."""
    loop, sent = asyncio.get_running_loop(), 0
    with suppress(ConnectionError, TimeoutError):
        while sent < len(data):
            async with asyncio.timeout(2):
                await loop.sock_sendall(connection, data[sent : sent + _PART])
            sent += min(_PART, len(data) - sent)
    return sent


@attack("1.3 MiB of requests on each of 8 connections, no response read", most=32, unit="MiB more memory")
async def requests_ahead(target: Target) -> float:
    with ExitStack() as stack:
        held = [stack.enter_context(await connect(target)) for _ in range(8)]
        return await target.growth(asyncio.gather(*(send(connection, HEALTH * 40_000) for connection in held)))


@attack("one header, header name, trailer of 64 MiB", most=8, unit="MiB of it accepted")
async def one_long_head(target: Target) -> float:
    """Send heads without an end. The buffers of both ends count as accepted."""
    most = 0
    for head in HEADS.values():
        with await connect(target) as connection:
            most = max(most, await send(connection, head + b"y" * (64 * MIB)))
    return most / MIB


@attack(
    "2,000 idle connections, half to each port",
    most=95,
    unit="% of its descriptors",
    descriptors=(256, 1024),
)
async def idle_connections(target: Target) -> float:
    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(await connect(target))
            host, _, port = target.grpc.rpartition(":")
            stack.enter_context(socket.create_connection((host, int(port))))
        await asyncio.sleep(2)
        return 100 * target.service.descriptors() / target.service.descriptor_limit()


@attack("1,000 calls cancelled, connections reset, requests half sent", most=0, unit="lines on stderr")
async def abrupt_disconnects(target: Target) -> float:
    async with grpc.aio.insecure_channel(target.grpc) as channel:
        api = Api(channel)
        sitting = await create(api, OPEN, OPEN)
        for _ in range(100):
            calls = [api.stub.GetReplay(pb.GetReplayRequest(name=sitting.name)) for _ in range(4)]
            streams = [api.stub.Observe(pb.ObserveRequest(name=sitting.name)) for _ in range(2)]
            await asyncio.sleep(0.001)
            for call in (*calls, *streams):
                call.cancel()
            await reset(target, LARGE * 16, UNFINISHED + b"2\r\n{", HEALTH[:20])
            await reset(target, f"GET /v1/{sitting.name}:observe HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    await asyncio.sleep(1)
    return len(target.service.errors.read_text().splitlines())


async def reset(target: Target, *requests: bytes) -> None:
    """Send each request on a new connection and reset the connection, sometimes before the response."""
    for number, request in enumerate(requests):
        with await connect(target) as connection:
            await send(connection, request)
            await asyncio.sleep(0.002 * number)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
