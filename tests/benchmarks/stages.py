"""The time of a move: each stage alone, all stages in one process, and a server's move by each transport."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import msgspec

from . import http_load, load, play_load
from .act import CALLERS, CHANNELS
from .processes import answer, server
from .redis_servers import durable
from .report import Row
from .settings import Settings
from .stages_alone import Stage

_LIMIT = 120.0
_MICRO = 1e6


def run(settings: Settings) -> Iterator[Row]:
    """Measure the stages in another process, then a server under load, by processor time."""
    with ExitStack() as stack:
        url, _ = stack.enter_context(durable())
        stages = msgspec.json.decode(answer("stages_alone", url, limit=_LIMIT), type=list[Stage])
        for stage in stages:
            yield Row("stages", stage.what, stage.seconds * _MICRO, "µs")
        yield Row("stages", "gRPC alone: a call", _bare(settings) * _MICRO, "µs")
        environment = {"REDIS_URL": url, "SKERRY_PORT": "0", "SKERRY_HTTP": "127.0.0.1:0"}
        addresses, pid = stack.enter_context(server("service_server", environment=environment))
        for what, cpu in _served(addresses, pid, settings.seconds):
            yield Row("stages", f"{what}: the server", cpu * _MICRO, "µs")


def _bare(settings: Settings) -> float:
    with server("bare") as (address, pid):
        plan = load.Plan(True, address, settings.seconds, CALLERS, CHANNELS, {"server": pid})
        return load.measure(plan).cpu["server"]


def _served(addresses: str, pid: int, seconds: float) -> Iterator[tuple[str, float]]:
    """Yield the processor time of the server for a move, by transport."""
    grpc, http = addresses.split()
    pids = {"server": pid}
    yield "a move by Act", load.measure(load.Plan(False, grpc, seconds, CALLERS, CHANNELS, pids)).cpu["server"]
    for streams, games in ((32, 1), (2, 64)):
        played = play_load.measure(play_load.Plan(grpc, seconds, streams, games, pids))
        yield f"a move by Play, {streams} streams, {games} at a time", played.cpu["server"]
    plan = http_load.Plan(grpc, http, pid, seconds, CALLERS, 0)
    printed = answer("http_load", msgspec.json.encode(plan).decode(), limit=seconds + _LIMIT)
    yield "a move by REST", msgspec.json.decode(printed, type=http_load.Result).cpu
