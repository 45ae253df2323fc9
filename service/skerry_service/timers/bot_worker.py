"""Makes the decisions of bots that think, in this process and concurrently with calls."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from skerry_service.domain.bot_decisions import DueDecision, Thinker, decision_for, due_decisions, share_of_bots
from skerry_service.domain.errors import SessionNotFound, SkerryError, StaleSequence, StoreUnavailable
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.timers.fair_slots import FairSlots

_UNLIMITED = 1 << 30
_log = logging.getLogger(__name__)


class BotWorker:
    """Starts the decisions that are due at each table that this replica stores, for the levels that it knows.

    The worker holds no state that other replicas need. If it dies, its decisions stay due, and the ``Scheduler`` of any
    replica hands them to another worker. A level that raises stops its game, and the log names the level.

    Decisions share the slots by the creators of their sessions, so no caller delays the bots of another one by many
    games. Bots at tables with players come first.
    """

    def __init__(self, sessions: Sessions, thinkers: Mapping[str, Thinker], slots: FairSlots | None = None) -> None:
        """``thinkers``: by level name; ``slots``: how many decisions are made at once, by default all."""
        self._sessions = sessions
        self._thinkers = thinkers
        self.slots = slots or FairSlots(_UNLIMITED)
        """The slots in which decisions are made."""
        self._tasks: dict[DueDecision, asyncio.Task[None]] = {}
        if thinkers:
            sessions.watch(self.start_due)

    @property
    def busy(self) -> int:
        """The number of decisions in progress or waiting."""
        return len(self._tasks)

    async def close(self) -> None:
        """Stop thinking. Decisions that were due stay due."""
        self._thinkers = {}
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def start_due(self, table: Table) -> None:
        """Start the decisions that are due at a table and are not in progress."""
        for decision in due_decisions(table):
            if decision not in self._tasks and (thinker := self._thinkers.get(decision.level)) is not None:
                work = self._make(decision, table, thinker)
                self._tasks[decision] = asyncio.get_running_loop().create_task(work)

    async def _make(self, owed: DueDecision, table: Table, thinker: Thinker) -> None:
        try:
            async with self.slots.slot(share_of_bots(table.record), preferred=bool(table.record.players())) as waited:
                if waited and not await self._is_due(owed):
                    return
                decision = await asyncio.to_thread(decision_for, table, owed, thinker.samples)
                move = await thinker(decision)
            await self._submit(owed, move)
        except (StaleSequence, SessionNotFound):
            pass  # another replica has made the decision, or the session has expired
        except Exception:
            _log.exception("level %s has failed to move for seat %d of session %s", owed.level, owed.seat, owed.session)
        finally:
            del self._tasks[owed]

    async def _is_due(self, owed: DueDecision) -> bool:
        """Return whether a decision that has waited is still due. Raises SessionNotFound.

        Meanwhile the game can have ended, or the player of a substitute can have returned.
        """
        try:
            return owed in due_decisions(await self._sessions.live(owed.session))
        except StoreUnavailable:
            return True  # the submission waits for the store

    async def _submit(self, owed: DueDecision, move: Any) -> None:
        """Submit the move. Retry for as long as the error says when to retry."""
        while True:
            try:
                await self._sessions.moves.decide(owed, move)
                return
            except SkerryError as error:
                if error.retry_after is None:
                    raise
                await asyncio.sleep(error.retry_after)
