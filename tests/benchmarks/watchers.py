"""The load of section ``observe``: a process that plays one game at a time and reads all its streams."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from typing import Any

import grpc
import msgspec
import uvloop
from msgspec import Struct

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_games.catalogue import all_games

from .callers import GAME, Seated, ServiceCaller, WrongAnswer, seat
from .http2 import Reader
from .load import SERVICE_METHOD, AioCall
from .processes import cpu_seconds, end_with_parent, resident_bytes
from .recorded import record

OBSERVE = "/skerry.v1.SkerryService/Observe"
CONNECTIONS = 10
_PATIENCE = 20.0
_SETTLED = 0.5
"""Seconds after which new streams are idle."""


class Plan(Struct, frozen=True):
    """The load to generate."""

    address: str
    pid: int
    """Process id of the server."""
    streams: int
    """0: open idle connections instead."""
    seconds: float
    """0: only open the streams or connections and measure the memory of each."""
    connections: int = CONNECTIONS


class Result(Struct, frozen=True):
    """The measurements. Times in seconds, from sending a move."""

    per_second: float
    last_p50: float
    """Time until the last stream has received a move; median over the moves."""
    last_p99: float
    cpu_per_message: float
    client_cpu_per_message: float
    message_bytes: float
    bytes_per_stream: float


class Audience:
    """The streams of one session. All must receive the same messages, each once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._readers: list[Reader] = []
        self._awaited = 0
        self._message = b""
        self._all_received = asyncio.Event()
        self.ended = 0

    async def open(self, name: str) -> None:
        """Open the streams, and wait until each has received its first message."""
        self._expect()
        await self.connect()
        request = pb.ObserveRequest(name=name).SerializeToString()
        for number in range(self._plan.streams):
            self._readers[number % self._plan.connections].open(self._plan.address, OBSERVE, request)
        await self.received()

    async def connect(self) -> None:
        """Open the connections without any stream."""
        host, _, port = self._plan.address.rpartition(":")
        for _ in range(self._plan.connections):
            _, reader = await asyncio.get_running_loop().create_connection(self._reader, host, int(port))
            self._readers.append(reader)

    def _reader(self) -> Reader:
        return Reader(self._on_message, self._on_end)

    async def received(self) -> pb.ObserveResponse:
        """Wait until every stream has received a message; return it. Raises StreamEnded, TimeoutError."""
        finished: asyncio.Future[Any] = asyncio.ensure_future(self._all_received.wait())
        waiting = {finished, *(reader.broken for reader in self._readers)}
        done, _ = await asyncio.wait(waiting, timeout=_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if finished not in done:
            finished.cancel()
            for broken in done:
                broken.result()
            raise TimeoutError(f"{self._awaited} streams received nothing")
        message = pb.ObserveResponse.FromString(self._message)
        self._expect()
        return message

    def close(self) -> None:
        for reader in self._readers:
            reader.close()
            reader.broken.cancel()

    def _expect(self) -> None:
        self._awaited, self._message = self._plan.streams, b""
        self._all_received.clear()

    def _on_message(self, message: bytes) -> None:
        if message != self._message:
            if not pb.ObserveResponse.FromString(message).HasField("position"):
                return  # a heartbeat
            if self._message:
                raise WrongAnswer("two streams received different messages")
            self._message = message
        self._awaited -= 1
        if not self._awaited:
            self._all_received.set()

    def _on_end(self) -> None:
        self.ended += 1


class _Tally:
    """Totals over the games."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lasts: list[float] = []
        self.sizes = 0
        self.wall = self.cpu = self.client_cpu = 0.0
        self.bytes_per_stream: float | None = None

    def result(self) -> Result:
        lasts, messages = sorted(self.lasts), len(self.lasts) * self.plan.streams
        return Result(
            per_second=messages / self.wall,
            last_p50=lasts[len(lasts) // 2],
            last_p99=lasts[len(lasts) * 99 // 100],
            cpu_per_message=self.cpu / messages,
            client_cpu_per_message=self.client_cpu / messages,
            message_bytes=self.sizes / len(lasts),
            bytes_per_stream=self.bytes_per_stream or 0.0,
        )


async def _opened(plan: Plan) -> float:
    """Open streams of any session, or connections; return the memory of an idle one, in bytes."""
    audience, held = Audience(plan), resident_bytes(plan.pid)
    await (audience.open("sessions/any") if plan.streams else audience.connect())
    await asyncio.sleep(_SETTLED)
    taken = (resident_bytes(plan.pid) - held) / (plan.streams or plan.connections)
    audience.close()
    return taken


async def _watch(plan: Plan) -> Result:
    game = all_games()[GAME]
    tally = _Tally(plan)
    async with grpc.aio.insecure_channel(plan.address) as channel:
        stub = service_pb2_grpc.SkerryServiceStub(channel)
        number = 0
        while tally.wall < plan.seconds:
            session = await seat(stub, await record(game, game.seats[number % len(game.seats)], number))
            await _watch_game(channel, session, tally)
            number += 1
    return tally.result()


async def _watch_game(channel: grpc.aio.Channel, session: Seated, tally: _Tally) -> None:
    plan, audience = tally.plan, Audience(tally.plan)
    held = resident_bytes(plan.pid)
    await audience.open(pb.ActRequest.FromString(session.name).name)
    await asyncio.sleep(_SETTLED)
    if tally.bytes_per_stream is None:  # later games reuse memory of the first one's streams
        tally.bytes_per_stream = (resident_bytes(plan.pid) - held) / plan.streams
    used, client_used, began = cpu_seconds(plan.pid), time.process_time(), time.perf_counter()
    caller = ServiceCaller([session])
    act: AioCall = channel.unary_unary(SERVICE_METHOD)
    for step in session.steps:
        sent = time.perf_counter()
        request, metadata = caller.request()
        caller.accept(await act(request, metadata=metadata))
        message = await audience.received()
        tally.lasts.append(time.perf_counter() - sent)
        tally.sizes += message.ByteSize()
        if message.sequence != step.sequence:
            raise WrongAnswer(message)
        if tally.wall + time.perf_counter() - began > plan.seconds:
            break
    tally.wall += time.perf_counter() - began
    tally.cpu += cpu_seconds(plan.pid) - used
    tally.client_cpu += time.process_time() - client_used
    audience.close()


def main(arguments: Sequence[str]) -> None:
    """Run the plan (JSON); print the result (JSON)."""
    end_with_parent()
    plan = msgspec.json.decode(arguments[0], type=Plan)
    print(msgspec.json.encode(uvloop.run(_watch(plan) if plan.seconds else _opened(plan))).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
