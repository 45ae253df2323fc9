"""The cost of observability: a move at the endpoint without observers, with metrics, logs and traces.

Services that differ in nothing else, each in its own process, make the same moves alternately on one Redis, 32 at a
time. The processor time of the event loop's thread is measured. The games are repeated; a figure is the mean over the
turns of the tenth percentile over the repetitions. A ratio is the median over all turns, relative to the unobserved
service in the same round, so that other load on the machine disturbs both equally. The endpoint is only a part of a
move, so the section also prints the extra cost as a share of a whole move over gRPC.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from statistics import mean, median
from typing import Any

import uvloop
from msgspec import Struct
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.endpoint import Endpoint, sessions_endpoint
from skerry_service.sessions.service import Sessions
from skerry_service.telemetry.access_log import AccessLog
from skerry_service.telemetry.call_observers import CallObserver, CallObservers
from skerry_service.telemetry.metrics import Metrics
from skerry_service.telemetry.rejected_callers import RejectedCallers
from skerry_service.telemetry.tracing import Tracing
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.wiring.observability import Observability

from .act import CHANNELS
from .callers import GAME
from .load import Plan, measure
from .processes import server
from .recorded import Recording, Step, record
from .redis_servers import roomy
from .report import Row, Target
from .settings import Settings

CALLERS = 32
RECORDINGS = 8
LEAST = 3
"""The least number of repetitions. Ten or more are played if there is time."""
KEPT = 0.01
TARGET = Target(3)
NOTHING, METRICS = "nothing", "metrics"
SEAT, TURN = "seat", "turn"
_MICRO = 1e6


class _Encoded(SpanExporter):
    """Encodes spans for a collector, in another thread, and discards the result."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        encode_spans(spans).SerializeToString()
        return SpanExportResult.SUCCESS


