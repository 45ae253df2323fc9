"""Sessions with clocks: the cost of idle ones to a replica and its store, and the delay of their timeouts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from random import Random
from statistics import quantiles

from skerry_games.kreta import GAME
from skerry_service.domain.record import Clock, ClockKind
from skerry_service.domain.table import OPEN, Table
from skerry_service.sessions.actions.new_session import NewSession
from skerry_service.sessions.service import Sessions
from skerry_service.store import redis_keys
from skerry_service.store.embedded.embedded_server import EmbeddedServer
from skerry_service.store.health.housekeeping import Housekeeper
from skerry_service.store.redis_store import RedisStore
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import Scheduler
from skerry_service.wiring.timers import timers_of
from tests.store.servers import ask, running_server

from .report import Row, Target
from .settings import Settings

_BANK_MS = 600_000
_SPREAD_MS = 20_000
"""All deadlines are within this time."""
_AT_ONCE = 50
_SETTLING_SECONDS = 3.0
"""The first polls are over after this time."""
_LATE = Target(1000)


def run(settings: Settings) -> Iterator[Row]:
    """Measure the number of sessions that one replica may have to serve."""
    with running_server("everysec") as redis:
        yield from asyncio.run(_measure(redis, 1_000 if settings.quick else 10_000))


async def _measure(redis: EmbeddedServer, number: int) -> list[Row]:
    async with _replica(redis) as sessions:
        deadlines = await _begin(sessions, number)
        what = f"{number:,} games with a clock"
        service, store = await _idle(redis)
        rows = [Row("deadlines", f"{what}, idle: {who}", cost, "% of a core") for who, cost in (service, store)]
        late = await _fire(redis, sessions, deadlines)
        percentiles = quantiles(late, n=100)
        rows.append(Row("deadlines", f"{what}: delay, median", percentiles[49], "ms", _LATE))
        rows.append(Row("deadlines", f"{what}: delay, p99", percentiles[98], "ms", _LATE))
        return rows


@asynccontextmanager
async def _replica(redis: EmbeddedServer) -> AsyncIterator[Sessions]:
    store = RedisStore(redis.url)
    sessions = Sessions(store, clock_ms=_clock_ms)
    timers = timers_of(store, sessions, BotWorker(sessions, {}))
    beside = [Housekeeper(store, _clock_ms).run(), Scheduler(store.schedule, timers).run()]
    tasks = [asyncio.create_task(work) for work in beside]
    yield sessions
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await sessions.close()
    await store.close()


async def _begin(sessions: Sessions, number: int) -> dict[str, int]:
    """Start games; return the deadline of each game's first turn."""
    drawn = Random(1)

    async def one() -> Table:
        clock = Clock(ClockKind.PER_MOVE, grace_ms=_BANK_MS + drawn.randrange(_SPREAD_MS))
        new = NewSession(GAME, GAME.options_type(), (OPEN, OPEN), clock=clock)
        session = (await sessions.create(new, None))[0].record.id
        await sessions.players.join(session, "Ada", None, None)
        return (await sessions.players.join(session, "Bob", None, None))[0]

    tables: list[Table] = []
    while len(tables) < number:
        tables += await asyncio.gather(*(one() for _ in range(_AT_ONCE)))
    running = ((table.record.id, one.deadline_ms) for table in tables for one in table.clocks)
    return {session: deadline for session, deadline in running if deadline is not None}


async def _idle(redis: EmbeddedServer) -> tuple[tuple[str, float], tuple[str, float]]:
    await asyncio.sleep(_SETTLING_SECONDS)
    began, service, store = time.monotonic(), time.process_time(), await _used(redis)
    await asyncio.sleep(10)
    passed = time.monotonic() - began
    costs = time.process_time() - service, await _used(redis) - store
    return ("service", 100 * costs[0] / passed), ("store", 100 * costs[1] / passed)


async def _used(redis: EmbeddedServer) -> float:
    """Return the processor time that the store has used, in seconds."""
    lines = (await ask(redis, "INFO", "cpu")).decode().splitlines()
    return sum(float(line.split(":")[1]) for line in lines if line.startswith(("used_cpu_sys:", "used_cpu_user:")))


async def _fire(redis: EmbeddedServer, sessions: Sessions, deadlines: dict[str, int]) -> list[int]:
    """Advance the store clock to shortly before the first deadline; return the delay of each timeout, in ms."""
    late: list[int] = []
    all_fired = asyncio.Event()

    def stored(table: Table) -> None:
        if (deadline := deadlines.pop(table.record.id, None)) is not None:
            late.append(table.uptime_ms - deadline)
        if not deadlines:
            all_fired.set()

    sessions.watch(stored)
    ahead = min(deadlines.values()) - await sessions.uptime_ms() - 3_000
    age = int(await ask(redis, "HGET", redis_keys.STORE.decode(), "a"))
    await ask(redis, "HSET", redis_keys.STORE.decode(), "a", age + ahead)
    await all_fired.wait()
    return late


def _clock_ms() -> int:
    return time.time_ns() // 1_000_000
