"""The unit costs of a move, a message to a spectator, an idle session and an idle replica, and a check of their sums.

``docs/explanation/capacity.md`` computes from these figures how many machines a number of players needs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from statistics import median

from msgspec.structs import replace

from .act import CALLERS, CHANNELS
from .capacity_services import CLOCK, PAIRS_A_SECOND, arrive, measure_services, rows_of_services
from .deployment import Deployment, Reading, deployed, reading, share_of_one, used_during
from .load import Plan, measure
from .machines import Cost, Rates, rows_of, service_use, store_use
from .played_tables import at_full_load, play, sit_down, spectating
from .processes import resident_bytes, server
from .redis_servers import durable
from .report import Row
from .settings import Settings

_MICRO, _KIB = 1e6, 1024
_FEW = 200
"""Sessions of the measurements from which the needs are computed."""
_RATE = 100.0
"""Moves per second of the measurements and of the smaller check: a replica that is neither idle nor busy."""
_SPECTATORS = 10
"""Spectators of each session where messages to several are measured."""
_SETTLE_SECONDS = 2.0
_PLAYERS = (10**4, 10**6, 10**8)
_REPLICAS = 3
"""Replicas of the checks."""
_CHECKS = ((1_000, 100.0), (4_000, 200.0))
"""Sessions, each with a spectator, and moves per second over all of them."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure the unit costs, then check their sums at larger sizes."""
    floor = _floor(settings)
    yield _row("the floor: CPU of the server", floor["server"] * _MICRO, "µs")
    yield _row("the floor: CPU of Redis", floor["redis"] * _MICRO, "µs")
    rows, cost = deployed(lambda deployment: _measure(deployment, settings, floor))
    yield from rows
    for players in _PLAYERS:
        yield from (_row(f"{players:,} players: {what}", figure, unit) for what, figure, unit in rows_of(players, cost))
    for sessions, rate in _CHECKS:
        size = sessions // 5 if settings.quick else sessions
        yield from deployed(lambda deployment: _check(deployment, settings, size, rate, cost), _REPLICAS)  # noqa: B023 - called at once


def _floor(settings: Settings) -> Mapping[str, float]:
    """Return the processor time of a call to the floor, as a measure of the machine."""
    with durable() as (url, redis_pid), server("floor", url) as (address, pid):
        pids = {"server": pid, "redis": redis_pid}
        return measure(Plan(True, address, settings.seconds, CALLERS, CHANNELS, pids)).cpu


# ---------------------------------------------------------------- measuring


async def _measure(deployment: Deployment, settings: Settings, floor: Mapping[str, float]) -> tuple[list[Row], Cost]:
    await at_full_load(deployment, await sit_down(deployment, _FEW), settings.seconds)  # warms the service up
    await asyncio.sleep(_SETTLE_SECONDS)
    seconds = 2 * settings.seconds
    idle = await used_during(deployment, asyncio.sleep(seconds))
    empty = await reading(deployment)
    tables = await sit_down(deployment, _FEW)
    full = await reading(deployment)
    resting = await used_during(deployment, asyncio.sleep(seconds))
    act, message, further, stream = await _moves(deployment, settings, idle)
    services = await measure_services(deployment, settings, idle)
    used, most = await at_full_load(deployment, tables, settings.seconds)
    busy = share_of_one(used, idle, most)
    session = (full.used - empty.used) / _FEW
    # As if its commands cost what those of a move do. Redis alone uses ten times as much, so a difference is noise.
    idle_store = idle.commands / idle.at * act.store / act.commands
    cost = Cost(
        idle_service=idle.service / idle.at,
        idle_store=idle_store,
        store_alone=max(0.0, idle.store / idle.at - idle_store),
        act_service=act.service,
        act_store=act.store,
        act_store_busy=busy.store,
        services=services,
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
        *rows_of_services(services),
        _row("an idle stream: memory of the service", stream / _KIB, "KiB"),
        _row("a session just begun: memory of Redis", session / _KIB, "KiB"),
        _row("a session just begun: memory of the service", (full.resident - empty.resident) / _FEW / _KIB, "KiB"),
        _row("an idle session: commands", (resting.commands / resting.at - idle.commands / idle.at) / _FEW, "/s"),
        _row("an idle replica: commands", idle.commands / idle.at, "/s"),
        _row("an idle replica: CPU of the service", 100 * cost.idle_service, "% of a core"),
        _row("an idle replica: CPU of Redis", 100 * cost.idle_store, "% of a core"),
        _row("Redis without replicas: CPU", 100 * cost.store_alone, "% of a core"),
        _row("an idle replica: memory of the service", empty.resident / _KIB / _KIB, "MiB"),
    ]
    return rows, cost


async def _moves(deployment: Deployment, settings: Settings, idle: Reading) -> tuple[Reading, float, float, float]:
    """Return the cost of a move, of a message to one spectator, of one to each further spectator, and of a stream.

    Messages are in seconds, a stream in bytes. Sessions with no, one and many spectators are measured alternately.
    """
    moves = _RATE * settings.seconds
    quiet, watched, crowded = [await sit_down(deployment, _FEW) for _ in range(3)]
    before = resident_bytes(deployment.pid)
    rounds: list[list[Reading]] = []
    async with spectating(deployment, watched, 1), spectating(deployment, crowded, _SPECTATORS):
        await asyncio.sleep(_SETTLE_SECONDS)
        stream = (resident_bytes(deployment.pid) - before) / ((_SPECTATORS + 1) * _FEW)
        for _ in range(settings.rounds):
            played = [play(deployment, tables, _RATE, settings.seconds) for tables in (quiet, watched, crowded)]
            rounds.append([share_of_one(await used_during(deployment, one), idle, moves) for one in played])
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
    """Compare the computed costs with those of that many sessions, half with a clock, and of players who seek a match.

    Each session has a spectator. All callers use one replica, and others are idle.
    """
    empty = await reading(deployment)
    tables = await sit_down(deployment, sessions // 2)
    tables += await sit_down(deployment, sessions - len(tables), CLOCK)
    held = (await reading(deployment)).used - empty.used
    seconds = 2 * settings.seconds
    async with spectating(deployment, tables, 1):
        await asyncio.sleep(_SETTLE_SECONDS)
        evening = asyncio.gather(
            play(deployment, tables, rate, seconds), arrive(deployment, round(seconds * PAIRS_A_SECOND))
        )
        found = await used_during(deployment, evening)
    rates = Rates(
        moves=rate,
        messages=rate,
        clocked=rate / 2,
        begun=0.0,
        matched=2 * PAIRS_A_SECOND,
        waiting=0.0,
        replicas=_REPLICAS,
    )
    service = replace(service_use(rates, cost), idle=cost.idle_service)
    pairs = {
        "CPU of the service": (service.total, found.service / found.at),
        "CPU of Redis": (store_use(rates, cost, cost.act_store).total + cost.store_alone, found.store / found.at),
    }
    what = f"{sessions:,} sessions, {rate:.0f} moves/s"
    rows = [_compared(f"{what}: {figure}", 100 * a, 100 * b, "% of a core") for figure, (a, b) in pairs.items()]
    rows.append(_compared(f"{what}: memory of Redis", sessions * cost.session_store / _KIB**2, held / _KIB**2, "MiB"))
    return [row for two in rows for row in two]


def _compared(what: str, computed: float, measured: float, unit: str) -> tuple[Row, Row]:
    return _row(f"{what}, measured", measured, unit), _row(f"{what}, over the computed", measured / computed, "×")
