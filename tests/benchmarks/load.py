"""The load of section ``act``: a process that makes calls and reports their duration and cost."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias
from uuid import uuid4

import grpc
import msgspec
import uvloop
from msgspec import Struct

from . import floor
from .callers import Caller, FloorCaller, service_callers
from .processes import answer, cpu_seconds, end_with_parent

SERVICE_METHOD = "/skerry.v1.SkerryService/Act"
WARM_UP = 0.5
"""Seconds of load before the measurement."""
MOST_PER_SECOND = 8000
"""Moves per second for which sessions are prepared: more than one process can make."""
SETTLING = 120.0
"""Seconds that a load may take for its preparation."""
AioCall: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"
BlockingCall: TypeAlias = "grpc.UnaryUnaryMultiCallable[bytes, bytes]"

OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


class Plan(Struct, frozen=True):
    """The load to generate."""

    floor: bool
    address: str
    seconds: float
    callers: int
    """Calls in flight. 1: through a blocking channel, like a single client."""
    channels: int
    pids: Mapping[str, int]
    """Processes whose processor time is measured."""


class Result(Struct, frozen=True):
    """The measurements. Times in seconds."""

    per_second: float
    p50: float
    p99: float
    longest: float
    cpu: dict[str, float]
    """Processor time of each process per call."""


def measure(plan: Plan) -> Result:
    """Run the load in its own process."""
    limit = plan.seconds + WARM_UP + SETTLING
    printed = answer("load", msgspec.json.encode(plan).decode(), limit=limit)
    return msgspec.json.decode(printed, type=Result)


class Meter:
    """Measures from its creation to ``result``."""

    def __init__(self, pids: Mapping[str, int]) -> None:
        self._pids = pids
        self._used = self._cpu()
        self._began = time.perf_counter()

    def result(self, latencies: list[float]) -> Result:
        wall, used = time.perf_counter() - self._began, self._cpu()
        latencies.sort()
        count = len(latencies)
        return Result(
            per_second=count / wall,
            p50=latencies[count // 2],
            p99=latencies[count * 99 // 100],
            longest=latencies[-1],
            cpu={process: (used[process] - self._used[process]) / count for process in used},
        )

    def _cpu(self) -> dict[str, float]:
        return {process: cpu_seconds(pid) for process, pid in self._pids.items()} | {"client": time.process_time()}


async def _callers(plan: Plan) -> list[Caller]:
    if plan.floor:
        run = uuid4().hex
        return [FloorCaller(f"{run}-{number}") for number in range(plan.callers)]
    moves = round((plan.seconds + WARM_UP) * MOST_PER_SECOND / plan.callers)
    return await service_callers(plan.address, plan.callers, moves)


async def _together(plan: Plan) -> Result:
    callers = await _callers(plan)
    channels = [grpc.aio.insecure_channel(plan.address, options=OWN_CONNECTION) for _ in range(plan.channels)]
    calls: list[AioCall] = [channel.unary_unary(_method(plan)) for channel in channels]

    async def go_on(number: int, until: float, latencies: list[float]) -> None:
        call, caller = calls[number % len(calls)], callers[number]
        now = time.perf_counter()
        while now < until:
            request, metadata = caller.request()
            caller.accept(await call(request, metadata=metadata))
            latencies.append(-now + (now := time.perf_counter()))

    async def all_go_on(seconds: float) -> list[float]:
        until, latencies = time.perf_counter() + seconds, list[float]()
        await asyncio.gather(*(go_on(number, until, latencies) for number in range(len(callers))))
        return latencies

    await all_go_on(WARM_UP)
    meter = Meter(plan.pids)
    result = meter.result(await all_go_on(plan.seconds))
    for channel in channels:
        await channel.close()
    return result


def _alone(plan: Plan) -> Result:
    (caller,) = asyncio.run(_callers(plan))
    with grpc.insecure_channel(plan.address, options=OWN_CONNECTION) as channel:
        call: BlockingCall = channel.unary_unary(_method(plan))

        def go_on(seconds: float) -> list[float]:
            until, latencies = time.perf_counter() + seconds, list[float]()
            now = time.perf_counter()
            while now < until:
                request, metadata = caller.request()
                caller.accept(call(request, metadata=metadata))
                latencies.append(-now + (now := time.perf_counter()))
            return latencies

        go_on(WARM_UP)
        meter = Meter(plan.pids)
        return meter.result(go_on(plan.seconds))


def _method(plan: Plan) -> str:
    return floor.METHOD if plan.floor else SERVICE_METHOD


def main(arguments: Sequence[str]) -> None:
    """Run the plan (JSON); print the result (JSON)."""
    end_with_parent()
    plan = msgspec.json.decode(arguments[0], type=Plan)
    result = _alone(plan) if plan.callers == 1 else uvloop.run(_together(plan))
    print(msgspec.json.encode(result).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
