"""Readers that follow sessions. One feed for each watched session, shared by all its streams in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from msgspec import Struct

from skerry_service.sessions.access import Caller, Role, recognise, require_look_on
from skerry_service.sessions.errors import LimitReached, ShuttingDown
from skerry_service.sessions.feed import Feed
from skerry_service.sessions.limits import Limits
from skerry_service.sessions.port import Store
from skerry_service.sessions.table import Change, Table, Told


class Update(Struct, frozen=True):
    """One message of a stream: the entries that are new to the reader, and the table after the last of them."""

    caller: Caller
    table: Table
    told: Sequence[Told]
    record_changed: bool
    """Whether the record is another than in the reader's last update; so it is in the first."""
    heartbeat: bool
    """Whether this update only shows that the stream is alive."""
    epoch: str
    memo: dict[Any, Any]
    """Shared by all readers of the session until its next entry."""


class Streams:
    """All streams of this process."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._feeds: dict[str, Feed] = {}
        self._streams: Counter[tuple[str, str | None]] = Counter()
        self._heart: asyncio.Task[None] | None = None
        self.closing = False
        """Whether streams end, and none begins."""

    def push(self, session: str, change: Change) -> None:
        """Tell the session's readers of a change that this process committed."""
        if feed := self._feeds.get(session):
            feed.push(change)

    async def follow(self, session: str, token: str | None, after: int | None) -> AsyncGenerator[Update, None]:
        """Yield an update at once, then whenever there are new entries, until the game is over.

        ``after``: the last sequence that the reader has; ``None``: the latest. Raises SessionNotFound, TokenInvalid,
        TokenMissing, NotAllowed, SequenceAhead, LimitReached, ShuttingDown, StoreUnavailable.
        """
        key = session, token
        if self._streams[key] >= (self._limits.spectator_streams if token is None else self._limits.streams_per_token):
            raise LimitReached("streams", "Too many streams of this session are open under your token.")
        self._streams[key] += 1
        try:
            feed = await self._enter(session)
            try:
                async with aclosing(self._updates(feed, token, after)) as updates:
                    async for update in updates:
                        yield update
            finally:
                await self._exit(feed)
        finally:
            self._streams[key] -= 1
            if not self._streams[key]:
                del self._streams[key]

    async def close(self) -> None:
        """End every stream with ShuttingDown."""
        self.closing = True
        for feed in self._feeds.values():
            feed.ring()
        if self._heart is not None:
            self._heart.cancel()

    async def _updates(self, feed: Feed, token: str | None, after: int | None) -> AsyncGenerator[Update, None]:
        record, caller = None, Caller(Role.ANYBODY)
        position, losses = feed.table.sequence if after is None else after, len(feed.losses)
        while not self.closing:
            table, rung = feed.table, feed.rung  # taken first: what comes while the reader is busy must not be missed
            changed = table.record is not record and table.record != record
            if changed:  # a seat may have been left, or renumbered: the token is judged anew
                record = table.record
                caller = recognise(record, token)
                require_look_on(record, caller)
            told = feed.after(position, losses)
            known_losses = len(feed.losses)
            yield Update(caller, table, told, changed, not (told or changed), feed.epoch, feed.memo)
            position, losses = table.sequence, known_losses
            if feed.over and feed.table is table:
                return
            await feed.wait(rung)
        raise ShuttingDown

    async def _enter(self, session: str) -> Feed:
        feed = self._feeds.get(session)
        known = feed is not None
        if feed is None:
            feed = self._feeds[session] = Feed(session, self._store)
        feed.readers += 1
        try:
            await feed.opened()
            if known:  # the reader may have heard of an entry elsewhere before this process did
                await feed.catch_up()
        except BaseException:
            await self._exit(feed)
            raise
        if self._heart is None:
            self._heart = asyncio.get_running_loop().create_task(self._beat())
        return feed

    async def _exit(self, feed: Feed) -> None:
        feed.readers -= 1
        if not feed.readers:
            if self._feeds.get(feed.session) is feed:
                del self._feeds[feed.session]
            await feed.close()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._limits.heartbeat_seconds)
            await asyncio.gather(*(feed.heal() for feed in list(self._feeds.values())))
