"""Three cells behind nginx under load. One of them is killed and started again: what its players and the others notice.

In each cell, players make moves, spectators follow their tables, and pairs of players find matches. In addition, a
caller that repeats nothing reads a session of each cell five times a second.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from skerry_client import AsyncClient, AsyncSeat, AsyncTable
from skerry_client.errors import SkerryError
from tests.interop.cells import CELLS, Cell, Front, behind_nginx, three_cells

from .report import Row
from .settings import Settings

GAME = "kreta"
KILLED = "us1"
_TABLES = 8
_PROBE_SECONDS = 0.2
_PATIENCE = 60.0
PHASES = ("before", "while it is down", "afterwards")


class Crowd:
    """The callers of one cell, and what they noticed."""

    def __init__(self, cell: str, front: Front) -> None:
        self.cell = cell
        self.moves: list[float] = []
        """The times of acknowledged moves."""
        self.matches: list[float] = []
        self.probes: list[tuple[float, str]] = []
        """The times of single calls, each with the class of its error, or nothing."""
        self.stored: dict[str, int] = {}
        """The last acknowledged sequence of each session."""
        self.followed: dict[str, list[int]] = {}
        """The sequences that the spectator of each session received."""
        self._patient = AsyncClient(front.address, credentials=front.credentials, cell=cell, retry_for=_PATIENCE)
        self._hasty = AsyncClient(front.address, credentials=front.credentials, cell=cell, retry_for=0, timeout=2)
        self._probed = ""

    @asynccontextmanager
    async def at_it(self) -> AsyncIterator[None]:
        """Let the callers play until the block is left."""
        async with self._patient, self._hasty:
            self._probed = (await self._patient.create(GAME, seats=2)).name
            working = [self._play(number) for number in range(_TABLES)]
            tasks = [
                asyncio.create_task(one) for one in (*working, self._find("Ada"), self._find("Bob"), self._probe())
            ]
            yield
            for task in tasks:
                task.cancel()
            for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(outcome, Exception):
                    raise outcome
            await self._check()

    async def _play(self, number: int) -> None:
        random = Random(number)
        while True:
            table = await self._patient.create(GAME, seats=2, visibility="unlisted")
            seats = [await table.join(player) for player in ("Ada", "Bob")]
            watching = asyncio.create_task(self._watch(table))
            try:
                await self._play_on(table, seats, random)
            finally:
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching

    async def _play_on(self, table: AsyncTable, seats: Sequence[AsyncSeat], random: Random) -> None:
        while to_act := (await table.position()).to_act:
            seat = seats[to_act[0]]
            acted = await seat.act(random.choice((await seat.position()).legal_moves))
            self.moves.append(perf_counter())
            self.stored[table.name] = acted.sequence

    async def _watch(self, table: AsyncTable) -> None:
        received = self.followed.setdefault(table.name, [])
        async for update in table.observe(after_sequence=0):
            received += (entry.sequence for entry in update.entries)

    async def _find(self, player: str) -> None:
        while True:
            await self._patient.find_match(GAME, player, seats=2)
            self.matches.append(perf_counter())
            await asyncio.sleep(_PROBE_SECONDS)

    async def _probe(self) -> None:
        table = await self._hasty.table(self._probed)
        while True:
            error = ""
            try:
                await table.session()
            except SkerryError as refused:
                error = type(refused).__name__
            self.probes.append((perf_counter(), error))
            await asyncio.sleep(_PROBE_SECONDS)

    async def _check(self) -> None:
        """Read every log, and raise AssertionError if an acknowledged move is missing or a spectator missed one."""
        for name, acknowledged in self.stored.items():
            entries = await (await self._patient.table(name)).entries()
            sequences = [entry.sequence for entry in entries]
            assert sequences[:acknowledged] == list(range(1, acknowledged + 1)), name
        for name, sequences in self.followed.items():
            assert sequences == list(range(1, len(sequences) + 1)), name


def run(settings: Settings) -> Iterator[Row]:
    """Measure before the kill, while the cell is down, and after it has come back."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="skerry-cells-")))
        cells = stack.enter_context(three_cells(folder))
        front = stack.enter_context(behind_nginx(cells, folder))
        yield from asyncio.run(_measure(cells, front, 2 * settings.seconds))


async def _measure(cells: Mapping[str, Cell], front: Front, seconds: float) -> list[Row]:
    crowds = {cell: Crowd(cell, front) for cell in CELLS}
    async with AsyncExitStack() as stack:
        for crowd in crowds.values():
            await stack.enter_async_context(crowd.at_it())
        await asyncio.sleep(seconds / 2)
        times = [perf_counter()]
        await asyncio.sleep(seconds)
        times.append(perf_counter())
        cells[KILLED].kill()
        await asyncio.sleep(seconds)
        cells[KILLED].launch()
        await asyncio.to_thread(cells[KILLED].wait)
        times.append(perf_counter())
        await asyncio.sleep(seconds)
        times.append(perf_counter())
    killed, others = crowds.pop(KILLED), list(crowds.values())
    return [*_rows("the killed cell", [killed], times), *_rows("the others", others, times)]


def _rows(who: str, crowds: Sequence[Crowd], times: Sequence[float]) -> Iterator[Row]:
    for phase, (begin, end) in zip(PHASES, pairwise(times), strict=True):

        def within(at: float, begin: float = begin, end: float = end) -> bool:
            return begin <= at < end

        moves = sum(map(within, (at for crowd in crowds for at in crowd.moves))) / (end - begin)
        matches = sum(map(within, (at for crowd in crowds for at in crowd.matches)))
        errors = Counter(error for crowd in crowds for at, error in crowd.probes if within(at))
        yield _row(f"{who}, {phase}: moves", moves, "/s")
        yield _row(f"{who}, {phase}: players matched", matches, "")
        yield _row(f"{who}, {phase}: calls without an error", errors[""], "")
        for error, count in sorted(errors.items()):
            if error:
                yield _row(f"{who}, {phase}: calls with {error}", count, "")
    waits = (after - before for crowd in crowds for before, after in pairwise(crowd.moves))
    yield _row(f"{who}: longest time without a move", max(waits), "s")
    yield _row(f"{who}: sessions whose log was read afterwards", sum(len(crowd.stored) for crowd in crowds), "")


def _row(what: str, figure: float, unit: str) -> Row:
    return Row("cells", what, figure, unit)
