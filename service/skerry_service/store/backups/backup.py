"""Every session of a store into a file, and back into an empty store.

It goes session by session, by commands that any Redis takes, while the store is served: each session is read at one
moment, so what is kept of it is whole; two sessions are read at two moments, and nothing in one depends on the other.
What is not kept comes back by itself: who waits for a table asks again, limits are counted anew, and when to look at a
session follows from it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from msgspec import MsgspecError

from skerry_service.domain.errors import SessionDamaged
from skerry_service.domain.index_keys import index_keys_of
from skerry_service.domain.record import Record, unpack_record
from skerry_service.sessions.commits import needs_scheduling
from skerry_service.store import redis_keys
from skerry_service.store.backups.backup_file import BackedUpSession, Heading, Reader, Writer
from skerry_service.store.call_router import CallRouter, Script
from skerry_service.store.connections.cluster import servers_of
from skerry_service.store.list_index import RedisListIndex
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.uptime import TICK_SECONDS

_PAGE = 100
"""Sessions that are read or written at a time."""
_DEADLINE = 30.0
_ENDS_AT = b"e"
_READ, _RESTORE, _RELIST = Script("read.lua"), Script("restore.lua"), Script("relist.lua")


class NotEmpty(Exception):
    """A store that holds sessions, or is served: one sentence."""


class Backups:
    """Backups of one store, and into it. Methods raise StoreUnavailable, those that write StoreFull."""

    def __init__(self, url: str) -> None:
        """Raises ValueError if that is no URL of a Redis."""
        self._store = RedisStore(url, deadline=_DEADLINE)
        self._servers = servers_of(url, _DEADLINE, None, lambda: None)
        self._calls = CallRouter(self._servers, _DEADLINE, waits=False)
        self._call = self._calls.call
        self._listing = RedisListIndex(self._call, self._relist)

    async def close(self) -> None:
        self._calls.close()
        await self._servers.close()
        await self._store.close()

    async def epoch(self) -> str:
        """Return the epoch that clients of a service would be told."""
        await self._store.open()
        return self._store.epoch

    # ------------------------------------------------------------ out

    async def write(self, writer: Writer, now_ms: int) -> None:
        """Write every session."""
        epoch = await self.epoch()
        age, archive = await self._call("HMGET", redis_keys.STORE, redis_keys.UPTIME, redis_keys.ARCHIVE_ID)
        writer.begin(Heading(taken_ms=now_ms, age=int(age or 0), epoch=epoch, archive=archive))
        place, known = 0, set[str]()
        while True:
            place, found = await self._store.scan(place, _PAGE)
            page = [session for session in dict.fromkeys(found) if session not in known]
            known.update(page)
            for kept in await asyncio.gather(*map(self._kept, page)):
                if kept is not None:
                    writer.add(kept)
            if not place:
                return

    async def _kept(self, session: str) -> BackedUpSession | None:
        """Return a session; ``None`` if it has ended, or if something else stands in its place, which is logged."""
        try:
            (head, log), _ = await self._calls.run_at(_READ, session)
        except SessionDamaged:
            return None
        if not head:
            return None
        listed = await self._call("ZSCORE", redis_keys.LISTED, session)
        fields = tuple(zip(head[::2], head[1::2], strict=True))
        batches = tuple((entry, values[1]) for entry, values in log)
        return BackedUpSession(session, fields, batches, None if listed is None else int(float(listed)))

    # ------------------------------------------------------------ in

    async def require_idle(self) -> None:
        """Raise NotEmpty if a service serves the store: its age grows."""
        before = await self._call("HGET", redis_keys.STORE, redis_keys.UPTIME)
        await asyncio.sleep(2 * TICK_SECONDS)
        if await self._call("HGET", redis_keys.STORE, redis_keys.UPTIME) != before:
            raise NotEmpty("A service runs on that store; stop every replica first.")

    async def read(self, reader: Reader) -> int:
        """Bring back every session, under another epoch than any before. Return how many. Raises NotEmpty."""
        if await self._call("ZRANGE", redis_keys.EXPIRY, 0, 0):
            raise NotEmpty("There are sessions in that store; restore into an empty one.")
        heading, lineage = reader.heading, secrets.token_hex(6)
        await self._call("HSET", redis_keys.STORE, redis_keys.LINEAGE, lineage, redis_keys.UPTIME, heading.age)
        if heading.archive is not None:
            await self._call("HSET", redis_keys.STORE, redis_keys.ARCHIVE_ID, heading.archive)
        count, left = 0, reader.sessions()
        while page := list(islice(left, _PAGE)):
            await self._put_all(page)
            count += len(page)
        return count

    async def _put_all(self, page: Sequence[BackedUpSession]) -> None:
        await asyncio.gather(*map(self._put, page))
        for kept in page:
            if record := _record(kept):
                await self._look_at(record)

    async def _put(self, kept: BackedUpSession) -> None:
        """Write a session, its indexes first, as when it was created."""
        session, record = kept.session, _record(kept)
        if ends := dict(kept.head).get(_ENDS_AT):
            await self._call("ZADD", redis_keys.EXPIRY, ends, session)
        if kept.listed_since_ms is not None:
            await self._listing.add(session, kept.listed_since_ms, index_keys_of(record) if record else ())
        arguments: list[bytes | int] = [len(kept.head), *_flat(kept.head), *_flat(kept.log)]
        reply, unsure = await self._calls.run_at(_RESTORE, session, *arguments)
        if reply == 0 and not unsure:
            raise NotEmpty(f"The session {session} is in that store already; restore into an empty one.")

    async def _look_at(self, record: Record) -> None:
        """Have the session looked at, where something happens by itself or is to be told. Its players count as seen."""
        if needs_scheduling(record):
            if record.abandonment.absence_ms:
                await self._store.record_seen([(record.id, seat) for seat in record.players()])
            await self._store.schedule(record.id)
        if record.has_webhooks:
            await self._store.deliveries.schedule(record.id, 0)

    async def _relist(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """Run the one script that adding to the list takes."""
        return await self._calls.run(_RELIST, names, *arguments)


def _record(kept: BackedUpSession) -> Record | None:
    """Return the record of a session; ``None`` if it is damaged, which its calls will say."""
    try:
        return unpack_record(dict(kept.head)[redis_keys.RECORD])
    except (MsgspecError, ValueError, KeyError):
        return None


def _flat(pairs: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    return [part for pair in pairs for part in pair]
