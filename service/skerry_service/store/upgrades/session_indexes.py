"""The entries of sessions in the indexes: which of them are missing, and how to write them again.

Every entry follows from its session, so an index that is lost can be rebuilt. Restoring an entry is safe beside a
running service: it changes no entry that exists, and a needless entry costs one check.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, Literal

from msgspec import MsgspecError, Struct

from skerry_service.domain.errors import SessionDamaged
from skerry_service.domain.index_keys import index_keys_of
from skerry_service.domain.record import Phase, Record, unpack_record
from skerry_service.sessions.commits import needs_scheduling
from skerry_service.sessions.loader import confined
from skerry_service.store import redis_keys
from skerry_service.store.call_router import Now, RunCommand, RunScript
from skerry_service.store.indexes.list_index import RedisListIndex
from skerry_service.store.indexes.player_index import RedisPlayerIndex
from skerry_service.store.stored_values import number_of, session_of

Index = Literal["expiry", "list", "players", "timers"]
"""An index that has an entry of every session to which it applies."""


_PLACE: Final = re.compile(r"([1-9][0-9]{0,19})-([0-9a-f]{8})", re.ASCII)
_RUN_DIGITS: Final = 8
_MAX_CURSOR: Final = 2**64 - 1
_MOST_READS: Final = 32
"""Commands for a page of a walk. A set that was larger once can have few members in a part."""


class _IndexedHead(Struct, frozen=True):
    """The part of a session from which its entries follow."""

    sequence: int
    record: Record | None
    """``None`` if it is damaged. Only the entry of ``expiry`` is known then."""
    expires: int
    """Uptime in ms; 0 if it never expires."""
    index_keys: frozenset[bytes]
    """Empty if lists do not contain the session."""


class RedisSessionIndexes:
    """The part of ``RedisStore`` that compares sessions and indexes. Methods raise StoreUnavailable."""

    def __init__(
        self,
        call: RunCommand,
        run: RunScript,
        listing: RedisListIndex,
        players: RedisPlayerIndex,
        uptime_ms: Now,
        run_of_server: Callable[[], str],
    ) -> None:
        """``run_of_server``: returns a word that changes when a server starts again or another one takes over."""
        self._players = players
        self._call = call
        self._run = run
        self._listing = listing
        self._uptime_ms = uptime_ms
        self._run_of_server = run_of_server

    async def scan(self, cursor: int, count: int) -> tuple[int, Sequence[str]]:
        """Return about ``count`` sessions of the index ``expiry`` and the next cursor. 0 is the beginning and the end.

        A session that is in the index during the whole scan is returned at least once.
        """
        shards = redis_keys.shards("expiry")
        position, shard = divmod(cursor, len(shards))
        after, pairs = await self._call("ZSCAN", shards[shard], position, "COUNT", count)
        following = int(after) * len(shards) + shard if int(after) else (shard + 1) % len(shards)
        sessions = [session_of("expiry", entry) for entry in pairs[::2]]
        return following, [session for session in sessions if session is not None]

    async def walk(self, place: str, count: int) -> tuple[Sequence[str], str]:
        """Return about ``count`` sessions of a walk through all, and the place at which it goes on. See ``Store``.

        The order of a walk is that of a run of the server. A place of an earlier run leads back to the beginning.
        """
        run = sha256(self._run_of_server().encode()).hexdigest()[:_RUN_DIGITS]
        known = _PLACE.fullmatch(place)
        if place and (known is None or int(known[1]) > _MAX_CURSOR):
            raise ValueError(place)
        cursor = int(known[1]) if known is not None and known[2] == run else 0
        found: list[str] = []
        for _ in range(_MOST_READS):
            cursor, some = await self.scan(cursor, count)
            found += some
            if not cursor or len(found) >= count:
                break
        return found, f"{cursor}-{run}" if cursor else ""

    async def due_ms(self, session: str) -> int | None:
        """Return the uptime in ms at which a session is due in ``expiry``; ``None`` if it has no entry."""
        due = await self._call("ZSCORE", _due("expiry", session), session)
        return None if due is None else int(min(float(due), 1e15))

    async def exists(self, session: str) -> bool:
        """Return whether the store has the session, be it damaged."""
        return bool(await self._call("EXISTS", redis_keys.head(session)))

    async def missing(self, session: str) -> frozenset[Index]:
        """Return the indexes that lack an entry of the session; none for a session that does not exist."""
        head = await self._head(session)
        return frozenset() if head is None else await self._missing(session, head)

    async def restore(self, session: str) -> frozenset[Index]:
        """Write the missing entries of a session. Return the indexes that lacked one.

        A session with webhooks is also checked for deliveries. Raises StoreFull.
        """
        head = await self._head(session)
        if head is None:
            return frozenset()
        missing, record = await self._missing(session, head), head.record
        if "expiry" in missing:
            await self._call("ZADD", _due("expiry", session), "LT", head.expires, session)
        if record is None:
            return missing
        if "list" in missing:
            await self._listing.restore(session, record.created_ms, head.sequence, head.index_keys)
        if "players" in missing:
            await self._players.restore(record)
        if "timers" in missing:
            await self._restore_timers(record)
        if record.may_notify:
            await self._call("ZADD", _due("deliveries", session), "NX", await self._uptime_ms(), session)
        return missing

    async def remove(self, session: str, due_ms: int) -> None:
        """Remove the entries of a session that does not exist, unless it has been scheduled anew.

        ``due_ms``: as ``due_ms`` returned it.
        """
        await self._run("schedule.lua", (_due("expiry", session),), session, due_ms, "")
        await self._listing.unlist([session])

    async def _restore_timers(self, record: Record) -> None:
        """Schedule a check. Players whose presence is not recorded count as present, so that none is timed out."""
        now = await self._uptime_ms()
        if record.abandonment.absence_ms and (players := record.players()):
            seats = [word for seat in players for word in (now, redis_keys.seat(record.id, seat))]
            await self._call("ZADD", redis_keys.PRESENCE, "NX", *seats)
        await self._call("ZADD", _due("timers", record.id), "NX", now, record.id)

    async def _head(self, session: str) -> _IndexedHead | None:
        fields = (redis_keys.SEQUENCE, redis_keys.RECORD, redis_keys.EXPIRES)
        try:
            sequence, packed, expires = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        except SessionDamaged:  # the key is no hash
            return None
        if sequence is None:
            return None
        record, keys = _readable(session, packed)
        return _IndexedHead(number_of(sequence), record, number_of(expires), keys)

    async def _missing(self, session: str, head: _IndexedHead) -> frozenset[Index]:
        record = head.record
        has_timer = record is None or not needs_scheduling(record)
        expiry, timer, listed, seated = await asyncio.gather(
            self._call("ZSCORE", _due("expiry", session), session),
            self._call("ZSCORE", _due("timers", session), session),
            self._listing.is_listed(session, head.index_keys) if head.index_keys else _true(),
            self._players.has(record) if record else _true(),
        )
        found: dict[Index, bool] = {
            "expiry": expiry is not None or not head.expires,
            "timers": timer is not None or has_timer,
            "list": listed,
            "players": seated,
        }
        return frozenset(index for index, present in found.items() if not present)


async def _true() -> bool:
    return True


def _due(queue: Literal["expiry", "timers", "deliveries"], session: str) -> bytes:
    return redis_keys.due(redis_keys.shard_of(session), queue)


def _readable(session: str, packed: bytes | None) -> tuple[Record | None, frozenset[bytes]]:
    """Return a record and its index keys; ``None`` and no key if it is damaged."""
    try:
        record = unpack_record(packed or b"")
        with confined(session):
            listed = record.phase is not Phase.CANCELLED
            return record, index_keys_of(record) if listed else frozenset()
    except (MsgspecError, ValueError, SessionDamaged):
        return None, frozenset()
