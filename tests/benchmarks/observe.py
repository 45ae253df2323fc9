"""Many streams of one game: the time until all have received a move, and the memory of an idle one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median

import msgspec

from tests.store.servers import running_server

from . import load
from .act import CALLERS, CHANNELS
from .processes import answer, server
from .redis_servers import plain
from .report import Row, Target
from .settings import Settings
from .watchers import Plan, Result

_SETTLING = 60.0
_MESSAGES = 40.0
"""Messages per move of the floor."""
_IDLE = 400
"""Connections: fewer than one address may open."""


def run(settings: Settings) -> Iterator[Row]:
    """Measure on a Redis that does not sync each write, because the cost of storing the move is not measured here."""
    streams = 200 if settings.quick else 1000
    with ExitStack() as stack:
        floor, _ = stack.enter_context(server("floor", stack.enter_context(plain())[0]))
        redis = stack.enter_context(running_server("everysec"))
        environment = {"REDIS_URL": redis.url, "SKERRY_PORT": "0"}
        address, pid = stack.enter_context(server("service_server", environment=environment))
        floor_plan = load.Plan(True, floor, settings.seconds, CALLERS, CHANNELS, {})
        plan = Plan(address, pid, streams, settings.seconds)
        rounds = [(load.measure(floor_plan).per_second, _watched(plan)) for _ in range(settings.rounds)]
        # A new process, because connections reuse the memory of former ones.
        address, pid = stack.enter_context(server("service_server", environment=environment))
        connection = _kib_opened(Plan(address, pid, 0, 0.0, _IDLE))
    yield from _rows(f"{streams} streams: ", rounds)
    yield Row("observe", "memory of an idle connection", connection, "KiB", Target(12))
    with server("bare") as (address, pid):
        stream = _kib_opened(Plan(address, pid, streams, 0.0))
    yield Row("observe", "gRPC alone: memory of an idle stream", stream, "KiB")


def _watched(plan: Plan) -> Result:
    printed = answer("watchers", msgspec.json.encode(plan).decode(), limit=plan.seconds * 2 + _SETTLING)
    return msgspec.json.decode(printed, type=Result)


def _kib_opened(plan: Plan) -> float:
    """Return the memory of an idle stream or connection, in KiB."""
    return (
        msgspec.json.decode(answer("watchers", msgspec.json.encode(plan).decode(), limit=_SETTLING), type=float) / 1024
    )


def _rows(what: str, rounds: list[tuple[float, Result]]) -> Iterator[Row]:
    """Yield medians over the rounds. An idle stream is measured in the first round, which opens new streams."""
    results = [result for _, result in rounds]
    ratio = median(result.per_second / floor for floor, result in rounds)
    messages = median(result.per_second for result in results)
    yield Row("observe", what + "messages", messages, "messages/s", Target(_MESSAGES, True, True), ratio)
    yield Row("observe", what + "last delivery, p50", median(one.last_p50 for one in results) * 1e3, "ms")
    yield Row("observe", what + "last delivery, p99", median(one.last_p99 for one in results) * 1e3, "ms", Target(30))
    cpu = median(one.cpu_per_message for one in results)
    client = median(one.client_cpu_per_message for one in results)
    yield Row("observe", what + "CPU of the server a message", cpu * 1e6, "µs")
    yield Row("observe", what + "CPU of the client a message", client * 1e6, "µs")
    yield Row("observe", what + "size of a message", results[0].message_bytes, "bytes")
    yield Row("observe", what + "memory of an idle stream", results[0].bytes_per_stream / 1024, "KiB", Target(15))
