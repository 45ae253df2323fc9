"""Attacks by the frames and headers of HTTP/2, on both ports."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

from skerry.v1 import service_pb2 as pb
from tests.attacks.target import Target, attack
from tests.http2.raw_client import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PING,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    RawClient,
    field,
    frame,
    odd,
    raw_client,
    request,
)

LIST_GAMES, PLAY = (f"/skerry.v1.SkerryService/{rpc}".encode() for rpc in ("ListGames", "Play"))
_CONNECTIONS = 20
_WINDOW = struct.pack(">I", 1)
_FLOODS = (
    frame(PING, 0, 0, bytes(8)) * 20_000,
    frame(SETTINGS, 0, 0) * 20_000,
    frame(WINDOW_UPDATE, 0, 0, _WINDOW) * 20_000,
    frame(HEADERS, 0, 1, request(PLAY)) + frame(CONTINUATION, 0, 1) * 20_000,
    frame(HEADERS, END_HEADERS, 1, request(PLAY)) + frame(DATA, 0, 1) * 20_000,
)


def both_ports(target: Target) -> tuple[str, str]:
    """Return the addresses of both public ports."""
    return target.grpc, "{}:{}".format(*target.http)


async def from_many(
    target: Target, send: Callable[[RawClient], None], connections: int = _CONNECTIONS, seconds: float = 2
) -> None:
    """Send on many connections at once, to either port, and wait with all of them open."""
    async with AsyncExitStack() as stack:
        for number in range(connections):
            client = await stack.enter_async_context(raw_client(both_ports(target)[number % 2], tls=target.tls))
            send(client)
        await asyncio.sleep(seconds)


def bomb(reference: bytes) -> Callable[[RawClient], None]:
    """Return a function that sends 60 header blocks of 4,000 references to one field."""
    kept = field(b"x-bomb", b"y" * 3900, indexed=True)

    def send(client: RawClient) -> None:
        for stream in odd(60):
            block = request(LIST_GAMES, (kept if stream == 1 else b"") + reference * 4_000)
            client.send(frame(HEADERS, END_HEADERS, stream, block))

    return send


@attack("20 HTTP/2 connections of references to a header of 3.9 KB", most=16, unit="MiB more memory")
async def dynamic_references(target: Target) -> float:
    return await target.growth(from_many(target, bomb(b"\xbe")))


@attack("20 HTTP/2 connections of references to a static header", most=16, unit="MiB more memory")
async def static_references(target: Target) -> float:
    return await target.growth(from_many(target, bomb(b"\x8f")))


@attack("the first of these over TLS", most=48, unit="MiB more memory", tls=True)
async def references_over_tls(target: Target) -> float:
    return await target.growth(from_many(target, bomb(b"\xbe")))


@attack("10 HTTP/2 connections of 400 streams with large headers", most=48, unit="MiB more memory")
async def held_headers(target: Target) -> float:
    return await target.growth(from_many(target, large_headers, 10))


def large_headers(client: RawClient) -> None:
    """Begin 400 calls with 7 KB of headers, and end none."""
    for stream in odd(400):
        client.send(frame(HEADERS, END_HEADERS, stream, request(LIST_GAMES, field(b"x", b"y" * 7_000))))


async def all_floods(target: Target) -> float:
    """Send one flood after the other, each on four connections; return the growth of the service's memory."""

    async def flood() -> None:
        for data in _FLOODS:
            await from_many(target, lambda client, data=data: client.send(data), 4)  # type: ignore[misc]

    return await target.growth(flood())


@attack("floods of pings, settings, window updates, continuations, empty frames", most=16, unit="MiB more memory")
async def frame_floods(target: Target) -> float:
    return await all_floods(target)


@attack("these floods over TLS", most=32, unit="MiB more memory", tls=True)
async def frame_floods_over_tls(target: Target) -> float:
    return await all_floods(target)


@attack("40,000 calls reset before and after their request is whole", most=32, unit="MiB more memory")
async def rapid_resets(target: Target) -> float:
    def send(client: RawClient) -> None:
        for stream in odd(10_000):
            ended = END_STREAM if stream % 4 == 1 else 0
            begun = frame(HEADERS, END_HEADERS | ended, stream, request(LIST_GAMES))
            client.send(begun, frame(RST_STREAM, 0, stream, struct.pack(">I", 8)))

    return await target.growth(from_many(target, send, 4))


@attack("8 connections with 1,000 calls each, whose windows stay shut", most=64, unit="MiB more memory")
async def shut_windows(target: Target) -> float:
    return await target.growth(never_open(target, 8))


async def never_open(target: Target, connections: int) -> None:
    """Make 1,000 calls on each connection, whose responses the windows hold back."""
    async with AsyncExitStack() as stack:
        for number in range(connections):
            client = await stack.enter_async_context(raw_client(both_ports(target)[number % 2], window=0))
            for stream in odd(1000):
                client.call(stream, LIST_GAMES, pb.ListGamesRequest().SerializeToString())
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    while True:
                        await client.next()


@attack("references, large headers and shut windows, five times", most=16, unit="MiB more memory for good")
async def memory_after_bombs(target: Target) -> float:
    async def bombs() -> None:
        await from_many(target, bomb(b"\xbe"), seconds=0.5)
        await from_many(target, large_headers, seconds=0.5)
        await never_open(target, 2)

    return await target.growth_by_rounds(bombs)