def _access_log() -> AccessLog:
    return AccessLog("/dev/null", lambda: time.time_ns() // 1_000_000)


def _observability(
    metrics: Metrics | None = None, tracing: Tracing | None = None, others: Sequence[CallObserver] = ()
) -> Observability:
    observers: list[CallObserver] = [one for one in (tracing, metrics) if one is not None]
    return Observability(metrics, tracing, CallObservers([*observers, *others]), RejectedCallers(lambda: 0), rate=None)


def _tracing(kept: float = 1.0) -> Tracing:
    provider = TracerProvider(TraceIdRatioBased(kept), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(_Encoded()))
    return Tracing(provider)


class _Table(Struct):
    """A game that repeats a recording."""

    name: bytes
    """Its ``name`` as a field of an ActRequest, in wire format."""
    tokens: tuple[str, ...]
    steps: Sequence[Step]


class _Service:
    """An endpoint and its callers."""

    def __init__(self, watching: Observability, url: str) -> None:
        self._observability = watching
        self._store = watching.store_at(url)
        sessions = Sessions(self._store, clock_ms=lambda: time.time_ns() // 1_000_000)
        watching.tap(sessions)
        watching.count(sessions, BotWorker(sessions, {}), None)
        self._endpoint: Endpoint = sessions_endpoint(sessions, None, watching.call_observers)
        self._moves: list[Iterator[tuple[_Table, Step]]] = []

    async def seat(self, recordings: Sequence[Recording]) -> None:
        """Start a game for each caller."""
        self._moves.clear()
        for caller in range(CALLERS):
            table = await self._table(recordings[caller % len(recordings)])
            self._moves.append(zip(repeat(table), table.steps, strict=False))

    async def _table(self, recording: Recording) -> _Table:
        seats = [pb.SeatSetup()] * recording.seats
        wanted = pb.CreateSessionRequest(game=recording.game, seats=seats, seed=recording.seed)
        name = (await self._answer("CreateSession", wanted)).session.name
        tokens = []
        for seat in range(recording.seats):
            joining = pb.JoinSessionRequest(name=name, display_name=f"Player {seat}", seat=seat)
            tokens.append((await self._answer("JoinSession", joining)).seat_token)
        return _Table(pb.ActRequest(name=name).SerializeToString(), tuple(tokens), recording.steps)

    async def _answer(self, rpc: str, request: Any) -> Any:
        return (await asyncio.create_task(self._endpoint.answer(rpc, lambda: (request, None)))).message

    async def turn(self) -> float | None:
        """Make a move for every caller; return the seconds per move, or ``None`` if a game has no move left."""
        moves = [move for moves in self._moves if (move := next(moves, None))]
        if len(moves) < CALLERS:
            return None
        began = time.thread_time()
        await asyncio.gather(*(self._act(table, step) for table, step in moves))
        return (time.thread_time() - began) / CALLERS

    async def _act(self, table: _Table, step: Step) -> None:
        data, token = table.name + step.request, table.tokens[step.seat]
        answer = await self._endpoint.answer("Act", lambda: (pb.ActRequest.FromString(data), token))
        assert pb.ActResponse.FromString(answer.serialized()).sequence == step.sequence

    async def close(self) -> None:
        """Close the store and the tracing."""
        await self._store.close()
        if self._observability.tracing is not None:
            await self._observability.tracing.close()


KINDS: dict[str, Callable[[], Observability]] = {
    NOTHING: _observability,
    METRICS: lambda: _observability(Metrics()),
    "nothing, again": _observability,
    "access log": lambda: _observability(others=[_access_log()]),
    "traces": lambda: _observability(tracing=_tracing()),
    f"traces, {KEPT:.0%} of them kept": lambda: _observability(tracing=_tracing(KEPT)),
    "metrics, access log, traces": lambda: _observability(Metrics(), _tracing(), [_access_log()]),
}


class _Child:
    """A process with one kind of observers. It makes moves on command."""

    def __init__(self, kind: str, url: str) -> None:
        spawn = get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(kind, url, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self.turns: list[list[float]] = []
        """Seconds of processor time per move: for each turn of the games, one figure per repetition."""

    def seat(self) -> None:
        """Start a game for each caller."""
        self._pipe.send(SEAT)
        self._pipe.recv()

    def turn(self, number: int) -> bool:
        """Make move ``number`` for each caller; return whether every game had one."""
        self._pipe.send(TURN)
        seconds = self._pipe.recv()
        if seconds is None:
            return False
        if number == len(self.turns):
            self.turns.append([])
        self.turns[number].append(seconds)
        return True

    def figure(self) -> float:
        """Return the seconds of a move: the mean over the turns of the tenth percentile over the repetitions."""
        return mean(sorted(times)[len(times) // 10] for times in self.turns)

    def ratio(self, floor: _Child) -> float:
        """Return the median ratio to the floor, turn by turn: the same moves within a few milliseconds."""
        mine, theirs = chain.from_iterable(self.turns), chain.from_iterable(floor.turns)
        return median(one / other for one, other in zip(mine, theirs, strict=True))

    def added(self, floor: _Child) -> float:
        """Return the median extra seconds of a move, turn by turn."""
        mine, theirs = chain.from_iterable(self.turns), chain.from_iterable(floor.turns)
        return median(one - other for one, other in zip(mine, theirs, strict=True))

    def close(self) -> None:
        """End the process."""
        self._pipe.send(None)
        self._process.join()


def _serve(kind: str, url: str, pipe: Connection) -> None:
    """In a child: run the commands from the pipe until ``None``."""
    uvloop.run(_run_commands(KINDS[kind](), url, pipe))


async def _run_commands(watching: Observability, url: str, pipe: Connection) -> None:
    gc.set_threshold(10_000, 20, 20)  # as in a server
    service, game = _Service(watching, url), all_games()[GAME]
    recordings = [await record(game, game.seats[number % len(game.seats)], number) for number in range(RECORDINGS)]
    while command := pipe.recv():
        if command == SEAT:
            await service.seat(recordings)
            gc.collect()
            gc.freeze()
            pipe.send(SEAT)
        else:
            pipe.send(await service.turn())
    await service.close()


def run(settings: Settings) -> Iterator[Row]:
    """Measure all alternately, and the server's processor time for a whole move over gRPC without streams."""
    with roomy() as (url, redis):
        children = {kind: _Child(kind, url) for kind in KINDS}
        _take_turns(list(children.values()), settings)
        for child in children.values():
            child.close()
        with server("service_server", environment={"REDIS_URL": url, "SKERRY_PORT": "0"}) as (address, pid):
            plan = Plan(False, address, settings.seconds, CALLERS, CHANNELS, {"server": pid, "redis": redis})
            whole = measure(plan).cpu["server"]
    floor = children[NOTHING]
    for kind, child in children.items():
        ratio = None if child is floor else child.ratio(floor)
        yield Row("watched", f"at the endpoint: {kind}", child.figure() * _MICRO, "µs", None, ratio)
    yield Row("watched", "a move over gRPC, observed by nothing: CPU of the server", whole * _MICRO, "µs")
    for kind, child in children.items():
        if child is not floor:
            share = child.added(floor) / whole * 100
            yield Row("watched", f"of that more: {kind}", share, "%", TARGET if kind == METRICS else None)


def _take_turns(children: Sequence[_Child], settings: Settings) -> None:
    """Play the same games in all children alternately, in a random order, for at least ``seconds`` each."""
    ends, random = time.perf_counter() + settings.seconds * len(children), Random(1)
    order = list(children)
    while time.perf_counter() < ends or len(children[0].turns[0]) < LEAST:
        for child in children:
            child.seat()
        number = 0
        while _all_turn(order, number):
            random.shuffle(order)
            number += 1


def _all_turn(children: Sequence[_Child], number: int) -> bool:
    """Run one turn in each child, even after one that had no move left."""
    went = [child.turn(number) for child in children]
    return all(went)
