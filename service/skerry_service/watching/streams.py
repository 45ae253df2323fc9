"""Readers that follow sessions. One feed for each watched session, shared by all its streams in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any

from msgspec import Struct

from skerry_service.domain.errors import LimitReached, SessionNotFound, ShuttingDown, TokenInvalid
from skerry_service.domain.limits import SessionLimits
from skerry_service.domain.record import Record
from skerry_service.domain.table import Applied, Change, Table
from skerry_service.domain.tokens import ANONYMOUS, Caller, is_spectator_token, recognise, require_view_access
from skerry_service.sessions.loader import read_record
from skerry_service.sessions.store_port import Store
from skerry_service.sessions.task_runner import TaskRunner
from skerry_service.watching.delayed_feed import DelayedFeed
from skerry_service.watching.feed import Feed

Refuse = Callable[[str, str], None]
"""Is told of a limit that is reached, by name and in a sentence. Raises LimitReached unless limits are only watched."""
_COUNTED = {
    "streams_token": "streams of this session under your token",
    "spectators_address": "spectators of this session from one address",
    "spectators_session": "spectators of this session",
}


def refuse(limit: str, sentence: str) -> None:
    """Raise LimitReached."""
    raise LimitReached(limit, sentence)


class Update(Struct, frozen=True):
    """One message of a stream: the entries that are new to the reader, and the table after the last of them.

    Shared by all who look from the same place, whoever they are: ``Reading.caller`` says what each may be told of it.
    """

    table: Table
    applied: Sequence[Applied]
    record_changed: bool
    """Whether the record is another than in the reader's last update; so it is in the first."""
    heartbeat: bool
    """Whether this update only shows that the stream is alive."""
    epoch: str
    memo: dict[Any, Any]
    """Shared by all readers of the session until its next entry."""
    rendered: dict[Any, Any] = {}
    """As it was rendered for others who are given this very update."""


class Reading:
    """A reader's place in what is shown of a session."""

    __slots__ = ("_closing", "_ends", "_losses", "_position", "_record", "_table", "_token", "bell", "caller", "rung")

    def __init__(
        self, shown: Feed | DelayedFeed, token: str | None, after: int | None, closing: Callable[[], bool]
    ) -> None:
        self.bell = shown
        """Rings whenever there may be something new."""
        self.rung = 0
        """How often it had rung at the last look."""
        self.caller = ANONYMOUS
        """Who was told at the last look."""
        self._token = token
        self._closing = closing
        self._table: Table | None = None
        self._ends = False
        self._record: Record | None = None
        self._position = shown.table.sequence if after is None else after
        self._losses = len(shown.losses)

    def look(self) -> Update:
        """Return what is new since the last look, if anything is: to be called once, and then whenever it has rung.

        Raises SequenceAhead, TokenInvalid, TokenMissing, NotAllowed, ShuttingDown, and what else ``Feed.after`` does.
        """
        if self._closing():
            raise ShuttingDown
        shown = self.bell
        self.rung = shown.rung
        table, losses, changed = shown.table, len(shown.losses), False
        record = table.record
        if record is not self._record:
            changed = record != self._record
            self._record = record
        if changed:  # a seat may have been left, or renumbered: the token is judged anew
            self.caller = recognise(record, self._token)
            require_view_access(record, self.caller)
            update = self._new(table, changed)
        else:  # who looks from the same place, as hundreds may, is given the same
            place = self.rung, self._position, self._losses, shown.epoch
            known, update = shown.looked
            if known != place:
                update = self._new(table, changed)
                shown.looked = place, update
        self._table, self._position, self._losses, self._ends = table, table.sequence, losses, record.over
        return update

    def _new(self, table: Table, changed: bool) -> Update:
        shown = self.bell
        new = shown.after(self._position, self._losses)
        return Update(table, new, changed, not (new or changed), shown.epoch, shown.memo)

    @property
    def behind(self) -> bool:
        """Whether it has rung since the last look."""
        return self.rung != self.bell.rung

    @property
    def over(self) -> bool:
        """Whether the last look has shown the end of the session."""
        return self._ends and self.bell.table is self._table


