"""Ten thousand tickets wait at three replicas, of which the matcher is killed. Then each of them finds an opponent."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from urllib.request import urlopen
from uuid import uuid4

import grpc

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_service.sessions.match_port import LEASE_MS
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from tests.store.replicated import free_ports

from .processes import exact_cpu_seconds, resident_bytes, server
from .report import Row, Target
from .store_commands import counted_commands

_REPLICAS = 3
_STREAMS_PER_CHANNEL = 400
"""Fewer than a connection can have."""
_AT_ONCE = 300
"""Streams that are opened at the same time."""
_COUNTED = 400
"""Opponents who come at once, and of whom the store commands are counted."""
_IDLE_SECONDS = 10.0
_PATIENCE = 600.0
_AGAIN_SECONDS = 0.5
_LOOK_SECONDS = 0.1
_TAKEN_OVER = Target(LEASE_MS / 1000 + 4)
_UNLIMITED = {f"SKERRY_LIMIT_{name}": "100000" for name in ("STREAMS_ADDRESS", "STREAMS_SERVER", "TICKETS_ADDRESS")}


@dataclass(frozen=True)
class Replica:
    """A process that serves."""

    address: str
    pid: int
    metrics: str

    def sample(self, name: str) -> float:
        """Return a metric of Kreta; 0 if the process is gone or has none."""
        try:
            with urlopen(self.metrics, timeout=5) as answer:
                text = answer.read().decode()
        except OSError:
            return 0.0
        found = re.search(rf'^{name}{{game="kreta"}} (\S+)$', text, re.MULTILINE)
        return float(found[1]) if found else 0.0


class Crowd:
    """Players who look for a seat, at another replica whenever theirs is gone, until they have one."""

    def __init__(self, stubs: Sequence[Sequence[service_pb2_grpc.SkerryServiceAsyncStub]]) -> None:
        """``stubs``: for each replica, one for each connection."""
        self._stubs = stubs
        self._opening = asyncio.Semaphore(_AT_ONCE)
        self.seats: list[tuple[str, int]] = []
        """The sessions and seats that were found."""

    async def seat(self, number: int, name: str) -> None:
        """Look for a seat at a table for two."""
        request = pb.FindMatchRequest(game="kreta", display_name=name, seats=[2], request_id=str(uuid4()))
        attempt = number
        while True:
            stubs = self._stubs[attempt % _REPLICAS]
            stub = stubs[number // _REPLICAS % len(stubs)]
            with suppress(grpc.aio.AioRpcError):
                if (found := await self._look(stub, request)) is not None:
                    self.seats.append((found.session.name, found.seat))
                    return
            attempt += 1
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _look(
        self, stub: service_pb2_grpc.SkerryServiceAsyncStub, request: pb.FindMatchRequest
    ) -> pb.FindMatchResponse | None:
        async with self._opening:
            messages = aiter(stub.FindMatch(request))
            message = await anext(messages)
        while not message.HasField("seat"):
            if message.HasField("proposal") and not message.heartbeat:
                await stub.ConfirmMatch(pb.ConfirmMatchRequest(ticket=message.ticket, proposal=message.proposal.id))
            message = await anext(messages)
        return message


def run(redis: EmbeddedServer, number: int) -> Iterator[Row]:
    """Measure with so many tickets."""
    with ExitStack() as stack:
        replicas = [stack.enter_context(_replica(redis, port)) for port in free_ports(_REPLICAS)]
        yield from asyncio.run(_measure(redis, replicas, number))


@contextmanager
def _replica(redis: EmbeddedServer, metrics_port: int) -> Iterator[Replica]:
    metrics = f"127.0.0.1:{metrics_port}"
    environment = {"REDIS_URL": redis.url, "SKERRY_PORT": "0", "SKERRY_METRICS": metrics, **_UNLIMITED}
    with server("service_server", environment=environment) as (address, pid):
        yield Replica(address.split()[0], pid, f"http://{metrics}/metrics")


async def _measure(redis: EmbeddedServer, replicas: Sequence[Replica], number: int) -> Sequence[Row]:
    async with AsyncExitStack() as stack:
        crowd = Crowd([await _stubs(stack, replica, number) for replica in replicas])
        waiting = [asyncio.create_task(crowd.seat(0, "Ada"))]
        await _until(lambda: replicas[0].sample("skerry_match_tickets") == 1)
        opened = await _timed(lambda: _fill(crowd, waiting, replicas, number))
        idle = await _idle(redis, replicas)
        beside = await _timed(lambda: crowd.seat(1, "Bob"))
        os.kill(replicas[0].pid, signal.SIGKILL)
        rest = replicas[1:]
        leased, after = await asyncio.gather(
            _timed(lambda: _until(lambda: _tickets(rest) >= number - 2)), _timed(lambda: crowd.seat(1, "Bob"))
        )
        memory = max(resident_bytes(replica.pid) for replica in rest) / 2**20
        used, busy = [exact_cpu_seconds(replica.pid) for replica in rest], time.process_time()
        with counted_commands(redis) as sent:  # of some only, because it fills the store's memory
            seated = await _timed(lambda: _opponents(crowd, _COUNTED))
            commands = sent()
        seated += await _timed(lambda: _opponents(crowd, number - 2 - _COUNTED))
        await asyncio.wait(waiting, timeout=_PATIENCE)
        used = [exact_cpu_seconds(replica.pid) - before for replica, before in zip(rest, used, strict=True)]
        lost = 2 * number - len(set(crowd.seats)) + sum(n != 2 for n in Counter(one for one, _ in crowd.seats).values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    what = f"{number:,} tickets wait at three replicas"
    killed, then = "the matcher is killed", f"then {number:,} opponents come"
    players = 2 * (number - 2)
    busy = time.process_time() - busy
    return [
        Row("matching", f"{what}: all wait after", opened, "s"),
        *(Row("matching", f"{what}: {name}", figure, unit) for name, figure, unit in idle),
        Row("matching", f"{what}: an opponent for one is seated after", beside, "s"),
        Row("matching", f"{killed}: all wait again after", leased, "s"),
        Row("matching", f"{killed}: an opponent for one is seated after", after, "s", _TAKEN_OVER),
        Row("matching", f"{killed}: memory of a replica", memory, "MiB"),
        Row("matching", f"{then}: all are seated after", seated, "s"),
        Row("matching", f"{then}: CPU of both servers", 1000 * sum(used) / players, "ms a player"),
        Row("matching", f"{then}: CPU of the clients", 1000 * busy / players, "ms a player"),
        Row("matching", f"{then}: store commands", commands / (2 * _COUNTED), "a player", Target(8)),
        Row("matching", f"{then}: players without a seat of their own", lost, "players", Target(0)),
    ]


async def _stubs(
    stack: AsyncExitStack, replica: Replica, number: int
) -> Sequence[service_pb2_grpc.SkerryServiceAsyncStub]:
    """Open the connections to a replica: enough for all tickets."""
    channels = [
        await stack.enter_async_context(grpc.aio.insecure_channel(replica.address, [("bench.channel", at)]))
        for at in range(1 + 2 * number // _STREAMS_PER_CHANNEL)
    ]
    return [service_pb2_grpc.SkerryServiceStub(channel) for channel in channels]


def _tickets(replicas: Sequence[Replica]) -> float:
    return sum(replica.sample("skerry_match_tickets") for replica in replicas)


async def _fill(crowd: Crowd, waiting: list[asyncio.Task[None]], replicas: Sequence[Replica], number: int) -> None:
    """Let tickets of one name arrive, which do not fit each other."""
    waiting += [asyncio.create_task(crowd.seat(player, "Ada")) for player in range(1, number)]
    await _until(lambda: _tickets(replicas) == number)


async def _opponents(crowd: Crowd, number: int) -> None:
    """Let opponents come to the replicas that are left: each when another one has got a seat."""
    coming = iter(range(number))

    async def come() -> None:
        for player in coming:
            await crowd.seat(1 + player % 2 + _REPLICAS * player, "Bob")

    await asyncio.gather(*(come() for _ in range(_COUNTED)))


async def _idle(redis: EmbeddedServer, replicas: Sequence[Replica]) -> Sequence[tuple[str, float, str]]:
    """Return what it costs that all wait. The first replica is the matcher."""
    names = ("skerry_match_round_seconds_count", "skerry_match_round_seconds_sum")
    before, used = [replicas[0].sample(name) for name in names], [exact_cpu_seconds(one.pid) for one in replicas]
    with counted_commands(redis) as sent:
        began = time.perf_counter()
        await asyncio.sleep(_IDLE_SECONDS)
        passed, commands = time.perf_counter() - began, sent()
    rounds, seconds = (replicas[0].sample(name) - then for name, then in zip(names, before, strict=True))
    used = [exact_cpu_seconds(one.pid) - then for one, then in zip(replicas, used, strict=True)]
    return [
        ("CPU of the matcher", 100 * used[0] / passed, "% of a core"),
        ("CPU of another replica", 100 * max(used[1:]) / passed, "% of a core"),
        ("rounds", rounds / passed, "a second"),
        ("duration of a round", 1e3 * seconds / max(rounds, 1), "ms"),
        ("store commands", commands / passed, "a second"),
    ]


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(_PATIENCE):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110 - no process notifies this one
            await asyncio.sleep(_LOOK_SECONDS)


async def _timed(do: Callable[[], Awaitable[None]]) -> float:
    began = time.perf_counter()
    async with asyncio.timeout(_PATIENCE):
        await do()
    return time.perf_counter() - began
