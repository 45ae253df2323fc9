"""The queues of one game as a replica sees them: its own tickets, and what the matcher reports of them.

Changes of tickets are collected and sent together. The replica sends all its tickets anew whenever there is a new
matcher, or messages or news were lost. So the tickets of a replica that is gone are gone too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from secrets import token_bytes

from msgspec import Struct

from skerry_games.api import AnyGame
from skerry_service.domain.errors import ProposalExpired, SkerryError, StoreUnavailable
from skerry_service.domain.log import pack
from skerry_service.matching.matcher import Matcher, MatchObserver
from skerry_service.matching.ticket_streams import TicketStream
from skerry_service.matching.tickets import (
    CONFIRM_MS,
    Agreement,
    Message,
    News,
    NewsItem,
    NewsKind,
    Ticket,
    read_news,
)
from skerry_service.sessions.match_port import LEASE_MS, TO_MATCHER, TO_REPLICAS, Exchange, Received
from skerry_service.sessions.store_port import Store

_HEARTBEAT_MS = 1_000
"""Interval at which a replica with tickets sends a message."""
_FORGOTTEN_MS = LEASE_MS // 2
"""Time without messages after which the matcher may have forgotten the replica, by clocks that differ somewhat."""
_GAP_SECONDS = 0.02
"""Shortest time between two exchanges, so that changes at the same time share one."""
_OVERDUE_MS = CONFIRM_MS + LEASE_MS
"""Time after which a proposal must have ended. If no news said so, they were lost."""
_CONFIRM_SECONDS = 10.0
"""Time to wait for the matcher's response to a confirmation."""
_log = logging.getLogger(__name__)


class QueueState(Struct, frozen=True):
    """The tickets that wait for a game."""

    ruleset: str
    tickets: int
    """Those of this replica."""
    since_ms: int | None
    """The uptime at which the first of them arrived; ``None`` without any."""
    all_tickets: int | None
    """Those of all replicas; ``None`` unless this replica leads."""


