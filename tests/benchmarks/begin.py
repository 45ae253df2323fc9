"""The cost of starting a game: one caller creates a session and takes both seats, against the floor."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from uuid import uuid4

import grpc

from skerry.v1 import service_pb2 as pb
from skerry.v1 import service_pb2_grpc, session_pb2

from . import floor
from .callers import GAME, FloorCaller
from .load import OWN_CONNECTION, BlockingCall
from .processes import exact_cpu_seconds, server
from .redis_servers import plain
from .report import Row, Target
from .settings import Settings

TARGET = Target(0.42, at_least=True, of_floor=True)
_COUNTED = {"SKERRY_LIMITS_LOCAL": "1"} | {
    f"SKERRY_LIMIT_{kind}": "100000000/1s" for kind in ("CREATE", "CREATE_SERVER", "JOIN", "JOIN_SERVER")
}
"""Count local callers as remote ones, with limits that they never reach."""
_SLICE = 0.25
"""Seconds of calls before the other side's turn."""
_SHARE = 10
"""Use the tenth percentile, because other load on the machine only adds time."""

Call = Callable[[], object]


def run(settings: Settings) -> Iterator[Row]:
    """Measure on a Redis that writes nothing to disk, because the disk's sync time is not the service's."""
    with plain() as (url, _), ExitStack() as stack:
        yield from _measure(url, stack, settings)


def _measure(url: str, stack: ExitStack, settings: Settings) -> Iterator[Row]:
    address, pid = stack.enter_context(server("floor", url))
    calls = {"floor: acts": (_floor(stack, address), pid)}
    for what, environment in (("begun", {}), ("begun, callers counted", _COUNTED)):
        settled = {"REDIS_URL": url, "SKERRY_PORT": "0", **environment}
        address, pid = stack.enter_context(server("service_server", environment=settled))
        calls[what] = _begin(stack, address), pid
    took, used = _by_turns(calls, settings.seconds)
    ours = False
    for what, durations in took.items():
        ratio, target = (took["floor: acts"] / durations, TARGET) if ours else (None, None)
        yield Row("begin", what, 1 / durations, "/s", target, ratio)
        yield Row("begin", f"{what}: CPU of the server", used[what] * 1e6, "µs")
        ours = True


def _by_turns(calls: Mapping[str, tuple[Call, int]], seconds: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return the duration of a call and the server's processor time for it."""
    took: dict[str, list[float]] = {what: [] for what in calls}
    used = dict.fromkeys(calls, 0.0)
    for turn in range(1 + round(seconds / _SLICE)):
        for what, (call, pid) in calls.items():
            before, until = exact_cpu_seconds(pid), time.perf_counter() + _SLICE
            durations = list(_repeated(call, until))
            if turn:  # the first one warms up
                took[what] += durations
                used[what] += exact_cpu_seconds(pid) - before
    return (
        {what: sorted(each)[len(each) // _SHARE] for what, each in took.items()},
        {what: used[what] / len(each) for what, each in took.items()},
    )


def _repeated(call: Call, until: float) -> Iterator[float]:
    now = time.perf_counter()
    while now < until:
        call()
        yield -now + (now := time.perf_counter())


def _floor(stack: ExitStack, address: str) -> Call:
    channel = stack.enter_context(grpc.insecure_channel(address, options=OWN_CONNECTION))
    act: BlockingCall = channel.unary_unary(floor.METHOD)
    caller = FloorCaller(uuid4().hex)

    def call() -> None:
        caller.accept(act(caller.request()[0]))

    return call


def _begin(stack: ExitStack, address: str) -> Call:
    stub = service_pb2_grpc.SkerryServiceStub(
        stack.enter_context(grpc.insecure_channel(address, options=OWN_CONNECTION))
    )
    create = pb.CreateSessionRequest(game=GAME, seats=[pb.SeatSetup()] * 2)

    def begin() -> None:
        create.request_id = str(uuid4())
        name = stub.CreateSession(create).session.name
        sessions = [
            stub.JoinSession(pb.JoinSessionRequest(name=name, display_name=player, request_id=str(uuid4()))).session
            for player in ("Ada", "Bob")
        ]
        assert sessions[-1].state == session_pb2.SESSION_STATE_PLAYING, "the game has begun"

    return begin
