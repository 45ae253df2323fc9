"""Polls the store for sessions in which something may be due without a call."""

from __future__ import annotations

import asyncio
import logging

from skerry_service.domain.errors import SkerryError
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.timers.bot_worker import BotWorker

LEASE_MS = 15_000
"""Time after which another replica may claim a session that was claimed but not handled."""
_POLL_SECONDS = 0.25
_BATCH = 100
"""Sessions claimed in one poll."""
_log = logging.getLogger(__name__)


class Scheduler:
    """Claims sessions whose time has come and handles them. Replicas share the work: each session has one claimant."""

    def __init__(self, sessions: Sessions, worker: BotWorker) -> None:
        """``worker``: receives each table, for the bots that think there."""
        self._sessions = sessions
        self._worker = worker

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            handled = 0
            try:
                handled = await self.poll()
            except SkerryError as error:
                _log.debug("cannot poll for due sessions: %s", error)
            except Exception:
                _log.exception("polling for due sessions has failed; trying again")
            if handled < _BATCH:
                await asyncio.sleep(_POLL_SECONDS)

    async def poll(self) -> int:
        """Claim and handle one batch of sessions. Return how many there were."""
        tables = await self._sessions.timeouts.claim_due(_BATCH, LEASE_MS)
        await asyncio.gather(*(self._handle(table) for table in tables))
        return len(tables)

    async def _handle(self, table: Table) -> None:
        self._worker.start_due(table)
        try:
            after_ms = await self._sessions.timeouts.apply_due(table)
            if after_ms is not None:
                thinks = any(seat.thinks for seat in table.record.seats)
                await self._sessions.timeouts.reschedule(table, min(after_ms, LEASE_MS) if thinks else after_ms)
        except SkerryError as error:
            _log.debug("cannot apply what is due in session %s yet: %s", table.record.id, error)
        except Exception:  # the other sessions of the batch continue
            _log.exception("applying what is due in session %s has failed", table.record.id)
