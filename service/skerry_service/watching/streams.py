"""Readers that follow sessions. All streams of a session in this process share one feed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any

from msgspec import Struct

from skerry_service.domain.errors import LimitReached, SessionNotFound, ShuttingDown, TokenInvalid
from skerry_service.domain.languages.phrases import grouped, phrase
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import Phase, Record
from skerry_service.domain.table import Applied, Change, Table
from skerry_service.domain.tokens import ANONYMOUS, Caller, is_spectator_token, recognise, require_view_access
from skerry_service.sessions.loader import read_record
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.delayed_feed import DelayedFeed
from skerry_service.watching.feed import Feed

Refuse = Callable[[str, str], None]
"""Called with the name of a reached limit and a message. Raises LimitReached unless limits are in shadow mode."""
_LIMITED = {
    "streams_token": "streams of this session under your token",
    "spectators_address": "spectators of this session from one address",
    "spectators_session": "spectators of this session",
}


def refuse(limit: str, message: str) -> None:
    """Raise LimitReached."""
    raise LimitReached(limit, message)


class Update(Struct, frozen=True):
    """One message of a stream: the entries that are new to the reader, and the table after the last of them.

    All readers at the same position share it. ``StreamReader.caller`` decides what each of them may see.
    """

    table: Table
    applied: Sequence[Applied]
    record_changed: bool
    """Whether the record differs from the reader's last update. True in the first update."""
    heartbeat: bool
    """Whether the update contains nothing new and only shows that the stream is alive."""
    epoch: str
    memo: dict[Any, Any]
    """Rendered messages, shared by all readers of the session until the next entry."""
    before: Table | None
    """The table of the reader's last update. ``None`` if the reader has received no position yet."""
    rendered: dict[Any, Any] = {}
    """This update as rendered for other readers."""


class StreamReader:
    """The position of a reader in a live or delayed feed."""

    __slots__ = (
        "_closing",
        "_ended",
        "_losses",
        "_position",
        "_record",
        "_table",
        "_token",
        "caller",
        "feed",
        "generation",
    )

    def __init__(
        self, feed: Feed | DelayedFeed, token: str | None, after: int | None, closing: Callable[[], bool]
    ) -> None:
        self.feed = feed
        """Notifies whenever there may be something new."""
        self.generation = 0
        """The feed's generation at the last read."""
        self.caller = ANONYMOUS
        """The caller as recognised at the last read."""
        self._token = token
        self._closing = closing
        self._table: Table | None = None
        self._ended = False
        self._record: Record | None = None
        self._position = feed.table.sequence if after is None else after
        self._losses = len(feed.losses)

    def read(self) -> Update:
        """Return what is new since the last read. Call it once, and then after each notification of the feed.

        Raises SequenceAhead, TokenInvalid, TokenMissing, NotAllowed, ShuttingDown, and all that ``Feed.after`` raises.
        """
        if self._closing():
            raise ShuttingDown
        feed = self.feed
        self.generation = feed.generation
        table, losses, changed = feed.table, len(feed.losses), False
        record = table.record
        if record is not self._record:
            changed = record != self._record
            self._record = record
        if changed:  # the player may have left the seat, or seats were renumbered: check the token again
            self.caller = recognise(record, self._token)
            require_view_access(record, self.caller)
            update = self._next_update(table, changed)
        else:  # hundreds of readers may be at the same position: they share one update
            position = self.generation, self._position, self._losses, feed.epoch
            known, update = feed.last_update
            if known != position:
                update = self._next_update(table, changed)
                feed.last_update = position, update
        self._table, self._position, self._losses, self._ended = table, table.sequence, losses, record.over
        return update

    def _next_update(self, table: Table, changed: bool) -> Update:
        feed = self.feed
        new = feed.after(self._position, self._losses)
        before = self._table
        if before is not None and before.record.phase is Phase.LOBBY:
            before = None
        return Update(table, new, changed, not (new or changed), feed.epoch, feed.memo, before)

    @property
    def has_news(self) -> bool:
        """Whether the feed has notified since the last read."""
        return self.generation != self.feed.generation

    @property
    def over(self) -> bool:
        """Whether the last read has returned the end of the session."""
        return self._ended and self.feed.table is self._table


