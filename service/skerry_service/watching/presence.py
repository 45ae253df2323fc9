"""Which players are present: seen by their calls and open streams, and written to the store every few seconds.

This module sends nothing to clients. ``timers.timeouts`` compares the stored times with each session and appends a
change to the session's log, once, no matter which replica saw the player.
"""

from __future__ import annotations

import asyncio
import logging

from skerry_service.domain.errors import SkerryError
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.table import Table
from skerry_service.domain.tokens import Caller
from skerry_service.sessions.store_port import Store
from skerry_service.watching.streams import Streams

_log = logging.getLogger(__name__)


class Presence:
    """Records the players that this replica sees, in sessions with an abandonment policy."""

    def __init__(self, store: Store, streams: Streams, limits: SessionLimits) -> None:
        self._store = store
        self._streams = streams
        self._limits = limits
        self._seen: dict[tuple[str, int], bool] = {}
        """Seats whose players were seen since the last flush, and whether the session counts them as away."""

    def record_call(self, table: Table, caller: Caller) -> None:
        """Remember that a player has called, for the next ``flush``."""
        if caller.seat is not None and table.record.abandonment.absence_ms:
            seat = table.record.seats[caller.seat]
            self._seen[table.record.id, caller.seat] = seat.away > 0

    async def mark_seen(self, table: Table, seat: int) -> None:
        """Write to the store at once that the player of a seat is present."""
        if table.record.abandonment.absence_ms:
            await self._store.record_seen([(table.record.id, seat)])

    async def flush(self) -> None:
        """Write to the store which players have called or have an open stream.

        Schedule each session in which a player has returned for an immediate check.
        """
        for table, caller in self._streams.seated_callers():
            self.record_call(table, caller)
        seen, self._seen = self._seen, {}
        try:
            await self._store.record_seen(tuple(seen))
            for session in {session for (session, _), away in seen.items() if away}:
                await self._store.schedule.at("timers", session, 0)
        except SkerryError:
            self._seen = seen | self._seen
            raise

    async def run(self) -> None:
        """Flush periodically, until cancelled."""
        while True:
            try:
                await self.flush()
            except SkerryError as error:
                _log.debug("cannot store which players are present: %s", error)
            except Exception:
                _log.exception("storing which players are present has failed; trying again")
            await asyncio.sleep(self._limits.presence_seconds)
