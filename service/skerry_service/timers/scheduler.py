"""Somebody who looks at the tables at which something happens by itself, when it is time to."""

from __future__ import annotations

import asyncio
import logging

from skerry_service.domain.errors import SkerryError
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.timers.bot_worker import BotWorker

LEASE_MS = 15_000
"""After this a table is looked at again that somebody took up and did nothing with."""
_LOOK_SECONDS = 0.25
_MOST = 100
"""Tables looked at in one go."""
_log = logging.getLogger(__name__)


class Scheduler:
    """Shares the tables of the store with all other replicas: each is looked at by one of them, whoever comes first."""

    def __init__(self, sessions: Sessions, worker: BotWorker) -> None:
        """``worker``: is shown each table, for the bots that think there."""
        self._sessions = sessions
        self._worker = worker

    async def run(self) -> None:
        """Look for good: for decisions that nobody makes, and for what is due by the clock."""
        while True:
            looked_at = 0
            try:
                looked_at = await self.look()
            except SkerryError as refusal:
                _log.debug("nobody looked for what is due: %s", refusal)
            except Exception:
                _log.exception("nobody looked for what is due; trying again")
            if looked_at < _MOST:
                await asyncio.sleep(_LOOK_SECONDS)

    async def look(self) -> int:
        """Look at the tables whose time has come, up to a number of them. Return how many there were."""
        tables = await self._sessions.timeouts.to_look_at(_MOST, LEASE_MS)
        await asyncio.gather(*(self._look_at(table) for table in tables))
        return len(tables)

    async def _look_at(self, table: Table) -> None:
        self._worker.take_up(table)
        try:
            after_ms = await self._sessions.timeouts.look(table)
            if after_ms is not None:
                thinks = any(seat.thinks for seat in table.record.seats)
                await self._sessions.timeouts.look_again(table, min(after_ms, LEASE_MS) if thinks else after_ms)
        except SkerryError as refusal:
            _log.debug("what is due at session %s is not done yet: %s", table.record.id, refusal)
        except Exception:  # of one session: the others are looked at nevertheless
            _log.exception("what is due at session %s is not done", table.record.id)
