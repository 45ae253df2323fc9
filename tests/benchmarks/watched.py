"""What it costs to be watched: a move at the front door with nobody told of it, with counters, logs and traces.

All of them make the same moves by turns in one process, on one Redis, 32 at a time, and the processor time of the event
loop's thread counts: whatever else the machine does falls on all alike. The games are repeated, and of each move the
tenth percentile is taken, which is what it takes when nothing comes in between; the figure is the mean of those.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator, Sequence
from itertools import repeat
from statistics import mean
from typing import Any

import uvloop
from msgspec import Struct
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased

from skerry.v1 import service_pb2 as pb
from skerry_games.catalogue import all_games
from skerry_service.api.front import Front, front_of
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.worker import Worker
from skerry_service.telemetry.access_log import AccessLog
from skerry_service.telemetry.calls import Watcher, Watchers
from skerry_service.telemetry.metrics import Metrics
from skerry_service.telemetry.service_log import LogContext
from skerry_service.telemetry.tracing import Tracing
from skerry_service.watching import Watching

from .callers import GAME
from .recorded import Recording, Step, record
from .redis_servers import roomy
from .report import Row, Target
from .settings import Settings

CALLERS = 32
RECORDINGS = 8
LEAST = 3
"""How often the games are played, and ten times or more where there is time for it."""
KEPT = 0.01
SPANS = 6
"""Of a move: the call, its four steps, the trip to Redis."""
TARGET = Target(1.03, of_floor=True)
NOBODY = "nobody is told"
_MICRO = 1e6


class _Encoded(SpanExporter):
    """Makes of spans what is sent to a collector, in the thread that sends, and sends it nowhere."""

    def __init__(self) -> None:
        self.spans = 0
        self.seconds = 0.0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        began = time.thread_time()
        encode_spans(spans).SerializeToString()
        self.seconds += time.thread_time() - began
        self.spans += len(spans)
        return SpanExportResult.SUCCESS


def _watching(
    metrics: Metrics | None = None, tracing: Tracing | None = None, others: Sequence[Watcher] = ()
) -> Watching:
    watchers: list[Watcher] = [one for one in (tracing, metrics) if one is not None]
    return Watching(metrics, tracing, Watchers([*watchers, *others]))


def _tracing(exporter: SpanExporter, kept: float = 1.0) -> Tracing:
    provider = TracerProvider(TraceIdRatioBased(kept), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Tracing(provider)


class _Table(Struct):
    """A game that repeats a recording."""

    name: bytes
    """Its ``name`` as a field of an ActRequest, in wire format."""
    tokens: tuple[str, ...]
    steps: Sequence[Step]


class _Watched:
    """A front door of its own, and those who move there."""

    def __init__(self, watching: Watching, url: str) -> None:
        self._watching = watching
        self._store = watching.store_at(url)
        sessions = Sessions(self._store, clock_ms=lambda: time.time_ns() // 1_000_000, steps=watching.tracing)
        watching.count(sessions, Worker(sessions, {}), None)
        self._front: Front = front_of(sessions, None, watching.watchers)
        self._moves: list[Iterator[tuple[_Table, Step]]] = []
        self.turns: list[list[float]] = []
        """Seconds of processor time a move, for each turn of the games, as often as they were repeated."""

    async def seat(self, recordings: Sequence[Recording]) -> None:
        """Let each caller begin a game."""
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
        return await asyncio.create_task(self._front.answer(rpc, lambda: (request, None)))

    async def turn(self, number: int) -> bool:
        """Let every caller make a move, the so-and-so-many-th; return whether there was one for each."""
        moves = [move for moves in self._moves if (move := next(moves, None))]
        if len(moves) < CALLERS:
            return False
        began = time.thread_time()
        await asyncio.gather(*(self._act(table, step) for table, step in moves))
        if number == len(self.turns):
            self.turns.append([])
        self.turns[number].append((time.thread_time() - began) / CALLERS)
        return True

    async def _act(self, table: _Table, step: Step) -> None:
        data, token = table.name + step.request, table.tokens[step.seat]
        answer = await self._front.answer("Act", lambda: (pb.ActRequest.FromString(data), token))
        assert answer.sequence == step.sequence
        answer.SerializeToString()

    def figure(self) -> float:
        """Return the mean over the turns of the tenth percentile of each."""
        return mean(sorted(times)[len(times) // 10] for times in self.turns)

    async def close(self) -> None:
        """Leave the store."""
        await self._store.close()
        if self._watching.tracing is not None:
            await self._watching.tracing.close()


def run(settings: Settings) -> Iterator[Row]:
    """Measure all by turns."""
    with roomy() as (url, _):
        figures, sending = uvloop.run(_measure(url, settings))
    floor = figures[NOBODY]
    for what, figure in figures.items():
        target = TARGET if what == "counters" else None
        yield Row("watched", f"Act: {what}", figure * _MICRO, "µs", target, None if what == NOBODY else figure / floor)
    yield Row(
        "watched", "Act: spans as they are sent, in a thread beside", sending * _MICRO, "µs", None, sending / floor
    )


async def _measure(url: str, settings: Settings) -> tuple[dict[str, float], float]:
    """Return the seconds of a move for each kind, and those that sending its spans takes in another thread."""
    exporter, log = _Encoded(), AccessLog("/dev/null", lambda: time.time_ns() // 1_000_000)
    kinds = {
        NOBODY: _watching(),
        "counters": _watching(Metrics()),
        "the log of calls": _watching(others=[log]),
        "the service's log as JSON": _watching(others=[LogContext()]),
        "traces": _watching(tracing=_tracing(exporter)),
        f"traces, {KEPT:.0%} of them kept": _watching(tracing=_tracing(_Encoded(), KEPT)),
        "counters, both logs, traces": _watching(Metrics(), _tracing(_Encoded()), [log, LogContext()]),
    }
    watched = {what: _Watched(watching, url) for what, watching in kinds.items()}
    game = all_games()[GAME]
    recordings = [await record(game, game.seats[number % len(game.seats)], number) for number in range(RECORDINGS)]
    await _take_turns(list(watched.values()), recordings, settings)
    for one in watched.values():
        await one.close()
    return {what: one.figure() for what, one in watched.items()}, SPANS * exporter.seconds / exporter.spans


async def _take_turns(watched: Sequence[_Watched], recordings: Sequence[Recording], settings: Settings) -> None:
    """Let all play the same games by turns, again and again, in another order each time, for at least so long."""
    ends, first = time.perf_counter() + settings.seconds * len(watched), 0
    while time.perf_counter() < ends or len(watched[0].turns[0]) < LEAST:
        for one in watched:
            await one.seat(recordings)
        gc.collect()
        gc.freeze()
        number = 0
        while all([await one.turn(number) for one in (*watched[first:], *watched[:first])]):
            first, number = (first + 1) % len(watched), number + 1
