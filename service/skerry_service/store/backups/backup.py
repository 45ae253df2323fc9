"""Backup of all sessions of a store to a file, and restore into an empty store.

A backup uses commands that any Redis has, and runs while the store is in use. Each session is read atomically. Two
sessions are read at different times, and neither depends on the other. The backup leaves out what comes back by
itself: matchmaking tickets are renewed, quotas are counted anew, and the schedules follow from the sessions.
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
from skerry_service.store.backups.resource_backup import (
    has_resources,
    parts_of_resources,
    read_resource,
    write_fields,
)
from skerry_service.store.call_router import CallRouter, Script
from skerry_service.store.connections.cluster import servers_of
from skerry_service.store.indexes.list_index import RedisListIndex
from skerry_service.store.redis_store import RedisStore
from skerry_service.store.stored_values import number_of
from skerry_service.store.upgrades.index_survey import IndexSurvey, all_sessions, survey
from skerry_service.store.upgrades.store_format import FORMAT, UnsupportedFormat, format_of
from skerry_service.store.uptime import TICK_SECONDS

_PAGE = 100
"""Sessions that are read or written at a time."""
_DEADLINE = 30.0
_READ, _RESTORE, _RELIST = Script("read.lua"), Script("restore.lua"), Script("relist.lua")


class NotEmpty(Exception):
    """The store holds sessions or is in use. The message is one sentence."""


class Backups:
    """Backup and restore of one store. Methods raise StoreUnavailable; those that write raise StoreFull."""

    def __init__(self, url: str, build: str) -> None:
        """``build``: this one. Raises ValueError if ``url`` is not an address of Redis."""
        self._build = build
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
        """Return the store's epoch, as clients of the service see it."""
        await self._store.open()
        return self._store.epoch

    async def survey(self) -> IndexSurvey | None:
        """Compare the sessions with the indexes. Return ``None`` for a store of an earlier format.

        Raises UnsupportedFormat.
        """
        found = await format_of(self._store, self._build)
        return await survey(self._store) if found is not None and found.number == FORMAT else None

    # ------------------------------------------------------------ backup

    async def write(self, writer: Writer, now_ms: int) -> None:
        """Write every session, whether the indexes have it or not."""
        epoch = await self.epoch()
        uptime, archive = await self._call("HMGET", redis_keys.STORE, redis_keys.UPTIME, redis_keys.ARCHIVE_ID)
        stored, left = await self._store.upgrades.stored_format(), iter(await all_sessions(self._store))
        parts = await parts_of_resources(self._calls)
        writer.begin(
            Heading(
                taken_ms=now_ms,
                uptime_ms=int(uptime or 0),
                epoch=epoch,
                archive=archive,
                format=number_of(stored.number) if stored else 0,
                has_resources=bool(parts),
            )
        )
        for resource in sorted(parts):
            async for fields in read_resource(self._calls, resource, parts[resource]):
                writer.add_fields(fields)
        if parts:
            writer.end_resources()
        while page := list(islice(left, _PAGE)):
            for kept in await asyncio.gather(*map(self._session, page)):
                if kept is not None:
                    writer.add(kept)

    async def _session(self, session: str) -> BackedUpSession | None:
        """Return a session; ``None`` if it has expired, or if its key is not a session, which is logged."""
        try:
            (head, log), _ = await self._calls.run_at(_READ, session)
        except SessionDamaged:
            return None
        if not head:
            return None
        listed = await self._call("ZSCORE", redis_keys.LISTED, session)
        fields = tuple(zip(head[::2], head[1::2], strict=True))
        if redis_keys.EXPIRES not in head[::2]:
            fields += await self._lifetime(session)
        batches = tuple((entry, values[1]) for entry, values in log)
        return BackedUpSession(session, fields, batches, None if listed is None else int(float(listed)))

    async def _lifetime(self, session: str) -> tuple[tuple[bytes, bytes], ...]:
        """Return the field with the lifetime of a session that has a TTL instead, as the first builds stored it."""
        ttl = await self._call("PTTL", redis_keys.head(session))
        return ((redis_keys.EXPIRES, b"%d" % (await self._store.uptime_ms() + ttl)),) if ttl > 0 else ()

    # ------------------------------------------------------------ restore

    async def require_idle(self) -> None:
        """Raise NotEmpty if a service uses the store, which shows in its growing uptime."""
        before = await self._call("HGET", redis_keys.STORE, redis_keys.UPTIME)
        await asyncio.sleep(2 * TICK_SECONDS)
        if await self._call("HGET", redis_keys.STORE, redis_keys.UPTIME) != before:
            raise NotEmpty("A service is using this store. Stop every replica first.")

    async def read(self, reader: Reader) -> int:
        """Restore every session, under a new epoch. Return their number. Raises NotEmpty, UnsupportedFormat.

        The store gets the format of the backup. A service that starts on it migrates it.
        """
        if reader.heading.format > FORMAT:
            raise UnsupportedFormat(
                f"The backup has format {reader.heading.format}. This build, {self._build}, supports format {FORMAT} "
                f"and earlier ones."
            )
        if await all_sessions(self._store):
            raise NotEmpty("This store has sessions. Restore into an empty store.")
        if await has_resources(self._calls):
            raise NotEmpty("This store has ladders or bots. Restore into an empty store.")
        heading, lineage = reader.heading, secrets.token_hex(6)
        await self._call("HSET", redis_keys.STORE, redis_keys.LINEAGE, lineage, redis_keys.UPTIME, heading.uptime_ms)
        if heading.archive is not None:
            await self._call("HSET", redis_keys.STORE, redis_keys.ARCHIVE_ID, heading.archive)
        await self._call("HDEL", redis_keys.STORE, redis_keys.FORMAT, redis_keys.BUILD)
        if heading.format:
            await self._store.upgrades.set_format(b"", heading.format, self._build)
        for fields in reader.resources():
            await write_fields(self._calls, fields)
        count, left = 0, reader.sessions()
        while page := list(islice(left, _PAGE)):
            await self._put_all(page)
            count += len(page)
        return count

    async def _put_all(self, page: Sequence[BackedUpSession]) -> None:
        await asyncio.gather(*map(self._put, page))
        for kept in page:
            if record := _record(kept):
                await self._schedule(record)

    async def _put(self, kept: BackedUpSession) -> None:
        """Write a session, its index entries first, as ``RedisStore.create`` does."""
        session, record = kept.session, _record(kept)
        if expires := dict(kept.head).get(redis_keys.EXPIRES):
            await self._call("ZADD", redis_keys.due(redis_keys.shard_of(session), "expiry"), expires, session)
        if kept.listed_since_ms is not None:
            await self._listing.add(session, kept.listed_since_ms, index_keys_of(record) if record else ())
        arguments: list[bytes | int] = [len(kept.head), *_flat(kept.head), *_flat(kept.log)]
        reply, unsure = await self._calls.run_at(_RESTORE, session, *arguments)
        if reply == 0 and not unsure:
            raise NotEmpty(f"Session {session} is in this store already. Restore into an empty store.")

    async def _schedule(self, record: Record) -> None:
        """Schedule the session's timers and webhook deliveries, if it has any. Its players count as present."""
        if needs_scheduling(record):
            if record.abandonment.absence_ms:
                await self._store.record_seen([(record.id, seat) for seat in record.players()])
            await self._store.schedule.at("timers", record.id, 0)
        if record.may_notify:
            await self._store.schedule.at("deliveries", record.id, 0)

    async def _relist(self, script: str, names: Sequence[bytes], *arguments: bytes | str | int) -> Any:
        """Run the script of ``RedisListIndex.add``."""
        return await self._calls.run(_RELIST, names, *arguments)


def _record(kept: BackedUpSession) -> Record | None:
    """Return the record of a session; ``None`` if it is damaged. Calls to the session then report that."""
    try:
        return unpack_record(dict(kept.head)[redis_keys.RECORD])
    except (MsgspecError, ValueError, KeyError):
        return None


def _flat(pairs: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    return [part for pair in pairs for part in pair]
