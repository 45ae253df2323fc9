"""Readers that follow sessions. One feed for each watched session, shared by all its streams in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from msgspec import Struct

from skerry_service.sessions.access import Caller, Role, is_of_spectator, recognise, require_look_on
from skerry_service.sessions.errors import LimitReached, SessionNotFound, ShuttingDown, TokenInvalid
from skerry_service.sessions.feed import Feed
from skerry_service.sessions.limits import Limits
from skerry_service.sessions.port import Store
from skerry_service.sessions.slices import Slices
from skerry_service.sessions.stored import read_record
from skerry_service.sessions.table import Applied, Change, Table

_COUNTED = {
    "streams_token": "streams of this session under your token",
    "spectators_address": "spectators of this session from one address",
    "spectators_session": "spectators of this session",
}


class Update(Struct, frozen=True):
    """One message of a stream: the entries that are new to the reader, and the table after the last of them."""

    caller: Caller
    table: Table
    applied: Sequence[Applied]
    record_changed: bool
    """Whether the record is another than in the reader's last update; so it is in the first."""
    heartbeat: bool
    """Whether this update only shows that the stream is alive."""
    epoch: str
    memo: dict[Any, Any]
    """Shared by all readers of the session until its next entry."""


class Streams:
    """All streams of this process."""

    def __init__(self, store: Store, limits: Limits, slices: Slices) -> None:
        self._store = store
        self._limits = limits
        self._slices = slices
        self._feeds: dict[str, Feed] = {}
        self._streams: Counter[tuple[str, str, str]] = Counter()
        """By session, token and reader, as far as they are counted apart."""
        self._heart: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()

    @property
    def closing(self) -> bool:
        """Whether streams end, and none begins."""
        return self._closed.is_set()

    async def closed(self) -> None:
        """Return once they are closed."""
        await self._closed.wait()

    def expect(self, session: str, change: Change) -> None:
        """Know of a change that this process is about to commit."""
        if feed := self._feeds.get(session):
            feed.expect(change)

    def push(self, session: str, change: Change) -> None:
        """Tell the session's readers of a change that this process committed."""
        if feed := self._feeds.get(session):
            feed.push(change)

    def seated(self) -> Iterator[tuple[Table, Caller]]:
        """Yield the tables that are followed from a seat here and watch presence, each with whose stream it is."""
        for session, token, _ in self._streams:
            feed = self._feeds.get(session) if token else None
            if feed is not None and feed.is_open and feed.table.record.leavers.absence_ms:
                with suppress(TokenInvalid):
                    yield feed.table, recognise(feed.table.record, token)

    async def follow(
        self, session: str, token: str | None, after: int | None, reader: str | None = None
    ) -> AsyncGenerator[Update, None]:
        """Yield an update at once, then whenever there are new entries, until the game is over.

        ``after``: the last sequence that the reader has; ``None``: the latest. ``reader`` tells spectators apart, who
        may share a token. Raises SessionNotFound, TokenInvalid, TokenMissing, NotAllowed, SequenceAhead, LimitReached,
        ShuttingDown, StoreUnavailable.
        """
        with self._places(session, token, reader):
            await self._require_look_on(session, token)
            async with self._entered(session) as feed:
                shown = await feed.shown_to(recognise(feed.table.record, token))
                record, caller = None, Caller(Role.ANYBODY)
                position, losses = shown.table.sequence if after is None else after, len(shown.losses)
                while not self.closing:
                    table, rung = (
                        shown.table,
                        shown.rung,
                    )  # first: nothing that comes meanwhile must be missed
                    changed = table.record is not record and table.record != record
                    if changed:  # a seat may have been left, or renumbered: the token is judged anew
                        record = table.record
                        caller = recognise(record, token)
                        require_look_on(record, caller)
                    new = shown.after(position, losses)
                    known_losses = len(shown.losses)
                    yield Update(caller, table, new, changed, not (new or changed), shown.epoch, shown.memo)
                    position, losses = table.sequence, known_losses
                    if shown.over and shown.table is table:
                        return
                    await shown.wait(rung)
                raise ShuttingDown

    @contextmanager
    def _places(self, session: str, token: str | None, reader: str | None) -> Iterator[None]:
        """Hold a stream's places: of its token, or among all spectators and among those of one reader."""
        limits = self._limits
        if is_of_spectator(token):
            wanted = [((session, "", ""), limits.spectator_streams, "spectators_session")]
            if reader is not None:
                wanted.append(((session, "", reader), limits.spectators_per_address, "spectators_address"))
        else:
            wanted = [((session, token or "", ""), limits.streams_per_token, "streams_token")]
        for place, most, limit in wanted:
            if self._streams[place] >= most:
                raise LimitReached(limit, f"There is a limit of {most:,} {_COUNTED[limit]}. Close one first.")
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
        self._closed.set()
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
            require_look_on(record, recognise(record, token))

    @asynccontextmanager
    async def _entered(self, session: str) -> AsyncIterator[Feed]:
        """Read the session's feed. Raises SessionNotFound, SessionDamaged, StoreUnavailable."""
        feed = self._feeds.get(session)
        known = feed is not None
        if feed is None:
            feed = self._feeds[session] = Feed(session, self._store, self._slices)
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
