"""Attacks by connections that occupy the service and ask for little: silent, idle and slow ones, on both ports."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from tests.attacks.target import MIB, Target, attack

ATTACKER, NEWCOMER = "127.0.0.2", "127.0.0.99"
NINE_ADDRESSES = [f"127.0.0.{number}" for number in range(2, 11)]
SILENT = 4096
"""As many as a port accepts."""
NEWCOMERS = 10
"""Connections of another address, one after the other, during the attack."""
HEALTH = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
SLOW_HEAD = b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: "
SLOW_BODY = b"POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n"
HTTP2_BEGINNING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5)
"""The first bytes of a client of HTTP/2: the preface and empty settings."""
CLIENT_HELLO = b"\x16\x03\x01\x02\x00\x01"
"""The first bytes of a TLS handshake."""
SLOW_SECONDS = 13.0
"""How long slow clients send. The service waits ten seconds for a request, and for a handshake."""
_FEW_DESCRIPTORS = (256, 1024)
"""Room for 448 connections on each port: handshakes for thousands would take the attacker longer than an attack may."""

Port = tuple[str, int]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def silent(host: str, port: Port, count: int, begin: bytes) -> AsyncIterator[Sequence[socket.socket]]:
    """Hold TCP connections from an address of this machine, which send no more than ``begin``."""
    loop = asyncio.get_running_loop()
    held: list[socket.socket] = []
    try:
        for _ in range(count):
            held.append(socket.socket())
            held[-1].setblocking(False)
            held[-1].bind((host, 0))
            await loop.sock_connect(held[-1], port)
            await loop.sock_sendall(held[-1], begin)
        yield held
    finally:
        for connection in held:
            connection.close()


@asynccontextmanager
async def connection(host: str, port: Port, tls: ssl.SSLContext | None) -> AsyncIterator[Streams]:
    """Hold a connection from an address of this machine, with its TLS handshake if there is one."""
    reader, writer = await asyncio.open_connection(*port, ssl=tls, local_addr=(host, 0))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def is_answered(streams: Streams) -> bool:
    """Make a request; return whether it is answered."""
    reader, writer = streams
    writer.write(HEALTH)
    return b" 200 " in await reader.readline()


async def unanswered(target: Target, port: Port) -> int:
    """Return how many newcomers get no response within two seconds each."""
    answered = 0
    for _ in range(NEWCOMERS):
        with suppress(ConnectionError, TimeoutError, ssl.SSLError):
            async with asyncio.timeout(2), connection(NEWCOMER, port, target.tls) as streams:
                answered += await is_answered(streams)
    return NEWCOMERS - answered


async def _silence(target: Target, begin: bytes = b"") -> float:
    failed = 0
    for port in target.ports:
        async with silent(ATTACKER, port, SILENT, begin):
            failed += await unanswered(target, port)
    return failed


@attack("4,096 silent connections of one address, each port", most=0, unit="newcomers unanswered")
async def silence(target: Target) -> float:
    return await _silence(target)


@attack("4,096 HTTP/2 connections without calls, each port", most=0, unit="newcomers unanswered")
async def idle_http2(target: Target) -> float:
    return await _silence(target, HTTP2_BEGINNING)


@attack("4,096 TLS handshakes not begun, each port", most=0, unit="newcomers unanswered", tls=True)
async def silence_under_tls(target: Target) -> float:
    return await _silence(target)


@attack("the same, closed again", most=32, unit="MiB more memory afterwards")
async def memory_after_silence(target: Target) -> float:
    before = target.service.resident()
    await _silence(target)
    await asyncio.sleep(2)
    return (target.service.resident() - before) / MIB


async def _idle_flood(target: Target, each: int) -> float:
    """Hold used connections of nine addresses on one port after the other; count the newcomers that fail."""
    failed = 0
    for port in target.ports:
        async with AsyncExitStack() as stack:
            for _ in range(each):
                for host in NINE_ADDRESSES:
                    with suppress(ConnectionError, ssl.SSLError):
                        await is_answered(await stack.enter_async_context(connection(host, port, target.tls)))
            failed += await unanswered(target, port)
    return failed


@attack(
    "4,500 idle connections of nine addresses, each port",
    most=0,
    unit="newcomers unanswered",
    settings=("--limits-local",),
)
async def idle_flood(target: Target) -> float:
    return await _idle_flood(target, 500)


@attack(
    "540 idle TLS connections of nine addresses, room for 448, each port",
    most=0,
    unit="newcomers unanswered",
    settings=("--limits-local",),
    descriptors=_FEW_DESCRIPTORS,
    tls=True,
)
async def idle_flood_under_tls(target: Target) -> float:
    return await _idle_flood(target, 60)


async def _outlasts(port: Port, tls: ssl.SSLContext | None, begin: bytes) -> bool:
    """Send a byte every half second; return whether the service still waits for more at the end."""
    async with connection(ATTACKER, port, tls) as (reader, writer):
        writer.write(begin)
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(SLOW_SECONDS):
                while not reader.at_eof():
                    writer.write(b"x")
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(65536), 0.5)
                return False
        return not reader.at_eof() and reader.exception() is None


async def _slow(target: Target, *begins: bytes, tls: ssl.SSLContext | None) -> float:
    """Let 50 clients for each beginning and port be slow at once; count those whose connections stay open."""
    ports = [port for port in target.ports for _ in range(50)]
    return sum(await asyncio.gather(*(_outlasts(port, tls, begin) for port in ports for begin in begins)))


@attack("100 slow heads and 100 slow bodies, both ports at once", most=0, unit="waited for after 13 s")
async def slow_requests(target: Target) -> float:
    return await _slow(target, SLOW_HEAD, SLOW_BODY, tls=None)


@attack("the same over TLS", most=0, unit="waited for after 13 s", tls=True)
async def slow_requests_over_tls(target: Target) -> float:
    return await _slow(target, SLOW_HEAD, SLOW_BODY, tls=target.tls)


@attack("1,000 slow bodies, both ports, five times", most=8, unit="MiB more memory for good")
async def memory_after_slow_bodies(target: Target) -> float:
    async def slow() -> None:
        for port in target.ports:
            async with silent(ATTACKER, port, 1_000, SLOW_BODY):
                await asyncio.sleep(0.5)

    return await target.growth_by_rounds(slow)


@attack("100 TLS handshakes that stall, both ports at once", most=0, unit="waited for after 13 s", tls=True)
async def stalled_handshakes(target: Target) -> float:
    return await _slow(target, CLIENT_HELLO, tls=None)
