"""Delivers webhooks concurrently with calls: at least once, with a limited number of attempts.

The scheduler says which sessions to check and when. Each session has a mark for each of its deliveries. A replica
updates the mark before an attempt, so two replicas do not make the same attempt. If the replica dies, its mark expires
after ``LEASE_MS`` and another replica tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from secrets import randbits
from typing import Protocol

from msgspec import MsgspecError, Struct, msgpack
from msgspec.structs import replace

from skerry_service.domain.errors import SessionNotFound, SkerryError
from skerry_service.domain.log import Moved, Undone, unpack_batch
from skerry_service.domain.record import WebhookEvent
from skerry_service.domain.table import Table
from skerry_service.domain.webhook_events import Condition, Receiver, WebhookMessage, receiver_of, webhook_messages
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.webhooks.http_sender import DeliveryFailed, Headers
from skerry_service.webhooks.payload import body_of, headers_of

LEASE_MS = 15_000
"""Time after which another replica may take over an attempt that was not completed."""
DELAYS_MS = (5_000, 30_000, 120_000, 600_000, 3_600_000)
"""Delays between attempts. The dispatcher gives up after one attempt more than there are delays."""
MAX_IN_FLIGHT = 64
"""Requests in flight."""
MAX_PER_RECEIVER = 8
"""Requests in flight to one host and port, so that a slow receiver does not block the others."""
_BUSY_MS = 2_000
"""Delay of a delivery for which there is no room."""
_CLOSED = -1
_SUCCESS = 2
"""The first digit of a successful HTTP status."""
_log = logging.getLogger(__name__)


class Send(Protocol):
    """Sends a request. See ``HttpSender.send``."""

    async def __call__(self, to: Receiver, headers: Headers, body: bytes) -> int:
        """Return the status of the response. Raises DeliveryFailed."""


class _Mark(Struct, frozen=True, array_like=True):
    """The progress of a delivery, as stored."""

    id: str
    attempts: int
    next_ms: int
    """The uptime at which to try again; ``_CLOSED``: delivered, or given up."""
    replica: int
    """The replica that made the last attempt, so that two replicas never write equal marks."""


_unpack = msgpack.Decoder(_Mark).decode
_pack = msgpack.Encoder().encode


class WebhookDispatcher:
    """Delivers the webhooks of all sessions of a store, sharing the work with other replicas."""

    def __init__(
        self,
        sessions: Sessions,
        store: Store,
        send: Send,
        clock_s: Callable[[], int],
        on_attempt: Callable[[str], None] = lambda result: None,
    ) -> None:
        """``clock_s``: the wall clock, for signatures. ``on_attempt``: called with the result of each attempt."""
        self._on_attempt = on_attempt
        self._sessions = sessions
        self._store = store
        self._states = store.deliveries
        self._send = send
        self._clock_s = clock_s
        self._replica = randbits(32)
        self._in_flight: Counter[tuple[str, int]] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        sessions.watch(self._on_stored)

    async def drain(self) -> None:
        """Wait until all sessions that this replica has stored are scheduled."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _on_stored(self, table: Table) -> None:
        """Schedule a session that this replica has stored for an immediate check."""
        if table.record.has_webhooks:
            task = asyncio.get_running_loop().create_task(self._schedule(table.record.id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _schedule(self, session: str) -> None:
        with suppress(SkerryError):  # it was scheduled before the commit, for a little later
            await self._store.schedule.at("deliveries", session, 0)

    async def check(self, session: str) -> int | None:
        """Make the deliveries that are due in a session. Return the ms until the next one; ``None``: there is none."""
        try:
            table = await self._sessions.live(session)
        except SessionNotFound:
            return None
        messages = list(webhook_messages(table))
        marks = await self._states.read(session, [message.slot for message in messages])
        now = await self._sessions.uptime_ms()
        deliveries = [self._deliver(table, *pair, now) for pair in zip(messages, marks, strict=True)]
        next_checks = [at for at in await asyncio.gather(*deliveries) if at is not None]
        return max(0, min(next_checks) - await self._sessions.uptime_ms()) if next_checks else None

    async def _deliver(self, table: Table, message: WebhookMessage, stored: bytes, now: int) -> int | None:
        """Deliver a message if it is due.

        ``stored``: the packed mark of the delivery, or empty. Return the uptime at which to check it again; ``None``:
        never.
        """
        mark = _mark_in(stored)
        if mark is None or mark.id != message.id:
            mark = _Mark(message.id, 0, 0, self._replica)
        if mark.next_ms == _CLOSED or mark.attempts > len(DELAYS_MS):
            return None
        at = max(message.condition.due_ms, mark.next_ms)
        if at > now:
            return at
        if message.condition.event is WebhookEvent.TURN and await self._has_just_moved(table, message.condition):
            return None
        to = receiver_of(message.webhook.url)
        address = to.host, to.port
        if self._in_flight[address] >= MAX_PER_RECEIVER or self._in_flight.total() >= MAX_IN_FLIGHT:
            return now + _BUSY_MS
        self._in_flight[address] += 1
        try:
            mark = _Mark(message.id, mark.attempts + 1, now + LEASE_MS, self._replica)
            return await self._attempt(table, message, to, stored, mark)
        finally:
            self._in_flight[address] -= 1
            if not self._in_flight[address]:
                del self._in_flight[address]

    async def _has_just_moved(self, table: Table, turn: Condition) -> bool:
        """Whether the turn follows a move of the same seat, whose player is present and needs no webhook."""
        batches = await self._store.batches(table.record.id, turn.sequence - 1)
        first = unpack_batch(batches[0]).entries[0] if batches else None
        return (isinstance(first, Moved) and first.actor == turn.seat) or isinstance(first, Undone)

    async def _attempt(
        self, table: Table, message: WebhookMessage, to: Receiver, stored: bytes, mark: _Mark
    ) -> int | None:
        """Make an attempt unless another replica has replaced the ``stored`` mark. Return as ``_deliver``."""
        session, attempted = table.record.id, _pack(mark)
        if not await self._states.change(session, message.slot, stored, attempted):
            return mark.next_ms
        failure = await self._request(table, message, to)
        next_ms, result = _CLOSED, "delivered"
        if failure and mark.attempts <= len(DELAYS_MS):
            next_ms, result = await self._sessions.uptime_ms() + DELAYS_MS[mark.attempts - 1], "failed"
        elif failure:
            result = "given_up"
            _log.info("giving up a webhook of session %s after %d attempts: %s", session, mark.attempts, failure)
        self._on_attempt(result)
        await self._states.change(session, message.slot, attempted, _pack(replace(mark, next_ms=next_ms)))
        return None if next_ms == _CLOSED else next_ms

    async def _request(self, table: Table, message: WebhookMessage, to: Receiver) -> str:
        """Send the request. Return an empty string on success, else a short reason."""
        time_s = self._clock_s()
        body = body_of(table, message, await self._sessions.uptime_ms(), time_s * 1000)
        try:
            status = await self._send(to, headers_of(table.record, message, body, time_s), body)
        except DeliveryFailed as error:
            return str(error)
        return "" if status // 100 == _SUCCESS else f"status {status}"


def _mark_in(stored: bytes) -> _Mark | None:
    """Unpack a mark. A damaged mark counts as none: the delivery begins anew."""
    try:
        return _unpack(stored) if stored else None
    except MsgspecError:
        return None
