"""What happens at a table by itself, in time: players who are away, and seats that are abandoned.

Whoever looks at a table finds what is due, and it is done as any call would be: decided on the table as it stands, and
stored once, however many replicas have looked. Time is the age of the store (``Store.age``): it stands still while no
replica, or no store, is there to be called, and no wall clock moves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b

from msgspec import Struct

from skerry_service.sessions import transitions
from skerry_service.sessions.changes import Changes
from skerry_service.sessions.errors import SessionNotFound, StaleSequence
from skerry_service.sessions.limits import Limits
from skerry_service.sessions.log import pack
from skerry_service.sessions.port import Request, Store
from skerry_service.sessions.record import Cause, Occupant
from skerry_service.sessions.table import Change, Table

SOONEST_MS = 500
"""A table is not looked at more often, for all that is due in between."""
LATEST_MS = 3_600_000


class Lapse(Struct, frozen=True):
    """Something that is due. The same to all who find it, until it is done."""

    kind: str
    """``away``, ``back`` or ``absent``."""
    session: str
    seat: int
    since: int
    """The age at which the player was last seen, as far as the log says."""


class Timed:
    """Does what is due at tables, as one replica does."""

    def __init__(self, store: Store, changes: Changes, limits: Limits, clock_ms: Callable[[], int]) -> None:
        self._store = store
        self._changes = changes
        self._limits = limits
        self._clock_ms = clock_ms

    async def look(self, table: Table) -> int | None:
        """Do what is due at the table. Return after how many ms to look again; ``None``: nothing happens by itself."""
        record = table.record
        if not record.leavers.absence_ms:
            return None
        now, seen = await self._store.age(), await self._store.seen(record.id, len(record.seats))
        due = list(self._due(table, seen, now))
        for lapse in due:
            await self._do(table, lapse, seen[lapse.seat])
        return SOONEST_MS if due else max(SOONEST_MS, min(self._next(table, seen), default=now + LATEST_MS) - now)

    async def look_again(self, table: Table, after_ms: int) -> None:
        """Have the table looked at again after that time."""
        await self._store.remind_in(table.record.id, after_ms)

    def _due(self, table: Table, seen: Sequence[int], now: int) -> Iterator[Lapse]:
        record = table.record
        for seat, one in enumerate(record.seats):
            kind = ""
            if one.away and seen[seat] > one.away and (one.is_awaited or one.occupant is Occupant.PLAYER):
                kind = "back"
            elif one.occupant is Occupant.PLAYER and one.away and now >= one.away + record.leavers.absence_ms:
                kind = "absent"
            elif one.occupant is Occupant.PLAYER and not one.away and now >= seen[seat] + self._limits.away_ms:
                kind = "away"
            if kind and one.token:
                yield Lapse(kind, record.id, seat, one.away)

    def _next(self, table: Table, seen: Sequence[int]) -> Iterator[int]:
        """Yield the ages at which something may be due that is not due now."""
        for seat in table.record.players():
            away = table.record.seats[seat].away
            yield away + table.record.leavers.absence_ms if away else seen[seat] + self._limits.away_ms

    async def _do(self, table: Table, lapse: Lapse, seen: int) -> None:
        def decide(table: Table) -> Change:
            one = table.record.seats[lapse.seat]
            stands = one.away == lapse.since and (one.occupant is Occupant.PLAYER or one.is_awaited)
            if not stands or (lapse.kind == "absent" and one.is_awaited):
                raise StaleSequence(table.sequence, table.sequence)
            now_ms = self._clock_ms()
            if lapse.kind == "away":
                return transitions.go_away(table, lapse.seat, max(seen, 1), now_ms)
            if lapse.kind == "back":
                return transitions.come_back(table, lapse.seat, now_ms)
            return transitions.lapse(table, lapse.seat, Cause.ABSENT, now_ms)

        with suppress(StaleSequence, SessionNotFound):  # somebody else has done it, or it is no longer so
            await self._changes.change_from(table, _request_of(table, lapse), decide, fresh=False)


def _request_of(table: Table, lapse: Lapse) -> Request:
    """Return the identity under which it is done, by whomever."""
    # The sequence is part of it: somebody can be away, and back, and away again since the same age.
    known = pack((lapse, table.sequence))
    hashed = blake2b(known, digest_size=8, key=table.record.salt, person=b"skerry lapse").digest()
    return Request(id=hashed, payload=hashed)