class Streams:
    """All streams of this process."""

    def __init__(self, store: Store, limits: SessionLimits, tasks: TaskRunner) -> None:
        self._store = store
        self._limits = limits
        self.refuse: Refuse = refuse
        self._tasks = tasks
        self._feeds: dict[str, Feed] = {}
        self._streams: Counter[tuple[str, str, str]] = Counter()
        """By session, token and reader, as far as they are counted apart."""
        self._heart: asyncio.Task[None] | None = None
        self._at_closing: set[Callable[[], None]] = set()
        self.closing = False
        """Whether streams end, and none begins."""

    def at_closing(self, hearer: Callable[[], None]) -> Callable[[], None]:
        """Call it once they close, at once if they have. Return what takes that back. It must not raise."""
        if self.closing:
            hearer()
        self._at_closing.add(hearer)
        return partial(self._at_closing.discard, hearer)

    def _is_closing(self) -> bool:
        return self.closing

    def expect(self, session: str, change: Change) -> None:
        """Know of a change that this process is about to commit."""
        if feed := self._feeds.get(session):
            feed.expect(change)

    def push(self, session: str, change: Change) -> None:
        """Tell the session's readers of a change that this process committed."""
        if feed := self._feeds.get(session):
            feed.push(change)

    def count(self, session: str) -> int:
        """Return how many streams of a session are open here."""
        return sum(count for (followed, _, _), count in self._streams.items() if followed == session)

    def seated(self) -> Iterator[tuple[Table, Caller]]:
        """Yield the tables that are followed from a seat here and watch presence, each with whose stream it is."""
        for session, token, _ in self._streams:
            feed = self._feeds.get(session) if token else None
            if feed is not None and feed.is_open and feed.table.record.abandonment.absence_ms:
                with suppress(TokenInvalid):
                    yield feed.table, recognise(feed.table.record, token)

    @asynccontextmanager
    async def reading(
        self, session: str, token: str | None, after: int | None, reader: str | None = None
    ) -> AsyncIterator[Reading]:
        """Enter a reader.

        ``after``: the last sequence that the reader has; ``None``: the latest. ``reader`` tells spectators apart, who
        may share a token. Raises SessionNotFound, TokenInvalid, TokenMissing, NotAllowed, LimitReached,
        StoreUnavailable.
        """
        with self._places(session, token, reader):
            await self._require_look_on(session, token)
            async with self._entered(session) as feed:
                shown = await feed.shown_to(recognise(feed.table.record, token))
                if isinstance(shown, DelayedFeed) and after is not None:
                    await self._until_shown(shown, after)
                yield Reading(shown, token, after, self._is_closing)

    async def _until_shown(self, shown: DelayedFeed, after: int) -> None:
        """Wait a while for an entry that is not shown yet: the reader may have been shown it by another replica.

        By the same one, too, before a crash: what it knew of the age since its last tick is lost. Whether there is
        such an entry makes no difference here.
        """
        delay = shown.table.record.delay
        if delay is None or not delay.ms:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._limits.uptime_skew_seconds):
                while shown.table.sequence < after and not (shown.over or self.closing):
                    await shown.wait(shown.rung)

    @contextmanager
    def _places(self, session: str, token: str | None, reader: str | None) -> Iterator[None]:
        """Hold a stream's places: of its token, or among all spectators and among those of one reader."""
        limits = self._limits
        if is_spectator_token(token):
            wanted = [((session, "", ""), limits.spectator_streams, "spectators_session")]
            if reader is not None:
                wanted.append(((session, "", reader), limits.spectators_per_address, "spectators_address"))
        else:
            wanted = [((session, token or "", ""), limits.streams_per_token, "streams_token")]
        for place, most, limit in wanted:
            if self._streams[place] >= most:
                self.refuse(limit, f"There is a limit of {most:,} {_COUNTED[limit]}. Close one first.")
        self._streams.update(place for place, *_ in wanted)
        try:
            yield
        finally:
            for place, *_ in wanted:
                self._streams[place] -= 1
                if not self._streams[place]:
                    del self._streams[place]

    async def close(self) -> None:
        """End every stream with ShuttingDown."""
        self.closing = True
        for hearer in tuple(self._at_closing):
            hearer()
        for feed in self._feeds.values():
            feed.wake()
        if self._heart is not None:
            self._heart.cancel()

    async def _require_look_on(self, session: str, token: str | None) -> None:
        """Refuse who may not look on before a log is read for it."""
        if session not in self._feeds:
            head = await self._store.load(session)
            if head is None:
                raise SessionNotFound(session)
            record = read_record(session, head)
            require_view_access(record, recognise(record, token))

    @asynccontextmanager
    async def _entered(self, session: str) -> AsyncIterator[Feed]:
        """Read the session's feed. Raises SessionNotFound, SessionDamaged, StoreUnavailable."""
        feed = self._feeds.get(session)
        known = feed is not None
        if feed is None:
            feed = self._feeds[session] = Feed(session, self._store, self._tasks)
        feed.readers += 1
        try:
            await feed.opened()
            if known:  # the reader may have heard of an entry elsewhere before this process did
                await feed.catch_up()
            if self._heart is None:
                self._heart = asyncio.get_running_loop().create_task(self._beat())
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers:
                if self._feeds.get(session) is feed:
                    del self._feeds[session]
                await feed.close()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._limits.heartbeat_seconds)
            await asyncio.gather(*(feed.heal() for feed in list(self._feeds.values())))
