"""The list of public sessions in Redis, as a whole and by index keys (``domain.index_keys``).

Three keys in one slot: all listed sessions by the time since when they are; for each index key
a member of one sorted set, which Redis keeps in order by its bytes; and what each session is found under, so that it
leaves all of that at once. A page by index keys is a stretch of that set for each of them: what stands beside costs
nothing.
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
"""Of the time in a member, in ms: those of one index_key are in the order of time, then of id."""
_LATEST = 10**_DIGITS - 1


class RedisListIndex:
    """The part of a ``sessions.port.Store`` that is the list."""

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run
        self._leaving: set[asyncio.Task[None]] = set()

    async def add(self, session: str, since_ms: int, index_keys: Iterable[bytes]) -> None:
        """List a session that is about to be created, unless it is listed."""
        await self._run("relist.lua", _KEYS, session, b"", b"".join(index_keys), b"", since_ms)

    async def relist(self, session: str, sequence: int, added: Iterable[bytes], removed: Iterable[bytes]) -> None:
        """Do as ``Store.relist``."""
        await self._run("relist.lua", _KEYS, session, sequence, b"".join(added), b"".join(removed))

    def leave_soon(self, session: str, sequence: int, leaves: Iterable[bytes]) -> None:
        """Have a session found no longer where it was. Nobody waits for that: who finds it there looks twice."""

        async def leave() -> None:
            with suppress(StoreUnavailable, StoreFull):
                await self.relist(session, sequence, (), leaves)

        task = asyncio.create_task(leave())
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def unlist(self, sessions: Sequence[str]) -> None:
        """Do as ``Store.unlist``."""
        await self._run("unlist.lua", _KEYS, *sessions)

    async def page(
        self, before: tuple[int, str] | None, count: int, index_keys: Sequence[bytes] | None
    ) -> Sequence[tuple[int, str]]:
        """Do as ``Store.public``."""
        if index_keys is None:
            return await self._of_all(before, count)
        stretches = await asyncio.gather(*(self._of_key(index_key, before, count) for index_key in index_keys))
        # For a moment a session stands both where it was and where it will be.
        found = {pair for stretch in stretches for pair in stretch}
        return sorted(found, reverse=True)[:count]

    async def summaries(self, sessions: Sequence[str]) -> Sequence[Summary | SessionDamaged | None]:
        """Do as ``Store.summaries``."""
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
        bounds = (b"(" + _place(index_key, before), b"[" + index_key)
        members = await self._call("ZRANGE", redis_keys.INDEX_KEYS, *bounds, "BYLEX", "REV", "LIMIT", 0, count)
        at = INDEX_KEY_BYTES + _DIGITS
        return [(int(member[INDEX_KEY_BYTES:at]), member[at:].decode()) for member in members]

    async def _of_all(self, before: tuple[int, str] | None, count: int) -> Sequence[tuple[int, str]]:
        top: int | str = "+inf" if before is None else before[0]
        found: list[tuple[int, str]] = []
        offset = 0
        while len(found) < count:
            limits = ("LIMIT", offset, count, "WITHSCORES")
            page = _pairs(await self._call("ZRANGE", redis_keys.LISTED, top, "-inf", "BYSCORE", "REV", *limits))
            # Redis orders equal times by id, backwards here, as pairs compare.
            found += [pair for pair in page if before is None or pair < before]
            offset += count
            if len(page) < count:
                break
        return found[:count]


def _place(index_key: bytes, before: tuple[int, str] | None) -> bytes:
    """Return what the members of a index_key are compared with that stand behind a pair."""
    if before is None or before[0] > _LATEST:
        return index_key + b"\xff"
    since, session = before
    return index_key + (b"%0*d" % (_DIGITS, since) + session.encode(errors="replace") if since >= 0 else b"")


def _pairs(reply: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return the entries of the index as (listed since ms, session)."""
    return [(int(float(since)), session.decode()) for session, since in zip(reply[::2], reply[1::2], strict=True)]
