"""Whole sessions in Redis: read for the archive, deleted once they are in it, and written without a player's name."""

from __future__ import annotations

from skerry_service.domain.log import unpack_batch
from skerry_service.domain.packed import Head
from skerry_service.sessions.loader import report_damage
from skerry_service.sessions.store_port import ArchivedData, Tip
from skerry_service.store import redis_keys, request_window
from skerry_service.store.call_router import RunCommand, RunScript
from skerry_service.store.stored_values import sequence_of


class RedisFinishedSessions:
    """A ``sessions.store_port.FinishedSessions``."""

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run

    async def read(self, session: str) -> ArchivedData | None:
        fields = (redis_keys.SEQUENCE, redis_keys.RECORD, redis_keys.SNAPSHOT, redis_keys.HASH, redis_keys.WINDOW)
        reply = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        sequence, record, snapshot, chained, requests = reply
        if sequence is None:
            return None
        if record is None or snapshot is None:
            raise report_damage(session, "its head is incomplete")
        log = await self._call("XRANGE", redis_keys.log(session), "-", "+", session=session)
        head = Head(sequence_of(session, sequence), record, snapshot, chained or b"")
        return ArchivedData(head, tuple([fields[1] for _, fields in log]), request_window.entries(requests or b""))

    async def delete(self, session: str, tip: Tip) -> bool:
        names = redis_keys.head(session), redis_keys.log(session)
        if await self._run("delete.lua", names, tip.sequence, tip.chained_hash) != 1:
            return False
        await self._call("ZREM", redis_keys.due(redis_keys.shard_of(session), "expiry"), session)
        return True

    async def replace(self, session: str, tip: Tip, data: ArchivedData) -> bool:
        head, log = data.head, list[bytes | int]()
        for packed in data.batches:
            log += (unpack_batch(packed).last, packed)
        requests = b"".join(request_window.packed(one, done) for one, done in data.requests)
        arguments = (tip.sequence, tip.chained_hash, head.record, head.snapshot, requests, head.chained_hash)
        names = redis_keys.head(session), redis_keys.log(session)
        return bool(await self._run("replace_session.lua", names, *arguments, *log) == 1)

    async def archive_id(self) -> bytes | None:
        found: bytes | None = await self._call("HGET", redis_keys.STORE, redis_keys.ARCHIVE_ID)
        return found

    async def set_archive_id(self, archive: bytes) -> None:
        await self._run("set_once.lua", (redis_keys.STORE,), redis_keys.ARCHIVE_ID, archive)
