"""One game's pool as a replica sees and changes it, for the streams that it holds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_bytes
from typing import TypeVar

from msgspec import Struct

from skerry_games.api import AnyGame
from skerry_service.domain.errors import LimitReached
from skerry_service.domain.record import Record
from skerry_service.matching.criteria import Criteria
from skerry_service.matching.queue import MatchQueue, Waiter, pack_queue, read_queue
from skerry_service.sessions.store_port import Store

T = TypeVar("T")
_ATTEMPTS = 100
"""Others are first only as often as there are replicas: each changes one pool once at a time."""
_KEEP_MS = 3_600_000
"""A pool is written every few seconds, as long as anybody waits."""


class TicketRequest(Struct, frozen=True):
    """What somebody looks for, and who they are."""

    game: AnyGame
    wish: Criteria
    name: str
    player_id: str = ""


class Ticket:
    """A stream of somebody who looks for a table."""

    def __init__(self, seeking: TicketRequest, ticket: bytes, waiter: bytes, asked: bytes, since: int) -> None:
        """``since``: the age of the store at which it was opened."""
        self.seeking = seeking
        self.ticket = ticket
        self.id = waiter
        self.asked = asked
        self.since = since
        self.aside = False
        """Whether it is being seated at a table that is there already."""
        self.looked = 0
        """How often open tables had been looked at when it was last tried whether one of them will do."""

    def waiter(self, holder: str) -> Waiter:
        """Return them as they wait."""
        one = self.seeking
        return Waiter(self.id, self.asked, self.since, holder, one.name, one.player_id, one.wish, busy=self.aside)


class QueueHandle:
    """The pool of a game, and the streams here of those who are in it. What is done to it is done to what is stored."""

    def __init__(self, store: Store, game: AnyGame, holder: str) -> None:
        self.game = game
        self.holder = holder
        self.seekers: list[Ticket] = []
        self.pool = MatchQueue()
        """As it was last known."""
        self.tables: Sequence[Record] = ()
        """Open public tables, as they were last looked at; those first that are to be filled first."""
        self.looked = 0
        """How often they were looked at."""
        self.looks = 0
        """How often a look at them was begun."""
        self.looking = asyncio.Lock()
        self.hurry = asyncio.Event()
        """Set when somebody has gone."""
        self.closing = False
        """Whether those who wait are left to find another replica, where they have their places for some seconds."""
        self._store = store
        self._note = f"find:{game.ruleset}"
        self._lock = asyncio.Lock()
        self._news = asyncio.Event()

    @property
    def news(self) -> asyncio.Event:
        """Is set with the next change. To be taken before the pool is looked at."""
        return self._news

    def ring(self) -> None:
        """Wake every stream."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def change(self, do: Callable[[MatchQueue, int], T]) -> T:
        """Change the pool, as often as it takes to be nobody's second; return what ``do`` returned.

        ``do`` is given the pool and the age of the store. Raises what it raises, LimitReached, and what the store does.
        """
        async with self._lock:
            for _ in range(_ATTEMPTS):
                note = await self._store.read_register(self._note)
                before, version = (note.value, note.version) if note else (b"", b"")
                pool, now = read_queue(before), await self._store.uptime_ms()
                result = do(pool, now)
                self._reconcile(pool, now)
                pool.settle(now, token_bytes)
                after = pack_queue(pool)
                if after == before or await self._store.write_register(self._note, after, _KEEP_MS, version):
                    self._take(pool)
                    return result
        raise LimitReached("conflicts", "Too many calls look for tables of this game at once.")

    def _reconcile(self, pool: MatchQueue, now: int) -> None:
        """Let those go whose streams are gone from here, and renew the lease of the others."""
        here = {one.id: False for one in self.seekers}
        for seeker in self.seekers:
            here[seeker.id] = here[seeker.id] or seeker.aside
        for waiter in [one for one in pool.waiters if one.holder == self.holder]:
            if waiter.id not in here:
                if not self.closing:
                    pool.leave(waiter.id)
            elif not here[waiter.id]:
                pool.free(waiter.id, self.holder)
        if here:
            pool.renew(self.holder, now)

    def _take(self, pool: MatchQueue) -> None:
        changed = pool != self.pool
        self.pool = pool
        if changed:
            self.ring()

    async def sleep(self, seconds: float) -> None:
        """Wait for that time, or until somebody has gone."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.hurry.wait()
        self.hurry.clear()
