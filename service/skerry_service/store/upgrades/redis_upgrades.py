"""The commands of migrations: the format number, sessions with a TTL, and rebuilt heads."""

from __future__ import annotations

from msgspec import Struct

from skerry_service.domain.packed import Head
from skerry_service.store import redis_keys
from skerry_service.store.call_router import CallRouter, RunCommand, RunScript, Script

_PERSIST, _REPLACE_HEAD = Script("persist.lua"), Script("replace_head.lua")


class StoredFormat(Struct, frozen=True):
    """The format that a store names."""

    number: bytes
    """In decimal, unless it is damaged."""
    build: str
    """The build that wrote the store in that format."""


class RedisUpgrades:
    """The part of ``RedisStore`` that migrations use. Methods raise StoreUnavailable; those that write, StoreFull."""

    def __init__(self, call: RunCommand, run: RunScript, calls: CallRouter) -> None:
        self._call = call
        self._run = run
        self._calls = calls

    async def stored_format(self) -> StoredFormat | None:
        """Return the format that the store names; ``None`` if it names none."""
        number, build = await self._call("HMGET", redis_keys.STORE, redis_keys.FORMAT, redis_keys.BUILD)
        return None if number is None else StoredFormat(number, (build or b"").decode(errors="replace"))

    async def stored_uptime(self) -> bytes | None:
        """Return the uptime as stored, which a running service advances every two seconds."""
        stored: bytes | None = await self._call("HGET", redis_keys.STORE, redis_keys.UPTIME)
        return stored

    async def set_format(self, before: bytes, number: int, build: str) -> bool:
        """Set the format if it is ``before`` now (empty: none). Return whether it was."""
        done = await self._run("set_format.lua", (redis_keys.STORE,), before, number, build)
        return bool(done == 1)

    async def persist(self, session: str, uptime_ms: int) -> None:
        """Replace a TTL of the session by the uptime at which it expires."""
        await self._calls.run_at(_PERSIST, session, uptime_ms)

    async def replace_head(self, session: str, head: Head) -> bool:
        """Replace record and snapshot of a session that still has that sequence and hash. Return whether it had."""
        arguments = (head.sequence, head.chained_hash, head.snapshot, head.record)
        done, _ = await self._calls.run_at(_REPLACE_HEAD, session, *arguments)
        return bool(done == 1)

    async def has_indexes_of_format_0(self) -> bool:
        """Return whether the store has an index that only builds of format 0 read."""
        return any([await self._call("EXISTS", key) for key in redis_keys.FORMAT_0_INDEXES.values()])

    async def copy_presence_of_format_0(self) -> None:
        """Copy when players were last seen."""
        pairs = await self._call("ZRANGE", redis_keys.FORMAT_0_INDEXES["seen"], 0, -1, "WITHSCORES")
        for seat, seen in zip(pairs[::2], pairs[1::2], strict=True):
            await self._call("ZADD", redis_keys.PRESENCE, "GT", seen, seat)

    async def delete_indexes_of_format_0(self) -> None:
        """Delete the indexes that only builds of format 0 read."""
        for key in redis_keys.FORMAT_0_INDEXES.values():
            await self._call("DEL", key)
