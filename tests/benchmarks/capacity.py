"""The unit costs of a move, a message to a spectator, an idle session and an idle replica, and a check of their sums.

``docs/explanation/capacity.md`` computes from these figures how many machines a number of players needs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from statistics import median
from time import perf_counter
from typing import Any, TypeVar

import grpc
import uvloop
from msgspec import Struct
from redis.asyncio import Redis

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_games.catalogue import all_games

from .act import CALLERS, CHANNELS
from .callers import GAME, RECORDINGS, Seated, ServiceCaller, seat
from .http2 import Reader
from .load import SERVICE_METHOD, AioCall, Plan, measure
from .machines import Cost, rows_of
from .processes import cpu_seconds, resident_bytes, server
from .recorded import record
from .redis_servers import durable
from .report import Row
from .settings import Settings
from .watchers import CONNECTIONS, OBSERVE

T = TypeVar("T")
_MICRO, _KIB = 1e6, 1024
_FEW = 200
"""Sessions of the measurements from which the needs are computed."""
_RATE = 100.0
"""Moves per second of the measurements and of the smaller check: a replica that is neither idle nor busy."""
_SPECTATORS = 10
"""Spectators of each session where messages to several are measured."""
_AT_ONCE = 32
_OPENED_AT_ONCE = 200
"""Streams. A gRPC server rejects calls as CANCELLED when more than a thousand wait to start."""
_POLL_SECONDS = 0.01
_SETTLE_SECONDS = 2.0
_PLAYERS = (10**4, 10**6, 10**8)
_CHECKS = ((1_000, 100.0), (4_000, 200.0))
"""Sessions, each with a spectator, and moves per second over all of them."""


class Deployment(Struct, frozen=True):
    """A service and its Redis, with no other users."""

    address: str
    pid: int
    redis_pid: int
    redis: Redis
    channel: grpc.aio.Channel


class Reading(Struct, frozen=True):
    """What the service and Redis have used so far."""

    at: float
    service: float
    """Processor time in seconds."""
    store: float
    scripts: int
    """Script calls: nearly all round trips to Redis."""
    commands: int
    """Includes the commands within scripts."""
    received: int
    """Bytes that Redis read from its connections."""
    written: int
    """Bytes of the append-only file."""
    used: int
    """Bytes that Redis uses for data."""
    resident: int
    """Bytes that the service holds."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure the unit costs, then check their sums at larger sizes."""
    floor = _floor(settings)
    yield _row("the floor: CPU of the server", floor["server"] * _MICRO, "µs")
    yield _row("the floor: CPU of Redis", floor["redis"] * _MICRO, "µs")
    rows, cost = _deployed(lambda deployment: _measure(deployment, settings, floor))
    yield from rows
    for players in _PLAYERS:
        yield from (_row(f"{players:,} players: {what}", figure, unit) for what, figure, unit in rows_of(players, cost))
    for sessions, rate in _CHECKS:
        size = sessions // 5 if settings.quick else sessions
        yield from _deployed(lambda deployment: _check(deployment, settings, size, rate, cost))  # noqa: B023 - called at once


def _floor(settings: Settings) -> Mapping[str, float]:
    """Return the processor time of a call to the floor, as a measure of the machine."""
    with durable() as (url, redis_pid), server("floor", url) as (address, pid):
        pids = {"server": pid, "redis": redis_pid}
        return measure(Plan(True, address, settings.seconds, CALLERS, CHANNELS, pids)).cpu


def _deployed(measuring: Callable[[Deployment], Coroutine[Any, Any, T]]) -> T:
    """Measure on a new service and a new Redis."""
    with durable() as (url, redis_pid):
        environment = {"REDIS_URL": url, "SKERRY_PORT": "0"}
        with server("service_server", environment=environment) as (address, pid):
            return uvloop.run(_opened(measuring, url, redis_pid, address, pid))


async def _opened(
    measuring: Callable[[Deployment], Coroutine[Any, Any, T]], url: str, redis_pid: int, address: str, pid: int
) -> T:
    async with Redis.from_url(url) as redis, grpc.aio.insecure_channel(address) as channel:
        return await measuring(Deployment(address, pid, redis_pid, redis, channel))


# ---------------------------------------------------------------- measuring


