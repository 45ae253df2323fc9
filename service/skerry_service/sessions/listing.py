"""Pages of public sessions. The list is only an index: each entry is checked against its session when it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from skerry_service.sessions.errors import GameNotFound, RulesetNotCarried, SessionDamaged
from skerry_service.sessions.late import is_shown_whole, listed
from skerry_service.sessions.port import Head, Store
from skerry_service.sessions.record import Delay, Phase, Record
from skerry_service.sessions.stored import read_record, read_table

_SCANNED_PER_PAGE = 200
_SETTLED_AFTER_MS = 60_000

Cursor = tuple[int, str]
"""A place in the list: (listed since ms, id) of the last entry before it."""


class Page(Struct, frozen=True):
    """Some public sessions, the newest first, each with its sequence."""

    sessions: list[tuple[Record, int]]
    next: Cursor | None
    """Where the next page begins; ``None`` on the last one."""


async def read_page(
    store: Store, before: Cursor | None, count: int, wanted: Callable[[Record], bool], now_ms: int
) -> Page:
    """Return up to ``count`` wanted sessions that stand behind ``before``. The scan is bounded, so it may be fewer."""
    listed = await store.public(before, _SCANNED_PER_PAGE)
    heads = await asyncio.gather(*(_read(store, session) for _, session in listed))
    await _unlist_ended(store, listed, heads, now_ms)
    found: list[tuple[Record, int]] = []
    for cursor, head in zip(listed, heads, strict=True):
        if isinstance(head, tuple) and head[0].phase is not Phase.CALLED_OFF and wanted(head[0]):
            found.append(head)
            if len(found) == count:
                return Page(found, cursor if cursor != listed[-1] or len(listed) == _SCANNED_PER_PAGE else None)
    return Page(found, listed[-1] if len(listed) == _SCANNED_PER_PAGE else None)


async def _read(store: Store, session: str) -> tuple[Record, int] | SessionDamaged | None:
    """Return record and sequence of a session, as everybody may know them.

    Return its damage, which is nothing to those who ask for the others.
    """
    try:
        head = await store.load(session)
        if head is None:
            return None
        record = read_record(session, head)
        if record.delay is not None and not await _is_shown_whole(store, session, head, record, record.delay):
            return listed(record), 0
        return record, head.sequence
    except SessionDamaged as damage:
        return damage


async def _is_shown_whole(store: Store, session: str, head: Head, record: Record, delay: Delay) -> bool:
    """Whether a session is listed as it stands. In play it is not: what is shown by then would take its log to say."""
    if not record.over:
        return record.phase is Phase.LOBBY
    if record.phase is Phase.CALLED_OFF:
        return True  # it is not listed
    try:
        return is_shown_whole(read_table(session, head), delay, await store.age())
    except (GameNotFound, RulesetNotCarried):
        return False


async def _unlist_ended(store: Store, listed: Sequence[Cursor], heads: Sequence[object], now_ms: int) -> None:
    """A session is listed before it is stored, so only one listed for a while and not stored has ended.

    One that was called off is unlisted by whoever does so, unless that process dies in between.
    """
    ended = [
        session
        for (since, session), head in zip(listed, heads, strict=True)
        if (head is None and since < now_ms - _SETTLED_AFTER_MS)
        or (isinstance(head, tuple) and head[0].phase is Phase.CALLED_OFF)
    ]
    if ended:
        await store.unlist(ended)
