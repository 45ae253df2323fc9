"""The list of public sessions in Redis, as a whole and by index key (``domain.index_keys``).

Three Redis keys in one slot: the listed sessions by time of listing; one sorted set in the order of bytes, with a
member for each index key of each session; and the index keys of each session, so that a script can remove all of them
at once. A page by index key reads one range of the sorted set, whatever else is listed.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from math import isfinite
from typing import TypeVar

from skerry_service.domain.errors import SessionDamaged, StoreFull, StoreUnavailable
from skerry_service.domain.index_keys import INDEX_KEY_BYTES
from skerry_service.sessions.loader import report_damage, report_damaged_entry
from skerry_service.sessions.store_port import Summary
from skerry_service.store import redis_keys
from skerry_service.store.call_router import RunCommand, RunScript
from skerry_service.store.stored_values import sequence_of, session_of

Entry = TypeVar("Entry")

_KEYS = (redis_keys.LISTED, redis_keys.INDEX_KEYS, redis_keys.KEYS_OF)
_DIGITS = 14
"""Digits of the time of listing (ms) in a member. The members of an index key are in the order of time, then of id."""
_LATEST = 10**_DIGITS - 1
_ID_AT = INDEX_KEY_BYTES + _DIGITS


class RedisListIndex:
    """The part of ``RedisStore`` that lists sessions."""

    def __init__(self, call: RunCommand, run: RunScript) -> None:
        self._call = call
        self._run = run
        self._removing: set[asyncio.Task[None]] = set()

    async def add(self, session: str, since_ms: int, index_keys: Iterable[bytes]) -> None:
        """List a session that is about to be created, unless it is listed already."""
        await self._run("relist.lua", _KEYS, session, b"", b"".join(index_keys), b"", since_ms)

    async def restore(self, session: str, since_ms: int, sequence: int, index_keys: Iterable[bytes]) -> None:
        """List a stored session, unless it is listed already, and write all its entries of the index again."""
        await self._run("relist.lua", _KEYS, session, sequence, b"".join(index_keys), b"", since_ms)

    async def is_listed(self, session: str, index_keys: Iterable[bytes]) -> bool:
        """Return whether a session is listed, under at least those index keys."""
        since = await self._call("ZSCORE", redis_keys.LISTED, session)
        if since is None or not isfinite(float(since)):
            return False
        suffix = b"%0*d" % (_DIGITS, int(float(since))) + session.encode()
        members = [index_key + suffix for index_key in index_keys]
        scores, stored = await asyncio.gather(
            self._call("ZMSCORE", redis_keys.INDEX_KEYS, *members), self._call("HGET", redis_keys.KEYS_OF, session)
        )
        return stored is not None and None not in scores

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
        if not await self._is_ordered():
            await self._restore_order()
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
        if sequence is None and record is None:
            return None
        if sequence is None or record is None:
            return report_damage(session, "its head is incomplete")
        try:
            return Summary(sequence_of(session, sequence), record)
        except SessionDamaged as damage:
            return damage

    async def _is_ordered(self) -> bool:
        """Return whether all members of ``INDEX_KEYS`` have the score 0. Else they are not in the order of bytes."""
        ends = await asyncio.gather(
            *(self._call("ZRANGE", redis_keys.INDEX_KEYS, end, end, "WITHSCORES") for end in (0, -1))
        )
        return all(not float(score) for end in ends for score in end[1:])

    async def _restore_order(self) -> None:
        """Give the score 0 to all members that have another one, which was not written by the service."""
        for bounds in (("-inf", "(0"), ("(0", "+inf")):
            for member in await self._call("ZRANGE", redis_keys.INDEX_KEYS, *bounds, "BYSCORE"):
                report_damaged_entry("the index index_keys", member)
                await self._call("ZADD", redis_keys.INDEX_KEYS, 0, member)

    async def _of_key(self, index_key: bytes, before: tuple[int, str] | None, count: int) -> Sequence[tuple[int, str]]:
        bounds = (b"(" + _upper_bound(index_key, before), b"[" + index_key)

        async def read(offset: int) -> Sequence[bytes]:
            limits = ("LIMIT", offset, count)
            found: Sequence[bytes] = await self._call("ZRANGE", redis_keys.INDEX_KEYS, *bounds, "BYLEX", "REV", *limits)
            return found

        return await _first_pairs(read, _pair_in, None, count)

    async def _of_all(self, before: tuple[int, str] | None, count: int) -> Sequence[tuple[int, str]]:
        top: int | str = "+inf" if before is None else before[0]

        async def read(offset: int) -> Sequence[tuple[bytes, bytes]]:
            limits = ("LIMIT", offset, count, "WITHSCORES")
            reply = await self._call("ZRANGE", redis_keys.LISTED, top, "-inf", "BYSCORE", "REV", *limits)
            return tuple(zip(reply[::2], reply[1::2], strict=True))

        # Redis orders equal times by id, descending here, which is the order of pairs.
        return await _first_pairs(read, _pair_with_score, before, count)


async def _first_pairs(
    read: Callable[[int], Awaitable[Sequence[Entry]]],
    pair_of: Callable[[Entry], tuple[int, str] | None],
    before: tuple[int, str] | None,
    count: int,
) -> list[tuple[int, str]]:
    """Return the first ``count`` pairs after ``before``. ``read`` returns up to ``count`` entries from an offset."""
    found: list[tuple[int, str]] = []
    for offset in itertools.count(0, count):
        entries = await read(offset)
        pairs = [pair for entry in entries if (pair := pair_of(entry)) is not None]
        found += [pair for pair in pairs if before is None or pair < before]
        if len(entries) < count or len(found) >= count:
            break
    return found[:count]


def _upper_bound(index_key: bytes, before: tuple[int, str] | None) -> bytes:
    """Return the exclusive upper bound of the members of an index key that follow a pair in the list."""
    if before is None or before[0] > _LATEST:
        return index_key + b"\xff"
    since, session = before
    return index_key + (b"%0*d" % (_DIGITS, since) + session.encode(errors="replace") if since >= 0 else b"")


def _pair_in(member: bytes) -> tuple[int, str] | None:
    """Return a member of an index key as (listed since ms, session); ``None`` if it is damaged."""
    since, session = member[INDEX_KEY_BYTES:_ID_AT], member[_ID_AT:]
    if len(since) == _DIGITS and since.isdigit():
        return _paired(int(since), session)
    report_damaged_entry("the index index_keys", member)
    return None


def _pair_with_score(entry: tuple[bytes, bytes]) -> tuple[int, str] | None:
    """Return an entry of the whole list as (listed since ms, session); ``None`` if it is damaged."""
    member, score = entry
    since = float(score)
    if isfinite(since):
        return _paired(int(since), member)
    report_damaged_entry("the index sessions", member)
    return None


def _paired(since: int, member: bytes) -> tuple[int, str] | None:
    session = session_of("sessions", member)
    return None if session is None else (since, session)
