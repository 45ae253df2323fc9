"""Who is there: players seen by their calls and by their open streams, noted in the store every few seconds.

Nothing of it is told to anybody here. ``timed`` compares what was noted with each session, and what has changed becomes
an entry of its log, once, whichever replica a player was seen by.
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
    """Notes whom this replica sees, at the sessions that watch presence."""

    def __init__(self, store: Store, streams: Streams, limits: SessionLimits) -> None:
        self._store = store
        self._streams = streams
        self._limits = limits
        self._seen: dict[tuple[str, int], bool] = {}
        """Seats whose players were seen since it was last noted, and whether the table took them for gone."""

    def saw(self, table: Table, caller: Caller) -> None:
        """Remember that somebody has called, for the next ``note``."""
        if caller.seat is not None and table.record.abandonment.absence_ms:
            seat = table.record.seats[caller.seat]
            self._seen[table.record.id, caller.seat] = seat.away > 0

    async def sees(self, table: Table, seat: int) -> None:
        """Note at once that the player of a seat is there."""
        if table.record.abandonment.absence_ms:
            await self._store.record_seen([(table.record.id, seat)])

    async def note(self) -> None:
        """Note who was seen, and who has a stream. Where somebody is back, the session is looked at soon."""
        for table, caller in self._streams.seated():
            self.saw(table, caller)
        seen, self._seen = self._seen, {}
        try:
            await self._store.record_seen(tuple(seen))
            for session in {session for (session, _), gone in seen.items() if gone}:
                await self._store.reschedule(session, 0)
        except SkerryError:
            self._seen = seen | self._seen
            raise

    async def run(self) -> None:
        """Note it for good."""
        while True:
            try:
                await self.note()
            except SkerryError as refusal:
                _log.debug("nobody noted who is there: %s", refusal)
            except Exception:
                _log.exception("nobody noted who is there; trying again")
            await asyncio.sleep(self._limits.presence_seconds)
