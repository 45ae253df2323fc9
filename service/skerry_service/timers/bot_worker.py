"""Somebody who makes the decisions of bots that think: in this process, beside the calls."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from skerry_service.domain.bot_decisions import DueDecision, Thinker, decision_for, due_decisions
from skerry_service.domain.errors import SessionNotFound, SkerryError, StaleSequence
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions

_log = logging.getLogger(__name__)


class BotWorker:
    """Takes up what falls due where this replica stores a table, if it knows the level.

    Nothing that it holds is needed by anybody else: should it die, its decisions are due as before, and any other
    worker makes them that is shown the table (``Scheduler``). A level that fails holds up its game; the log says which.
    """

    def __init__(self, sessions: Sessions, thinkers: Mapping[str, Thinker]) -> None:
        """``thinkers``: by the names of their levels."""
        self._sessions = sessions
        self._thinkers = thinkers
        self._tasks: dict[DueDecision, asyncio.Task[None]] = {}
        if thinkers:
            sessions.watch(self.take_up)

    @property
    def busy(self) -> int:
        """How many decisions are being made."""
        return len(self._tasks)

    async def look_at(self, session: str) -> None:
        """Take up what is due in a session, whoever stored it. Raises SessionNotFound, StoreUnavailable."""
        self.take_up(await self._sessions.live(session))

    async def close(self) -> None:
        """Stop thinking, for good. What was due stays due."""
        self._thinkers = {}
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def take_up(self, table: Table) -> None:
        """Take up what is due at the table, unless that was done before."""
        for one in due_decisions(table):
            if one not in self._tasks and (thinker := self._thinkers.get(one.level)) is not None:
                self._tasks[one] = asyncio.get_running_loop().create_task(self._make(one, table, thinker))

    async def _make(self, one: DueDecision, table: Table, thinker: Thinker) -> None:
        try:
            decision = await asyncio.to_thread(decision_for, table, one, thinker.samples)
            await self._decide(one, await thinker(decision))
        except (StaleSequence, SessionNotFound):
            pass  # somebody else made it long ago, or the session has ended its lifetime
        except Exception:
            _log.exception("the level %s did not move for seat %d of session %s", one.level, one.seat, one.session)
        finally:
            del self._tasks[one]

    async def _decide(self, one: DueDecision, move: Any) -> None:
        """Hand the move in, again and again while it is the store or the crowd that hinders it."""
        while True:
            try:
                await self._sessions.decide(one, move)
                return
            except SkerryError as refusal:
                if refusal.retry_after is None:
                    raise
                await asyncio.sleep(refusal.retry_after)
