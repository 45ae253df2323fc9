"""What happens at a table by itself, in time: players who are away, abandoned seats, time that is up.

Whoever looks at a table finds what is due, and it is done as any call would be: decided on the table as it stands, and
stored once, however many replicas have looked. Time is the age of the store (``Store.age``): it stands still while no
replica, or no store, is there to be called, and no wall clock moves it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Literal

from msgspec import Struct

from skerry_service.domain import clocks, transitions
from skerry_service.domain.clocks import Moment
from skerry_service.domain.errors import (
    GameOver,
    LimitReached,
    NotAllowed,
    SessionNotFound,
    SkerryError,
    StaleSequence,
    StoreUnavailable,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.record import Cause, Occupant
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.table_cache import TableCache

_log = logging.getLogger(__name__)

SOONEST_MS = 250
"""A table is not looked at more often, for all that is due in between."""
LATEST_MS = 3_600_000


class DueTimeout(Struct, frozen=True):
    """Something that is due. The same to all who find it, until it is done."""

    kind: Literal["away", "back", "absent", "time"]
    session: str
    seat: int
    since: int
    """Of a decision whose time is up: the entry since which it is owed. Else the age at which the player was last seen,
    as far as the log says."""


class Timeouts:
    """Does what is due at tables, as one replica does."""

    def __init__(self, store: Store, tables: TableCache, changes: Committer, limits: SessionLimits) -> None:
        self._store = store
        self._tables = tables
        self._changes = changes
        self._limits = limits

    async def to_look_at(self, most: int, again_ms: int) -> Sequence[Table]:
        """Return tables at which something happens by itself and which it is time to look at.

        Nobody else looks at them for that time now, unless it is set to another one.

        Up to so many of them. Those that cannot be read are left out, and looked at again later.
        """
        sessions = await self._store.due_sessions(most, again_ms)
        tables = await asyncio.gather(*(self._to_look_at(session) for session in sessions))
        return [table for table in tables if table is not None]

    async def _to_look_at(self, session: str) -> Table | None:
        try:
            table = await self._tables.newest(session)
        except SessionNotFound:
            await self._store.unschedule(session)
            return None
        except StoreUnavailable as refusal:
            _log.debug("session %s is looked at later: %s", session, refusal)
            return None
        except SkerryError as refusal:
            _log.error("nothing happens by itself at session %s: %s", session, refusal)
            return None
        if table.record.over:
            await self._store.unschedule(session)
            return None
        return table

    async def look(self, table: Table) -> int | None:
        """Do what is due at the table. Return after how many ms to look again; ``None``: nothing happens by itself."""
        record = table.record
        watched = record.abandonment.absence_ms > 0
        if not record.playing or (not watched and record.clock is None):
            return None
        now = await self._store.uptime_ms()
        seen = await self._store.last_seen(record.id, len(record.seats)) if watched else ()
        due = [*_times_up(table, now), *self._changed(table, seen, now)]
        done = [await self._do(table, lapse, seen) for lapse in due]
        if any(done):
            return SOONEST_MS
        looks = (*clocks.next_deadlines(record, table.clocks, now), *self._next(table, seen, now))
        later = min((at for at in looks if at > now), default=now + LATEST_MS)
        return max(SOONEST_MS, min(later - now, LATEST_MS))

    async def look_again(self, table: Table, after_ms: int) -> None:
        """Have the table looked at again after that time."""
        await self._store.reschedule(table.record.id, after_ms)

    def _changed(self, table: Table, seen: Sequence[int], now: int) -> Iterator[DueTimeout]:
        """Yield what has changed in who is there."""
        record = table.record
        for seat, age in enumerate(seen):
            one = record.seats[seat]
            kind: Literal["away", "back", "absent"] | None = None
            if one.occupant is not Occupant.PLAYER:
                kind = "back" if one.cause is Cause.ABSENT and age > one.away else None
            elif one.away:
                absent = now >= one.away + record.abandonment.absence_ms
                kind = "back" if age > one.away else "absent" if absent else None
            elif now >= age + self._limits.away_ms:
                kind = "away"
            if kind and one.token:
                yield DueTimeout(kind, record.id, seat, one.away)

    def _next(self, table: Table, seen: Sequence[int], now: int) -> Iterator[int]:
        """Yield the ages at which somebody may be away, or have abandoned a seat, who has not yet.

        Who sits down on a seat that is away, or a substitute's, is seen then: nobody need note when that was.
        """
        for age, one in zip(seen, table.record.seats, strict=False):
            if one.occupant is Occupant.PLAYER:
                yield one.away + table.record.abandonment.absence_ms if one.away else age + self._limits.away_ms
            if one.away or one.cause not in (None, Cause.RESIGNED):
                yield now + self._limits.away_ms

    async def _do(self, table: Table, lapse: DueTimeout, seen: Sequence[int]) -> bool:
        """Do it, unless somebody else has. Return whether it is done; if not, it never can be."""

        def decide(table: Table, now: Moment) -> Change:
            one = table.record.seats[lapse.seat]
            if lapse.kind == "time":
                if lapse not in _times_up(table, now.uptime_ms):
                    raise StaleSequence(lapse.since, table.sequence)
                return transitions.time_out(table, lapse.seat, Cause.OUT_OF_TIME, now)
            plays = one.occupant is Occupant.PLAYER
            if one.away != lapse.since or not (plays or (lapse.kind == "back" and one.cause is Cause.ABSENT)):
                raise StaleSequence(table.sequence, table.sequence)
            if lapse.kind == "away":
                return transitions.mark_away(table, lapse.seat, max(seen[lapse.seat], 1), now)
            if lapse.kind == "back":
                return transitions.return_to_seat(table, lapse.seat, now)
            return transitions.time_out(table, lapse.seat, Cause.ABSENT, now)

        with suppress(StaleSequence, SessionNotFound, GameOver):  # somebody else was first, or it is no longer so
            try:
                await self._changes.change_from(table, _request_of(table, lapse), decide, fresh=False)
            except (LimitReached, NotAllowed) as refusal:  # to this seat: what is due at others does not wait for it
                if refusal.retry_after is not None:
                    raise
                _log.debug("what is due at session %s is not done: %s", lapse.session, refusal)
                return False
        return True


def _times_up(table: Table, uptime_ms: int) -> list[DueTimeout]:
    """Return the decisions at that table whose time is up at that age."""
    return [
        DueTimeout("time", table.record.id, seat, table.open_since[seat])
        for seat, one in enumerate(table.clocks)
        if clocks.has_expired(one, uptime_ms)
    ]


def _request_of(table: Table, lapse: DueTimeout) -> Request:
    """Return the identity under which it is done, by whomever."""
    # Beside a decision the sequence is part of it: somebody can be away, and back, and away again since the same age.
    known = pack((lapse, 0 if lapse.kind == "time" else table.sequence))
    hashed = blake2b(known, digest_size=8, key=table.record.salt, person=b"skerry lapse").digest()
    return Request(id=hashed, payload=hashed)
