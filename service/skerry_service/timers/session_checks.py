"""The check of a session's clocks, players and bots."""

from __future__ import annotations

import logging

from skerry_service.domain.errors import SessionDamaged, SessionNotFound, SkerryError, StoreUnavailable
from skerry_service.domain.table import Table
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.timers.bot_worker import BotWorker
from skerry_service.timers.scheduler import LEASE_MS

_log = logging.getLogger(__name__)


class SessionChecks:
    """Applies what is due in sessions by time alone, and starts the bots that think there."""

    def __init__(self, sessions: Sessions, store: Store, worker: BotWorker) -> None:
        """``worker``: receives each table, for the bots that think there."""
        self._sessions = sessions
        self._store = store
        self._worker = worker

    async def check(self, session: str) -> int | None:
        """Do what is due in a session. Return the ms until the next check; ``None`` if it is over or gone.

        Raises SkerryError if the session cannot be checked now.
        """
        table = await self._load(session)
        if table is None:
            await self._store.forget_seen(session)
            return None
        self._worker.start_due(table)
        after_ms = await self._sessions.timeouts.apply_due(table)
        thinks = any(seat.thinks for seat in table.record.seats)
        return LEASE_MS if after_ms is None else min(after_ms, LEASE_MS) if thinks else after_ms

    async def _load(self, session: str) -> Table | None:
        try:
            table = await self._sessions.live(session)
        except SessionNotFound:
            return None
        except (StoreUnavailable, SessionDamaged):  # the log has the damage already
            raise
        except SkerryError as error:
            _log.error("no deadline or bot of session %s can be handled: %s", session, error)
            raise
        return None if table.record.over else table