class ReplicaQueue:
    """This replica's tickets of one game, and the game's matcher while this replica leads."""

    def __init__(
        self,
        store: Store,
        game: AnyGame,
        replica: str,
        create: Callable[[Agreement], Awaitable[None]],
        observers: Sequence[MatchObserver],
        cell: str = "",
    ) -> None:
        """``cell``: that of new sessions."""
        self.matcher: Matcher | None = None
        self.streams: dict[bytes, list[TicketStream]] = {}
        """By ticket id."""
        self._store = store
        self._rules = game
        self._game = game.ruleset
        self._replica = replica
        self._create = create
        self._observers = observers
        self._cell = cell
        self._added: dict[bytes, Ticket] = {}
        self._withdrawn: dict[bytes, bool] = {}
        """Tickets to remove; whether each has got a seat."""
        self._confirming: dict[tuple[bytes, bytes], asyncio.Future[bool]] = {}
        self._unsent_confirmations: list[tuple[bytes, bytes]] = []
        self._proposed: dict[bytes, int] = {}
        """Tickets with proposals, the oldest first, each with the uptime at which it got the proposal."""
        self._number = 0
        self._restart = True
        """Whether the next message is to list all tickets."""
        self._answer_to = 0
        """The number of a message with all tickets. News before the response to it are outdated."""
        self._next_news = 0
        self._term = b""
        self._last_news = b""
        self._unsent: Message | None = None
        """A message whose delivery is unknown."""
        self._sent_at = 0
        self._wake = asyncio.Event()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._leading: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._closing = False

    # ------------------------------------------------------------ streams

    def open(self, stream: TicketStream) -> None:
        """Put a ticket into the queues."""
        self.streams.setdefault(stream.ticket.id, []).append(stream)
        self._withdrawn.pop(stream.ticket.id, None)
        self._added[stream.ticket.id] = stream.ticket
        self._ensure_serving()

    def open_again(self, stream: TicketStream) -> None:
        """Put a ticket into the queues again: what the matcher reported of a seat has come to nothing."""
        stream.proposal = stream.setting = None
        self._added[stream.ticket.id] = stream.ticket
        self._ensure_serving()

    def status(self) -> QueueState | None:
        """Return how many tickets wait; ``None`` if this replica has none and does not lead."""
        leads = self.matcher is not None and not self.matcher.lost
        if not leads and not self.streams:
            return None
        since = min((streams[0].ticket.since for streams in self.streams.values()), default=None)
        return QueueState(
            self._game, len(self.streams), since, self.matcher.waiting if self.matcher and leads else None
        )

    def all_streams(self) -> list[TicketStream]:
        """Return all streams."""
        return [stream for streams in self.streams.values() for stream in streams]

    def close(self, stream: TicketStream, *, seated: bool) -> None:
        """Withdraw a ticket, unless another stream has it. ``seated``: whether it has got a seat."""
        streams = self.streams.get(stream.ticket.id, [])
        if stream not in streams or self._closing:
            return
        streams.remove(stream)
        if not streams:
            del self.streams[stream.ticket.id]
            self._proposed.pop(stream.ticket.id, None)
            if self._added.pop(stream.ticket.id, None) is None or seated:
                self._withdrawn[stream.ticket.id] = seated
            self._ensure_serving()

    async def confirm(self, ticket: bytes, proposal: bytes) -> None:
        """Confirm a proposal. Raises ProposalExpired, StoreUnavailable."""
        key = ticket, proposal
        if key not in self._confirming:
            self._confirming[key] = asyncio.get_running_loop().create_future()
            self._unsent_confirmations.append(key)
        answer = self._confirming[key]
        self._ensure_serving()
        try:
            async with asyncio.timeout(_CONFIRM_SECONDS):
                counts = await asyncio.shield(answer)
        except TimeoutError:
            self._confirming.pop(key, None)
            raise StoreUnavailable from None
        if not counts:
            raise ProposalExpired

    def _ensure_serving(self) -> None:
        self._wake.set()
        if not self._closing and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._serve())

    # ------------------------------------------------------------ exchange

    async def poll(self) -> None:
        """Exchange messages and news at once, and decide a round if this replica leads."""
        await self.exchange()
        if self.matcher is not None and not self.matcher.lost:
            await self.matcher.round(compare=True)
        await self.exchange()

    async def exchange(self) -> None:
        """Send what has changed, and take the news. Raises what the store raises."""
        async with self._lock:
            now = await self._store.uptime_ms()
            message = self._unsent = self._unsent or self._compose(now)
            claimed = self._claims_wanted() if message is not None and message.restart else ()
            received = await self._store.matching.exchange(
                self._game,
                Exchange(
                    self._replica,
                    now,
                    token_bytes(8),
                    self._last_news,
                    pack(message) if message else b"",
                    claimed,
                ),
            )
            self._unsent = None
            self._take(received, message)
            for ticket, claim in zip(claimed, received.claims, strict=True):
                if claim is not None:
                    self._update(NewsItem(ticket, NewsKind.SEATED))

    def _compose(self, now: int) -> Message | None:
        """Return the message with all changes since the last one; ``None`` if there is nothing to send."""
        changed = self._added or self._withdrawn or self._unsent_confirmations or (self._restart and self.streams)
        if not changed and not (self.streams and now >= self._sent_at + _HEARTBEAT_MS):
            return None
        if now - self._sent_at > _FORGOTTEN_MS or self._is_overdue(now):
            self._restart = True
        self._sent_at = now
        self._number += 1
        added = self._tickets() if self._restart else tuple(self._added.values())
        confirmed = tuple(self._confirming) if self._restart else tuple(self._unsent_confirmations)
        message = Message(
            self._replica,
            self._number,
            now,
            self._restart,
            added,
            tuple([ticket for ticket, seated in self._withdrawn.items() if not seated]),
            tuple([ticket for ticket, seated in self._withdrawn.items() if seated]),
            confirmed,
        )
        if self._restart:
            self._answer_to = self._number
        self._restart = False
        self._added, self._withdrawn, self._unsent_confirmations = {}, {}, []
        return message

    def _is_overdue(self, now: int) -> bool:
        oldest = next(iter(self._proposed.values()), now)
        return oldest + _OVERDUE_MS <= now

    def _tickets(self) -> tuple[Ticket, ...]:
        return tuple([streams[0].ticket for streams in self.streams.values() if streams[0].error is None])

    def _claims_wanted(self) -> Sequence[bytes]:
        """Return the tickets with proposals: a former matcher may have decided them."""
        return [ticket for ticket, streams in self.streams.items() if streams[0].proposal is not None]

    def _take(self, received: Received, message: Message | None) -> None:
        if received.term != self._term:
            self._term = received.term
            self._restart = message is None or not message.restart
            self._next_news = 0
            if self._restart:
                self._wake.set()
        self._last_news = received.last
        for packed in received.news:
            if (news := read_news(packed)) is not None:  # else the next news have a gap
                self._take_news(news)
        if received.leads and (self.matcher is None or self.matcher.term != received.term):
            self._lead(received.term)

    def _take_news(self, news: News) -> None:
        if news.term != self._term:
            return
        if self._answer_to:
            if news.answers != self._answer_to:
                if news.restart:  # the message was lost; or these news are outdated, which costs one message
                    self._send_everything()
                return
            self._answer_to, self._next_news = 0, news.number
            self._forget_proposals(news)
        if news.number < self._next_news:
            return
        if news.number > self._next_news or news.restart:
            self._send_everything()
        self._next_news = news.number + 1
        for item in news.items:
            self._update(item)
        for waiting in news.waiting:
            for stream in self.streams.get(waiting.ticket, ()):
                stream.report_waiting(waiting)

    def _send_everything(self) -> None:
        """Let the next message list all tickets."""
        self._restart = True
        self._wake.set()

    def _forget_proposals(self, news: News) -> None:
        """Dissolve the proposals that the first news of a matcher do not list."""
        current = {item.ticket for item in news.items if item.kind is NewsKind.PROPOSED}
        for ticket, streams in self.streams.items():
            if streams[0].proposal is not None and ticket not in current:
                self._update(NewsItem(ticket, NewsKind.DISSOLVED))

    def _update(self, item: NewsItem) -> None:
        if item.kind in (NewsKind.CONFIRMED, NewsKind.REFUSED):
            answer = self._confirming.pop((item.ticket, item.detail), None)
            if answer is not None and not answer.done():
                answer.set_result(item.kind is NewsKind.CONFIRMED)
        streams = self.streams.get(item.ticket, ())
        for stream in streams:
            stream.update(item)
        if item.kind in (NewsKind.PROPOSED, NewsKind.DISSOLVED, NewsKind.MISSED, NewsKind.SEATED):
            self._proposed.pop(item.ticket, None)
            if streams and item.kind is NewsKind.PROPOSED:
                self._proposed[item.ticket] = self._sent_at

    # ------------------------------------------------------------ tasks

    def _lead(self, term: bytes) -> None:
        store = self._store
        self.matcher = Matcher(
            store.matching, self._rules, term, store.uptime_ms, self._create, self._observers, self._cell
        )
        self._leading = asyncio.get_running_loop().create_task(self.matcher.serve())

    def _listen(self, message: bytes | None) -> None:
        if message != TO_REPLICAS and self.matcher is not None:
            self.matcher.wake.set()
        if message != TO_MATCHER:
            self._wake.set()

    async def _serve(self) -> None:
        """Exchange messages and news until this replica has no ticket of the game and does not lead."""
        channel = self._store.matching.channel(self._game)
        self._listening = asyncio.get_running_loop().create_task(self._store.listen(channel, self._listen))
        while True:
            self._wake.clear()
            try:
                await self.exchange()
            except SkerryError as error:
                _log.debug("cannot exchange messages about %s: %s", self._game, error)
            except Exception:  # the other streams continue
                _log.exception("exchanging messages about %s has failed; trying again", self._game)
            if not self._is_needed():
                break
            await self._pause()
        self._task = None  # from here on, a new ticket needs a new task
        await self._stop_listening()

    async def _stop_listening(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.cancel()
            await asyncio.wait([listening])
            await self._store.unlisten(self._store.matching.channel(self._game), self._listen)

    def _is_needed(self) -> bool:
        leads = self._leading is not None and not self._leading.done()
        pending = self._added or self._withdrawn or self._confirming or self._unsent
        return bool(leads or pending or self.streams or self._wake.is_set())

    async def _pause(self) -> None:
        await asyncio.sleep(_GAP_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(_HEARTBEAT_MS / 1000):
                await self._wake.wait()

    async def leave(self) -> None:
        """Stop. The tickets keep their places for some seconds, so that clients can reconnect to another replica."""
        self._closing = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._stop_listening()
        if self.matcher is not None and self._leading is not None:
            await self.matcher.resign()
            self._leading.cancel()
            await asyncio.wait([self._leading])
        if self.streams:
            now = await self._store.uptime_ms()
            farewell = Message(self._replica, self._number + 1, now, restart=True, added=self._tickets())
            exchange = Exchange(self._replica, now, b"", self._last_news, pack(farewell))
            await self._store.matching.exchange(self._game, exchange)
