"""Many streams of one game: how fast all of them are told of a move, and what an idle one takes up."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tests.store.servers import running_server

from .processes import answer, server
from .report import Row, Target
from .settings import Settings
from .watchers import Plan, Result

_SETTLING = 60.0


def run(settings: Settings) -> Iterator[Row]:
    """Measure with a Redis that syncs once a second: what it costs to store the move is not the matter here."""
    streams = 200 if settings.quick else 1000
    with running_server("everysec") as redis:
        environment = {"REDIS_URL": redis.url, "SKERRY_PORT": "0"}
        with server("service_server", environment=environment) as (address, pid):
            plan = msgspec.json.encode(Plan(address, pid, streams, settings.seconds)).decode()
            printed = answer("watchers", plan, limit=settings.seconds * 2 + _SETTLING)
    result = msgspec.json.decode(printed, type=Result)
    what = f"{streams} streams: "
    yield Row("observe", what + "messages", result.per_second, "messages/s", Target(25_000, at_least=True))
    yield Row("observe", what + "last delivery, p50", result.last_p50 * 1e3, "ms")
    yield Row("observe", what + "last delivery, p99", result.last_p99 * 1e3, "ms", Target(100))
    yield Row("observe", what + "CPU of the server a message", result.cpu_per_message * 1e6, "µs")
    yield Row("observe", what + "CPU of the client a message", result.client_cpu_per_message * 1e6, "µs")
    yield Row("observe", what + "size of a message", result.message_bytes, "bytes")
    yield Row("observe", what + "memory of an idle stream", result.bytes_per_stream / 1024, "KiB", Target(30))
