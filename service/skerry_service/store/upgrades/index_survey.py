"""Compares the sessions of a store with its indexes, and repairs the indexes.

Sessions are found by scanning the keys of every server, so no index is needed to find them. A session that an index
lacks, and an entry without a session, are errors: an index or a part of the sessions is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from skerry_service.store.redis_store import RedisStore

_PAGE = 500
_BATCH = 100
_SETTLE_SECONDS = 0.5
"""Within this time a session follows its entries, which are written before it, unless the store hangs."""
_STORED_SECONDS = 6.0
"""After this time a session is either stored or will never be: calls to the store time out after five seconds."""
_SOON_MS = 60_000
"""An entry that is due so soon may be that of a session that has just expired. The scheduler removes it."""
T = TypeVar("T")


class IndexSurvey(Struct, frozen=True):
    """What a comparison of the sessions with the indexes has found."""

    sessions: tuple[str, ...]
    """All sessions, sorted."""
    unindexed: tuple[str, ...] = ()
    """Those that an index lacks."""
    dangling: tuple[str, ...] = ()
    """Sessions of the index of all sessions that do not exist."""

    @property
    def agrees(self) -> bool:
        """Whether the indexes have all sessions and no others."""
        return not self.unindexed and not self.dangling

    @property
    def sentence(self) -> str:
        """The difference in words, as sentences."""
        indexed, total = len(self.sessions) - len(self.unindexed), len(self.sessions)
        found = [f"The indexes have {indexed:,} of {total:,} sessions."] if self.unindexed else []
        if self.dangling:
            found.append(f"The indexes name {len(self.dangling):,} sessions that the store does not have.")
        return " ".join(found)


class RepairReport(Struct, frozen=True):
    """What a repair has done."""

    sessions: int
    restored: int
    """Sessions that an index lacked."""
    removed: int
    """Entries without a session."""


async def all_sessions(store: RedisStore) -> list[str]:
    """Return all sessions, sorted, without an index. Raises StoreUnavailable."""
    return sorted({session async for page in store.heads(_PAGE) for session in page})


async def survey(store: RedisStore) -> IndexSurvey:
    """Compare all sessions with the indexes. Raises StoreUnavailable."""
    sessions = await all_sessions(store)
    unindexed, dangling = await _without_entry(store, sessions), await _dangling(store, sessions)
    if unindexed or dangling:  # sessions begin and end meanwhile
        await asyncio.sleep(_SETTLE_SECONDS)
        unindexed, dangling = await _without_entry(store, unindexed), await _still_dangling(store, dangling)
    return IndexSurvey(tuple(sessions), tuple(unindexed), tuple(dangling))


async def repair(store: RedisStore) -> RepairReport:
    """Write the missing entries of all sessions, and remove entries without a session.

    Safe beside a running service, and while another repair runs. Raises StoreUnavailable, StoreFull.
    """
    sessions, restored = await all_sessions(store), 0
    async for page in _batches(sessions):
        restored += sum(map(bool, await asyncio.gather(*map(store.indexes.restore, page))))
    due = {session: await store.indexes.due_ms(session) for session in await _dangling(store, sessions)}
    if due:
        await asyncio.sleep(_STORED_SECONDS)
    lost = await _still_dangling(store, list(due))
    for session in lost:
        if (at := due[session]) is not None:
            await store.indexes.remove(session, at)
    return RepairReport(len(sessions), restored, len(lost))


async def _without_entry(store: RedisStore, sessions: Sequence[str]) -> list[str]:
    found: list[str] = []
    async for page in _batches(sessions):
        missing = await asyncio.gather(*map(store.indexes.missing, page))
        found += [session for session, indexes in zip(page, missing, strict=True) if indexes]
    return found


async def _dangling(store: RedisStore, sessions: Sequence[str]) -> list[str]:
    """Return the sessions of the index ``expiry`` that are not among these, nor due soon."""
    indexed, cursor = set[str](), -1
    while cursor:
        cursor, page = await store.scan(max(cursor, 0), _PAGE)
        indexed.update(page)
    return await _still_dangling(store, sorted(indexed - set(sessions)))


async def _still_dangling(store: RedisStore, sessions: Sequence[str]) -> list[str]:
    found: list[str] = []
    soon = await store.uptime_ms() + _SOON_MS
    async for page in _batches(sessions):
        due = await asyncio.gather(*map(store.indexes.due_ms, page))
        exist = await asyncio.gather(*map(store.indexes.exists, page))
        found += [one for one, at, is_there in zip(page, due, exist, strict=True) if not is_there and (at or 0) > soon]
    return found


async def _batches(values: Iterable[T]) -> AsyncIterator[Sequence[T]]:
    """Yield the values in batches, between which other tasks run."""
    left = iter(values)
    while page := tuple(islice(left, _BATCH)):
        yield page
        await asyncio.sleep(0)
