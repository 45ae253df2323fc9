"""A process that stands still is noticed: calls that waited for it took that long, and the log and metrics say so."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc
from skerry_service.telemetry.event_loop import TICK_SECONDS, EventLoopClock, take_arrival_ns
from tests.faults.processes import Service, until
from tests.store.replicated import free_ports

SECOND = 10**9
_SHORT = r'_bucket\{le="1.0"\}'


async def test_bytes_that_are_read_late_have_waited_since_the_loop_stood_still() -> None:
    now, lags, since = SECOND, list[float](), list[int]()
    clock, loop = EventLoopClock(lambda: now), asyncio.get_running_loop()
    assert clock.readable_since_ns() == now

    def ticked(lag: float) -> None:
        lags.append(lag)
        loop.call_soon(lambda: since.append(clock.readable_since_ns()))  # in the turn in which the rest is read

    stop = clock.start(ticked)
    due = now + int(TICK_SECONDS * SECOND)
    try:
        now = due + 3 * SECOND
        assert clock.readable_since_ns() == due  # before the clock has ticked
        await until(lambda: bool(since))
        assert (lags[0], since[0]) == (3.0, due)
        await until(lambda: clock.readable_since_ns() == now)
    finally:
        stop()
    assert clock.readable_since_ns() == now


def test_an_arrival_is_that_of_one_call() -> None:
    EventLoopClock(lambda: 5).note_arrival()
    assert take_arrival_ns(7) == 5
    assert take_arrival_ns(9) == 9


@pytest.fixture
def metrics() -> str:
    """The address of the metrics."""
    (port,) = free_ports(1)
    return f"127.0.0.1:{port}"


@pytest.fixture
async def service(tmp_path: Path, metrics: str) -> AsyncIterator[Service]:
    server = Service(tmp_path / "service", "--access-log", str(tmp_path / "calls"), "--metrics", metrics)
    try:
        await server.start()
        yield server
    finally:
        await server.close()


@pytest.mark.deep
async def test_a_process_that_is_stopped_for_a_while_says_so(service: Service, tmp_path: Path, metrics: str) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        stub = service_pb2_grpc.SkerryServiceStub(channel)
        await stub.ListGames(pb.ListGamesRequest())
        service.process.send_signal(signal.SIGSTOP)
        calling = asyncio.ensure_future(stub.ListGames(pb.ListGamesRequest()))
        await asyncio.sleep(1.6)
        service.process.send_signal(signal.SIGCONT)
        await calling

        def counted() -> str:
            with urlopen(f"http://{metrics}/metrics") as answer:
                return str(answer.read().decode())

        text = await asyncio.to_thread(counted)
    for histogram in ("skerry_event_loop_lag_seconds", "skerry_call_wait_seconds"):
        short, total = (
            float(found[1])
            for found in (re.search(rf"^{histogram}{end} (\S+)$", text, re.MULTILINE) for end in (_SHORT, "_count"))
            if found
        )
        assert total - short >= 1, histogram
    waited = [json.loads(line)["ms"] for line in (tmp_path / "calls").read_text().splitlines()]
    assert waited[0] < 1000 < waited[1]
    assert re.search("the event loop stood still for [0-9.]+ s", service.errors.read_text())