class Streams:
    """All streams of this process."""

    def __init__(self, store: Store, limits: SessionLimits, tasks: TaskRunner) -> None:
        self._store = store
        self._limits = limits
        self.refuse: Refuse = refuse
        self._tasks = tasks
        self._feeds: dict[str, Feed] = {}
        self._streams: Counter[tuple[str, str, str]] = Counter()
        """Open streams by session, token and reader. The token is empty for spectators; the reader may be empty."""
        self._verifying: asyncio.Task[None] | None = None
        self._on_close: set[Callable[[], None]] = set()
        self.closing = False
        """Whether all streams end and new ones are rejected."""

    def on_close(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` when the streams close, at once if they have. It must not raise. Return its removal."""
        if self.closing:
            listener()
        self._on_close.add(listener)
        return partial(self._on_close.discard, listener)

    def _is_closing(self) -> bool:
        return self.closing

    def expect(self, session: str, change: Change) -> None:
        """Announce a change that this process is about to commit."""
        if feed := self._feeds.get(session):
            feed.expect(change)

    def push(self, session: str, change: Change) -> None:
        """Send a change that this process has committed to the session's readers."""
        if feed := self._feeds.get(session):
            feed.push(change)

    @property
    def total(self) -> int:
        """The number of streams that are open here."""
        return self._streams.total()

    def count(self, session: str) -> int:
        """Return how many streams of a session are open here."""
        return sum(count for (followed, _, _), count in self._streams.items() if followed == session)

    def seated_callers(self) -> Iterator[tuple[Table, Caller]]:
        """Yield the table and the caller of each stream with a token, in sessions with an abandonment policy."""
        for session, token, _ in self._streams:
            feed = self._feeds.get(session) if token else None
            if feed is not None and feed.is_open and feed.table.record.abandonment.absence_ms:
                with suppress(TokenInvalid):
                    yield feed.table, recognise(feed.table.record, token)

    @asynccontextmanager
    async def reading(
        self, session: str, token: str | None, after: int | None, reader: str | None = None
    ) -> AsyncIterator[StreamReader]:
        """Open a reader.

        ``after``: the last sequence that the reader has; ``None``: the latest. ``reader``: identifies a spectator,
        since spectators may share a token. Raises SessionNotFound, TokenInvalid, TokenMissing, NotAllowed,
        LimitReached, StoreUnavailable.
        """
        with self._slots(session, token, reader):
            await self._require_spectate(session, token)
            async with self._open_feed(session) as live:
                feed = await live.for_caller(recognise(live.table.record, token))
                if isinstance(feed, DelayedFeed) and after is not None:
                    await self._wait_until_shown(feed, after)
                yield StreamReader(feed, token, after, self._is_closing)

    async def _wait_until_shown(self, feed: DelayedFeed, after: int) -> None:
        """Wait for a while until entry ``after`` is visible, whether or not it exists.

        The reader may have seen it at another replica, whose store clock is slightly ahead. It may also have seen it at
        this replica before a crash, which loses the uptime since the last tick of the store clock.
        """
        delay = feed.table.record.delay
        if delay is None or not delay.ms:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.uptime_skew_seconds):
                while feed.table.sequence < after and not (feed.over or self.closing):
                    await feed.wait(feed.generation)

    @contextmanager
    def _slots(self, session: str, token: str | None, reader: str | None) -> Iterator[None]:
        """Hold the concurrency slots of a stream: one of its token, or one of all spectators and one of the reader."""
        limits = self._limits
        if is_spectator_token(token):
            wanted = [((session, "", ""), limits.spectator_streams, "spectators_session")]
            if reader is not None:
                wanted.append(((session, "", reader), limits.spectators_per_address, "spectators_address"))
        else:
            wanted = [((session, token or "", ""), limits.streams_per_token, "streams_token")]
        for slot, most, limit in wanted:
            if self._streams[slot] >= most:
                facts = {"most": grouped(most), "counts": _LIMITED[limit], "advice": "Close one first."}
                self.refuse(limit, phrase("limit-at-once", **facts))
        self._streams.update(slot for slot, *_ in wanted)
        try:
            yield
        finally:
            for slot, *_ in wanted:
                self._streams[slot] -= 1
                if not self._streams[slot]:
                    del self._streams[slot]

    async def close(self) -> None:
        """End every stream with ShuttingDown."""
        self.closing = True
        for listener in tuple(self._on_close):
            listener()
        for feed in self._feeds.values():
            feed.notify_all()
        if self._verifying is not None:
            self._verifying.cancel()

    async def _require_spectate(self, session: str, token: str | None) -> None:
        """Check that the caller may spectate before the log is read."""
        if session not in self._feeds:
            head = await self._store.load(session)
            if head is None:
                raise SessionNotFound(session)
            record = read_record(session, head)
            require_view_access(record, recognise(record, token))

    @asynccontextmanager
    async def _open_feed(self, session: str) -> AsyncIterator[Feed]:
        """Open the session's feed, or share the one that is open.

        Raises SessionNotFound, SessionDamaged, StoreUnavailable.
        """
        feed = self._feeds.get(session)
        shared = feed is not None
        if feed is None:
            feed = self._feeds[session] = Feed(session, self._store, self._tasks)
        feed.readers += 1
        try:
            await feed.opened()
            if shared:  # the reader may know an entry from another replica before this process does
                await feed.catch_up()
            if self._verifying is None:
                self._verifying = asyncio.get_running_loop().create_task(self._verify_periodically())
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers:
                if self._feeds.get(session) is feed:
                    del self._feeds[session]
                await feed.close()

    async def _verify_periodically(self) -> None:
        while True:
            await asyncio.sleep(self._limits.heartbeat_seconds)
            await asyncio.gather(*(feed.verify() for feed in list(self._feeds.values())))