async def _measure(deployment: Deployment, settings: Settings, floor: Mapping[str, float]) -> tuple[list[Row], Cost]:
    await _at_full_load(deployment, await _sit_down(deployment, _FEW), settings.seconds)  # warms the service up
    await asyncio.sleep(_SETTLE_SECONDS)
    seconds = 2 * settings.seconds
    idle = await _during(deployment, asyncio.sleep(seconds))
    empty = await _read(deployment)
    tables = await _sit_down(deployment, _FEW)
    full = await _read(deployment)
    resting = await _during(deployment, asyncio.sleep(seconds))
    act, message, further, stream = await _moves(deployment, settings, idle)
    used, most = await _at_full_load(deployment, tables, settings.seconds)
    busy = _each(used, idle, most)
    session = (full.used - empty.used) / _FEW
    cost = Cost(
        idle_service=idle.service / idle.at,
        idle_store=idle.store / idle.at,
        act_service=act.service,
        act_store=act.store,
        act_store_busy=busy.store,
        message=message,
        session_store=session,
        stream=stream,
        written=busy.written,
    )
    rows = [
        *_of_act(f"Act, {_RATE:.0f} a second", act, floor),
        *_of_act("Act, at full load", busy, floor),
        _row("a message to a spectator: CPU of the service", message * _MICRO, "µs"),
        _row("a message to each further spectator of the table: CPU of the service", further * _MICRO, "µs"),
        _row("an idle stream: memory of the service", stream / _KIB, "KiB"),
        _row("a session just begun: memory of Redis", session / _KIB, "KiB"),
        _row("a session just begun: memory of the service", (full.resident - empty.resident) / _FEW / _KIB, "KiB"),
        _row("an idle session: commands", (resting.commands / resting.at - idle.commands / idle.at) / _FEW, "/s"),
        _row("an idle replica: commands", idle.commands / idle.at, "/s"),
        _row("an idle replica: CPU of the service", 100 * cost.idle_service, "% of a core"),
        _row("an idle replica: CPU of Redis", 100 * cost.idle_store, "% of a core"),
        _row("an idle replica: memory of the service", empty.resident / _KIB / _KIB, "MiB"),
    ]
    return rows, cost


