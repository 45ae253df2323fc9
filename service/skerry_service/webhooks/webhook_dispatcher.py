"""Somebody who tells receivers what there is to tell, beside the calls: at least once, and not for ever.

Which sessions to look at says one index of the store, which all replicas share, and how far each thing has come the
session itself. An attempt is marked before it is made, so two replicas do not make the same one; whoever dies over it
leaves a mark that is out of date a few seconds later, and somebody else tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from secrets import randbits
from typing import Any, Protocol

from msgspec import Struct, msgpack
from msgspec.structs import replace

from skerry_service.domain.errors import SessionNotFound, SkerryError
from skerry_service.domain.log import Moved, unpack_batch
from skerry_service.domain.record import WebhookEvent
from skerry_service.domain.table import Table
from skerry_service.domain.webhook_events import Condition, Receiver, WebhookMessage, receiver_of, webhook_messages
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.webhooks.http_sender import Headers, NotSent
from skerry_service.webhooks.payload import body_of, headers_of

LEASE_MS = 15_000
"""After this somebody else looks at a session, or makes an attempt, that somebody took up and did not end."""
DELAYS_MS = (5_000, 30_000, 120_000, 600_000, 3_600_000)
"""Between two attempts. After one more than there are delays it is given up."""
MOST_AT_ONCE = 64
"""Requests under way."""
MOST_TO_ONE = 8
"""Of those, to one host and port: a slow one leaves room for the others."""
_BUSY_MS = 2_000
_MOST_SESSIONS = 100
_LOOK_SECONDS = 0.25
_OVER = -1
_GOOD = 2
"""Of a status the first digit."""
_log = logging.getLogger(__name__)


class Send(Protocol):
    """Sends a request, as ``Sender.send`` does."""

    async def __call__(self, to: Receiver, headers: Headers, body: bytes) -> int:
        """Return the status of the answer. Raises NotSent."""


class _Mark(Struct, frozen=True, array_like=True):
    """How far something has come."""

    id: str
    attempts: int
    again_ms: int
    """The age of the store at which to try again; ``_OVER``: it was told, or given up."""
    by: int
    """Whose attempt it is or was: no two replicas take one attempt for theirs."""


_unpack = msgpack.Decoder(_Mark).decode
_pack = msgpack.Encoder().encode


class WebhookDispatcher:
    """Tells receivers of the sessions of a store, as one replica does."""

    def __init__(self, sessions: Sessions, store: Store, send: Send, clock_s: Callable[[], int]) -> None:
        """``clock_s``: the wall clock, for signatures."""
        self._sessions = sessions
        self._store = store
        self._outbox = store.deliveries
        self._send = send
        self._clock_s = clock_s
        self._me = randbits(32)
        self._under_way: Counter[tuple[str, int]] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        sessions.watch(self._stored)

    async def run(self) -> None:
        """Tell for good."""
        while True:
            try:
                await self.look()
            except SkerryError as refusal:
                _log.debug("nobody looked for what is to be told: %s", refusal)
            except Exception:
                _log.exception("nobody looked for what is to be told; trying again")
            await asyncio.sleep(_LOOK_SECONDS)

    async def look(self) -> None:
        """Begin to tell what there is to tell at the sessions whose time has come, up to a number of them."""
        room = _MOST_SESSIONS - len(self._tasks)
        if room > 0:
            for session, lease in await self._outbox.due(room, LEASE_MS):
                self._begin(self._look_at(session, lease))

    async def settled(self) -> None:
        """Return once nothing is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Stop. What was not told will be, by others or later."""
        for task in tuple(self._tasks):
            task.cancel()
        await self.settled()

    def _stored(self, table: Table) -> None:
        """Have a table looked at at once that was stored here."""
        if table.record.has_webhooks:
            self._begin(self._outbox.schedule(table.record.id, 0))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_at(self, session: str, lease: int) -> None:
        try:
            table = await self._sessions.live(session)
        except SessionNotFound:
            await self._outbox.release(session, lease, None)
            return
        events = list(webhook_messages(table))
        marks = await self._outbox.states(session, [event.slot for event in events])
        now = await self._sessions.uptime_ms()
        looks = [self._tell(table, event, mark, now) for event, mark in zip(events, marks, strict=True)]
        later = [at for at in await asyncio.gather(*looks) if at is not None]
        after_ms = max(0, min(later) - await self._sessions.uptime_ms()) if later else None
        await self._outbox.release(session, lease, after_ms)

    async def _tell(self, table: Table, event: WebhookMessage, stands: bytes, now: int) -> int | None:
        """Tell of something, if it is time to. Return the age at which to look at it again; ``None``: never."""
        mark = _unpack(stands) if stands else None
        if mark is None or mark.id != event.id:
            mark = _Mark(event.id, 0, 0, self._me)
        if mark.again_ms == _OVER or mark.attempts > len(DELAYS_MS):
            return None
        at = max(event.condition.due_ms, mark.again_ms)
        if at > now:
            return at
        if event.condition.event is WebhookEvent.TURN and await self._is_known(table, event.condition):
            return None
        to = receiver_of(event.webhook.url)
        place = to.host, to.port
        if self._under_way[place] >= MOST_TO_ONE or self._under_way.total() >= MOST_AT_ONCE:
            return now + _BUSY_MS
        self._under_way[place] += 1
        try:
            mark = _Mark(event.id, mark.attempts + 1, now + LEASE_MS, self._me)
            return await self._attempt(table, event, to, stands, mark)
        finally:
            self._under_way[place] -= 1
            if not self._under_way[place]:
                del self._under_way[place]

    async def _is_known(self, table: Table, condition: Condition) -> bool:
        """Whether a turn follows from a move of its own seat: whoever made it is there."""
        batches = await self._store.batches(table.record.id, condition.sequence - 1)
        first = unpack_batch(batches[0]).entries[0] if batches else None
        return isinstance(first, Moved) and first.actor == condition.seat

    async def _attempt(
        self, table: Table, event: WebhookMessage, to: Receiver, stands: bytes, mark: _Mark
    ) -> int | None:
        """Make the attempt that the mark stands for, unless somebody else makes it."""
        session, tried = table.record.id, _pack(mark)
        if not await self._outbox.set_state(session, event.slot, stands, tried):
            return mark.again_ms
        refusal = await self._refusal(table, event, to)
        again_ms = _OVER
        if refusal and mark.attempts <= len(DELAYS_MS):
            again_ms = await self._sessions.uptime_ms() + DELAYS_MS[mark.attempts - 1]
        elif refusal:
            _log.info("a webhook of session %s is given up after %d attempts: %s", session, mark.attempts, refusal)
        await self._outbox.set_state(session, event.slot, tried, _pack(replace(mark, again_ms=again_ms)))
        return None if again_ms == _OVER else again_ms

    async def _refusal(self, table: Table, event: WebhookMessage, to: Receiver) -> str:
        """Send the request. Return why it has not been told, in a word; empty: it has."""
        body = body_of(table.record, event, await self._sessions.uptime_ms())
        try:
            status = await self._send(to, headers_of(table.record, event, body, self._clock_s()), body)
        except NotSent as error:
            return str(error)
        return "" if status // 100 == _GOOD else f"status {status}"


async def _logged(work: Awaitable[None]) -> None:
    try:
        await work
    except SkerryError as refusal:
        _log.debug("what is to be told is not told yet: %s", refusal)
    except Exception:  # of one session: the others are told nevertheless
        _log.exception("what is to be told is not told")
