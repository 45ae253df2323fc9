"""Delivers webhooks concurrently with calls: at least once, with a limited number of attempts.

The scheduler says which sessions to check and when. Each session has a mark for each of its deliveries. A replica
updates the mark before an attempt, so two replicas do not make the same attempt. If the replica dies, its mark expires
after ``LEASE_MS`` and another replica tries again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from secrets import randbits, token_hex
from typing import Protocol

from msgspec import MsgspecError, Struct, msgpack
from msgspec.structs import replace

from skerry_service.domain.endpoints.webhook_endpoints import (
    NamedEndpoint,
    entries_before,
    last_position,
    log_messages,
    target_of,
)
from skerry_service.domain.errors import LimitReached, SessionNotFound, SkerryError
from skerry_service.domain.log import Moved, Undone, unpack_batch
from skerry_service.domain.record import WebhookEvent
from skerry_service.domain.table import Table
from skerry_service.domain.webhook_events import (
    Condition,
    Receiver,
    WebhookMessage,
    WebhookTarget,
    receiver_of,
    targets_in,
    webhook_messages,
)
from skerry_service.sessions.resources.webhook_registry import PingResult
from skerry_service.sessions.service import Sessions
from skerry_service.sessions.store_port import Store
from skerry_service.webhooks.http_sender import DeliveryFailed, Headers
from skerry_service.webhooks.payload import body_of, headers_of, ping_body

LEASE_MS = 15_000
"""Time after which another replica may take over an attempt that was not completed."""
DELAYS_MS = (5_000, 30_000, 120_000, 600_000, 3_600_000)
"""Delays between attempts. The dispatcher gives up after one attempt more than there are delays."""
MAX_IN_FLIGHT = 128
"""Requests in flight."""
MAX_PER_RECEIVER = 8
"""Requests in flight to one host and port, so that a slow receiver does not block the others."""
MAX_PER_APPLICATION = 16
"""Requests in flight to all endpoints of an application."""
_BUSY_MS = 2_000
"""Delay of a delivery for which there is no room, at least."""
_SPACING_MS = 40
"""Time between two deliveries that find no room in the same lane. However many wait, their checks stay rare."""
_LOG_SECONDS = 5.0
"""How long a check sends events of a log, at most. It takes less time than a lease, with one more request."""
_MOST_SCANNED = 10_000
"""Logs of which a replica remembers how far they were read, for each endpoint."""
_CLOSED = -1
_SUCCESS, _GONE = 2, 410
"""The first digit of a successful HTTP status, and the status of a receiver that wants no more requests."""
_log = logging.getLogger(__name__)

_Scan = tuple[str, str, int, tuple[WebhookEvent, ...]]
"""A session, and slot, generation and events of a target."""
Since = Callable[[WebhookEvent], int]
"""See ``WebhookEndpoint.since``."""
Lane = tuple[str, int] | str
"""The requests to a host and port, or to the endpoints of an application. The number in flight is limited."""


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
    generation: int = 0
    """See ``WebhookTarget.generation``. A mark of an earlier one counts as none."""
    after: int = -1
    """Of the log of an endpoint: the position up to which all messages are closed."""


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
        self._in_flight: Counter[Lane] = Counter()
        self._requests = 0
        """Requests in flight."""
        self._parked: dict[Lane, int] = {}
        """For each lane without room: the uptime at which the last of its waiting deliveries is checked again."""
        self._scanned: OrderedDict[_Scan, int] = OrderedDict()
        """The position up to which no event of a log is left for an endpoint, so that no check reads a log again."""
        self._tasks: set[asyncio.Task[None]] = set()
        sessions.watch(self._on_stored)
        sessions.endpoints.pinger = self.ping

    async def drain(self) -> None:
        """Wait until all sessions that this replica has stored are scheduled."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _on_stored(self, table: Table) -> None:
        """Schedule a session that this replica has stored for an immediate check, unless its receivers are jammed."""
        record = table.record
        endpoints = self._sessions.endpoints.on(record.applications)
        if record.has_webhooks or not all(map(self._is_jammed, endpoints)):
            task = asyncio.get_running_loop().create_task(self._schedule(record.id))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _is_jammed(self, named: NamedEndpoint) -> bool:
        """Return whether deliveries to an endpoint wait for room."""
        return any(lane in self._parked for lane in _lanes(named.application, receiver_of(named.endpoint.url)))

    async def _schedule(self, session: str) -> None:
        with suppress(SkerryError):  # it was scheduled before the commit, for a little later
            await self._store.schedule.at("deliveries", session, 0)

    async def check(self, session: str) -> int | None:
        """Make the deliveries that are due in a session. Return the ms until the next one; ``None``: there is none."""
        try:
            table = await self._sessions.live(session)
        except SessionNotFound:
            return None
        now = await self._sessions.uptime_ms()
        self._parked = {lane: at for lane, at in self._parked.items() if at > now}
        endpoints = await self._sessions.endpoints.current(table.record.applications)
        since = {target_of(one, now): one.endpoint.since for one in endpoints}
        targets = (*targets_in(table.record), *since)
        if not targets:
            return None
        wanted = any(WebhookEvent.REMATCH in one.events for one in targets)
        rematch = await self._sessions.rematches.find(table.record) if wanted else None
        looks = [self._serve(table, one, rematch, since.get(one)) for one in targets]
        next_checks = [at for times in await asyncio.gather(*looks) for at in times if at is not None]
        return max(0, min(next_checks) - await self._sessions.uptime_ms()) if next_checks else None

    async def _serve(
        self, table: Table, target: WebhookTarget, rematch: str | None, since: Since | None
    ) -> Sequence[int | None]:
        """Make the deliveries to one target. Return the uptimes at which to check them again.

        ``since``: of an endpoint, see ``WebhookEndpoint``.
        """
        session, messages = table.record.id, list(webhook_messages(table, target, rematch))
        slots = [message.slot for message in messages]
        log, *marks = await self._states.read(session, [f"{target.slot}.log", *slots])
        if since is not None and (at := await self._deliver_log(table, target, log, since)) is not None:
            return [at]  # conditions come after the events that led to them
        deliveries = [self._deliver(table, *pair) for pair in zip(messages, marks, strict=True)]
        return [at for at, _ in await asyncio.gather(*deliveries)]

    async def _deliver_log(self, table: Table, target: WebhookTarget, stored: bytes, since: Since) -> int | None:
        """Deliver events of the log to an endpoint, one after the other. Return the uptime at which to go on."""
        scan, mark = (table.record.id, target.slot, target.generation, target.events), _mark_in(stored, target)
        after = max(-1 if mark is None else mark.after, self._scanned.get(scan, -1))
        batches = map(unpack_batch, await self._store.batches(table.record.id, entries_before(after)))
        until = asyncio.get_running_loop().time() + _LOG_SECONDS
        for message in log_messages(table, batches, target, since, after):
            at, stored = await self._deliver(table, message, stored)
            if at is not None:
                return at
            if asyncio.get_running_loop().time() > until:
                return await self._sessions.uptime_ms()
        self._scanned[scan] = last_position(table.sequence)
        self._scanned.move_to_end(scan)
        if len(self._scanned) > _MOST_SCANNED:
            self._scanned.popitem(last=False)
        return None

    async def _deliver(self, table: Table, message: WebhookMessage, stored: bytes) -> tuple[int | None, bytes]:
        """Deliver a message if it is due.

        ``stored``: the packed mark of the delivery, or empty. Return the uptime at which to check it again (``None``:
        never), and the mark.
        """
        now = await self._sessions.uptime_ms()
        mark = _mark_in(stored, message.target)
        if mark is None or mark.id != message.id:
            after = -1 if mark is None else mark.after
            mark = _Mark(message.id, 0, 0, self._replica, message.target.generation, after)
        if mark.next_ms == _CLOSED or mark.attempts > len(DELAYS_MS):
            return None, stored
        at = max(message.condition.due_ms, mark.next_ms)
        if at > now:
            return at, stored
        if message.condition.event is WebhookEvent.TURN and await self._has_just_moved(table, message.condition):
            return None, stored
        to = receiver_of(message.target.url)
        if jammed := self._without_room(message.target, to):
            return self._park(jammed, now), stored
        with self._in_flight_to(message.target, to):
            mark = replace(mark, attempts=mark.attempts + 1, next_ms=now + LEASE_MS, replica=self._replica)
            return await self._attempt(table, message, to, stored, mark)

    def _without_room(self, target: WebhookTarget, to: Receiver) -> Sequence[Lane]:
        """Return the lanes of a request that have no room for it."""
        full = self._requests >= MAX_IN_FLIGHT
        return [lane for lane in _lanes_to(target, to) if full or self._in_flight[lane] >= _room_of(lane)]

    def _park(self, lanes: Sequence[Lane], now: int) -> int:
        """Return the uptime at which to check a delivery again for which the lanes have no room."""
        at = max(now + _BUSY_MS, *(self._parked.get(lane, 0) + _SPACING_MS for lane in lanes))
        self._parked.update(dict.fromkeys(lanes, at))
        return at

    @contextmanager
    def _in_flight_to(self, target: WebhookTarget, to: Receiver) -> Iterator[None]:
        """Count a request as in flight."""
        lanes = _lanes_to(target, to)
        self._in_flight.update(lanes)
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1
            for lane in lanes:
                self._in_flight[lane] -= 1
                if not self._in_flight[lane]:
                    del self._in_flight[lane]

    async def ping(self, named: NamedEndpoint) -> PingResult:
        """Send a ping to an endpoint, once. Raises LimitReached."""
        now = await self._sessions.uptime_ms()
        target, to, time_s = target_of(named, now), receiver_of(named.endpoint.url), self._clock_s()
        if self._without_room(target, to):
            raise LimitReached("webhooks", "Too many requests to this application are in progress.", _BUSY_MS / 1000)
        body = ping_body(now, time_s * 1000)
        with self._in_flight_to(target, to):
            try:
                status = await self._send(to, headers_of(f"msg_{token_hex(12)}", target.secrets, body, time_s), body)
            except DeliveryFailed as error:
                return PingResult(None, str(error))
        return PingResult(status)

    async def _has_just_moved(self, table: Table, turn: Condition) -> bool:
        """Whether the turn follows a move of the same seat, whose player is present and needs no webhook."""
        batches = await self._store.batches(table.record.id, turn.sequence - 1)
        first = unpack_batch(batches[0]).entries[0] if batches else None
        return (isinstance(first, Moved) and first.actor == turn.seat) or isinstance(first, Undone)

    async def _attempt(
        self, table: Table, message: WebhookMessage, to: Receiver, stored: bytes, mark: _Mark
    ) -> tuple[int | None, bytes]:
        """Make an attempt unless another replica has replaced the ``stored`` mark. Return as ``_deliver``."""
        session, attempted = table.record.id, _pack(mark)
        if not await self._states.change(session, message.slot, stored, attempted):
            exists = await self._store.tip(session) is not None
            return (mark.next_ms if exists else None), stored
        status, failure = await self._request(table, message, to)
        next_ms, result = _CLOSED, "delivered"
        target = message.target
        if target.named is not None:
            await self._sessions.endpoints.report(*target.named, target.url, failure, gone=status == _GONE)
        if failure and mark.attempts <= len(DELAYS_MS) and (status != _GONE or target.named is not None):
            next_ms, result = await self._sessions.uptime_ms() + DELAYS_MS[mark.attempts - 1], "failed"
        elif failure:
            result = "given_up"
            _log.info("giving up a webhook of session %s after %d attempts: %s", session, mark.attempts, failure)
        self._on_attempt(result)
        after = max(mark.after, message.position) if next_ms == _CLOSED else mark.after
        done = _pack(replace(mark, next_ms=next_ms, after=after))
        await self._states.change(session, message.slot, attempted, done)
        return (None if next_ms == _CLOSED else next_ms), done

    async def _request(self, table: Table, message: WebhookMessage, to: Receiver) -> tuple[int | None, str]:
        """Send the request. Return the status of the response, and a short reason unless it succeeded."""
        time_s = self._clock_s()
        body = body_of(table, message, await self._sessions.uptime_ms(), time_s * 1000)
        try:
            status = await self._send(to, headers_of(message.id, message.target.secrets, body, time_s), body)
        except DeliveryFailed as error:
            return None, str(error)
        return status, "" if status // 100 == _SUCCESS else f"status {status}"


def _lanes_to(target: WebhookTarget, to: Receiver) -> Sequence[Lane]:
    """Return the lanes of a request."""
    return _lanes(target.named[0] if target.named else None, to)


def _lanes(application: str | None, to: Receiver) -> Sequence[Lane]:
    address: Lane = (to.host, to.port)
    return [address] if application is None else [address, application]


def _room_of(lane: Lane) -> int:
    return MAX_PER_APPLICATION if isinstance(lane, str) else MAX_PER_RECEIVER


def _mark_in(stored: bytes, target: WebhookTarget) -> _Mark | None:
    """Unpack a mark. A damaged mark, and one of an earlier generation, count as none: the delivery begins anew."""
    try:
        mark = _unpack(stored) if stored else None
    except MsgspecError:
        return None
    return mark if mark is not None and mark.generation == target.generation else None
