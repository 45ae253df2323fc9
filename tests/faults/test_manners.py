"""What clients do every day leaves no line in the service's log, and is answered where somebody may still listen."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from skerry.v1 import service_pb2 as pb

from .driver import Api, new_table
from .processes import Service, held

pytestmark = pytest.mark.deep

LARGE = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n"
HEAD = b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n"


@pytest.fixture
async def service(folder: Path) -> AsyncIterator[Service]:
    """A server with both fronts."""
    server = Service(folder, "--http", "127.0.0.1:0")
    try:
        await server.start()
        yield server
    finally:
        await server.close()


async def connect(service: Service, request: bytes) -> socket.socket:
    """Send a request on a connection that can hold little of the answer."""
    host, _, port = service.http.removeprefix("http://").rpartition(":")
    one, loop = socket.socket(), asyncio.get_running_loop()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.setblocking(False)
    await loop.sock_connect(one, (host, int(port)))
    await loop.sock_sendall(one, request)
    return one


async def reset(one: socket.socket) -> None:
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()


async def rest_of(one: socket.socket) -> bytes:
    """Return all that is still sent until the connection ends."""
    found, loop = b"", asyncio.get_running_loop()
    async with asyncio.timeout(30):
        while part := await loop.sock_recv(one, 65536):
            found += part
    return found


async def answers(service: Service) -> None:
    """Return when the service has dealt with what came before."""
    with await connect(service, b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n") as one:
        assert b"alive" in await rest_of(one)


@pytest.mark.parametrize("request_", [LARGE, LARGE * 16, HEAD + b"{", HEAD[:30]], ids=len)
async def test_a_connection_that_is_reset_leaves_no_line(service: Service, request_: bytes) -> None:
    for _ in range(10):
        one = await connect(service, request_)
        await asyncio.sleep(0.05)
        await reset(one)
    await answers(service)
    assert await service.terminate() == 0
    assert service.errors.read_text() == ""


async def test_a_call_that_is_cancelled_leaves_no_line(service: Service, client: Api) -> None:
    """The store is held up, so that each of them is under way."""
    table = await new_table(client, seed=41)
    stub = client.stub
    with held(await service.store_pid()):
        unary: list[Any] = [
            stub.GetSession(pb.GetSessionRequest(name=table.name)),
            stub.GetReplay(pb.GetReplayRequest(name=table.name)),
            stub.LeaveSession(
                pb.LeaveSessionRequest(name=table.name), metadata=(("authorization", f"Bearer {table.tokens[0]}"),)
            ),
        ]
        streams = [stub.Observe(pb.ObserveRequest(name=table.name)) for _ in range(3)]
        over_http = [await connect(service, f"GET /v1/{table.name} HTTP/1.1\r\nhost: x\r\n\r\n".encode())]
        await asyncio.sleep(0.3)
        for call in (*unary, *streams):
            call.cancel()
        for one in over_http:
            await reset(one)
        await asyncio.sleep(0.3)
    stream = stub.Observe(pb.ObserveRequest(name=table.name))
    await stream.read()
    stream.cancel()
    await answers(service)
    assert await service.terminate() == 0
    assert service.errors.read_text() == ""


@pytest.mark.parametrize("sent", [HEAD[:30], HEAD, HEAD + b"{"], ids=["half a head", "a head", "half a body"])
async def test_a_request_that_is_half_sent_when_the_server_stops_gets_an_error(service: Service, sent: bytes) -> None:
    with await connect(service, sent) as one:
        await answers(service)
        stopping = asyncio.create_task(service.terminate())
        head, _, body = (await rest_of(one)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 1" in head
        assert json.loads(body)["error"]["details"][0]["reason"] == "SHUTTING_DOWN"
        assert await stopping == 0
    assert service.errors.read_text() == ""


async def test_a_client_that_does_not_read_does_not_keep_the_server_from_stopping(service: Service) -> None:
    with await connect(service, LARGE * 8):
        await answers(service)
        assert await service.terminate() == 0
    assert service.errors.read_text() == ""


async def test_a_client_that_reads_half_of_its_answer_and_goes_leaves_no_line(service: Service) -> None:
    with await connect(service, LARGE) as one:
        assert await asyncio.get_running_loop().sock_recv(one, 100)
    await answers(service)
    assert await service.terminate() == 0
    assert service.errors.read_text() == ""
