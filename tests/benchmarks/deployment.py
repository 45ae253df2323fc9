"""A service and its Redis that nothing else uses, and what both have used so far."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from time import perf_counter
from typing import Any, TypeVar

import grpc
import uvloop
from msgspec import Struct
from redis.asyncio import Redis

from .processes import exact_cpu_seconds, resident_bytes, server
from .redis_servers import durable

T = TypeVar("T")
_COUNTED = {"SKERRY_LIMITS": "shadow", "SKERRY_LIMITS_LOCAL": "1"}
"""Limits are counted as for callers from elsewhere, and reject nothing."""


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


def deployed(measuring: Callable[[Deployment], Coroutine[Any, Any, T]], replicas: int = 1) -> T:
    """Measure the first of some replicas, on a new Redis."""
    with durable() as (url, redis_pid), ExitStack() as stack:
        environment = {"REDIS_URL": url, "SKERRY_PORT": "0", **_COUNTED}
        serving = [stack.enter_context(server("service_server", environment=environment)) for _ in range(replicas)]
        address, pid = serving[0]
        return uvloop.run(_opened(measuring, url, redis_pid, address, pid))


async def _opened(
    measuring: Callable[[Deployment], Coroutine[Any, Any, T]], url: str, redis_pid: int, address: str, pid: int
) -> T:
    async with Redis.from_url(url) as redis, grpc.aio.insecure_channel(address) as channel:
        return await measuring(Deployment(address, pid, redis_pid, redis, channel))


async def reading(deployment: Deployment) -> Reading:
    info = await deployment.redis.info("everything")
    calls = {name: stats["calls"] for name, stats in info.items() if name.startswith("cmdstat_")}
    return Reading(
        at=perf_counter(),
        service=exact_cpu_seconds(deployment.pid),
        store=exact_cpu_seconds(deployment.redis_pid),
        scripts=calls.get("cmdstat_evalsha", 0),
        commands=sum(calls.values()),
        received=info["total_net_input_bytes"],
        written=info["aof_current_size"],
        used=info["used_memory_dataset"],
        resident=resident_bytes(deployment.pid),
    )


async def used_during(deployment: Deployment, action: Any) -> Reading:
    """Return what was used during the action."""
    before = await reading(deployment)
    await action
    after = await reading(deployment)
    return Reading(*(getattr(after, name) - getattr(before, name) for name in Reading.__struct_fields__))


def share_of_one(used: Reading, idle: Reading, count: float) -> Reading:
    """Return the share of one of ``count``, without the usage of an idle replica."""
    share = used.at / idle.at
    figures = (getattr(used, name) - share * getattr(idle, name) for name in Reading.__struct_fields__)
    return Reading(*(figure / count for figure in figures))
