"""Pages of public sessions. The list is only an index: reading it checks each entry against its session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from skerry_service.domain.delay import is_shown_whole, is_unlisted, listed_record
from skerry_service.domain.errors import GameNotFound, RulesetUnsupported, SessionDamaged
from skerry_service.domain.index_keys import index_keys_of
from skerry_service.domain.record import Delay, Phase, Record
from skerry_service.sessions.loader import confined, read_record, read_table
from skerry_service.sessions.store_port import Store, Summary

_SCANNED_PER_PAGE = 200
_SCANNED_AFTERWARDS = 50
"""Batch size after the first batch of a page."""
_STORED_AFTER_MS = 60_000

Cursor = tuple[int, str]
"""A position in the list: (listed since ms, id) of the last entry before it."""


class Page(Struct, frozen=True):
    """A page of public sessions, the newest first, each with its sequence."""

    sessions: list[tuple[Record, int]]
    next: Cursor | None
    """Start of the next page; ``None`` on the last page."""


class _Entry(Struct, frozen=True):
    """A session as it is, and as lists show it."""

    record: Record
    sequence: int
    shown: tuple[Record, int]


async def read_page(
    store: Store,
    before: Cursor | None,
    count: int,
    wanted: Callable[[Record], bool],
    index_keys: Sequence[bytes] | None,
    now_ms: int,
) -> Page:
    """Return up to ``count`` wanted sessions after the position ``before``.

    The scan is bounded, so a page can have fewer. ``index_keys``: index keys that contain all wanted sessions and few
    others; ``None`` reads the whole list.
    """
    found: list[tuple[Record, int]] = []
    left, size = _SCANNED_PER_PAGE, min(count, _SCANNED_PER_PAGE)
    while size:
        part = await store.list_sessions(before, size + 1, index_keys)  # one more shows whether the list continues
        entries = await _read(store, part[:size], now_ms)
        for cursor, entry in zip(part[:size], entries, strict=True):
            before = cursor
            if entry is None or entry.shown[0].phase is Phase.CANCELLED:
                continue
            with suppress(SessionDamaged), confined(cursor[1]):
                if wanted(entry.shown[0]):
                    found.append(entry.shown)
                elif index_keys:
                    await _repair_index(store, entry, index_keys)
            if len(found) == count:
                break
        if not part or before == part[-1]:
            return Page(found, None)
        left = 0 if len(found) == count else left - size
        size = min(left, _SCANNED_AFTERWARDS)
    return Page(found, before)


async def _read(store: Store, listed: Sequence[Cursor], now_ms: int) -> list[_Entry | None]:
    """Return the entries of sessions; ``None`` for a missing or damaged session."""
    summaries = await store.summaries([session for _, session in listed])
    entries = [
        None if one is None else await _entry(store, session, one)
        for (_, session), one in zip(listed, summaries, strict=True)
    ]
    await _unlist_ended(store, listed, summaries, entries, now_ms)
    return entries


async def _entry(store: Store, session: str, summary: Summary | SessionDamaged) -> _Entry | None:
    """Return the entry of a session; ``None`` if it is damaged, so that the list still shows the others."""
    if isinstance(summary, SessionDamaged):
        return None
    try:
        with confined(session):
            record = read_record(session, summary)
            if record.delay is None or await _is_shown_whole(store, session, record, record.delay):
                return _Entry(record, summary.sequence, (record, summary.sequence))
            return _Entry(record, summary.sequence, (listed_record(record), 0))
    except SessionDamaged:
        return None


async def _is_shown_whole(store: Store, session: str, record: Record, delay: Delay) -> bool:
    """Return whether lists show a delayed session as it is.

    In play they do not: finding the entry that its delay permits would need the log.
    """
    if not record.over:
        return record.phase is Phase.LOBBY
    if is_unlisted(record):
        return True
    head = await store.load(session)
    try:
        return head is not None and is_shown_whole(read_table(session, head), delay, await store.uptime_ms())
    except (GameNotFound, RulesetUnsupported):
        return False


async def _repair_index(store: Store, entry: _Entry, index_keys: Sequence[bytes]) -> None:
    """Remove wrong index keys of a session, which a crash of a replica has left behind."""
    belongs = index_keys_of(entry.record)
    if belongs.isdisjoint(index_keys):
        await store.relist(entry.record.id, entry.sequence, belongs, frozenset(index_keys))


async def _unlist_ended(
    store: Store,
    listed: Sequence[Cursor],
    summaries: Sequence[object],
    entries: Sequence[_Entry | None],
    now_ms: int,
) -> None:
    """Unlist sessions that have expired or are cancelled.

    A session is listed before it is stored. So a missing session has expired only if it was listed a while ago. A
    cancelled session is still listed if the cancelling replica crashed, or if the session was delayed.
    """
    ended = [
        session
        for (since, session), summary, entry in zip(listed, summaries, entries, strict=True)
        if (summary is None and since < now_ms - _STORED_AFTER_MS)
        or (entry is not None and entry.shown[0].phase is Phase.CANCELLED)
    ]
    if ended:
        await store.unlist(ended)
