"""Changes of a table that time alone brings: players who are away or absent, and time that is up.

Each replica that checks a table finds the same changes. A change is decided on the current table and stored once, like
the change of a call, even if several replicas find it. Times are store uptime, which stands still while no replica runs
or the store is unavailable. No wall clock affects it.
"""

from __future__ import annotations

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
    StaleSequence,
    TimeUp,
)
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.log import pack
from skerry_service.domain.packed import Request
from skerry_service.domain.record import Cause, Occupant
from skerry_service.domain.table import Change, Table
from skerry_service.sessions.commits import Committer
from skerry_service.sessions.store_port import Store

_log = logging.getLogger(__name__)

MIN_INTERVAL_MS = 250
"""The shortest time between two checks of a table."""
MAX_INTERVAL_MS = 3_600_000


class DueTimeout(Struct, frozen=True):
    """A change that is due. All replicas that find it build an equal value, until one of them has applied it."""

    kind: Literal["away", "back", "absent", "time"]
    session: str
    seat: int
    since: int
    """For ``time``: the sequence since which the decision is owed. Otherwise the uptime in ms at which the player was
    last seen, according to the log; 0 if the log does not call the player away."""


class Timeouts:
    """Applies what is due at the tables that this replica checks."""

    def __init__(self, store: Store, committer: Committer, limits: SessionLimits) -> None:
        self._store = store
        self._committer = committer
        self._limits = limits

    async def apply_due(self, table: Table) -> int | None:
        """Apply what is due at a table. Return the ms until the next check; ``None`` if no time matters there."""
        record = table.record
        watches_presence = record.abandonment.absence_ms > 0
        if not record.playing or (not watches_presence and record.clock is None):
            return None
        now = await self._store.uptime_ms()
        seen = await self._store.last_seen(record.id, len(record.seats)) if watches_presence else ()
        due = [*_expired(table, now), *self._presence_changes(table, seen, now)]
        applied = [await self._apply(table, timeout, seen) for timeout in due]
        if any(applied):
            return MIN_INTERVAL_MS
        checks = (*clocks.next_deadlines(record, table.clocks, now), *self._presence_checks(table, seen, now))
        next_check = min((at for at in checks if at > now), default=now + MAX_INTERVAL_MS)
        return max(MIN_INTERVAL_MS, min(next_check - now, MAX_INTERVAL_MS))

    def _presence_changes(self, table: Table, seen: Sequence[int], now: int) -> Iterator[DueTimeout]:
        """Yield the seats whose players are newly away, back or absent. ``seen``: by seat, uptime in ms."""
        record = table.record
        for index, seen_ms in enumerate(seen):
            seat = record.seats[index]
            kind: Literal["away", "back", "absent"] | None = None
            if seat.occupant is not Occupant.PLAYER:
                kind = "back" if seat.cause is Cause.ABSENT and seen_ms > seat.away else None
            elif seat.away:
                absent = now >= seat.away + record.abandonment.absence_ms
                kind = "back" if seen_ms > seat.away else "absent" if absent else None
            elif now >= seen_ms + self._limits.away_ms:
                kind = "away"
            if kind and seat.token:
                yield DueTimeout(kind, record.id, index, seat.away)

    def _presence_checks(self, table: Table, seen: Sequence[int], now: int) -> Iterator[int]:
        """Yield the times, as uptime in ms, at which a player may become away or absent.

        A player who returns to an away seat, or takes one from a substitute, is seen at that moment. That player
        cannot be away again within ``away_ms`` from now.
        """
        for seen_ms, seat in zip(seen, table.record.seats, strict=False):
            if seat.occupant is Occupant.PLAYER:
                yield seat.away + table.record.abandonment.absence_ms if seat.away else seen_ms + self._limits.away_ms
            if seat.away or seat.cause not in (None, Cause.RESIGNED):
                yield now + self._limits.away_ms

    async def _apply(self, table: Table, timeout: DueTimeout, seen: Sequence[int]) -> bool:
        """Apply a change unless another replica has. Return whether it is applied; ``False``: it cannot be."""

        def decide(table: Table, now: Moment) -> Change:
            seat = table.record.seats[timeout.seat]
            if timeout.kind == "time":
                if timeout not in _expired(table, now.uptime_ms):
                    raise StaleSequence(timeout.since, table.sequence)
                return transitions.time_out(table, timeout.seat, Cause.OUT_OF_TIME, now)
            is_player = seat.occupant is Occupant.PLAYER
            returns = timeout.kind == "back" and seat.cause is Cause.ABSENT
            if seat.away != timeout.since or not (is_player or returns):
                raise StaleSequence(table.sequence, table.sequence)
            if timeout.kind == "away":
                return transitions.mark_away(table, timeout.seat, max(seen[timeout.seat], 1), now)
            if timeout.kind == "back":
                return transitions.return_to_seat(table, timeout.seat, now)
            return transitions.time_out(table, timeout.seat, Cause.ABSENT, now)

        with suppress(StaleSequence, SessionNotFound, GameOver):  # another replica was first, or it is no longer due
            try:
                await self._committer.change_from(table, _request_of(table, timeout), decide, fresh=False)
            except (
                LimitReached,
                NotAllowed,
                TimeUp,
            ) as error:  # concerns this seat only
                if error.retry_after is not None:
                    raise
                _log.debug("cannot apply what is due in session %s: %s", timeout.session, error)
                return False
        return True


def _expired(table: Table, now_ms: int) -> list[DueTimeout]:
    """Return the decisions of a table whose time is up. ``now_ms``: store uptime."""
    return [
        DueTimeout("time", table.record.id, seat, table.open_since[seat])
        for seat, clock in enumerate(table.clocks)
        if clocks.has_expired(clock, now_ms)
    ]


def _request_of(table: Table, timeout: DueTimeout) -> Request:
    """Return the request id of a change, equal at all replicas, so that the store accepts it once."""
    # A player can be away, return, and be away again since the same time: only the sequence differs.
    known = pack((timeout, 0 if timeout.kind == "time" else table.sequence))
    hashed = blake2b(known, digest_size=8, key=table.record.salt, person=b"skerry timeout").digest()
    return Request(id=hashed, payload=hashed)