async def _moves(deployment: Deployment, settings: Settings, idle: Reading) -> tuple[Reading, float, float, float]:
    """Return the cost of a move, of a message to one spectator, of one to each further spectator, and of a stream.

    Messages are in seconds, a stream in bytes. Sessions with no, one and many spectators are measured alternately.
    """
    moves = _RATE * settings.seconds
    quiet, watched, crowded = [await _sit_down(deployment, _FEW) for _ in range(3)]
    before = resident_bytes(deployment.pid)
    rounds: list[list[Reading]] = []
    async with _spectating(deployment, watched, 1), _spectating(deployment, crowded, _SPECTATORS):
        await asyncio.sleep(_SETTLE_SECONDS)
        stream = (resident_bytes(deployment.pid) - before) / ((_SPECTATORS + 1) * _FEW)
        for _ in range(settings.rounds):
            played = [_play(deployment, tables, _RATE, settings.seconds) for tables in (quiet, watched, crowded)]
            rounds.append([_each(await _during(deployment, one), idle, moves) for one in played])
    act = sorted((quiet for quiet, _, _ in rounds), key=lambda one: one.service)[len(rounds) // 2]
    message = median(one.service - none.service for none, one, _ in rounds)
    further = median((many.service - one.service) / (_SPECTATORS - 1) for _, one, many in rounds)
    return act, message, further, stream


def _of_act(what: str, act: Reading, floor: Mapping[str, float]) -> Iterator[Row]:
    for process, used, of_floor in (("the service", act.service, "server"), ("Redis", act.store, "redis")):
        ratio = used / floor[of_floor] if floor[of_floor] else None
        yield Row("capacity", f"{what}: CPU of {process}", used * _MICRO, "µs", ratio=ratio)
    yield _row(f"{what}: scripts", act.scripts, "")
    yield _row(f"{what}: commands, including those in scripts", act.commands, "")
    yield _row(f"{what}: bytes to Redis", act.received, "bytes")
    yield _row(f"{what}: bytes on disk", act.written, "bytes")


def _row(what: str, figure: float, unit: str) -> Row:
    return Row("capacity", what, figure, unit)


# ---------------------------------------------------------------- checking


async def _check(deployment: Deployment, settings: Settings, sessions: int, rate: float, cost: Cost) -> list[Row]:
    """Compare the computed costs with those measured for that many sessions, each with one spectator."""
    empty = await _read(deployment)
    tables = await _sit_down(deployment, sessions)
    held = (await _read(deployment)).used - empty.used
    async with _spectating(deployment, tables, 1):
        await asyncio.sleep(_SETTLE_SECONDS)
        found = await _during(deployment, _play(deployment, tables, rate, 2 * settings.seconds))
    pairs = {
        "CPU of the service": (cost.idle_service + rate * (cost.act_service + cost.message), found.service / found.at),
        "CPU of Redis": (cost.idle_store + rate * cost.act_store, found.store / found.at),
    }
    what = f"{sessions:,} sessions, {rate:.0f} moves/s, a spectator each"
    rows = [_compared(f"{what}: {figure}", 100 * a, 100 * b, "% of a core") for figure, (a, b) in pairs.items()]
    rows.append(_compared(f"{what}: memory of Redis", sessions * cost.session_store / _KIB**2, held / _KIB**2, "MiB"))
    return [row for two in rows for row in two]


def _compared(what: str, computed: float, measured: float, unit: str) -> tuple[Row, Row]:
    return _row(f"{what}, measured", measured, unit), _row(f"{what}, over the computed", measured / computed, "×")


# ---------------------------------------------------------------- readings


async def _read(deployment: Deployment) -> Reading:
    info = await deployment.redis.info("everything")
    calls = {name: stats["calls"] for name, stats in info.items() if name.startswith("cmdstat_")}
    return Reading(
        at=perf_counter(),
        service=cpu_seconds(deployment.pid),
        store=cpu_seconds(deployment.redis_pid),
        scripts=calls.get("cmdstat_evalsha", 0),
        commands=sum(calls.values()),
        received=info["total_net_input_bytes"],
        written=info["aof_current_size"],
        used=info["used_memory_dataset"],
        resident=resident_bytes(deployment.pid),
    )


async def _during(deployment: Deployment, action: Any) -> Reading:
    """Return what was used during the action."""
    before = await _read(deployment)
    await action
    after = await _read(deployment)
    return Reading(*(getattr(after, name) - getattr(before, name) for name in Reading.__struct_fields__))


def _each(used: Reading, idle: Reading, count: float) -> Reading:
    """Return the share of one of ``count``, without the usage of an idle replica."""
    share = used.at / idle.at
    figures = (getattr(used, name) - share * getattr(idle, name) for name in Reading.__struct_fields__)
    return Reading(*(figure / count for figure in figures))


# ---------------------------------------------------------------- play


class _Table:
    """One session and the caller that plays it."""

    def __init__(self, seated: Seated) -> None:
        self.name = pb.ActRequest.FromString(seated.name).name
        self.left = len(seated.steps)
        self.busy = False
        self._caller = ServiceCaller([seated])

    @property
    def ready(self) -> bool:
        return self.left > 0 and not self.busy

    async def move(self, call: AioCall) -> None:
        self.busy, self.left = True, self.left - 1
        request, metadata = self._caller.request()
        self._caller.accept(await call(request, metadata=metadata))
        self.busy = False


async def _sit_down(deployment: Deployment, sessions: int) -> list[_Table]:
    """Start that many sessions."""
    game = all_games()[GAME]
    recordings = [await record(game, game.seats[number % len(game.seats)], number) for number in range(RECORDINGS)]
    stub, gate = service_pb2_grpc.SkerryServiceStub(deployment.channel), asyncio.Semaphore(_AT_ONCE)

    async def one(number: int) -> _Table:
        async with gate:
            return _Table(await seat(stub, recordings[number % RECORDINGS]))

    return await asyncio.gather(*map(one, range(sessions)))


async def _play(deployment: Deployment, tables: Sequence[_Table], rate: float, seconds: float) -> None:
    """Make ``rate`` moves per second, at one table after the other, without waiting for responses."""
    call: AioCall = deployment.channel.unary_unary(SERVICE_METHOD)
    began, made, turn = perf_counter(), list[asyncio.Task[None]](), 0
    for number in range(round(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - perf_counter()))
        while not tables[turn % len(tables)].ready:
            turn += 1
        made.append(asyncio.create_task(tables[turn % len(tables)].move(call)))
        turn += 1
    await asyncio.gather(*made)


async def _at_full_load(deployment: Deployment, tables: Sequence[_Table], seconds: float) -> tuple[Reading, int]:
    """Make moves as fast as responses arrive; return the usage and the number of moves."""
    call: AioCall = deployment.channel.unary_unary(SERVICE_METHOD)
    until, made = perf_counter() + seconds, 0

    async def go_on(share: Sequence[_Table]) -> None:
        nonlocal made
        for table in share:
            while table.ready and perf_counter() < until:
                await table.move(call)
                made += 1

    used = await _during(deployment, asyncio.gather(*(go_on(tables[at::_AT_ONCE]) for at in range(_AT_ONCE))))
    return used, made


@asynccontextmanager
async def _spectating(deployment: Deployment, tables: Sequence[_Table], spectators: int) -> AsyncIterator[list[int]]:
    """Open that many streams for each table; yield the number of received messages, as the only item of a list."""
    host, _, port = deployment.address.rpartition(":")
    received, readers = [0], list[Reader]()

    def count(message: bytes) -> None:
        received[0] += 1

    def new_reader() -> Reader:
        return Reader(count, lambda: None)

    for _ in range(CONNECTIONS):
        readers.append((await asyncio.get_running_loop().create_connection(new_reader, host, int(port)))[1])
    for number, table in enumerate([*tables] * spectators):
        request = pb.ObserveRequest(name=table.name).SerializeToString()
        readers[number % CONNECTIONS].open(deployment.address, OBSERVE, request)
        await _at_least(received, number + 1 - _OPENED_AT_ONCE)
    await _at_least(received, len(tables) * spectators)
    try:
        yield received
        for reader in readers:
            if reader.broken.done():
                reader.broken.result()
    finally:
        for reader in readers:
            reader.close()
            reader.broken.cancel()


async def _at_least(received: Sequence[int], messages: int) -> None:
    while received[0] < messages:  # noqa: ASYNC110 - an event per message would cost more than the message
        await asyncio.sleep(_POLL_SECONDS)
