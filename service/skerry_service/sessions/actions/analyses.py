"""Analyses: the estimated chances to win through a finished game, and the moves that changed them most.

An analysis is equal on every replica, so replicas share nothing. It is computed once for all callers, a position at a
time, and goes on when its callers leave.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from msgspec import Struct, field

from skerry_games.players.chances import Chances, outcome_chances
from skerry_service.domain.advice.analysis import (
    CLOSE_SIMULATIONS,
    SIMULATIONS,
    GamePosition,
    Swing,
    evenly,
    positions_of,
    seed_of,
    steepest,
    swings_of,
)
from skerry_service.domain.bot_decisions import OpenPosition, SpareBots
from skerry_service.domain.errors import LimitReached, NotAllowed, NotFinished
from skerry_service.domain.languages.phrases import phrase
from skerry_service.domain.record import Phase
from skerry_service.domain.table import Change, Table
from skerry_service.domain.tokens import Caller, require_view_access
from skerry_service.sessions.task_runner import TaskRunner

WAIT_SECONDS: Final = 10.0
"""How long a call waits for a complete analysis."""
MAX_SECONDS: Final = 120.0
"""After this time of waiting for its turn, or of computing, an analysis rests until somebody asks again."""
CACHED: Final = 300
"""The number of analyses that a replica keeps."""
MAX_WAITING: Final = 100
"""The number of analyses that wait or are computed."""
MAX_OF_CALLER: Final = 8
"""The same for one caller."""


class Point(Struct, frozen=True):
    """The chances after an entry."""

    sequence: int
    chances: Chances


class Analysis(Struct, frozen=True):
    """An analysis, as far as it is ready."""

    table: Table
    complete: bool
    points: tuple[Point, ...]
    swings: tuple[Swing, ...]


class _Progress(Struct, eq=False):
    """What is known of one analysis."""

    curve: dict[int, Point] = field(default_factory=dict)
    """By the index of the position."""
    close: dict[int, Point] = field(default_factory=dict)
    """The same, with more simulations, around possible swings."""
    swings: tuple[Swing, ...] = ()
    complete: bool = False
    share: int = 0
    """The share of the caller for whom it is computed."""
    task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        return self.task is not None and not self.task.done()

    def points(self) -> tuple[Point, ...]:
        return tuple([point for _, point in sorted({**self.curve, **self.close}.items())])


class Analyses:
    """The analyses of one replica. They take turns by the shares of the callers that began or resumed them."""

    def __init__(
        self,
        get: Callable[[str, str | None], Awaitable[tuple[Table, Caller]]],
        read_log: Callable[[str], Awaitable[list[Change]]],
        tasks: TaskRunner,
        epoch: Callable[[], str],
    ) -> None:
        """``get``: that of ``Sessions``. ``epoch``: returns ``Session.epoch``."""
        self._get = get
        self._read_log = read_log
        self._tasks = tasks
        self._epoch = epoch
        self.bots: SpareBots | None = None
        """``None`` without thinking bots. Set before the first call."""
        self._known: OrderedDict[tuple[str, str], _Progress] = OrderedDict()
        """By the store's epoch and the session."""

    async def analysis(self, session: str, token: str | None, share: int) -> Analysis:
        """Return the analysis of a finished game. Wait for it, but answer with the part that is ready after a while.

        ``share``: that of the caller, for whom the bots work.

        Raises SessionNotFound, TokenMissing, TokenInvalid, NotAllowed, NotFinished, LimitReached.
        """
        table, caller = await self._get(session, token)
        require_view_access(table.record, caller)
        if table.record.phase is not Phase.FINISHED:
            raise NotFinished
        if self.bots is None:
            raise NotAllowed("This server has no thinking bots, so it analyses no games.")
        progress = self._progress(self.bots, table, share)
        if progress.task is not None and not progress.complete:
            await asyncio.wait({progress.task}, timeout=WAIT_SECONDS)
            if progress.task.done() and (error := _error_of(progress.task)) is not None:
                raise error
        return Analysis(table, progress.complete, progress.points(), progress.swings)

    async def close(self) -> None:
        """Stop computing."""
        tasks = [progress.task for progress in self._known.values() if progress.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _progress(self, bots: SpareBots, table: Table, share: int) -> _Progress:
        """Return the analysis of a session. Begin or resume it if nothing computes it."""
        key = self._epoch(), table.record.id
        progress = self._known.get(key) or _Progress()
        if not progress.complete and not progress.running:
            self._require_room(share)
            progress.share = share
            progress.task = asyncio.get_running_loop().create_task(self._compute(bots, table, progress))
            progress.task.add_done_callback(_error_of)  # so that asyncio does not report it, if all callers have left
        self._known[key] = progress
        self._known.move_to_end(key)
        return progress

    def _require_room(self, share: int) -> None:
        """Forget the oldest analysis, if there are too many. Raises LimitReached if too many wait."""
        running = [progress.share for progress in self._known.values() if progress.running]
        if running.count(share) >= MAX_OF_CALLER:
            raise LimitReached("analyses", phrase("limit-own-analyses", most=MAX_OF_CALLER))
        if len(running) >= MAX_WAITING:
            raise LimitReached("analyses", phrase("limit-analyses", most=MAX_WAITING))
        if len(self._known) >= CACHED:
            del self._known[next(key for key, progress in self._known.items() if not progress.running)]

    async def _compute(self, bots: SpareBots, table: Table, progress: _Progress) -> None:
        try:
            async with asyncio.timeout(MAX_SECONDS) as time, bots.analysis_slot(progress.share):
                time.reschedule(asyncio.get_running_loop().time() + MAX_SECONDS)  # the wait is no part of it
                changes = await self._read_log(table.record.id)
                log = [applied for change in changes for applied in change.applied]
                positions = await self._tasks.run(positions_of(log))
                await self._evaluate(bots, table, positions, progress)
        except TimeoutError:
            return  # what is ready is kept

    async def _evaluate(
        self, bots: SpareBots, table: Table, positions: list[GamePosition], progress: _Progress
    ) -> None:
        async def evaluate(indices: Iterable[int], into: dict[int, Point], simulations: int) -> dict[int, Chances]:
            for index in indices:
                if index not in into:
                    chances = await _chances(bots, table, positions[index], simulations, progress.share)
                    into[index] = Point(positions[index].sequence, chances)
            return {index: point.chances for index, point in into.items()}

        last = len(positions) - 1
        await evaluate([last], progress.curve, SIMULATIONS)  # it is known, and shows how far the others have come
        curve = await evaluate(evenly(len(positions)), progress.curve, SIMULATIONS)
        close = await evaluate(steepest(positions, curve), progress.close, CLOSE_SIMULATIONS)
        progress.swings = swings_of(positions, close)
        progress.complete = True


async def _chances(bots: SpareBots, table: Table, position: GamePosition, simulations: int, share: int) -> Chances:
    if position.outcome is not None:
        return outcome_chances(position.outcome)
    seed = seed_of(table.record.id, position.sequence)
    asked = OpenPosition(table.game.id, table.game.ruleset, position.state, position.lost, seed, simulations)
    async with bots.slot(share):
        return await bots.chances(asked)


def _error_of(task: asyncio.Task[None]) -> BaseException | None:
    """Return what a task that is done has raised."""
    return None if task.cancelled() else task.exception()
