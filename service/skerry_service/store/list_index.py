"""The list of public sessions in Redis, as a whole and by index key (``domain.index_keys``).

Three Redis keys in one slot: the listed sessions by time of listing; one sorted set in the order of bytes, with a
member for each index key of each session; and the index keys of each session, so that a script can remove all of them
at once. A page by index key reads one range of the sorted set, whatever else is listed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from skerry_service.domain.errors import SessionDamaged, StoreFull, StoreUnavailable
from skerry_service.domain.index_keys import INDEX_KEY_BYTES
from skerry_service.sessions.loader import report_damage
from skerry_service.sessions.store_port import Summary
from skerry_service.store import redis_keys
from skerry_service.store.delivery_index import RunCommand, RunScript

_KEYS = (redis_keys.LISTED, redis_keys.INDEX_KEYS, redis_keys.KEYS_OF)
_DIGITS = 14
"""Digits of the time of listing (ms) in a member. The members of an index key are in the order of time, then of id."""
_LATEST = 10**_DIGITS - 1


class RedisListIndex:
    """The part of ``RedisStore`` that lists sessions."""

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run
        self._removing: set[asyncio.Task[None]] = set()

    async def add(self, session: str, since_ms: int, index_keys: Iterable[bytes]) -> None:
        """List a session that is about to be created, unless it is listed already."""
        await self._run("relist.lua", _KEYS, session, b"", b"".join(index_keys), b"", since_ms)

    async def relist(self, session: str, sequence: int, added: Iterable[bytes], removed: Iterable[bytes]) -> None:
        """See ``Store.relist``."""
        await self._run("relist.lua", _KEYS, session, sequence, b"".join(added), b"".join(removed))

    def remove_soon(self, session: str, sequence: int, removed: Iterable[bytes]) -> None:
        """Remove index keys in the background. Until then, and if it fails, lists check what they find."""

        async def remove() -> None:
            with suppress(StoreUnavailable, StoreFull):
                await self.relist(session, sequence, (), removed)

        task = asyncio.create_task(remove())
        self._removing.add(task)
        task.add_done_callback(self._removing.discard)

    async def unlist(self, sessions: Sequence[str]) -> None:
        """See ``Store.unlist``."""
        await self._run("unlist.lua", _KEYS, *sessions)

    async def page(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None
    ) -> Sequence[tuple[int, str]]:
        """See ``Store.list_sessions``."""
        if index_keys is None:
            return await self._of_all(before, count)
        ranges = await asyncio.gather(*(self._of_key(index_key, before, count) for index_key in index_keys))
        # A set, because a session that changes is listed under its old and its new keys for a moment.
        found = {pair for page in ranges for pair in page}
        return sorted(found, reverse=True)[:count]

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        """See ``Store.summaries``."""
        return await asyncio.gather(*(self._summary(session) for session in sessions))

    async def _summary(self, session: str) -> Summary | SessionDamaged | None:
        fields = (redis_keys.SEQUENCE, redis_keys.RECORD)
        try:
            sequence, record = await self._call("HMGET", redis_keys.head(session), *fields, session=session)
        except SessionDamaged as damage:
            return damage
        if sequence is None:
            return None
        return report_damage(session, "it has no record") if record is None else Summary(int(sequence), record)

    async def _of_key(self, index_key: bytes, before: tuple[int, str] | None, count: int) -> Sequence[tuple[int, str]]:
        bounds = (b"(" + _upper_bound(index_key, before), b"[" + index_key)
        members = await self._call("ZRANGE", redis_keys.INDEX_KEYS, *bounds, "BYLEX", "REV", "LIMIT", 0, count)
        id_at = INDEX_KEY_BYTES + _DIGITS
        return [(int(member[INDEX_KEY_BYTES:id_at]), member[id_at:].decode()) for member in members]

    async def _of_all(self, before: tuple[int, str] | None, count: int) -> Sequence[tuple[int, str]]:
        top: int | str = "+inf" if before is None else before[0]
        found: list[tuple[int, str]] = []
        offset = 0
        while len(found) < count:
            limits = ("LIMIT", offset, count, "WITHSCORES")
            page = _pairs(await self._call("ZRANGE", redis_keys.LISTED, top, "-inf", "BYSCORE", "REV", *limits))
            # Redis orders equal times by id, descending here, which is the order of pairs.
            found += [pair for pair in page if before is None or pair < before]
            offset += count
            if len(page) < count:
                break
        return found[:count]


def _upper_bound(index_key: bytes, before: tuple[int, str] | None) -> bytes:
    """Return the exclusive upper bound of the members of an index key that follow a pair in the list."""
    if before is None or before[0] > _LATEST:
        return index_key + b"\xff"
    since, session = before
    return index_key + (b"%0*d" % (_DIGITS, since) + session.encode(errors="replace") if since >= 0 else b"")


def _pairs(reply: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return the entries of a reply with scores as (listed since ms, session)."""
    return [(int(float(since)), session.decode()) for session, since in zip(reply[::2], reply[1::2], strict=True)]
