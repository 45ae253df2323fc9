"""As many games as an hour brings, as fast as they go: memory of the service and of its store has to stay flat."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import fmean, linear_regression
from tempfile import TemporaryDirectory

import grpc

from skerry.v1 import service_pb2 as api
from skerry.v1 import service_pb2_grpc, session_pb2
from skerry_games.catalogue import all_games
from tests.api.wire import BOT
from tests.benchmarks.callers import ServiceCaller, WrongAnswer, seat
from tests.benchmarks.load import SERVICE_METHOD, AioCall
from tests.benchmarks.processes import resident_bytes
from tests.benchmarks.recorded import Recording, record
from tests.faults.processes import Service
from tests.faults.suite.kinds import Asked, Kind, Outcome, Row, complaints

_AT_ONCE = 8
_LONGER = 2.0
"""How many times as long as other kinds: memory tells little in a minute."""
_SAMPLE_SECONDS = 0.5
_LEAST_SECONDS = 60.0
"""Before that what fills up once is not full: growth is reported, and is no fault."""
_MIB = 2**20
ENOUGH_MOVES = 200_000
"""From then on all caches are full, and memory has to be flat."""
MOST_RISE = 0.02
"""By how much the mean of the last third of the moves may be above that of the second."""
MOST_GROWTH = {"service": 4 * _MIB, "store": 1 * _MIB}
"""For shorter runs: bytes, from the end of the first third to the end: what an allocator may take to and fro."""
_MOVES = "games of players, each with a stream of its own"
_BOTS = "games of random bots alone"


@dataclass(frozen=True)
class Sample:
    """The games and moves so far, and the memory of each process in bytes."""

    games: int
    moves: int
    held: dict[str, int]


@dataclass
class Soak:
    """Games as they are played, and memory meanwhile."""

    stub: service_pb2_grpc.SkerryServiceAsyncStub
    channel: grpc.aio.Channel
    recordings: Sequence[Recording]
    rows: dict[str, Row] = field(default_factory=lambda: {what: Row(what) for what in (_MOVES, _BOTS)})
    findings: list[str] = field(default_factory=list)
    moves: int = 0
    """Moves of players. The bots make as many again."""

    @property
    def games(self) -> int:
        return sum(row.survived for row in self.rows.values())

    async def play(self, first: int, enough: asyncio.Event) -> None:
        """Play one game after the other, every second of them by bots alone."""
        for number in count(first):
            if enough.is_set() or self.findings:
                return
            recording = self.recordings[number // 2 % len(self.recordings)]
            row = self.rows[_BOTS if number % 2 else _MOVES]
            row.tried += 1
            try:
                await (self._bots(recording) if number % 2 else self._moves(recording))
            except (grpc.aio.AioRpcError, WrongAnswer, StopAsyncIteration) as error:
                self.findings.append(f"{type(error).__name__}: {error}")
                return
            row.survived += 1

    async def _moves(self, recording: Recording) -> None:
        seated = await seat(self.stub, recording)
        name = api.ActRequest.FromString(seated.name).name
        caller = ServiceCaller([seated])
        act: AioCall = self.channel.unary_unary(SERVICE_METHOD)
        watching = asyncio.ensure_future(self._watch(name))
        for _ in recording.steps:
            request, metadata = caller.request()
            caller.accept(await act(request, metadata=metadata))
            self.moves += 1
        if await watching != recording.steps[-1].sequence:
            raise WrongAnswer("a stream did not tell all of it")

    async def _watch(self, name: str) -> int:
        """Follow a game to its end; return the last entry received."""
        last = 0
        async for update in self.stub.Observe(api.ObserveRequest(name=name, after_sequence=0)):
            last = update.sequence
        return last

    async def _bots(self, recording: Recording) -> None:
        setup = [BOT] * recording.seats
        created = await self.stub.CreateSession(api.CreateSessionRequest(game=recording.game, seats=setup))
        if created.session.state != session_pb2.SESSION_STATE_FINISHED:
            raise WrongAnswer("bots did not finish their game")


async def run(asked: Asked) -> Outcome:
    """Play and measure."""
    seconds, memory = asked.seconds * _LONGER, list[Sample]()
    with TemporaryDirectory(prefix="skerry-faults-") as name:
        service = Service(Path(name), module="tests.faults.suite.soaked")
        try:
            await service.start()
            async with grpc.aio.insecure_channel(service.address) as channel:
                stub = service_pb2_grpc.SkerryServiceStub(channel)
                soak = Soak(stub, channel, [await record(game, game.seats[0], 1) for game in all_games().values()])
                await _play(soak, service, seconds, memory)
            said = complaints(service.errors)
        finally:
            await service.close()
    found = {who: growth([(one.games, one.held[who]) for one in memory]) for who in MOST_GROWTH}
    judged = MOST_GROWTH if seconds >= _LEAST_SECONDS and soak.moves < ENOUGH_MOVES else {}
    grown = [f"the {who} grew by {found[who] / _MIB:.1f} MiB" for who, most in judged.items() if found[who] > most]
    if soak.moves >= ENOUGH_MOVES:
        rises = {who: rise([(one.moves, one.held[who]) for one in memory]) for who in MOST_GROWTH}
        grown += [f"the {who} is not flat: {by:+.1%}" for who, by in rises.items() if by > MOST_RISE]
    return Outcome(list(soak.rows.values()), 0, _received(soak, memory, found), [*soak.findings, *grown, *said])


async def _play(soak: Soak, service: Service, seconds: float, memory: list[Sample]) -> None:
    enough, pids = asyncio.Event(), {"service": service.process.pid, "store": await service.store_pid()}
    asyncio.get_running_loop().call_later(seconds, enough.set)
    async with asyncio.TaskGroup() as group:
        for place in range(_AT_ONCE):
            group.create_task(soak.play(place, enough))
        while not enough.is_set() and not soak.findings:
            memory.append(Sample(soak.games, soak.moves, {who: resident_bytes(pid) for who, pid in pids.items()}))
            await asyncio.sleep(_SAMPLE_SECONDS)


def growth(samples: Sequence[tuple[float, float]]) -> float:
    """Return by how much it grew over the last two thirds, on the line that fits them best."""
    later = samples[len(samples) // 3 :]
    if len(later) < 2 or later[0][0] == later[-1][0]:
        return 0.0
    x, y = zip(*later, strict=True)
    return float(linear_regression(x, y).slope * (x[-1] - x[0]))


def rise(samples: Sequence[tuple[float, float]]) -> float:
    """Return by what share the mean of the last third of the moves is above that of the second.

    ``samples``: the number of moves, and what was held then.
    """
    last = samples[-1][0]
    second = [held for moves, held in samples if last / 3 < moves <= last * 2 / 3]
    third = [held for moves, held in samples if last * 2 / 3 < moves]
    return fmean(third) / fmean(second) - 1 if second and third else 0.0


def _received(soak: Soak, memory: Sequence[Sample], found: dict[str, float]) -> str:
    hour = f"{soak.games} games, {soak.moves:,} moves, an hour's at one in {3600 / max(1, soak.games):.1f} s"
    parts = [hour]
    for who, size in memory[-1].held.items() if memory else ():
        risen = rise([(one.moves, one.held[who]) for one in memory])
        parts.append(f"{who} {size / _MIB:.0f} MiB, {found[who] / _MIB:+.1f}, last third {risen:+.1%}")
    return "; ".join(parts)


SOAK = Kind("soak", "memory over an hour's games, played as fast as they go", run)
