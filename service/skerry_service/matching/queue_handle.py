"""The queue of one game as a replica reads and changes it, on behalf of the streams that it holds."""

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
from skerry_service.matching.queue import MatchQueue, QueuedTicket, pack_queue, read_queue
from skerry_service.sessions.store_port import Store

T = TypeVar("T")
_ATTEMPTS = 100
"""Each replica changes a queue once at a time, so a change conflicts at most about as often as there are replicas."""
_KEEP_MS = 3_600_000
"""Lifetime of the stored queue. It is written every few seconds while tickets wait."""


class TicketRequest(Struct, frozen=True):
    """A request for a seat at a table with strangers."""

    game: AnyGame
    criteria: Criteria
    name: str
    player_id: str = ""


class TicketStream:
    """An open FindMatch stream with its ticket."""

    def __init__(self, request: TicketRequest, ticket: bytes, ticket_id: bytes, digest: bytes, since: int) -> None:
        """``digest``: of the request; ``since``: the store uptime in ms at which the stream was opened."""
        self.request = request
        self.ticket = ticket
        self.id = ticket_id
        self.digest = digest
        self.since = since
        self.reserved = False
        """Whether this replica is about to join an open table with the ticket."""
        self.tables_version = 0
        """The version of the open tables that were last tried."""

    def queued(self, holder: str) -> QueuedTicket:
        """Return the ticket as it waits in the queue."""
        request = self.request
        return QueuedTicket(
            self.id,
            self.digest,
            self.since,
            holder,
            request.name,
            request.player_id,
            request.criteria,
            reserved=self.reserved,
        )


class QueueHandle:
    """A game's stored queue, and this replica's streams of the game."""

    def __init__(self, store: Store, game: AnyGame, holder: str) -> None:
        self.game = game
        self.holder = holder
        self.streams: list[TicketStream] = []
        self.queue = MatchQueue()
        """As last read or written."""
        self.tables: Sequence[Record] = ()
        """Open public tables as last read, in the order in which they should be filled."""
        self.tables_version = 0
        """The number of completed reads of the open tables."""
        self.reads_begun = 0
        """The number of reads of the open tables that have begun."""
        self.reading = asyncio.Lock()
        self.wake = asyncio.Event()
        """Set when a stream has closed."""
        self.closing = False
        """Whether this replica shuts down. It keeps its tickets queued, so that clients can reconnect elsewhere."""
        self._store = store
        self._register = f"queue:{game.ruleset}"
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()

    @property
    def changed(self) -> asyncio.Event:
        """An event that is set at the next change. Get it before you read the queue."""
        return self._changed

    def notify(self) -> None:
        """Wake every stream."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def change(self, do: Callable[[MatchQueue, int], T]) -> T:
        """Change the stored queue by compare-and-set, with retries, and return the result of ``do``.

        ``do``: receives the queue and the store uptime in ms. Raises what ``do`` and the store raise, and LimitReached.
        """
        async with self._lock:
            for _ in range(_ATTEMPTS):
                register = await self._store.read_register(self._register)
                before, version = (register.value, register.version) if register else (b"", b"")
                queue, now = read_queue(before), await self._store.uptime_ms()
                result = do(queue, now)
                self._reconcile(queue, now)
                queue.update(now, token_bytes)
                after = pack_queue(queue)
                if after == before or await self._store.write_register(self._register, after, _KEEP_MS, version):
                    self._replace(queue)
                    return result
        raise LimitReached("conflicts", "Too many calls are changing the match queue of this game at the same time.")

    def _reconcile(self, queue: MatchQueue, now: int) -> None:
        """Withdraw the tickets of closed streams, and renew the lease for the open ones."""
        reserved = {stream.id: False for stream in self.streams}
        for stream in self.streams:
            reserved[stream.id] = reserved[stream.id] or stream.reserved
        for queued in [queued for queued in queue.tickets if queued.holder == self.holder]:
            if queued.id not in reserved:
                if not self.closing:
                    queue.withdraw(queued.id)
            elif not reserved[queued.id]:
                queue.release(queued.id, self.holder)
        if reserved:
            queue.renew_lease(self.holder, now)

    def _replace(self, queue: MatchQueue) -> None:
        changed = queue != self.queue
        self.queue = queue
        if changed:
            self.notify()

    async def sleep(self, seconds: float) -> None:
        """Wait for that time, or until a stream has closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.wake.wait()
        self.wake.clear()
