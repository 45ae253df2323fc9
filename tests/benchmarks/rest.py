"""A move over REST and over Connect against the floor, and one game with many event streams."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

import msgspec
from msgspec.structs import replace

from . import load
from .act import CALLERS, CHANNELS
from .http_load import Plan, Result
from .processes import answer, server
from .redis_servers import plain
from .report import Row, Target
from .settings import Settings

_SETTLING = 120.0
_MICRO = 1e6


def run(settings: Settings) -> Iterator[Row]:
    """Measure on a Redis that writes nothing to disk; section ``act`` measures the cost of storing."""
    with ExitStack() as stack:
        url, _ = stack.enter_context(plain())
        floor, floor_pid = stack.enter_context(server("floor", url))
        plan = stack.enter_context(served(url, settings))
        floor_plan = load.Plan(True, floor, settings.seconds, CALLERS, CHANNELS, {"server": floor_pid})
        for what, most, least, one in (
            ("Act", 0.36, None, plan),
            ("Act over Connect", 0.27, Target(3.4, at_least=True, of_floor=True), replace(plan, connect=True)),
            ("GetSession", 0.25, None, replace(plan, reads=True)),
        ):
            rounds = [(load.measure(floor_plan), measure(one)) for _ in range(settings.rounds)]
            ratio = median(mine.cpu / floors.cpu["server"] for floors, mine in rounds)
            cpu = median(mine.cpu for _, mine in rounds) * _MICRO
            yield Row("rest", f"{what}: CPU of the server", cpu, "µs/call", Target(most, of_floor=True), ratio)
            quick = median(mine.per_second / floors.per_second for floors, mine in rounds)
            calls = median(mine.per_second for _, mine in rounds)
            yield Row("rest", f"{what}: calls", calls, "calls/s", least, quick)
        streams = 200 if settings.quick else 1000
        watched = measure(replace(plan, streams=streams))
    what = f"{streams} event streams: "
    yield Row("rest", what + "messages", watched.per_second, "messages/s")
    yield Row("rest", what + "CPU of the server a message", watched.cpu * _MICRO, "µs")
    yield Row("rest", what + "memory of an idle stream", watched.bytes_per_stream / 1024, "KiB", Target(30))


def watched(streams: int, settings: Settings) -> Result:
    """Measure one game with that many event streams, and nothing else."""
    with plain() as (url, _), served(url, settings) as plan:
        return measure(replace(plan, streams=streams))


@contextmanager
def served(redis_url: str, settings: Settings) -> Iterator[Plan]:
    """Run the service on both ports. Yield a load of moves over REST."""
    environment = {"REDIS_URL": redis_url, "SKERRY_PORT": "0", "SKERRY_HTTP": "127.0.0.1:0"}
    with server("service_server", environment=environment) as (addresses, pid):
        grpc, http = addresses.split()
        yield Plan(grpc, http, pid, settings.seconds, CALLERS, 0)


def measure(plan: Plan) -> Result:
    """Run the load in its own process."""
    printed = answer("http_load", msgspec.json.encode(plan).decode(), limit=plan.seconds + _SETTLING)
    return msgspec.json.decode(printed, type=Result)
