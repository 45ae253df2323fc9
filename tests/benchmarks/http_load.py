"""The load of section ``rest``: a process that plays recorded games over HTTP, or spectates one on many streams."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from itertools import chain, islice

import grpc
import msgspec
import uvloop
from google.protobuf.json_format import MessageToJson
from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_games.catalogue import all_games

from .callers import GAME, RECORDINGS, Seated, WrongAnswer, seat
from .http1 import Connection, Stream
from .processes import cpu_seconds, end_with_parent, resident_bytes
from .recorded import record

WARM_UP = 0.5
_MOST_PER_SECOND = 12_000
_SETTLED = 0.5


class Plan(Struct, frozen=True):
    """The load to generate."""

    grpc: str
    """Address for creating the sessions."""
    http: str
    pid: int
    seconds: float
    callers: int
    streams: int
    """If more than 0: spectate on this many streams instead."""
    reads: bool = False
    """Whether to read positions in the middle of games instead."""
    connect: bool = False
    """Whether to move over Connect with protobuf, instead of REST with JSON."""


class Result(Struct, frozen=True):
    """The measurements. ``cpu``: the server's processor time per move or message, in seconds."""

    per_second: float
    cpu: float
    bytes_per_stream: float = 0.0


def _requests(session: Seated) -> Iterator[tuple[bytes, int]]:
    """Yield the request of each move of a game, and the sequence that its response must report."""
    name = pb.ActRequest.FromString(session.name).name
    for step in session.steps:
        body = MessageToJson(pb.ActRequest.FromString(step.request), indent=None).encode()
        ((_, authorization),) = session.authorizations[step.seat]
        head = f"POST /v1/{name}:act HTTP/1.1\r\nhost: bench\r\nauthorization: {authorization}\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        yield head.encode() + body, step.sequence


def _connect_requests(session: Seated) -> Iterator[tuple[bytes, int]]:
    """Yield the same requests over Connect."""
    for step in session.steps:
        ((_, authorization),) = session.authorizations[step.seat]
        body = pb.ActRequest.FromString(session.name + step.request).SerializeToString()
        head = f"POST /skerry.v1.SkerryService/Act HTTP/1.1\r\nhost: bench\r\nauthorization: {authorization}\r\n"
        head += f"content-type: application/proto\r\ncontent-length: {len(body)}\r\n\r\n"
        yield head.encode() + body, step.sequence


async def _seat_all(plan: Plan, moves_each: int) -> list[list[tuple[bytes, int]]]:
    """Return the requests of each caller, for at least ``moves_each`` moves."""
    game = all_games()[GAME]
    recordings = [await record(game, game.seats[number % len(game.seats)], number) for number in range(RECORDINGS)]
    async with grpc.aio.insecure_channel(plan.grpc) as channel:
        stub = service_pb2_grpc.SkerryServiceStub(channel)
        shares = []
        for caller in range(plan.callers):
            share: list[tuple[bytes, int]] = []
            while len(share) < moves_each:
                recording = recordings[(caller + len(share)) % RECORDINGS]
                share += (_connect_requests if plan.connect else _requests)(await seat(stub, recording))
            shares.append(share)
    return shares


async def _connections(plan: Plan) -> list[Connection]:
    host, _, port = plan.http.rpartition(":")
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(Connection, host, int(port)))[1] for _ in range(plan.callers)]


async def _measured(plan: Plan, go_on: Callable[[int, float], Coroutine[None, None, int]]) -> Result:
    """Run ``go_on`` for each caller, with its number and an end time; it returns the number of calls made."""

    async def all_go_on(seconds: float) -> int:
        until = time.perf_counter() + seconds
        return sum(await asyncio.gather(*(go_on(number, until) for number in range(plan.callers))))

    await all_go_on(WARM_UP)
    used, began = cpu_seconds(plan.pid), time.perf_counter()
    done = await all_go_on(plan.seconds)
    return Result(done / (time.perf_counter() - began), (cpu_seconds(plan.pid) - used) / done)


async def _read(plan: Plan) -> Result:
    """Read sessions repeatedly, each from a seat in the middle of its game."""
    connections = await _connections(plan)
    requests = []
    async with grpc.aio.insecure_channel(plan.grpc) as channel:
        stub = service_pb2_grpc.SkerryServiceStub(channel)
        for number, connection in enumerate(connections):
            game = all_games()[GAME]
            session = await seat(stub, await record(game, game.seats[number % len(game.seats)], number % RECORDINGS))
            for move, _ in islice(_requests(session), len(session.steps) // 2):
                await connection.ask(move)
            name = pb.ActRequest.FromString(session.name).name
            ((_, authorization),) = session.authorizations[0]
            requests.append(
                f"GET /v1/{name} HTTP/1.1\r\nhost: bench\r\nauthorization: {authorization}\r\n\r\n".encode()
            )

    async def go_on(number: int, until: float) -> int:
        made = 0
        while time.perf_counter() < until:
            answer = await connections[number].ask(requests[number])
            if b'"position":{' not in answer:
                raise WrongAnswer(answer)
            made += 1
        return made

    return await _measured(plan, go_on)


async def _act(plan: Plan) -> Result:
    shares = await _seat_all(plan, round((plan.seconds + WARM_UP) * _MOST_PER_SECOND / plan.callers))
    moves = [deque(share) for share in shares]
    connections = await _connections(plan)

    async def go_on(number: int, until: float) -> int:
        made = 0
        while time.perf_counter() < until:
            request, sequence = moves[number].popleft()
            answer = await connections[number].ask(request)
            mark = (
                pb.ActResponse(sequence=sequence).SerializeToString() if plan.connect else b'"sequence":"%d"' % sequence
            )
            if mark not in answer:
                raise WrongAnswer(answer)
            made += 1
        return made

    return await _measured(plan, go_on)


async def _observe(plan: Plan) -> Result:
    game = all_games()[GAME]
    async with grpc.aio.insecure_channel(plan.grpc) as channel:
        session = await seat(service_pb2_grpc.SkerryServiceStub(channel), await record(game, game.seats[0], 1))
    all_received, awaited = asyncio.Event(), plan.streams

    def on_events(count: int) -> None:
        nonlocal awaited
        awaited -= count
        if awaited <= 0:
            all_received.set()

    name = pb.ActRequest.FromString(session.name).name
    request = f"GET /v1/{name}:observe HTTP/1.1\r\nhost: bench\r\n\r\n".encode()
    host, _, port = plan.http.rpartition(":")
    loop, held = asyncio.get_running_loop(), resident_bytes(plan.pid)
    streams = [
        (await loop.create_connection(lambda: Stream(request, on_events), host, int(port)))[1]
        for _ in range(plan.streams)
    ]
    await all_received.wait()
    await asyncio.sleep(_SETTLED)
    growth = (resident_bytes(plan.pid) - held) / plan.streams
    _, player = await loop.create_connection(Connection, host, int(port))
    used, began, moves = cpu_seconds(plan.pid), time.perf_counter(), 0
    for move, _ in chain(_requests(session)):
        awaited += plan.streams
        all_received.clear()
        await player.ask(move)
        await all_received.wait()
        moves += 1
        if time.perf_counter() - began > plan.seconds:
            break
    messages = moves * plan.streams
    wall, cpu = time.perf_counter() - began, cpu_seconds(plan.pid) - used
    for stream in streams:
        stream.close()
    return Result(messages / wall, cpu / messages, growth)


def main(arguments: Sequence[str]) -> None:
    """Run the plan (JSON); print the result (JSON)."""
    end_with_parent()
    plan = msgspec.json.decode(arguments[0], type=Plan)
    result = uvloop.run(_observe(plan) if plan.streams else _read(plan) if plan.reads else _act(plan))
    print(msgspec.json.encode(result).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
